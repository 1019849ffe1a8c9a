//! [`SettingError`]: an invalid setting of the solver.

use std::fmt;

use thiserror::Error;

use crate::error::value::Value;

/// An invalid setting of the solver.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{setting} is {value}; expected {expected}")]
#[non_exhaustive]
pub struct SettingError {
    /// The setting.
    pub setting: Setting,
    /// Its value.
    pub value: Value,
    /// What it should be.
    pub expected: &'static str,
}

/// A setting of the solver that is checked: see [`Settings`](crate::Settings).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// [`Settings::method`](crate::Settings::method).
    Method,
    /// [`Settings::accuracy`](crate::Settings::accuracy).
    Accuracy,
    /// [`Settings::substeps`](crate::Settings::substeps).
    Substeps,
    /// [`Settings::motion_limit`](crate::Settings::motion_limit).
    MotionLimit,
    /// [`Settings::iterations`](crate::Settings::iterations).
    Iterations,
    /// [`Settings::gravity`](crate::Settings::gravity).
    Gravity,
    /// [`Settings::damping`](crate::Settings::damping).
    Damping,
    /// [`Settings::drag`](crate::Settings::drag).
    Drag,
    /// [`Settings::prediction_bounds`](crate::Settings::prediction_bounds).
    PredictionBounds,
    /// [`Wind::velocity`](crate::Wind::velocity).
    WindVelocity,
    /// [`Wind::density`](crate::Wind::density).
    WindDensity,
    /// [`Wind::drag`](crate::Wind::drag).
    WindDrag,
    /// [`Wind::lift`](crate::Wind::lift).
    WindLift,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Method => "method",
            Self::Accuracy => "accuracy",
            Self::Substeps => "substeps",
            Self::MotionLimit => "motion limit",
            Self::Iterations => "iterations",
            Self::Gravity => "gravity",
            Self::Damping => "damping",
            Self::Drag => "drag",
            Self::PredictionBounds => "prediction bounds",
            Self::WindVelocity => "wind velocity",
            Self::WindDensity => "wind density",
            Self::WindDrag => "wind drag",
            Self::WindLift => "wind lift",
        })
    }
}
