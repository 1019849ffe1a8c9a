//! [`Requirement`]: a bound that a certificate must keep.

use std::fmt;
use std::str::FromStr;

use crate::observe::measure::FrameCertificate;

/// A bound on a [`Measure`](crate::Measure) in every frame, as in `residual.edges<=1e-5`.
///
/// ```
/// use pliant_solver::{Relation, Requirement};
///
/// let required: Requirement = "stretch.max <= 0.01".parse()?;
/// assert_eq!((required.quantity.as_str(), required.relation, required.bound), ("stretch.max", Relation::AtMost, 0.01));
/// assert_eq!(required.to_string(), "stretch.max<=0.01");
/// assert!("stretch.max".parse::<Requirement>().is_err());
/// # Ok::<(), pliant_solver::RequirementError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Requirement {
    /// Name of the measure.
    pub quantity: String,
    /// The side of the bound on which it must be.
    pub relation: Relation,
    /// The bound, in the unit of the measure.
    pub bound: f64,
}

/// The side of a bound on which a measure must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `<=`.
    AtMost,
    /// `>=`.
    AtLeast,
}

/// The error of a requirement.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequirementError {
    /// It is not of the form QUANTITY<=BOUND.
    #[error(
        "`{text}` is not a requirement; write a quantity, <= or >=, and a number, such as \
        residual.edges<=1e-5"
    )]
    Form {
        /// What was given.
        text: String,
    },
    /// There is no such quantity.
    #[error("`{name}` is not among the quantities of this scene; they are {}", known.join(", "))]
    Unknown {
        /// What was given.
        name: String,
        /// The existing quantities.
        known: Vec<String>,
    },
}

impl Requirement {
    /// Whether a value keeps the bound; one that is not a number does not.
    #[must_use]
    pub(crate) fn is_met_by(&self, value: f64) -> bool {
        match self.relation {
            Relation::AtMost => value <= self.bound,
            Relation::AtLeast => value >= self.bound,
        }
    }

    /// The one of two values that is worse for the bound.
    pub(crate) fn worse(&self, a: f64, b: f64) -> bool {
        match self.relation {
            _ if a.is_nan() => true,
            Relation::AtMost => a > b,
            Relation::AtLeast => a < b,
        }
    }

    /// The factor by which a frame exceeds the bound: at most one if it keeps it.
    pub(crate) fn excess(&self, frame: &FrameCertificate) -> f64 {
        match frame.get(&self.quantity) {
            Some(measure) if self.is_met_by(measure.value) => {
                let ratio = measure.value / self.bound;
                if self.relation == Relation::AtMost && (0.0..=1.0).contains(&ratio) { ratio } else { 0.0 }
            }
            Some(measure) if self.relation == Relation::AtMost && self.bound > 0.0 => {
                let ratio = measure.value / self.bound;
                if ratio.is_finite() { ratio } else { UNKNOWN_EXCESS }
            }
            _ => UNKNOWN_EXCESS,
        }
    }
}

/// The excess that counts if the measure is unknown.
const UNKNOWN_EXCESS: f64 = 4.0;

impl FromStr for Requirement {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let wrong = || RequirementError::Form { text: text.to_owned() };
        let (quantity, relation, bound) = if let Some((quantity, bound)) = text.split_once("<=") {
            (quantity, Relation::AtMost, bound)
        } else if let Some((quantity, bound)) = text.split_once(">=") {
            (quantity, Relation::AtLeast, bound)
        } else {
            return Err(wrong());
        };
        let bound: f64 = bound.trim().parse().map_err(|_| wrong())?;
        let quantity = quantity.trim().to_owned();
        if !bound.is_finite() || quantity.is_empty() {
            return Err(wrong());
        }
        Ok(Self { quantity, relation, bound })
    }
}

impl TryFrom<String> for Requirement {
    type Error = RequirementError;

    fn try_from(text: String) -> Result<Self, RequirementError> {
        text.parse()
    }
}

impl From<Requirement> for String {
    fn from(requirement: Requirement) -> Self {
        requirement.to_string()
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.relation {
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
        };
        write!(f, "{}{relation}{}", self.quantity, self.bound)
    }
}

/// Whether a requirement was met over a run.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Written", from = "Written"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// The requirement.
    pub requirement: Requirement,
    /// Number of certified frames that did not keep it.
    pub unmet: u64,
    /// The certified frame in which the measure was furthest from the bound, if it was known in any.
    pub worst: Option<Worst>,
    /// The first frame in which the measure was not known: such a frame does not keep the requirement.
    pub first_unknown: Option<u64>,
}

/// The worst value of a measure over a run.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Worst {
    /// The value; null in a file if it is not a finite number.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    #[cfg_attr(feature = "schemars", schemars(with = "Option<f64>"))]
    pub value: f64,
    /// Frame in which it occurred.
    pub frame: u64,
    /// Time at its end, s.
    pub time: f64,
    /// Its element or particle, if it is known.
    pub at: Option<usize>,
}

impl Verdict {
    pub(crate) fn new(requirement: Requirement) -> Self {
        Self { requirement, unmet: 0, worst: None, first_unknown: None }
    }

    /// Whether every certified frame met the requirement.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.unmet == 0
    }

    pub(crate) fn take(&mut self, frame: &FrameCertificate) {
        let Some(measure) = frame.get(&self.requirement.quantity) else {
            self.unmet += 1;
            self.first_unknown.get_or_insert(frame.frame);
            return;
        };
        if !self.requirement.is_met_by(measure.value) {
            self.unmet += 1;
        }
        let worst = self.worst.as_ref().map(|worst| worst.value);
        if worst.is_none_or(|worst| self.requirement.worse(measure.value, worst)) {
            let (value, at) = (measure.value, measure.at);
            self.worst = Some(Worst { frame: frame.frame, time: frame.time, value, at });
        }
    }
}

/// A [`Verdict`] in a file, with whether the requirement was met.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
struct Written {
    /// The requirement, such as `residual.edges<=1e-5`.
    requirement: Requirement,
    /// Whether it was met in every certified frame.
    met: bool,
    /// Number of certified frames that did not keep it.
    unmet_frames: u64,
    /// The frame furthest from meeting it; null if the measure was never known.
    worst: Option<Worst>,
    /// The first frame in which the measure was not known.
    first_unknown: Option<u64>,
}

#[cfg(feature = "serde")]
impl From<Verdict> for Written {
    fn from(verdict: Verdict) -> Self {
        let met = verdict.is_met();
        let Verdict { requirement, unmet: unmet_frames, worst, first_unknown } = verdict;
        Self { requirement, met, unmet_frames, worst, first_unknown }
    }
}

#[cfg(feature = "serde")]
impl From<Written> for Verdict {
    fn from(written: Written) -> Self {
        let Written { requirement, met: _, unmet_frames: unmet, worst, first_unknown } = written;
        Self { requirement, unmet, worst, first_unknown }
    }
}
