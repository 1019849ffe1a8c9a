//! [`Check`]: a measured number, its requirement, and the verdict.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::number::{nan, short, with_digits_for};

/// The requirement on a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Demand {
    /// A value to within a tolerance.
    Near {
        value: f64,
        tolerance: f64,
    },
    AtMost(f64),
    AtLeast(f64),
    Between(f64, f64),
    /// No requirement: the number is published as it is.
    Nothing,
}

/// A measured number.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Check {
    /// Its name, with its unit; distinguishes it from the others of its experiment.
    pub(super) name: String,
    pub(super) demand: Demand,
    #[serde(deserialize_with = "nan")]
    pub(super) measured: f64,
    /// The source of the requirement.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) source: String,
    /// Why the requirement is known not to be met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) known: Option<String>,
    /// Share of the measured number, or of the limit that it stays below, by which a later measurement may
    /// differ, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) drift: Option<f64>,
}

/// The verdict on a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Met,
    /// Red.
    Missed,
    /// Not met, and the page gives the reason; another number is still a change of the book.
    Known,
    /// There is no requirement.
    Reported,
}

/// Share by which a published number without a requirement may differ when measured again.
const USUAL_DRIFT: f64 = 0.02;

impl Check {
    fn new(name: impl Into<String>, demand: Demand, measured: f64) -> Self {
        Self { name: name.into(), demand, measured, source: String::new(), known: None, drift: None }
    }

    pub(super) fn near(name: impl Into<String>, value: f64, measured: f64, tolerance: f64) -> Self {
        Self::new(name, Demand::Near { value, tolerance }, measured)
    }

    pub(super) fn at_most(name: impl Into<String>, limit: f64, measured: f64) -> Self {
        Self::new(name, Demand::AtMost(limit), measured)
    }

    pub(super) fn at_least(name: impl Into<String>, limit: f64, measured: f64) -> Self {
        Self::new(name, Demand::AtLeast(limit), measured)
    }

    pub(super) fn between(name: impl Into<String>, low: f64, high: f64, measured: f64) -> Self {
        Self::new(name, Demand::Between(low, high), measured)
    }

    pub(super) fn reported(name: impl Into<String>, measured: f64) -> Self {
        Self::new(name, Demand::Nothing, measured)
    }

    /// Sets the source of the requirement.
    pub(super) fn from(self, source: impl Into<String>) -> Self {
        Self { source: source.into(), ..self }
    }

    /// Sets the reason why the requirement is not met, if it is not.
    pub(super) fn known(self, reason: impl Into<String>) -> Self {
        Self { known: Some(reason.into()), ..self }
    }

    /// Lets a later measurement differ by this share, for numbers that are chaotic or counts.
    pub(super) fn drifting(self, share: f64) -> Self {
        Self { drift: Some(share), ..self }
    }

    /// NaN does not meet any requirement, and cannot be published either.
    pub(super) fn verdict(&self) -> Verdict {
        let m = self.measured;
        let met = match self.demand {
            Demand::Near { value, tolerance } => (m - value).abs() <= tolerance,
            Demand::AtMost(limit) => m <= limit,
            Demand::AtLeast(limit) => m >= limit,
            Demand::Between(low, high) => (low..=high).contains(&m),
            Demand::Nothing if m.is_nan() => false,
            Demand::Nothing => return Verdict::Reported,
        };
        match (met, &self.known) {
            (true, _) => Verdict::Met,
            (false, Some(_)) if !m.is_nan() => Verdict::Known,
            (false, _) => Verdict::Missed,
        }
    }

    /// By how much a later measurement may differ before the book is out of date: a tenth of the margin to
    /// the requirement, or a share of the number.
    pub(super) fn slack(&self) -> f64 {
        let share = |share: f64| share * self.measured.abs();
        match (self.drift, self.demand) {
            (Some(drift), Demand::AtMost(limit)) => share(drift).max(drift * limit.abs()),
            (Some(drift), _) => share(drift),
            (None, Demand::Near { tolerance, .. }) => 0.1 * tolerance,
            (None, Demand::AtMost(limit)) => share(USUAL_DRIFT).max(0.1 * limit.abs()),
            (None, Demand::Between(low, high)) => 0.1 * (high - low).abs(),
            (None, Demand::AtLeast(_) | Demand::Nothing) => share(USUAL_DRIFT),
        }
    }

    /// How the measurement of the committed book differs from this one, if it does.
    pub(super) fn difference(&self, committed: &Self) -> Option<String> {
        if self.demand != committed.demand {
            return Some(format!("{}: the book demands something else", self.name));
        }
        let apart = (self.measured - committed.measured).abs();
        // Also where either is NaN.
        if apart <= committed.slack() {
            return None;
        }
        let (now, was) = (self.measured_text(), committed.measured_text());
        Some(format!("{}: it was {was} and is {now}", self.name))
    }

    pub(super) fn expected_text(&self) -> String {
        match self.demand {
            Demand::Near { value, tolerance } => with_digits_for(value, tolerance),
            Demand::AtMost(limit) => format!("≤ {}", short(limit)),
            Demand::AtLeast(limit) => format!("≥ {}", short(limit)),
            Demand::Between(low, high) => format!("{} … {}", short(low), short(high)),
            Demand::Nothing => "–".to_owned(),
        }
    }

    pub(super) fn measured_text(&self) -> String {
        match self.demand {
            Demand::Near { tolerance, .. } => with_digits_for(self.measured, tolerance),
            _ => short(self.measured),
        }
    }

    pub(super) fn tolerance_text(&self) -> String {
        match self.demand {
            Demand::Near { tolerance, .. } => format!("± {}", short(tolerance)),
            _ => "–".to_owned(),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}", self.name, self.expected_text())?;
        if let Demand::Near { .. } = self.demand {
            write!(f, " {}", self.tolerance_text())?;
        }
        write!(f, ", measured {}", self.measured_text())
    }
}

impl Verdict {
    /// The requirement as the pages show it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Missed => "**not met**",
            Self::Known => "*known not to be met*",
            Self::Reported => "reported",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_have_verdicts() {
        let table = [
            (Check::near("", 1.0, 1.1, 0.2), Verdict::Met),
            (Check::near("", 1.0, 0.7, 0.2), Verdict::Missed),
            (Check::near("", 1.0, 0.7, 0.2).known("why"), Verdict::Known),
            (Check::near("", 1.0, 1.1, 0.2).known("why"), Verdict::Met),
            (Check::near("", 1.0, f64::NAN, 0.2).known("why"), Verdict::Missed),
            (Check::at_most("", 1.0, 1.0), Verdict::Met),
            (Check::at_most("", 1.0, 1.1), Verdict::Missed),
            (Check::at_least("", 1.0, 0.9), Verdict::Missed),
            (Check::between("", 1.0, 2.0, 2.1), Verdict::Missed),
            (Check::reported("", 2.0), Verdict::Reported),
            (Check::reported("", f64::NAN), Verdict::Missed),
        ];
        for (check, verdict) in table {
            assert_eq!(check.verdict(), verdict, "{check:?}");
        }
    }

    #[test]
    fn a_book_is_out_of_date_when_numbers_leave_their_slack() {
        let at = |measured| Check::near("length", 1.0, measured, 1e-3);
        assert_eq!(at(1.000_05).difference(&at(1.0)), None);
        assert!(at(1.000_2).difference(&at(1.0)).is_some());
        assert!(at(f64::NAN).difference(&at(1.0)).is_some());
        let other = Check::near("length", 1.0, 1.0, 1e-2);
        assert!(other.difference(&at(1.0)).is_some(), "a wider tolerance");
        let told = |measured| Check::reported("count", measured);
        assert!(told(103.0).difference(&told(100.0)).is_some());
        assert_eq!(told(103.0).drifting(0.1).difference(&told(100.0).drifting(0.1)), None);
    }
}
