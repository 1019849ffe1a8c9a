//! [`Motion`]: how pins and obstacles move, as a function of time.

use nalgebra::{Matrix3, Vector3};
use pliant_mesh::hermite;

use crate::error::motion::MotionError;

/// A prescribed motion. Evaluated at the *end* of every substep, before the solve, so that bodies do not lag behind it.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Motion {
    /// Stays where it is.
    #[default]
    Fixed,
    /// Constant linear and angular velocity.
    Velocity {
        /// m/s.
        linear: Vector3<f64>,
        /// Axis times rad/s.
        angular: Vector3<f64>,
        /// Centre of the rotation at time 0, m; it moves with the linear velocity.
        pivot: Vector3<f64>,
    },
    /// Rigid poses at given times, interpolated linearly in between, held before the first and after the last.
    Keyframes {
        /// Centre of the rotation at rest, m.
        pivot: Vector3<f64>,
        /// Poses in order of time.
        keys: Vec<Keyframe>,
    },
    /// Positions of every point, sampled at a constant rate and held at the ends. For pins only.
    Samples(Samples),
}

/// A rigid pose at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Keyframe {
    /// When, s.
    pub time: f64,
    /// Displacement from rest, m.
    pub translation: Vector3<f64>,
    /// Rotation as axis times angle, rad. Interpolated component by component: exact for a fixed axis, and
    /// more than one turn is possible.
    pub rotation: Vector3<f64>,
}

/// Sampled positions of a list of points.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Samples {
    /// Time of the first sample, s.
    pub start: f64,
    /// Samples per second.
    pub rate: f64,
    /// Positions of all points, sample after sample, m.
    pub frames: Vec<Vec<Vector3<f64>>>,
    /// How points move from one sample to the next.
    pub interpolation: Interpolation,
    /// The sample, from 0, at which the motion continues after the last one; `None` if it ends there. A motion that
    /// repeats without a jump has the same positions at both.
    pub repeat_from: Option<usize>,
}

/// How points move from one sample to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interpolation {
    /// Straight, at constant speed.
    #[default]
    Linear,
    /// Along a cubic through the samples whose velocity at a sample is that between its two neighbours (Catmull & Rom
    /// 1974), so that it does not jump there.
    Cubic,
}

impl Samples {
    /// Samples that are interpolated linearly and do not repeat: time of the first, s, samples per second, and the
    /// positions of all points, m.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_solver::{Interpolation, Motion, Samples};
    ///
    /// let frames = [0.0, 1.0, 0.0].map(|x| vec![Vector3::new(x, 0.0, 0.0)]).to_vec();
    /// let once = Samples::new(0.0, 10.0, frames);
    /// let ever = Samples { interpolation: Interpolation::Cubic, repeat_from: Some(0), ..once.clone() };
    /// let at = |samples: Samples, time| Motion::Samples(samples).at(time).point(0, &Vector3::zeros()).x;
    /// assert_eq!(at(once.clone(), 0.1), 1.0);
    /// assert_eq!(at(once, 0.5), 0.0);
    /// assert!((at(ever, 0.5) - 1.0).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn new(start: f64, rate: f64, frames: Vec<Vec<Vector3<f64>>>) -> Self {
        Self { start, rate, frames, interpolation: Interpolation::Linear, repeat_from: None }
    }

    /// The samples around a time, s.
    fn at(&self, time: f64) -> Between<'_> {
        let time = self.in_first_round(time);
        let (a, b, s) = bracket(self.frames.len(), |k| self.time_of(k), time);
        let of = |k: usize| &self.frames[k][..];
        match self.interpolation {
            Interpolation::Cubic if s == 0.0 => Between::Line { ends: [of(a); 2], share: 0.0 },
            Interpolation::Cubic => {
                let four = [self.before(a), a, b, self.after(b)].map(of);
                Between::Cubic { four, weights: hermite(s) }
            }
            Interpolation::Linear => Between::Line { ends: [a, b].map(of), share: s },
        }
    }

    fn time_of(&self, sample: usize) -> f64 {
        self.start + sample as f64 / self.rate
    }

    /// The sample before another; itself at an end that is held.
    fn before(&self, sample: usize) -> usize {
        match self.repeat_from {
            Some(first) if sample == first && first + 1 < self.frames.len() => self.frames.len() - 2,
            _ => sample.saturating_sub(1),
        }
    }

    /// The sample after another; itself at an end that is held.
    fn after(&self, sample: usize) -> usize {
        let last = self.frames.len() - 1;
        match self.repeat_from {
            Some(first) if sample == last => (first + 1).min(last),
            _ => (sample + 1).min(last),
        }
    }

    /// The time in the first round that has the same positions.
    fn in_first_round(&self, time: f64) -> f64 {
        let last = self.frames.len() - 1;
        match self.repeat_from {
            Some(first) if first < last && time > self.time_of(last) => {
                let (begin, end) = (self.time_of(first), self.time_of(last));
                begin + (time - begin) % (end - begin)
            }
            _ => time,
        }
    }
}

/// Samples around a time.
#[derive(Debug, Clone, Copy)]
enum Between<'a> {
    /// Those before and after it, and the share of the second.
    Line { ends: [&'a [Vector3<f64>]; 2], share: f64 },
    /// The two before and the two after it, and the weights of the cubic between the inner ones.
    Cubic { four: [&'a [Vector3<f64>]; 4], weights: [f64; 4] },
}

impl Between<'_> {
    /// Where point `i` is.
    #[inline]
    fn point(&self, i: usize) -> Vector3<f64> {
        match self {
            Self::Line { ends: [from, to], share } => from[i].lerp(&to[i], *share),
            Self::Cubic { four, weights: [p, m, q, n] } => {
                let [before, from, to, after] = four.map(|sample| sample[i]);
                let [start, end] = [(to - before) * 0.5, (after - from) * 0.5];
                from * *p + start * *m + to * *q + end * *n
            }
        }
    }
}

/// A motion at a time: see [`Motion::at`].
#[derive(Debug, Clone, Copy)]
pub struct Placing<'a>(Placed<'a>);

#[derive(Debug, Clone, Copy)]
enum Placed<'a> {
    AtRest,
    Rigidly(Pose),
    BySamples(Between<'a>),
}

impl Placing<'_> {
    /// Where point `i` of a set is that is at `rest`, m, when nothing moves.
    #[must_use]
    #[inline]
    pub fn point(&self, i: usize, rest: &Vector3<f64>) -> Vector3<f64> {
        match &self.0 {
            Placed::AtRest => *rest,
            Placed::Rigidly(pose) => pose.apply(rest),
            Placed::BySamples(samples) => samples.point(i),
        }
    }
}

/// A rotation followed by a displacement: x ↦ R x + t.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// R, orthonormal.
    pub rotation: Matrix3<f64>,
    /// t, m.
    pub translation: Vector3<f64>,
}

impl Pose {
    /// Stays in place.
    #[must_use]
    pub fn identity() -> Self {
        Self { rotation: Matrix3::identity(), translation: Vector3::zeros() }
    }

    /// Rotates by `rotation` (axis times angle, rad) about `pivot`, then moves by `translation`.
    #[must_use]
    pub fn about(pivot: &Vector3<f64>, rotation: &Vector3<f64>, translation: &Vector3<f64>) -> Self {
        let r = rotation_matrix(rotation);
        Self { rotation: r, translation: pivot - r * pivot + translation }
    }

    /// The image of a point.
    #[must_use]
    pub fn apply(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * x + self.translation
    }
}

/// Rotation matrix of a rotation vector (Rodrigues' formula), computed identically on every platform.
fn rotation_matrix(rotation: &Vector3<f64>) -> Matrix3<f64> {
    let angle = rotation.dot(rotation).sqrt();
    if angle == 0.0 {
        return Matrix3::identity();
    }
    let k = (rotation / angle).cross_matrix();
    Matrix3::identity() + k * libm::sin(angle) + k * k * (1.0 - libm::cos(angle))
}

impl Motion {
    /// A constant velocity without rotation, m/s.
    #[must_use]
    pub fn linear(velocity: Vector3<f64>) -> Self {
        Self::Velocity { linear: velocity, angular: Vector3::zeros(), pivot: Vector3::zeros() }
    }

    /// Whether nothing ever moves.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        matches!(self, Self::Fixed)
    }

    /// The error of the motion for a set of `points` points, if there is one.
    pub(crate) fn problem(&self, points: Option<usize>) -> Option<MotionError> {
        let finite = |v: &Vector3<f64>| v.iter().all(|c| c.is_finite());
        match self {
            Self::Fixed => None,
            Self::Velocity { linear, angular, pivot } => {
                let ok = finite(linear) && finite(angular) && finite(pivot);
                (!ok).then_some(MotionError::Velocity)
            }
            Self::Keyframes { pivot, keys } => {
                if keys.is_empty() {
                    return Some(MotionError::NoKeyframe);
                }
                if !finite(pivot) {
                    return Some(MotionError::Pivot);
                }
                for (i, key) in keys.iter().enumerate() {
                    if !(key.time.is_finite() && finite(&key.translation) && finite(&key.rotation)) {
                        return Some(MotionError::Keyframe { keyframe: i });
                    }
                    if i > 0 && keys[i - 1].time >= key.time {
                        let (time, before) = (key.time, keys[i - 1].time);
                        return Some(MotionError::Order { keyframe: i, time, before });
                    }
                }
                None
            }
            Self::Samples(samples) => {
                let Some(points) = points else {
                    return Some(MotionError::NotRigid);
                };
                if !(samples.rate > 0.0 && samples.rate.is_finite() && samples.start.is_finite()) {
                    return Some(MotionError::Rate { rate: samples.rate });
                }
                if samples.frames.is_empty() {
                    return Some(MotionError::NoSample);
                }
                if let Some(sample) = samples.repeat_from.filter(|&sample| sample >= samples.frames.len()) {
                    return Some(MotionError::Repeat { sample, samples: samples.frames.len() });
                }
                samples.frames.iter().enumerate().find_map(|(i, frame)| {
                    if frame.len() != points {
                        Some(MotionError::Points { sample: i, found: frame.len(), points })
                    } else {
                        frame
                            .iter()
                            .position(|p| !finite(p))
                            .map(|point| MotionError::Sample { sample: i, point })
                    }
                })
            }
        }
    }

    /// The rigid pose at a time, s; sampled points have none and give the identity.
    #[must_use]
    pub fn pose(&self, time: f64) -> Pose {
        let (pivot, [translation, rotation]) = self.screw(time);
        Pose::about(&pivot, &rotation, &translation)
    }

    /// The same as pivot, m, displacement, m, and rotation vector, rad, which may be more than a turn.
    #[must_use]
    pub fn screw(&self, time: f64) -> (Vector3<f64>, [Vector3<f64>; 2]) {
        match self {
            Self::Fixed | Self::Samples(_) => (Vector3::zeros(), [Vector3::zeros(); 2]),
            Self::Velocity { linear, angular, pivot } => (*pivot, [linear * time, angular * time]),
            Self::Keyframes { pivot, keys } => {
                let (a, b, s) = bracket(keys.len(), |i| keys[i].time, time);
                let (a, b) = (&keys[a], &keys[b]);
                (*pivot, [a.translation.lerp(&b.translation, s), a.rotation.lerp(&b.rotation, s)])
            }
        }
    }

    /// Where it puts points at a time, s.
    #[must_use]
    pub fn at(&self, time: f64) -> Placing<'_> {
        Placing(match self {
            Self::Fixed => Placed::AtRest,
            Self::Samples(samples) => Placed::BySamples(samples.at(time)),
            Self::Velocity { .. } | Self::Keyframes { .. } => Placed::Rigidly(self.pose(time)),
        })
    }
}

/// The two samples around a time and the share of the second; held outside.
fn bracket(count: usize, time_of: impl Fn(usize) -> f64, time: f64) -> (usize, usize, f64) {
    if time <= time_of(0) {
        return (0, 0, 0.0);
    }
    if time >= time_of(count - 1) {
        return (count - 1, count - 1, 0.0);
    }
    let (mut low, mut high) = (0, count - 1);
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if time_of(middle) <= time { low = middle } else { high = middle }
    }
    (low, high, (time - time_of(low)) / (time_of(high) - time_of(low)))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, TAU};

    use super::*;

    fn key(time: f64, x: f64, turn: f64) -> Keyframe {
        Keyframe { time, translation: Vector3::new(x, 0.0, 0.0), rotation: Vector3::new(0.0, turn, 0.0) }
    }

    #[test]
    fn keyframes_are_held_outside_and_linear_inside() {
        let keys = vec![key(1.0, 0.0, 0.0), key(3.0, 4.0, 0.0), key(4.0, 4.0, 0.0)];
        let motion = Motion::Keyframes { pivot: Vector3::zeros(), keys };
        for (time, x) in [(0.0, 0.0), (1.0, 0.0), (2.0, 2.0), (3.0, 4.0), (3.5, 4.0), (9.0, 4.0)] {
            assert_eq!(motion.pose(time).apply(&Vector3::zeros()).x, x, "at {time} s");
        }
    }

    #[test]
    fn two_turns_pass_through_every_angle() {
        let motion = Motion::Keyframes {
            pivot: Vector3::zeros(),
            keys: vec![key(0.0, 0.0, 0.0), key(8.0, 0.0, 2.0 * TAU)],
        };
        let quarter = motion.pose(1.0).apply(&Vector3::x());
        assert!(
            (quarter + Vector3::z()).norm() < 1e-12,
            "one second of eight is a quarter turn, not {quarter}"
        );
        assert!((motion.pose(8.0).apply(&Vector3::x()) - Vector3::x()).norm() < 1e-12);
    }

    #[test]
    fn rotation_turns_about_the_pivot() {
        let pose = Pose::about(&Vector3::x(), &Vector3::new(0.0, 0.0, FRAC_PI_2), &Vector3::zeros());
        assert!((pose.apply(&(Vector3::x() * 2.0)) - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-15);
        assert!((pose.apply(&Vector3::x()) - Vector3::x()).norm() < 1e-15);
    }

    /// Samples of x = t² at 4 per second, of which the third is at 0.5 s.
    fn parabola() -> Samples {
        let frames = (0..5).map(|k| vec![Vector3::new(0.0625 * f64::from(k * k), 0.0, 0.0)]).collect();
        Samples::new(0.0, 4.0, frames)
    }

    #[test]
    fn a_cubic_goes_through_the_samples_of_a_parabola_and_along_it() {
        let cubic = Samples { interpolation: Interpolation::Cubic, ..parabola() };
        // Its tangents are those of the parabola at all samples but the first and the last.
        for step in 0..=40 {
            let time = 0.25 + 0.5 * f64::from(step) / 40.0;
            assert!((cubic.at(time).point(0).x - time * time).abs() < 1e-15, "{time}");
        }
        for (k, frame) in cubic.frames.iter().enumerate() {
            assert_eq!(cubic.at(cubic.time_of(k)).point(0), frame[0]);
        }
    }

    #[test]
    fn a_motion_repeats_from_the_sample_that_is_named() {
        for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
            let samples = Samples { interpolation, repeat_from: Some(1), ..parabola() };
            // Samples 1 to 4 last three quarters of a second.
            for time in [0.26, 0.5, 0.9, 0.99] {
                let once = samples.at(time).point(0);
                for round in 1..4 {
                    let again = samples.at(time + 0.75 * f64::from(round)).point(0);
                    assert!((again - once).norm() < 1e-12, "{time} s, round {round}: {again} for {once}");
                }
            }
            let ended = Samples { repeat_from: None, ..samples.clone() };
            assert_eq!(samples.at(0.1).point(0), ended.at(0.1).point(0));
        }
    }

    #[test]
    fn problems_are_named() {
        let unordered =
            Motion::Keyframes { pivot: Vector3::zeros(), keys: vec![key(1.0, 0.0, 0.0), key(1.0, 1.0, 0.0)] };
        assert!(unordered.problem(None).is_some_and(|p| p.to_string().contains("keyframe 1 at 1 s")));
        let samples = Samples::new(0.0, 24.0, vec![vec![Vector3::zeros(); 2]]);
        let motion = Motion::Samples(samples.clone());
        assert!(motion.problem(Some(3)).is_some_and(|p| p.to_string().contains("has 2 points")));
        assert!(motion.problem(None).is_some());
        assert_eq!(motion.problem(Some(2)), None);
        let beyond = Motion::Samples(Samples { repeat_from: Some(1), ..samples });
        assert!(beyond.problem(Some(2)).is_some_and(|p| p.to_string().contains("sample 1")));
    }
}
