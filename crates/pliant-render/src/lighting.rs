//! [`Lighting`]: where the light of pictures comes from, and how much of it; other ways to show a scene take it from here, too.

use nalgebra::Vector3;

/// The lights of a picture: a strong one from the side (key), a weak one from near the camera (fill), and
/// light from all around that is brighter from above than from below. The visible side of a surface, its
/// front or its back, is the one that is lit.
///
/// A surface of a colour that faces `n` scatters that colour, in linear light, times
/// `key · max(n·k, 0) + fill · max(n·f, 0) + below + (above − below) · (1 + n·up) / 2`. It shines with
/// `shine · gloss · max(n·h, 0)^sharpness` where the key reaches it, with h half-way between key and eye.
/// Brightness above `knee` bends towards white.
///
/// ```
/// use pliant_render::Lighting;
///
/// let light = Lighting::STUDIO;
/// assert!(light.key > light.above && light.above > light.below);
/// assert!(light.key_from[1] > 0.0, "it comes from above");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lighting {
    /// Towards the key, along the right, up and back of a camera that looks level: over its left shoulder. Of
    /// any length.
    pub key_from: [f64; 3],
    /// Towards the fill, along the camera's right, the world's up and the camera's back. Of any length.
    pub fill_from: [f64; 3],
    /// Share of the key.
    pub key: f32,
    /// Share of the fill.
    pub fill: f32,
    /// Share of the light that a surface gets from all around, facing up.
    pub above: f32,
    /// The same, facing down.
    pub below: f32,
    /// Share of the key that a surface of full gloss mirrors.
    pub shine: f32,
    /// How narrow its highlight is.
    pub sharpness: i32,
    /// Where brightness begins to bend towards white, 0 to 1.
    pub knee: f32,
    /// Share of the light that a colour of a number gets on every side, because dark ones must be
    /// distinguishable in the shade.
    pub number: f32,
}

impl Lighting {
    /// The light of all pictures; a white level surface in full light comes out near 1.
    pub const STUDIO: Self = Self {
        key_from: [-0.75, 0.95, 0.3],
        fill_from: [0.5, 0.15, 1.0],
        key: 0.92,
        fill: 0.12,
        above: 0.38,
        below: 0.16,
        shine: 0.35,
        sharpness: 32,
        knee: 0.8,
        number: 0.6,
    };

    /// A direction from its parts along some axes, of unit length.
    pub(crate) fn along(parts: [f64; 3], axes: [Vector3<f64>; 3]) -> Vector3<f64> {
        (axes[0] * parts[0] + axes[1] * parts[1] + axes[2] * parts[2]).normalize()
    }
}
