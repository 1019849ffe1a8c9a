//! The result for a file: [`Verdict`] and the [`Tally`] of its checks.

use std::fmt;

pub(crate) use crate::problem::Problem;

/// The outcome of one file.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Checked.
    Judged(Tally),
    /// Not a case but the data of a case, such as a mesh.
    Input,
    /// Could not be checked at all: unreadable, or of an unknown kind.
    Failed(String),
}

impl Verdict {
    /// Whether the gate fails.
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Self::Judged(tally) => tally.worst > 1.0 || tally.cases == 0,
            Self::Input => false,
            Self::Failed(_) => true,
        }
    }
}

impl From<Result<Tally, Problem>> for Verdict {
    fn from(result: Result<Tally, Problem>) -> Self {
        match result {
            Ok(tally) => Self::Judged(tally),
            Err(problem) => Self::Failed(problem.0),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Judged(tally) if tally.cases == 0 => write!(f, "{:>17}  FAIL: nothing to check", ""),
            Self::Judged(tally) => {
                let word = if tally.worst > 1.0 { "FAIL" } else { "pass" };
                let worst = Ratio(tally.worst);
                write!(f, "{:>5} cases  worst {worst:<8} of the tolerance  {word}", tally.cases)?;
                if tally.worst > 1.0 {
                    write!(f, ": {}", tally.at)?;
                } else if !tally.note.is_empty() {
                    write!(f, " ({})", tally.note)?;
                }
                Ok(())
            }
            Self::Input => write!(f, "input of other files"),
            Self::Failed(why) => write!(f, "FAIL: {why}"),
        }
    }
}

/// A ratio in few digits.
struct Ratio(f64);

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.0 == 0.0 || (0.001..1000.0).contains(&self.0) {
            format!("{:.3}", self.0)
        } else {
            format!("{:.1e}", self.0)
        };
        f.pad(&text)
    }
}

/// How many cases were checked, and which used most of its tolerance.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Cases checked.
    pub(crate) cases: usize,
    /// Largest error divided by its tolerance; above 1 is a failure.
    pub(crate) worst: f64,
    /// The name of that check.
    pub(crate) at: String,
    /// A remark behind a pass.
    pub(crate) note: String,
}

impl Tally {
    /// Counts a case.
    pub(crate) fn case(&mut self) {
        self.cases += 1;
    }

    /// Compares an error with a tolerance of at least zero. NaN on either side is a failure.
    pub(crate) fn check(&mut self, error: f64, tolerance: f64, what: impl FnOnce() -> String) {
        let used = if error == 0.0 && tolerance >= 0.0 {
            0.0
        } else {
            let used = error.abs() / tolerance.max(0.0);
            if used.is_nan() || tolerance.is_nan() { f64::INFINITY } else { used }
        };
        if used > self.worst || self.at.is_empty() {
            self.worst = used;
            self.at = format!("{}: off by {error:.3e}, allowed {tolerance:.3e}", what());
        }
    }

    /// A condition without a measure.
    pub(crate) fn require(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.worst = f64::INFINITY;
            self.at = what();
        }
    }

    /// Adds another tally.
    pub(crate) fn merge(&mut self, other: Self) {
        self.cases += other.cases;
        if other.worst > self.worst || self.at.is_empty() {
            (self.worst, self.at) = (other.worst, other.at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_use_up_tolerances() {
        let mut tally = Tally::default();
        tally.case();
        tally.check(0.25, 1.0, || "quarter".into());
        tally.check(-0.5, 1.0, || "half".into());
        assert!(tally.worst == 0.5 && tally.at.starts_with("half"));
        assert!(!Verdict::Judged(tally).is_failure());
    }

    #[test]
    fn what_cannot_be_compared_is_a_failure() {
        for (error, tolerance) in [
            (f64::NAN, 1.0),
            (1.0, f64::NAN),
            (0.0, f64::NAN),
            (1e-300, 0.0),
            (1.0, -1.0),
            (f64::INFINITY, 1.0),
        ] {
            let mut tally = Tally::default();
            tally.case();
            tally.check(error, tolerance, String::new);
            assert!(Verdict::Judged(tally).is_failure(), "{error} {tolerance}");
        }
        let mut exact = Tally::default();
        exact.case();
        exact.check(0.0, 0.0, String::new);
        assert!(!Verdict::Judged(exact).is_failure());
        assert!(Verdict::Judged(Tally::default()).is_failure(), "no cases is no proof");
    }
}
