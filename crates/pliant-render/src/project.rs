//! From faces and balls to tiles and discs on the picture: clipped, projected, and sorted into bands.

use rayon::prelude::*;

use crate::assemble::Assembly;
use crate::camera::Projector;
use crate::coverage::{GUARD, UNIT, snap};
use crate::picture::Size;

/// A triangle on the picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tile {
    /// Its face in the assembly.
    pub(crate) face: u32,
    /// Its corners, in 256ths of a pixel.
    pub(crate) pixels: [[i32; 2]; 3],
    /// One over the distance of each corner from the eye along the view, 1/m.
    pub(crate) inverse_depth: [f32; 3],
    /// For a part of a face that was cut: which row of [`Projection::cuts`] says how its corners mix the face's.
    pub(crate) cut: Option<u32>,
}

/// A ball on the picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disc {
    /// Its ball in the assembly.
    pub(crate) ball: u32,
    /// Its middle, pixels.
    pub(crate) middle: [f32; 2],
    /// Its radius, pixels.
    pub(crate) radius: f32,
    /// The distance of its middle from the eye along the view, metres.
    pub(crate) depth: f32,
}

/// The tiles and discs that cover the picture.
#[derive(Debug, Default)]
pub(crate) struct Projection {
    pub(crate) tiles: Vec<Tile>,
    pub(crate) discs: Vec<Disc>,
    /// How each corner of a cut tile mixes the corners of its face.
    pub(crate) cuts: Vec<[[f32; 3]; 3]>,
    /// The tiles that may touch each band of rows, ascending; then the discs.
    pub(crate) bands: Vec<(Vec<u32>, Vec<u32>)>,
}

/// Rows in a band.
pub(crate) const BAND: u32 = 8;

/// A corner in view coordinates, and how it mixes the corners of its face.
#[derive(Clone, Copy)]
struct Cut {
    view: [f64; 3],
    mix: [f64; 3],
}

impl Projection {
    /// Projects everything. Parts nearer than `near` metres are cut away.
    pub(crate) fn new(assembly: &Assembly, projector: &Projector, size: Size, near: f64) -> Self {
        let views: Vec<[f64; 3]> =
            assembly.corners.par_iter().map(|corner| projector.to_view(&corner.position)).collect();
        // Beyond this slope pixel coordinates would leave the range of the edge functions.
        let steepest = (GUARD - f64::from(Size::MAX_SIDE)) / projector.focal;
        let mut projection = Self::default();
        for (index, face) in (0_u32..).zip(&assembly.faces) {
            let corners = face.corners.map(|c| views[c as usize]);
            if inside(&corners, near, steepest) {
                projection.push(index, corners, None, projector);
            } else {
                projection.cut(index, corners, near, steepest, projector);
            }
        }
        for (index, ball) in (0_u32..).zip(&assembly.balls) {
            let view = views[ball.corner as usize];
            if view[2] > near && view[0].abs().max(view[1].abs()) <= steepest * view[2] {
                let middle = projector.to_pixel(view).map(|x| x as f32);
                let radius = (f64::from(ball.radius) * projector.focal / view[2]).min(GUARD) as f32;
                projection.discs.push(Disc { ball: index, middle, radius, depth: view[2] as f32 });
            }
        }
        projection.sort_into_bands(size);
        projection
    }

    fn push(&mut self, face: u32, corners: [[f64; 3]; 3], cut: Option<u32>, projector: &Projector) {
        let pixels = corners.map(|view| projector.to_pixel(view).map(snap));
        let inverse_depth = corners.map(|view| (1.0 / view[2]) as f32);
        self.tiles.push(Tile { face, pixels, inverse_depth, cut });
    }

    /// Cuts a face to the part that can be projected (Sutherland and Hodgman, 1974) and adds it as a fan.
    fn cut(&mut self, face: u32, corners: [[f64; 3]; 3], near: f64, steepest: f64, projector: &Projector) {
        let mut polygon: Vec<Cut> = (0..3)
            .map(|k| {
                let mut mix = [0.0; 3];
                mix[k] = 1.0;
                Cut { view: corners[k], mix }
            })
            .collect();
        let planes: [[f64; 4]; 5] = [
            [0.0, 0.0, 1.0, -near],
            [-1.0, 0.0, steepest, 0.0],
            [1.0, 0.0, steepest, 0.0],
            [0.0, -1.0, steepest, 0.0],
            [0.0, 1.0, steepest, 0.0],
        ];
        for plane in planes {
            polygon = cut_by(&polygon, |v| plane[0] * v[0] + plane[1] * v[1] + plane[2] * v[2] + plane[3]);
        }
        for k in 2..polygon.len() {
            let fan = [polygon[0], polygon[k - 1], polygon[k]];
            // The last cut leaves corners on the planes by rounding: those may be a hair outside, which the guard has
            // room for, but never behind the eye.
            if fan.iter().all(|corner| corner.view[2] >= 0.5 * near) {
                let cut = self.cuts.len() as u32;
                self.cuts.push(fan.map(|corner| corner.mix.map(|x| x as f32)));
                self.push(face, fan.map(|corner| corner.view), Some(cut), projector);
            }
        }
    }

    fn sort_into_bands(&mut self, size: Size) {
        let bands = size.height().div_ceil(BAND);
        let (width, height) = (size.width() as i32 * UNIT, size.height() as i32 * UNIT);
        self.bands = vec![Default::default(); bands as usize];
        let rows_of = |low: i32, high: i32| {
            let band = |y: i32| (y.clamp(0, height - 1) / UNIT / BAND as i32) as usize;
            if high < 0 || low >= height { 0..0 } else { band(low)..band(high) + 1 }
        };
        let span = |tile: &Tile, axis: usize| {
            let [a, b, c] = tile.pixels.map(|p| p[axis]);
            (a.min(b).min(c), a.max(b).max(c))
        };
        for (index, tile) in (0_u32..).zip(&self.tiles) {
            let ((left, right), (top, bottom)) = (span(tile, 0), span(tile, 1));
            if right >= 0 && left < width {
                self.bands[rows_of(top, bottom)].iter_mut().for_each(|band| band.0.push(index));
            }
        }
        for (index, disc) in (0_u32..).zip(&self.discs) {
            let (top, bottom) = (disc.middle[1] - disc.radius - 1.0, disc.middle[1] + disc.radius + 1.0);
            let rows = rows_of(snap(f64::from(top)), snap(f64::from(bottom)));
            self.bands[rows].iter_mut().for_each(|band| band.1.push(index));
        }
    }
}

/// Whether all corners can be projected as they are.
fn inside(corners: &[[f64; 3]; 3], near: f64, steepest: f64) -> bool {
    corners.iter().all(|v| v[2] >= near && v[0].abs().max(v[1].abs()) <= steepest * v[2])
}

/// The part of a polygon in which `height` is not negative. The new corner on an edge is always computed from its inner
/// end, so that both faces of a shared edge get the same one.
fn cut_by(polygon: &[Cut], height: impl Fn(&[f64; 3]) -> f64) -> Vec<Cut> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (k, &from) in polygon.iter().enumerate() {
        let to = polygon[(k + 1) % polygon.len()];
        let (h_from, h_to) = (height(&from.view), height(&to.view));
        if h_from >= 0.0 {
            kept.push(from);
        }
        if (h_from >= 0.0) != (h_to >= 0.0) {
            let (inner, outer, h_in, h_out) =
                if h_from >= 0.0 { (from, to, h_from, h_to) } else { (to, from, h_to, h_from) };
            let share = h_in / (h_in - h_out);
            let between = |a: f64, b: f64| a + (b - a) * share;
            kept.push(Cut {
                view: std::array::from_fn(|k| between(inner.view[k], outer.view[k])),
                mix: std::array::from_fn(|k| between(inner.mix[k], outer.mix[k])),
            });
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Camera;
    use crate::drawing::{Drawable, Drawing};
    use nalgebra::Vector3;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn whatever_is_near_or_behind_the_eye_stays_within_the_guard(
            corners in [[-5.0..5.0_f64, -5.0..5.0, -5.0..5.0], [-5.0..5.0, -5.0..5.0, -5.0..5.0], [-5.0..5.0, -5.0..5.0, -5.0..5.0]],
        ) {
            let size = Size::new(64, 48).unwrap();
            let camera = Camera { eye: Vector3::zeros(), target: -Vector3::z(), up: Vector3::y(), field_of_view: 60.0 };
            let projector = Projector::new(&camera, size).unwrap();
            let positions = corners.map(Vector3::from);
            let drawing = Drawing::new(vec![Drawable::cloth(&positions, &[[0, 1, 2]])]);
            let assembly = Assembly::new(&drawing, None, &camera.eye).unwrap();
            let near = 1e-3;
            let projection = Projection::new(&assembly, &projector, size, near);
            prop_assert_eq!(projection.tiles.is_empty(), positions.iter().all(|p| -p.z < near));
            for tile in &projection.tiles {
                let most = snap(GUARD);
                prop_assert!(tile.pixels.iter().flatten().all(|x| x.abs() <= most));
                prop_assert!(tile.inverse_depth.iter().all(|x| *x > 0.0 && *x <= 1.01 / near as f32));
                if let Some(cut) = tile.cut {
                    for mix in projection.cuts[cut as usize] {
                        prop_assert!((mix.iter().sum::<f32>() - 1.0).abs() < 1e-3);
                    }
                }
            }
        }
    }
}
