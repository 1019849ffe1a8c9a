//! [`StageModel`]: a part of the run with settings of its own.

use serde::{Deserialize, Serialize};

use super::unit::{Metre, MetrePerSecond, MetrePerSecondSquared, PerSecond, Second};
use super::{NonNegative, Positive, SolverModel, Steps, Vector, WindModel};

/// A part of the run with settings of its own, until the next stage starts. What it leaves out is as in `[solver]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StageModel {
    /// Name in the report: letters, digits, `-` and `_`.
    pub name: String,
    /// When it starts, s: with the first frame that begins then or later. Of the first stage 0, of the others
    /// later than the one before. Default: 0, or the end of the stage before if that has `until`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<NonNegative<Second>>,
    /// What it lasts until, in place of the `start` of the next stage. Default: that start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<UntilModel>,
    /// Substeps per frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substeps: Option<Steps>,
    /// Acceleration of gravity, m/s².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vector<MetrePerSecondSquared>>,
    /// Rate at which all motion but the rigid one of each body decays, 1/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<NonNegative<PerSecond>>,
    /// Rate at which all motion decays, 1/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<NonNegative<PerSecond>>,
    /// Moving air.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wind: Option<WindModel>,
    /// How many times as stiff against bending cloth is as its material makes it. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffer_bending: Option<Positive>,
}

/// When a stage ends: after the first frame at whose end all that is given holds, and at the latest after `at_most`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UntilModel {
    /// No particle that can move is faster than this, m/s. Default: however fast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Positive<MetrePerSecond>>,
    /// All pairs of seams are closed, and none is wider than this, m. Default: 1e-3 where the scene has seams and
    /// `speed` is given, else however wide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seams: Option<Positive<Metre>>,
    /// The longest that the stage lasts, s: what it lasts if nothing else is given.
    pub at_most: Positive<Second>,
}

/// A gap at which a seam counts as closed where a stage waits for rest, m.
const CLOSED: f64 = 1e-3;

impl UntilModel {
    /// Whether it waits for something, and does not only last so long.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.speed.is_some() || self.seams.is_some()
    }

    /// Whether what it waits for has come: the largest speed, m/s, and the widest gap of all seams, m, if
    /// there are any; infinite if pairs are open.
    #[must_use]
    pub(crate) fn is_met(&self, speed: f64, gap: Option<f64>) -> bool {
        let most_gap = self.seams.map_or(CLOSED, Positive::get);
        let closed = gap.is_none_or(|gap| gap <= most_gap);
        self.waits() && closed && self.speed.is_none_or(|most| speed <= most.get())
    }
}

impl StageModel {
    /// The settings of the solver in this stage.
    #[must_use]
    pub fn over(&self, solver: &SolverModel) -> SolverModel {
        SolverModel {
            substeps: self.substeps.or(solver.substeps),
            gravity: self.gravity.or(solver.gravity),
            damping: self.damping.or(solver.damping),
            drag: self.drag.or(solver.drag),
            wind: self.wind.clone().or_else(|| solver.wind.clone()),
            ..solver.clone()
        }
    }
}
