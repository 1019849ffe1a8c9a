//! [`sampled`]: how a motion by samples continues between and after them.

use pliant_solver::{Interpolation, Samples};

use crate::model::{InterpolationModel, MotionModel};

/// How long a scene is, and its frames.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// Frames per second.
    pub(super) frame_rate: f64,
    /// The length of the scene, s.
    pub(super) duration: f64,
}

/// Samples that are interpolated and repeated as a model says, from the sample `first` on.
pub(super) fn sampled(model: &MotionModel, samples: Samples, first: usize) -> Samples {
    let interpolation = match model.interpolation.unwrap_or_default() {
        InterpolationModel::Linear => Interpolation::Linear,
        InterpolationModel::Cubic => Interpolation::Cubic,
    };
    let repeat_from = (model.repeat == Some(true)).then_some(first);
    Samples { interpolation, repeat_from, ..samples }
}
