//! [`MotionError`]: a motion that cannot be evaluated.

use thiserror::Error;

/// A motion that cannot be evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A velocity or the pivot is not finite.
    #[error("velocities and pivot must be finite numbers")]
    Velocity,
    /// There is no keyframe.
    #[error("needs at least one keyframe")]
    NoKeyframe,
    /// The pivot of keyframes is not finite.
    #[error("the pivot must be finite")]
    Pivot,
    /// A keyframe is not finite.
    #[error("keyframe {keyframe} is not finite")]
    Keyframe {
        /// Number of the keyframe.
        keyframe: usize,
    },
    /// A keyframe is not later than the one before it.
    #[error("keyframe {keyframe} at {time} s must come after keyframe {} at {before} s", keyframe - 1)]
    Order {
        /// Number of the keyframe.
        keyframe: usize,
        /// Its time, s.
        time: f64,
        /// The time of the one before it, s.
        before: f64,
    },
    /// Sampled points are given for a rigid motion.
    #[error("sampled points can move pins, not obstacles")]
    NotRigid,
    /// The rate of samples is not a positive number, or their start is not finite.
    #[error("the rate is {rate} samples per second; expected a positive number")]
    Rate {
        /// Samples per second.
        rate: f64,
    },
    /// There is no sample.
    #[error("needs at least one sample")]
    NoSample,
    /// A sample has another number of points than the pin.
    #[error("sample {sample} has {found} points; the pin holds {points} vertices")]
    Points {
        /// Number of the sample.
        sample: usize,
        /// How many points it has.
        found: usize,
        /// How many vertices the pin holds.
        points: usize,
    },
    /// The sample from which the motion repeats does not exist.
    #[error("repeats from sample {sample}, but there are {samples}, numbered from 0")]
    Repeat {
        /// Number of the sample.
        sample: usize,
        /// How many samples there are.
        samples: usize,
    },
    /// A sampled point is not finite.
    #[error("point {point} of sample {sample} is not finite")]
    Sample {
        /// Number of the sample.
        sample: usize,
        /// Number of the point.
        point: usize,
    },
}
