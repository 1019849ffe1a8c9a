//! [`Clip`]: nodes animated by keys.
//!
//! A channel holds the keys of one property of one node. Between the keys k and k + 1, with the fraction s of
//! the way and the time d between them (glTF 2.0, appendix C):
//!
//! ```text
//! step     v = v_k
//! linear   v = (1 − s) v_k + s v_{k+1};  rotations: spherical, on the shorter way
//! cubic    v = (2s³ − 3s² + 1) v_k + d (s³ − 2s² + s) b_k + (3s² − 2s³) v_{k+1} + d (s³ − s²) a_{k+1};  rotations: then to unit length
//! ```
//!
//! with the in-tangent a and the out-tangent b of each key. Before the first key and after the last one the
//! value stays.

use nalgebra::{Quaternion, Vector3, Vector4};
use thiserror::Error;

use crate::hermite::hermite;
use crate::skeleton::{Local, Skeleton, unit};

/// How values go from one key to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// The value of the earlier key.
    Step,
    /// Straight; rotations on the shorter arc at constant speed.
    #[default]
    Linear,
    /// Hermite splines. Every key has three values: in-tangent, value, out-tangent.
    CubicSpline,
}

/// The values of a channel: one per key, or three for [`Interpolation::CubicSpline`].
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Translations, m.
    Translation(Vec<Vector3<f64>>),
    /// Rotations, unit quaternions.
    Rotation(Vec<Quaternion<f64>>),
    /// Scales.
    Scale(Vec<Vector3<f64>>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Translation(v) | Self::Scale(v) => v.len(),
            Self::Rotation(v) => v.len(),
        }
    }

    fn is_finite(&self, i: usize) -> bool {
        match self {
            Self::Translation(v) | Self::Scale(v) => v[i].iter().all(|x| x.is_finite()),
            Self::Rotation(v) => v[i].coords.iter().all(|x| x.is_finite()),
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Translation(_) => "translation",
            Self::Rotation(_) => "rotation",
            Self::Scale(_) => "scale",
        }
    }
}

/// The keys of one property of one node.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// The node.
    pub node: u32,
    /// Times of the keys, s, ascending.
    pub times: Vec<f64>,
    /// How values go from one key to the next.
    pub interpolation: Interpolation,
    /// The values.
    pub values: Values,
}

/// Why channels do not make a clip. Channels, keys and nodes are counted from zero.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ClipError {
    /// A node that does not exist.
    #[error("channel {channel} moves node {node}, but the skeleton has only {nodes} nodes")]
    NoNode {
        /// The channel.
        channel: usize,
        /// Its node.
        node: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// A node that is placed by a matrix.
    #[error(
        "channel {channel} moves node {node}, which is placed by a matrix: place it by translation, rotation and scale"
    )]
    MatrixNode {
        /// The channel.
        channel: usize,
        /// Its node.
        node: u32,
    },
    /// No keys at all.
    #[error("channel {channel} ({property} of node {node}) has no keys")]
    NoKeys {
        /// The channel.
        channel: usize,
        /// Its node.
        node: u32,
        /// What it moves.
        property: &'static str,
    },
    /// Not one value per key, or three for a cubic spline.
    #[error(
        "channel {channel} ({property} of node {node}) has {values} values for {times} keys; it needs {needed}"
    )]
    Count {
        /// The channel.
        channel: usize,
        /// Its node.
        node: u32,
        /// What it moves.
        property: &'static str,
        /// Values found.
        values: usize,
        /// Keys found.
        times: usize,
        /// Values needed.
        needed: usize,
    },
    /// A time that is not finite, or not after the one before.
    #[error(
        "key {key} of channel {channel} ({property} of node {node}) is at {time} s; times must be finite and ascending"
    )]
    Time {
        /// The channel.
        channel: usize,
        /// Its node.
        node: u32,
        /// What it moves.
        property: &'static str,
        /// The key.
        key: usize,
        /// Its time, s.
        time: f64,
    },
    /// A value that is NaN or infinite.
    #[error("key {key} of channel {channel} ({property} of node {node}) has a value that is not finite")]
    NonFinite {
        /// The channel.
        channel: usize,
        /// Its node.
        node: u32,
        /// What it moves.
        property: &'static str,
        /// The key.
        key: usize,
    },
    /// A rotation without a direction.
    #[error("key {key} of channel {channel} (rotation of node {node}) is the quaternion (0, 0, 0, 0)")]
    NoRotation {
        /// The channel.
        channel: usize,
        /// Its node.
        node: u32,
        /// The key.
        key: usize,
    },
}

/// An animation of a skeleton.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::{Channel, Clip, Interpolation, Local, Node, Skeleton, Transform, Values};
///
/// let local = Local::Transform(Transform::default());
/// let skeleton = Skeleton::new(vec![Node { name: "root".into(), parent: None, local }])?;
/// let rise = Channel {
///     node: 0,
///     times: vec![0.0, 2.0],
///     interpolation: Interpolation::Linear,
///     values: Values::Translation(vec![Vector3::zeros(), Vector3::y()]),
/// };
/// let clip = Clip::new("rise", vec![rise], &skeleton)?;
/// let world = skeleton.world(&clip.sample(0.5, &skeleton));
/// assert_eq!(world[0][(1, 3)], 0.25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    name: String,
    channels: Vec<Channel>,
}

impl Clip {
    /// Builds a clip for a skeleton; rotations are brought to unit length.
    ///
    /// # Errors
    ///
    /// The first channel that moves a missing or immovable node, has not as many values as its keys need, or
    /// a key that is not finite or not after the one before.
    pub fn new(
        name: impl Into<String>,
        mut channels: Vec<Channel>,
        skeleton: &Skeleton,
    ) -> Result<Self, ClipError> {
        for (index, channel) in channels.iter_mut().enumerate() {
            check(index, channel, skeleton)?;
        }
        Ok(Self { name: name.into(), channels })
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The channels.
    #[must_use]
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Times of the first and of the last key of all channels, s; none without channels.
    #[must_use]
    pub fn range(&self) -> Option<[f64; 2]> {
        self.channels
            .iter()
            .filter_map(|channel| Some([*channel.times.first()?, *channel.times.last()?]))
            .reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])
    }

    /// The pose at a time, s: a place for every node of the skeleton, at rest where nothing moves it.
    ///
    /// Of several channels for the same property of a node the last one counts.
    ///
    /// # Panics
    ///
    /// If the skeleton has fewer nodes than the one for which the clip was made.
    #[must_use]
    pub fn sample(&self, time: f64, skeleton: &Skeleton) -> Vec<Local> {
        let mut pose = skeleton.rest();
        for channel in &self.channels {
            let Local::Transform(transform) = &mut pose[channel.node as usize] else { continue };
            match &channel.values {
                Values::Translation(values) => transform.translation = channel.vector(values, time),
                Values::Scale(values) => transform.scale = channel.vector(values, time),
                Values::Rotation(values) => transform.rotation = channel.rotation(values, time),
            }
        }
        pose
    }
}

/// The interval between keys that a time falls into.
enum KeyInterval {
    /// On a key, or beyond the ends.
    At(usize),
    /// Between a key and the next: fraction of the way, and the time between them in seconds.
    After { key: usize, fraction: f64, span: f64 },
}

impl Channel {
    fn place(&self, time: f64) -> KeyInterval {
        let last = self.times.len() - 1;
        if time <= self.times[0] || time.is_nan() {
            return KeyInterval::At(0);
        }
        if time >= self.times[last] {
            return KeyInterval::At(last);
        }
        let key = self.times.partition_point(|&t| t <= time) - 1;
        let span = self.times[key + 1] - self.times[key];
        KeyInterval::After { key, fraction: (time - self.times[key]) / span, span }
    }

    fn vector(&self, values: &[Vector3<f64>], time: f64) -> Vector3<f64> {
        let cubic = self.interpolation == Interpolation::CubicSpline;
        let value = |key: usize| if cubic { values[3 * key + 1] } else { values[key] };
        match self.place(time) {
            KeyInterval::At(key) => value(key),
            KeyInterval::After { key, fraction: s, span } => match self.interpolation {
                Interpolation::Step => value(key),
                Interpolation::Linear => value(key) * (1.0 - s) + value(key + 1) * s,
                Interpolation::CubicSpline => {
                    let [p, m, q, n] = hermite_over(s, span);
                    value(key) * p + values[3 * key + 2] * m + value(key + 1) * q + values[3 * key + 3] * n
                }
            },
        }
    }

    fn rotation(&self, values: &[Quaternion<f64>], time: f64) -> Quaternion<f64> {
        let cubic = self.interpolation == Interpolation::CubicSpline;
        let value = |key: usize| if cubic { values[3 * key + 1] } else { values[key] };
        match self.place(time) {
            KeyInterval::At(key) => value(key),
            KeyInterval::After { key, fraction: s, span } => match self.interpolation {
                Interpolation::Step => value(key),
                Interpolation::Linear => slerp(&value(key), &value(key + 1), s),
                Interpolation::CubicSpline => {
                    let [p, m, q, n] = hermite_over(s, span);
                    let sum: Vector4<f64> = value(key).coords * p
                        + values[3 * key + 2].coords * m
                        + value(key + 1).coords * q
                        + values[3 * key + 3].coords * n;
                    // A spline may pass through zero, where there is no direction.
                    unit(&Quaternion::from(sum)).unwrap_or_else(|| value(key))
                }
            },
        }
    }
}

/// The weights of a Hermite spline for tangents per second: `span` is the time between the keys, s.
fn hermite_over(s: f64, span: f64) -> [f64; 4] {
    let [value, out, next, into] = hermite(s);
    [value, span * out, next, span * into]
}

/// From one rotation to another on the shorter arc at constant speed (Shoemake 1985); `s` is the fraction of
/// the way. Both are unit quaternions.
///
/// ```
/// use nalgebra::Quaternion;
///
/// let half = 0.5_f64.sqrt();
/// let quarter_turn = Quaternion::new(half, 0.0, 0.0, half);
/// let eighth = pliant_mesh::slerp(&Quaternion::identity(), &quarter_turn, 0.5);
/// assert!((eighth.w - libm::cos(std::f64::consts::PI / 8.0)).abs() < 1e-15);
/// ```
#[must_use]
pub fn slerp(from: &Quaternion<f64>, to: &Quaternion<f64>, s: f64) -> Quaternion<f64> {
    let dot = from.coords.dot(&to.coords);
    let (to, dot) = if dot < 0.0 { (-to.coords, -dot) } else { (to.coords, dot) };
    let (a, b) = if dot > 1.0 - 1e-9 {
        // Nearly equal: a straight line is the same to rounding, and avoids the division by a small sine.
        (1.0 - s, s)
    } else {
        let angle = libm::acos(dot);
        let sine = libm::sin(angle);
        (libm::sin((1.0 - s) * angle) / sine, libm::sin(s * angle) / sine)
    };
    let sum = Quaternion::from(from.coords * a + to * b);
    unit(&sum).unwrap_or(*from)
}

fn check(index: usize, channel: &mut Channel, skeleton: &Skeleton) -> Result<(), ClipError> {
    let (node, property) = (channel.node, channel.values.name());
    let nodes = skeleton.len();
    match skeleton.nodes().get(node as usize).map(|n| n.local) {
        None => return Err(ClipError::NoNode { channel: index, node, nodes }),
        Some(Local::Matrix(_)) => return Err(ClipError::MatrixNode { channel: index, node }),
        Some(Local::Transform(_)) => {}
    }
    let (times, values) = (channel.times.len(), channel.values.len());
    if times == 0 {
        return Err(ClipError::NoKeys { channel: index, node, property });
    }
    let cubic = channel.interpolation == Interpolation::CubicSpline;
    let per_key = if cubic { 3 } else { 1 };
    if values != per_key * times {
        let needed = per_key * times;
        return Err(ClipError::Count { channel: index, node, property, values, times, needed });
    }
    for (key, &time) in channel.times.iter().enumerate() {
        if !time.is_finite() || (key > 0 && time <= channel.times[key - 1]) {
            return Err(ClipError::Time { channel: index, node, property, key, time });
        }
    }
    for value in 0..values {
        if !channel.values.is_finite(value) {
            return Err(ClipError::NonFinite { channel: index, node, property, key: value / per_key });
        }
    }
    if let Values::Rotation(rotations) = &mut channel.values {
        for (value, rotation) in rotations.iter_mut().enumerate() {
            // Tangents are not rotations.
            if !cubic || value % 3 == 1 {
                let key = value / per_key;
                *rotation = unit(rotation).ok_or(ClipError::NoRotation { channel: index, node, key })?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{Node, Transform};
    use proptest::prelude::*;

    fn one_node() -> Skeleton {
        let local = Local::Transform(Transform::default());
        Skeleton::new(vec![Node { name: String::new(), parent: None, local }]).unwrap()
    }

    fn channel(interpolation: Interpolation, times: &[f64], values: Values) -> Channel {
        Channel { node: 0, times: times.to_vec(), interpolation, values }
    }

    fn at(channel: &Channel, time: f64) -> Transform {
        let skeleton = one_node();
        let clip = Clip::new("", vec![channel.clone()], &skeleton).unwrap();
        match clip.sample(time, &skeleton)[0] {
            Local::Transform(t) => t,
            Local::Matrix(_) => unreachable!("the node is not a matrix"),
        }
    }

    fn ramp(values: &[f64]) -> Values {
        Values::Translation(values.iter().map(|&x| Vector3::x() * x).collect())
    }

    #[test]
    fn keys_are_met_and_the_ends_stay() {
        for interpolation in [Interpolation::Step, Interpolation::Linear] {
            let c = channel(interpolation, &[1.0, 2.0, 4.0], ramp(&[3.0, 5.0, -1.0]));
            let expected = [(-9.0, 3.0), (1.0, 3.0), (2.0, 5.0), (4.0, -1.0), (9.0, -1.0), (f64::NAN, 3.0)];
            for (time, x) in expected {
                assert_eq!(at(&c, time).translation.x, x, "{interpolation:?} at {time}");
            }
        }
        assert_eq!(
            at(&channel(Interpolation::Step, &[0.0, 1.0], ramp(&[3.0, 5.0])), 0.999).translation.x,
            3.0
        );
        assert_eq!(
            at(&channel(Interpolation::Linear, &[0.0, 2.0], ramp(&[3.0, 5.0])), 0.5).translation.x,
            3.5
        );
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        /// A Hermite spline reproduces every cubic polynomial.
        #[test]
        fn a_cubic_is_reproduced(c in prop::array::uniform4(-2.0..2.0_f64), t0 in -1.0..1.0_f64, d in 0.1..3.0_f64, s in 0.0..1.0_f64) {
            let f = |t: f64| c[0] + t * (c[1] + t * (c[2] + t * c[3]));
            let df = |t: f64| c[1] + t * (2.0 * c[2] + t * 3.0 * c[3]);
            let t1 = t0 + d;
            let spline =
                channel(Interpolation::CubicSpline, &[t0, t1], ramp(&[9.0, f(t0), df(t0), df(t1), f(t1), 9.0]));
            let t = t0 + s * d;
            prop_assert!((at(&spline, t).translation.x - f(t)).abs() < 1e-9 * (1.0 + d * d * d * 100.0));
        }

        /// Along the arc the angle grows evenly, whichever sign the second quaternion has.
        #[test]
        fn slerp_turns_evenly(angle in 0.0..3.1_f64, s in 0.0..1.0_f64, flip in any::<bool>()) {
            let about_y = |a: f64| Quaternion::new(libm::cos(a / 2.0), 0.0, libm::sin(a / 2.0), 0.0);
            let to = about_y(angle);
            let to = if flip { -to } else { to };
            let found = slerp(&about_y(0.0), &to, s);
            prop_assert!((found.coords - about_y(s * angle).coords).norm() < 1e-9);
            prop_assert!((found.coords.norm() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn bad_channels_are_refused() {
        let linear = |times: &[f64], values| channel(Interpolation::Linear, times, values);
        let refused = |c: Channel| Clip::new("", vec![c], &one_node()).unwrap_err();
        let mut astray = linear(&[0.0], ramp(&[0.0]));
        astray.node = 7;
        assert_eq!(refused(astray), ClipError::NoNode { channel: 0, node: 7, nodes: 1 });
        assert!(matches!(refused(linear(&[], ramp(&[]))), ClipError::NoKeys { .. }));
        assert!(matches!(
            refused(linear(&[0.0, 1.0], ramp(&[0.0]))),
            ClipError::Count { values: 1, needed: 2, .. }
        ));
        assert!(matches!(
            refused(channel(Interpolation::CubicSpline, &[0.0], ramp(&[0.0]))),
            ClipError::Count { needed: 3, .. }
        ));
        for times in [[0.0, 0.0], [1.0, 0.0], [0.0, f64::NAN], [0.0, f64::INFINITY]] {
            assert!(
                matches!(refused(linear(&times, ramp(&[0.0; 2]))), ClipError::Time { key: 1, .. }),
                "{times:?}"
            );
        }
        assert!(matches!(
            refused(linear(&[0.0, 1.0], ramp(&[0.0, f64::NAN]))),
            ClipError::NonFinite { key: 1, .. }
        ));
        let nothing = Values::Rotation(vec![Quaternion::from([0.0; 4])]);
        assert_eq!(refused(linear(&[0.0], nothing)), ClipError::NoRotation { channel: 0, node: 0, key: 0 });
        let fixed =
            Node { name: String::new(), parent: None, local: Local::Matrix(nalgebra::Matrix4::identity()) };
        let skeleton = Skeleton::new(vec![fixed]).unwrap();
        let moved = Clip::new("", vec![linear(&[0.0], ramp(&[0.0]))], &skeleton);
        assert_eq!(moved.unwrap_err(), ClipError::MatrixNode { channel: 0, node: 0 });
    }
}
