//! [`Judgement`]: whether an answer can be trusted, and the [`Finding`]s against it.

use std::fmt;

use crate::observe::requirement::Worst;

/// How far an answer can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum Grade {
    /// Nothing was found.
    #[default]
    Good,
    /// The answer shows the behaviour, with errors that can be seen or measured.
    Rough,
    /// The answer is wrong: energy was created, elements are inside out, or errors are as large as the
    /// quantities themselves.
    #[cfg_attr(feature = "serde", serde(rename = "not to be trusted"))]
    Untrusted,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Good => "good",
            Self::Rough => "rough",
            Self::Untrusted => "not to be trusted",
        })
    }
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Concern {
    /// A particle starts inside an obstacle.
    Start,
    /// Positions or velocities are rounded too much.
    Resolution,
    /// Particles move too far in a substep.
    Speed,
    /// The solver created energy.
    Energy,
    /// Tetrahedra are flat or inside out.
    Inversion,
    /// A material is used outside its range.
    Material,
    /// Volumes are far from those at rest.
    Volume,
    /// Constraints are far from solved.
    Constraints,
    /// Surfaces pass through each other.
    Contact,
}

impl Concern {
    /// Its name, by which a finding can be [accepted](Judgement::grade_without).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Resolution => "resolution",
            Self::Speed => "speed",
            Self::Energy => "energy",
            Self::Inversion => "inversion",
            Self::Material => "material",
            Self::Volume => "volume",
            Self::Constraints => "constraints",
            Self::Contact => "contact",
        }
    }

    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Start,
        Self::Resolution,
        Self::Speed,
        Self::Energy,
        Self::Inversion,
        Self::Material,
        Self::Volume,
        Self::Constraints,
        Self::Contact,
    ];
}

/// A finding against an answer.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Finding {
    /// What it is about.
    pub concern: Concern,
    /// How serious it is.
    pub grade: Grade,
    /// The measure in which it was found, see [`Certificate`](crate::Certificate).
    pub measure: String,
    /// The worst frame, with the element of that measure, and the value: a share, or a count; not in the unit
    /// of the measure.
    pub worst: Worst,
    /// The finding, in words.
    pub what: String,
    /// The remedy.
    pub cure: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (frame {}, {:.3} s)", self.what, self.worst.frame, self.worst.time)
    }
}

/// The findings against the answer of a run; none if it is good.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Written", from = "Written"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Judgement {
    /// The worst first; at most one of each concern.
    pub findings: Vec<Finding>,
}

impl Judgement {
    /// The worst grade of all findings.
    #[must_use]
    pub fn grade(&self) -> Grade {
        self.grade_without(|_| false)
    }

    /// The same, if some concerns are accepted.
    #[must_use]
    pub fn grade_without(&self, accepted: impl Fn(Concern) -> bool) -> Grade {
        let counted = self.findings.iter().filter(|finding| !accepted(finding.concern));
        counted.map(|finding| finding.grade).max().unwrap_or_default()
    }
}

/// The grade, and a line for each finding.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.grade())?;
        for finding in &self.findings {
            write!(f, "\n    {finding}\n        {}", finding.cure)?;
        }
        Ok(())
    }
}

/// A [`Judgement`] in a file, with its grade.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
struct Written {
    /// How far the answer can be trusted.
    grade: Grade,
    /// The findings, the worst first.
    findings: Vec<Finding>,
}

#[cfg(feature = "serde")]
impl From<Judgement> for Written {
    fn from(judgement: Judgement) -> Self {
        Self { grade: judgement.grade(), findings: judgement.findings }
    }
}

#[cfg(feature = "serde")]
impl From<Written> for Judgement {
    fn from(written: Written) -> Self {
        Self { findings: written.findings }
    }
}
