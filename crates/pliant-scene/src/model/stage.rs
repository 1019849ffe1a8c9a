//! [`StageModel`]: a part of the run with settings of its own.

use serde::{Deserialize, Serialize};

use super::unit::{MetrePerSecondSquared, PerSecond, Second};
use super::{NonNegative, SolverModel, Steps, Vector, WindModel};

/// A part of the run with settings of its own, until the next stage starts. What it leaves out is as in `[solver]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StageModel {
    /// Name in the report: letters, digits, `-` and `_`.
    pub name: String,
    /// When it starts, s: with the first frame that begins then or later. Of the first stage 0, of the others
    /// later than the one before. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<NonNegative<Second>>,
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
