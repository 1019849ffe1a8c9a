//! Shadows of lights that are far away.
//!
//! A shadow map is a picture taken from the light. On surfaces it is compared point by point, with a small
//! filter (Reeves, Salesin and Cook, *Rendering Antialiased Shadows with Depth Maps*, 1987). The ground is a
//! plane, which allows a better method: the hidden share of the light is the *coverage* of the map blurred by
//! the size that the light has when seen past the caster, which grows with the caster's height (Fernando,
//! *Percentage-Closer Soft Shadows*, 2005). Coverages at growing blurs are prepared as a pyramid; shadows
//! touch their casters sharply and grow softer with the distance, without noise.

use nalgebra::Vector3;
use pliant_mesh::Aabb;

use crate::assemble::Assembly;
use crate::camera::corners;
use crate::coverage::{Edges, GUARD, snap};

/// The nearest and the furthest surface along every ray of a light.
#[derive(Debug)]
pub(crate) struct ShadowMap {
    /// Across the map and towards the light.
    axes: [Vector3<f64>; 3],
    /// The corner of the map, metres along the first two axes.
    corner: [f64; 2],
    /// Metres in a texel.
    texel: f64,
    side: usize,
    /// The height towards the light of the surface nearest to it; −∞ without one.
    top: Vec<f32>,
    /// The height of the surface furthest from it; ∞ without one.
    bottom: Vec<f32>,
}

impl ShadowMap {
    /// Takes the picture of everything within the bounds, for light that comes from `towards` (of unit length).
    pub(crate) fn new(assembly: &Assembly, towards: Vector3<f64>, bounds: &Aabb, side: usize) -> Self {
        let other = if towards.x.abs() < 0.8 { Vector3::x() } else { Vector3::z() };
        let across = towards.cross(&other).normalize();
        let axes = [across, towards.cross(&across), towards];
        let along = |axis: usize| {
            let all = corners(bounds).map(|c| axes[axis].dot(&c));
            let fold = |f: fn(f64, f64) -> f64| all.into_iter().reduce(f).unwrap_or(0.0);
            (fold(f64::min), fold(f64::max))
        };
        let (u, v) = (along(0), along(1));
        let width = (u.1 - u.0).max(v.1 - v.0).max(1e-9);
        // Two texels of room on each side, for filters.
        let texel = width / (side - 4) as f64;
        let middle = |(low, high): (f64, f64)| 0.5 * (low + high) - 0.5 * side as f64 * texel;
        let mut map = Self {
            axes,
            corner: [middle(u), middle(v)],
            texel,
            side,
            top: vec![f32::NEG_INFINITY; side * side],
            bottom: vec![f32::INFINITY; side * side],
        };
        map.draw(assembly);
        map
    }

    fn draw(&mut self, assembly: &Assembly) {
        let seen: Vec<[f64; 3]> = assembly.corners.iter().map(|c| self.to_map(&c.position)).collect();
        let near = |p: &[f64; 3]| p[0].abs().max(p[1].abs()) < GUARD;
        let side = self.side as i32;
        let casts = |material: u32, front| assembly.materials[material as usize].casts_shadow(front);
        for face in &assembly.faces {
            let corners = face.corners.map(|c| seen[c as usize]);
            if !corners.iter().all(near) {
                continue;
            }
            let [a, b, c] = corners;
            let Some(edges) = Edges::new(corners.map(|p| [snap(p[0]), snap(p[1])]), side, side) else {
                continue;
            };
            // Height as a plane over the map.
            let (ab, ac) = ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
            let area = ab[0] * ac[1] - ab[1] * ac[0];
            if !casts(face.material, area > 0.0) {
                continue;
            }
            let (dx, dy) = ((ab[2] * ac[1] - ac[2] * ab[1]) / area, (ab[0] * ac[2] - ac[0] * ab[2]) / area);
            let (low, high) = (a[2].min(b[2]).min(c[2]), a[2].max(b[2]).max(c[2]));
            edges.for_each(&[[128, 128]], [0, side - 1], |x, y, _| {
                let height = a[2] + dx * (f64::from(x) + 0.5 - a[0]) + dy * (f64::from(y) + 0.5 - a[1]);
                // On a sliver rounding may carry the plane away.
                self.put(x as usize, y as usize, if height.is_nan() { low } else { height.clamp(low, high) });
            });
        }
        for ball in assembly.balls.iter().filter(|ball| casts(ball.material, true)) {
            let [u, v, height] = seen[ball.corner as usize];
            let radius = f64::from(ball.radius) / self.texel;
            let span = |x: f64| {
                let end = |x: f64| x.clamp(0.0, f64::from(side)) as usize;
                end(x - radius)..end(x + radius + 1.0)
            };
            for (y, x) in span(v).flat_map(|y| span(u).map(move |x| (y, x))) {
                let (du, dv) = (x as f64 + 0.5 - u, y as f64 + 0.5 - v);
                let bulge = radius * radius - du * du - dv * dv;
                if bulge > 0.0 {
                    self.put(x, y, height + bulge.sqrt() * self.texel);
                    self.put(x, y, height - bulge.sqrt() * self.texel);
                }
            }
        }
    }

    fn put(&mut self, x: usize, y: usize, height: f64) {
        let at = y * self.side + x;
        self.top[at] = self.top[at].max(height as f32);
        self.bottom[at] = self.bottom[at].min(height as f32);
    }

    /// Texels across, texels down, metres towards the light.
    fn to_map(&self, p: &Vector3<f64>) -> [f64; 3] {
        let [u, v, height] = self.axes.map(|axis| axis.dot(p));
        [(u - self.corner[0]) / self.texel, (v - self.corner[1]) / self.texel, height]
    }

    /// How much of the light reaches a point on a surface, 0 to 1.
    pub(crate) fn light_at(&self, p: &Vector3<f64>, normal: &Vector3<f32>) -> f32 {
        // Away from the surface, so that it does not shade itself where the map is coarser than its slope.
        let [u, v, height] = self.to_map(&(p + normal.cast::<f64>() * (1.5 * self.texel)));
        let height = (height + 1.5 * self.texel) as f32;
        // Nine comparisons blended with the weights of a quadratic B-spline: smooth when the point moves.
        let (column, across) = spline(u);
        let (row, down) = spline(v);
        let mut hidden = 0.0;
        if column < -2 || row < -2 || column >= self.side as i64 || row >= self.side as i64 {
            return 1.0;
        }
        for (dy, wy) in (0..3).zip(down) {
            for (dx, wx) in (0..3).zip(across) {
                let (x, y) = (column + dx, row + dy);
                if (0..self.side as i64).contains(&x)
                    && (0..self.side as i64).contains(&y)
                    && self.top[y as usize * self.side + x as usize] > height
                {
                    hidden += wx * wy;
                }
            }
        }
        1.0 - hidden
    }
}

/// The whole number below. The method of that name is a call on processors of before 2008, for which libraries are
/// built.
pub(crate) fn floor(x: f64) -> i64 {
    let cast = x as i64;
    cast - i64::from((cast as f64) > x)
}

/// The first of three texels around a place, and the weights of a quadratic B-spline there.
fn spline(place: f64) -> (i64, [f32; 3]) {
    let nearest = floor(place);
    let t = (place - nearest as f64) as f32;
    (nearest.saturating_sub(1), [0.5 * (1.0 - t) * (1.0 - t), 0.5 + t * (1.0 - t), 0.5 * t * t])
}

/// How much of a light is hidden from each place of the ground.
#[derive(Debug)]
pub(crate) struct GroundShadow {
    /// Across the map, per metre.
    axes: [Vector3<f64>; 2],
    corner: [f64; 2],
    /// Metres in a texel of the finest level.
    texel: f64,
    levels: Vec<Level>,
    /// Tangent of half the angle of the light.
    softness: f64,
    /// The height of the highest caster, metres towards the light.
    highest: f64,
}

/// A coverage and the same times the caster's height over the ground, blurred to some size.
#[derive(Debug)]
struct Level {
    side: usize,
    texels: Vec<[f32; 2]>,
}

/// Which surface of a caster decides how soft its shadow is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Caster {
    /// The one nearest to the ground: things on the ground have a sharp foot.
    Bottom,
    /// The one nearest to the light, of casters within some height of the ground, metres: things on the ground darken
    /// their surroundings, and things above it throw no second shadow.
    Standing(f64),
}

impl GroundShadow {
    /// The shadow of a map on the ground at `height` along `up` (of unit length); none if the light comes from below.
    pub(crate) fn new(
        map: &ShadowMap,
        up: &Vector3<f64>,
        height: f64,
        softness: f64,
        caster: Caster,
    ) -> Option<Self> {
        let [u, v, towards] = &map.axes;
        let slope = up.dot(towards);
        if slope < 0.02 {
            return None;
        }
        let side = map.side / 2;
        let mut highest = 0.0_f32;
        let mut texels = vec![[0.0_f32; 2]; side * side];
        for y in 0..map.side {
            for x in 0..map.side {
                let at = y * map.side + x;
                if map.top[at] == f32::NEG_INFINITY {
                    continue;
                }
                let place = |k: usize, i: usize| map.corner[k] + (i as f64 + 0.5) * map.texel;
                let ground = (height - up.dot(u) * place(0, x) - up.dot(v) * place(1, y)) / slope;
                let above = f64::from(map.top[at]) - ground;
                if above <= 0.0 {
                    continue;
                }
                let below = (f64::from(map.bottom[at]) - ground).max(0.0);
                let (over, share) = match caster {
                    Caster::Standing(within) => {
                        let near = (1.0 - below / within.max(f64::MIN_POSITIVE)).max(0.0);
                        (above, near * near)
                    }
                    Caster::Bottom => (below, 1.0),
                };
                if share == 0.0 {
                    continue;
                }
                let (over, share) = (over as f32, 0.25 * share as f32);
                let texel = &mut texels[y / 2 * side + x / 2];
                texel[0] += share;
                texel[1] += share * over;
                highest = highest.max(over);
            }
        }
        let mut levels = vec![Level { side, texels }];
        while let Some(coarser) = levels.last().and_then(Level::coarser) {
            levels.push(coarser);
        }
        Some(Self {
            axes: [*u, *v],
            corner: map.corner,
            texel: 2.0 * map.texel,
            levels,
            softness,
            highest: f64::from(highest),
        })
    }

    /// How much of the light is hidden from a point of the ground, 0 to 1.
    pub(crate) fn hidden_at(&self, p: &Vector3<f64>) -> f32 {
        let [u, v] = [0, 1].map(|k| (self.axes[k].dot(p) - self.corner[k]) / self.texel);
        // The casters that may matter lie within the penumbra of the highest; their mean height sets the softness.
        let (widest, _) = self.level_of(self.softness * self.highest);
        let [cover, height] = self.levels[widest].at(u, v, widest);
        if cover < 1e-4 {
            return 0.0;
        }
        self.blurred(u, v, self.softness * f64::from(height / cover))[0].clamp(0.0, 1.0)
    }

    /// The level that is blurred like a disc of a radius in metres, and the share of the next one.
    fn level_of(&self, radius: f64) -> (usize, f32) {
        // A level's own blur, two texels of the level below seen through the spline, is that of a disc of 1.3 texels.
        let mut times = radius / (1.3 * self.texel);
        let mut fine = 0;
        while times >= 2.0 && fine + 1 < self.levels.len() {
            times *= 0.5;
            fine += 1;
        }
        (fine, (times - 1.0).clamp(0.0, 1.0) as f32)
    }

    /// Coverage and height, blurred by a disc of a radius in metres.
    fn blurred(&self, u: f64, v: f64, radius: f64) -> [f32; 2] {
        let (fine, share) = self.level_of(radius);
        let a = self.levels[fine].at(u, v, fine);
        if share == 0.0 || fine + 1 == self.levels.len() {
            return a;
        }
        let b = self.levels[fine + 1].at(u, v, fine + 1);
        [0, 1].map(|k| a[k] + (b[k] - a[k]) * share)
    }
}

impl Level {
    /// The next level: half the side, each texel a mean over four by four with weights 1 3 3 1.
    fn coarser(&self) -> Option<Self> {
        if self.side < 16 {
            return None;
        }
        let side = self.side / 2;
        let weights = [0.125_f32, 0.375, 0.375, 0.125];
        // Rows first, then columns.
        let mut narrow = vec![[0.0_f32; 2]; side * self.side];
        for (row, out) in self.texels.chunks_exact(self.side).zip(narrow.chunks_exact_mut(side)) {
            for (x, out) in out.iter_mut().enumerate() {
                for (k, w) in weights.iter().enumerate() {
                    if let Some(texel) = (2 * x + k).checked_sub(1).and_then(|at| row.get(at)) {
                        *out = [out[0] + w * texel[0], out[1] + w * texel[1]];
                    }
                }
            }
        }
        let mut texels = vec![[0.0_f32; 2]; side * side];
        for (y, out) in texels.chunks_exact_mut(side).enumerate() {
            for (k, w) in weights.iter().enumerate() {
                let row = (2 * y + k).checked_sub(1).filter(|row| *row < self.side);
                let Some(row) = row.map(|row| &narrow[row * side..(row + 1) * side]) else { continue };
                for (out, texel) in out.iter_mut().zip(row) {
                    *out = [out[0] + w * texel[0], out[1] + w * texel[1]];
                }
            }
        }
        Some(Self { side, texels })
    }

    /// The value at a place in texels of the finest level, smooth; outside there is nothing.
    fn at(&self, u: f64, v: f64, level: usize) -> [f32; 2] {
        let coarser = 1.0 / f64::from(1_u32 << level);
        let (column, across) = spline(u * coarser);
        let (row, down) = spline(v * coarser);
        let mut sum = [0.0_f32; 2];
        let side = self.side as i64;
        if column < -2 || row < -2 || column >= side || row >= side {
            return sum;
        }
        for (y, wy) in (row..row + 3).zip(down) {
            for (x, wx) in (column..column + 3).zip(across) {
                if (0..side).contains(&x) && (0..side).contains(&y) {
                    let texel = self.texels[(y * side + x) as usize];
                    sum = [sum[0] + wx * wy * texel[0], sum[1] + wx * wy * texel[1]];
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{Drawable, Drawing};
    use pliant_mesh::TriMesh;

    /// A level square of one metre at a height, lit from straight above.
    fn square(height: f64) -> (ShadowMap, Aabb) {
        let sheet = TriMesh::grid([2, 2], [1.0, 1.0]).unwrap();
        let centre = sheet.bounds().unwrap().centre();
        let normal = sheet.corners(0);
        let normal = (normal[1] - normal[0]).cross(&(normal[2] - normal[0])).normalize();
        // Whatever plane the generator prefers, turn it level.
        let turn = nalgebra::Rotation3::rotation_between(&normal, &Vector3::y()).unwrap_or_else(|| {
            nalgebra::Rotation3::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI)
        });
        let positions: Vec<_> =
            sheet.positions().iter().map(|p| turn * (p - centre) + Vector3::y() * height).collect();
        let drawing = Drawing::new(vec![Drawable::cloth(&positions, sheet.triangles())]);
        let assembly = Assembly::new(&drawing, None, &Vector3::y()).unwrap();
        let bounds = Aabb::of_points(&positions).unwrap();
        (ShadowMap::new(&assembly, Vector3::y(), &bounds, 256), bounds)
    }

    #[test]
    fn a_point_under_the_square_is_dark_and_one_beside_it_is_lit() {
        let (map, _) = square(1.0);
        let up = Vector3::<f32>::y();
        assert_eq!(map.light_at(&Vector3::new(0.1, 0.0, 0.2), &up), 0.0);
        assert_eq!(map.light_at(&Vector3::new(0.9, 0.0, 0.2), &up), 1.0);
        // The square itself is lit.
        assert_eq!(map.light_at(&Vector3::new(0.1, 1.0, 0.2), &up), 1.0);
    }

    #[test]
    fn a_shadow_softens_with_the_height_of_its_caster() {
        let edge_width = |height: f64| {
            let (map, _) = square(height);
            let ground = GroundShadow::new(&map, &Vector3::y(), 0.0, 0.1, Caster::Bottom).unwrap();
            let hidden = |x: f64| ground.hidden_at(&Vector3::new(x, 0.0, 0.0));
            assert!(hidden(0.0) > 0.95 && hidden(2.0) < 0.01, "{} {}", hidden(0.0), hidden(2.0));
            let along: Vec<f32> = (0..200).map(|i| hidden(f64::from(i) * 0.005)).collect();
            assert!(along.windows(2).all(|pair| pair[1] <= pair[0] + 0.02), "not monotone at {height}");
            along.iter().filter(|h| (0.1..0.9).contains(*h)).count()
        };
        let widths = [0.01, 0.5, 2.0].map(edge_width);
        assert!(widths[0] < 8 && widths[1] >= widths[0] && widths[2] > 2 * widths[1], "{widths:?}");
    }

    #[test]
    fn only_what_stands_on_the_ground_darkens_its_surroundings() {
        let hidden = |height: f64| {
            let (map, _) = square(height);
            let ground = GroundShadow::new(&map, &Vector3::y(), 0.0, 0.7, Caster::Standing(0.2)).unwrap();
            ground.hidden_at(&Vector3::zeros())
        };
        assert!(hidden(0.01) > 0.8 && hidden(0.1) < 0.5, "{} {}", hidden(0.01), hidden(0.1));
        assert_eq!([hidden(0.3), hidden(2.0)], [0.0; 2], "it has one shadow, that of the key");
    }

    #[test]
    fn a_side_that_lets_light_through_throws_no_shadow() {
        let positions = [(-1.0, -1.0), (1.0, -1.0), (0.0, 2.0)].map(|(x, z)| Vector3::new(x, 1.0, -z));
        let bounds = Aabb::of_points(&positions).unwrap();
        let light = |drawable: Drawable<'_>| {
            let assembly = Assembly::new(&Drawing::new(vec![drawable]), None, &Vector3::y()).unwrap();
            let map = ShadowMap::new(&assembly, Vector3::y(), &bounds, 64);
            map.light_at(&Vector3::zeros(), &Vector3::y())
        };
        let (up, down) = ([[0, 1, 2]], [[0, 2, 1]]);
        assert_eq!(light(Drawable::cloth(&positions, &up)), 0.0);
        assert_eq!(light(Drawable::cloth(&positions, &up).without_shadow()), 1.0);
        for (triangles, lit) in [(&up, 0.0), (&down, 1.0)] {
            assert_eq!(light(Drawable::cloth(&positions, triangles).opacity(1.0, 0.25)), lit);
        }
    }

    #[test]
    fn light_from_below_casts_no_shadow_on_the_ground() {
        let (map, _) = square(1.0);
        assert!(GroundShadow::new(&map, &-Vector3::y(), 0.0, 0.1, Caster::Bottom).is_none());
    }
}
