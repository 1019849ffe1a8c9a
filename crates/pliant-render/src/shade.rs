//! The colour of a surface under the lights.
//!
//! By the formula of [`Lighting`]: surfaces scatter evenly (Lambert) and shine a little (Blinn and Phong). The visible
//! side of a surface is the one that is lit.

use nalgebra::Vector3;

use crate::assemble::{Assembly, Colouring, Material};
use crate::colour::Light;
use crate::colour_map::Lookup;
use crate::lighting::Lighting;
use crate::shadow::{GroundShadow, ShadowMap, floor};

const LIGHT: Lighting = Lighting::STUDIO;

/// Light and shadow of a frame.
pub(crate) struct Shader<'a> {
    pub(crate) assembly: &'a Assembly,
    pub(crate) lookup: Option<&'a Lookup>,
    pub(crate) shadow: ShadowMap,
    /// Towards the lights, and up.
    pub(crate) key: Vector3<f32>,
    pub(crate) fill: Vector3<f32>,
    pub(crate) up: Vector3<f32>,
}

/// A point of a surface, ready to be shaded.
pub(crate) struct Point {
    pub(crate) position: Vector3<f64>,
    /// Towards the front, of any length above zero.
    pub(crate) normal: Vector3<f32>,
    /// Towards the eye, of unit length.
    pub(crate) view: Vector3<f32>,
    /// Whether the front is seen.
    pub(crate) front: bool,
    /// Where its number lies on the colour map.
    pub(crate) place: f32,
    /// The share of it that an edge line covers.
    pub(crate) wire: f32,
}

impl Shader<'_> {
    pub(crate) fn light(&self, material: &Material, point: &Point) -> Light {
        let is_number = matches!(material.colour, Colouring::OfCorners | Colouring::OfFace);
        let mut albedo = match material.colour {
            Colouring::Sides(front, back) => {
                if point.front {
                    front
                } else {
                    back
                }
            }
            Colouring::OfCorners | Colouring::OfFace => {
                self.lookup.map_or([0.5; 3], |lookup| lookup.light(point.place))
            }
        };
        if let Some((wire, _)) = material.wire {
            albedo = std::array::from_fn(|k| albedo[k] + (wire[k] - albedo[k]) * point.wire);
        }
        let facing = if point.front { point.normal } else { -point.normal };
        let normal = facing.try_normalize(0.0).unwrap_or(point.view);
        let towards_key = normal.dot(&self.key);
        let key = if towards_key > 0.0 {
            // Where the light only grazes, the map is unreliable; let it fade instead.
            towards_key * self.shadow.light_at(&point.position, &normal) * (towards_key * 8.0).min(1.0)
        } else {
            0.0
        };
        let fill = normal.dot(&self.fill).max(0.0);
        let sky = 0.5 + 0.5 * normal.dot(&self.up);
        let around = LIGHT.below + (LIGHT.above - LIGHT.below) * sky;
        let lit = LIGHT.key * key + LIGHT.fill * fill + around;
        let scattered = if is_number { LIGHT.number + (1.0 - LIGHT.number) * lit } else { lit };
        let shine = if key > 0.0 {
            let half = (self.key + point.view).try_normalize(0.0).unwrap_or(normal);
            LIGHT.shine
                * material.gloss
                * normal.dot(&half).max(0.0).powi(LIGHT.sharpness)
                * (key / towards_key)
        } else {
            0.0
        };
        albedo.map(|a| shoulder(a * scattered + shine))
    }
}

/// Bends brightness beyond that of the screen towards white instead of clipping it.
fn shoulder(x: f32) -> f32 {
    const KNEE: f32 = LIGHT.knee;
    if x <= KNEE { x } else { KNEE + (1.0 - KNEE) * (1.0 - (-(x - KNEE) / (1.0 - KNEE)).exp()) }
}

/// Light and shadow on the ground.
pub(crate) struct GroundShader {
    pub(crate) albedo: Light,
    pub(crate) height: f64,
    pub(crate) up: Vector3<f64>,
    /// The middle of everything, and how far from it the ground is there in full, metres.
    pub(crate) middle: Vector3<f64>,
    pub(crate) reach: f64,
    pub(crate) key: Option<GroundShadow>,
    pub(crate) sky: Option<GroundShadow>,
    /// The share of the light on the ground that comes from the key.
    pub(crate) key_share: f32,
    /// The distance of its lines and the directions across them; none without lines.
    pub(crate) grid: Option<(f64, [Vector3<f64>; 2])>,
}

impl GroundShader {
    /// The share of a level surface's light that comes from a key in a direction.
    pub(crate) fn share_of_key(up: &Vector3<f32>, key: &Vector3<f32>) -> f32 {
        let lit = LIGHT.key * up.dot(key).max(0.0);
        lit / (lit + LIGHT.above)
    }

    /// The ground at a point, before `background`; a pixel covers `footprint` metres of it across each direction of the
    /// lines.
    pub(crate) fn light(&self, p: &Vector3<f64>, footprint: [f64; 2], background: Light) -> Light {
        let from_middle = p - self.middle;
        let level = from_middle - self.up * self.up.dot(&from_middle);
        let away = level.norm() / self.reach;
        let seen = 1.0 - smooth((away as f32 - 0.9) / 2.6);
        if seen <= 0.0 {
            return background;
        }
        let hidden =
            |shadow: &Option<GroundShadow>| shadow.as_ref().map_or(0.0, |shadow| shadow.hidden_at(p));
        let lit = 1.0 - self.key_share * hidden(&self.key) - (1.0 - self.key_share) * 0.8 * hidden(&self.sky);
        let line = self.grid.as_ref().map_or(0.0, |(step, across)| {
            let covered = |k: usize| line_share(across[k].dot(p), *step, 0.012 * step, footprint[k]);
            1.0 - (1.0 - covered(0)) * (1.0 - covered(1))
        });
        let lines = 1.0 - 0.13 * line;
        std::array::from_fn(|k| background[k] + (self.albedo[k] * lit * lines - background[k]) * seen)
    }
}

/// The share of a footprint that lines of a width at multiples of a step cover: the filtered pattern in closed form.
fn line_share(x: f64, step: f64, width: f64, footprint: f64) -> f32 {
    let footprint = footprint.max(1e-12);
    let covered_up_to = |x: f64| {
        let cells = floor((x + 0.5 * width) / step) as f64;
        cells * width + (x + 0.5 * width - cells * step).min(width)
    };
    // Lines closer than the footprint blur into an even grey.
    ((covered_up_to(x + 0.5 * footprint) - covered_up_to(x - 0.5 * footprint)) / footprint) as f32
}

/// 0 to 1 without corners.
fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shoulder_is_smooth_and_never_leaves_the_screen() {
        let xs: Vec<f32> = (0..400).map(|i| i as f32 * 0.01).collect();
        let ys: Vec<f32> = xs.iter().map(|x| shoulder(*x)).collect();
        assert!(ys.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] < 0.0101));
        assert!(ys.iter().all(|y| *y <= 1.0));
    }

    #[test]
    fn the_lines_of_the_ground_are_seen_whole_or_blurred() {
        assert_eq!(line_share(0.0, 1.0, 0.02, 0.001), 1.0);
        assert_eq!(line_share(0.5, 1.0, 0.02, 0.001), 0.0);
        assert!((line_share(0.3, 1.0, 0.02, 50.0) - 0.02).abs() < 1e-3);
        assert!((line_share(-3.0, 1.0, 0.02, 0.04) - 0.5).abs() < 1e-6);
    }
}
