//! The field at the points of the lattice: how far inside the surface each is.
//!
//! A block of cubes whose middle is farther from the surface than its corners lies on one side of it, and is
//! filled at once; others are divided, down to single points near the surface. Sides can change away from the
//! triangles too, across a hole: the winding number's slope at a distance r from the outline of the holes, of
//! length L, is at most L / 4π r² (it is the law of Biot and Savart for a current along the outline), so that
//! a block is filled only where the number stays on its side of ½. A closed surface has no outline.

use nalgebra::Vector3;

use super::lattice::{Lattice, length};
use crate::bounds::Aabb;
use crate::closest::nearest_on_segment;
use crate::embed::BoxTree;
use crate::{SignedDistance, TriMesh};

/// How far the winding number of clustered triangles may be from the truth.
const WINDING_ERROR: f64 = 0.02;

/// The region to fill with tetrahedra: the points where the value is positive.
pub(super) struct Field {
    distance: SignedDistance,
    /// Half the thickness of a shell around the surface, m; none for what the surface encloses.
    half_thickness: Option<f64>,
    outline: Outline,
}

/// Where triangles end without a neighbour, or do not agree with theirs.
struct Outline {
    tree: BoxTree,
    segments: Vec<[Vector3<f64>; 2]>,
    length: f64,
}

impl Outline {
    fn of(surface: &TriMesh) -> Self {
        // Every edge counts +1 or −1 for each triangle that runs along it; what is left is the outline.
        let mut edges: Vec<([u32; 2], i32)> = surface
            .triangles()
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| if a < b { ([a, b], 1) } else { ([b, a], -1) })
            .collect();
        edges.sort_unstable();
        let (mut segments, mut length) = (Vec::new(), 0.0);
        for same in edges.chunk_by(|a, b| a.0 == b.0) {
            let count: i32 = same.iter().map(|edge| edge.1).sum();
            if count != 0 {
                let ends = same[0].0.map(|v| surface.positions()[v as usize]);
                length += f64::from(count.abs()) * (ends[1] - ends[0]).norm();
                segments.push(ends);
            }
        }
        let boxes: Vec<Aabb> = segments.iter().map(|[a, b]| Aabb { min: a.inf(b), max: a.sup(b) }).collect();
        Self { tree: BoxTree::new(&boxes), segments, length }
    }

    /// The most by which the winding number changes between a point and others within a radius, m.
    fn change(&self, point: &Vector3<f64>, radius: f64) -> f64 {
        let nearest = self
            .tree
            .nearest_squared(point, f64::INFINITY, |place| {
                let item = self.tree.order()[place] as usize;
                nearest_on_segment(point, &self.segments[item]).distance_squared
            })
            .sqrt();
        if self.segments.is_empty() {
            return 0.0;
        }
        let gap = nearest - radius;
        if gap > 0.0 {
            radius * self.length / (4.0 * std::f64::consts::PI * gap * gap)
        } else {
            f64::INFINITY
        }
    }
}

impl Field {
    pub(super) fn new(surface: &TriMesh, shell_thickness: Option<f64>) -> Self {
        Self {
            distance: SignedDistance::new(surface),
            half_thickness: shell_thickness.map(|t| 0.5 * t),
            outline: Outline::of(surface),
        }
    }

    /// The triangle of the surface that is nearest to a point.
    pub(super) fn nearest_triangle(&self, point: &Vector3<f64>) -> usize {
        self.distance.nearest_triangle(point)
    }

    /// How far inside a point is, m; negative outside.
    pub(super) fn at(&self, point: &Vector3<f64>) -> f64 {
        self.at_beside(point, 0.0, [])
    }

    /// The same where values nearby are known: each with its distance, m. Closer to the surface than
    /// `tolerance` the sign may be wrong.
    ///
    /// A winding number is expensive. It cannot change within a sphere that no triangle reaches into, unless
    /// the surface has an outline.
    pub(super) fn at_beside(
        &self,
        point: &Vector3<f64>,
        tolerance: f64,
        known: impl IntoIterator<Item = (f64, f64)>,
    ) -> f64 {
        let distance = self.distance.distance(point);
        if let Some(half) = self.half_thickness {
            return half - distance;
        }
        if distance <= tolerance {
            return distance;
        }
        if self.outline.segments.is_empty() {
            for (gap, value) in known {
                let free = if value.is_finite() { distance.max(value.abs()) } else { distance };
                if gap < free * (1.0 - 1e-9) {
                    return distance.copysign(value);
                }
            }
        }
        if self.distance.is_inside(point) { distance } else { -distance }
    }

    /// The sign of the field for all points within a radius of one, if they are surely all on one side;
    /// `known` is the sign of one of them, if any is known.
    fn side(&self, centre: &Vector3<f64>, radius: f64, known: impl FnOnce() -> Option<f64>) -> Option<f64> {
        // With a tolerance: cases that rounding could decide are tested point by point.
        let radius = radius * (1.0 + 1e-9);
        let clear = radius + self.half_thickness.unwrap_or(0.0);
        let squared = self.distance.distance_squared_below(centre, clear * clear);
        if let Some(half) = self.half_thickness {
            if squared >= clear * clear {
                return Some(-1.0);
            }
            return (squared.sqrt() + radius < half).then_some(1.0);
        }
        if squared < clear * clear {
            return None;
        }
        if self.outline.segments.is_empty()
            && let Some(value) = known()
        {
            return Some(value.signum());
        }
        let winding = self.distance.winding().at(centre).abs();
        let sure = (winding - 0.5).abs() > self.outline.change(centre, radius) + WINDING_ERROR;
        sure.then_some(if winding > 0.5 { 1.0 } else { -1.0 })
    }
}

/// The field at every point of the lattice, m; infinite, with its sign, at points of blocks that were filled at once.
pub(super) fn sample(field: &Field, lattice: &Lattice) -> Vec<f64> {
    let mut values = vec![f64::NAN; lattice.points() as usize];
    let size = lattice.cells.into_iter().max().unwrap_or(1).max(1) as u32;
    Sampler { field, lattice, values: &mut values }.block([0; 3], size.next_power_of_two() as i32);
    values
}

struct Sampler<'a> {
    field: &'a Field,
    lattice: &'a Lattice,
    values: &'a mut [f64],
}

impl Sampler<'_> {
    /// Fills the closed block of `size` cubes each way that begins with the cube at `first`.
    fn block(&mut self, first: [i32; 3], size: i32) {
        let last = [0, 1, 2].map(|k| (first[k] + size).min(self.lattice.cells[k]));
        if (0..3).any(|k| first[k] >= last[k]) {
            return;
        }
        let middle = [0, 1, 2].map(|k| first[k] + last[k]);
        let centre = self.lattice.position(middle);
        let radius = (centre - self.lattice.position(first.map(|c| 2 * c))).norm();
        let known = || self.known_in(first, last, middle);
        if let Some(side) = self.field.side(&centre, radius, known) {
            self.each_point(first, last, |_, _| side * f64::INFINITY);
        } else if size > 1 {
            let half = size / 2;
            for child in 0..8 {
                let moved = [0, 1, 2].map(|k| first[k] + if child >> k & 1 == 1 { half } else { 0 });
                self.block(moved, half);
            }
        } else {
            self.each_point(first, last, |sampler, at| {
                let point = sampler.lattice.position(at);
                let known = sampler.lattice.neighbours(at).filter_map(|(number, direction, _)| {
                    let value = sampler.values[number as usize];
                    let gap = sampler.lattice.side * length(direction);
                    (!value.is_nan()).then_some((gap, value))
                });
                sampler.field.at_beside(&point, 0.0, known)
            });
        }
    }

    /// The value of a corner or of the middle of a block, if one is known that is not on the surface.
    fn known_in(&self, first: [i32; 3], last: [i32; 3], middle: [i32; 3]) -> Option<f64> {
        let corner = |c: usize| [0, 1, 2].map(|k| 2 * if c >> k & 1 == 1 { last[k] } else { first[k] });
        // Of a block with an odd and an even number of cubes the middle is not a point of the lattice.
        let is_point = middle.iter().all(|c| c & 1 == middle[0] & 1);
        let points = (0..8).map(corner).chain(is_point.then_some(middle));
        let mut values = points.map(|at| self.values[self.lattice.number_unchecked(at) as usize]);
        values.find(|value| !value.is_nan() && *value != 0.0)
    }

    /// Sets the points of a closed block that have no value yet.
    fn each_point(&mut self, first: [i32; 3], last: [i32; 3], value: impl Fn(&Self, [i32; 3]) -> f64) {
        for odd in [0, 1] {
            for k in first[2]..last[2] + 1 - odd {
                for j in first[1]..last[1] + 1 - odd {
                    for i in first[0]..last[0] + 1 - odd {
                        let at = [i, j, k].map(|c| 2 * c + odd);
                        let number = self.lattice.number_unchecked(at) as usize;
                        if self.values[number].is_nan() {
                            self.values[number] = value(self, at);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of every point, asked one by one, has the sign that the blocks found.
    fn agrees(surface: &TriMesh, shell: Option<f64>) {
        let field = Field::new(surface, shell);
        let lattice = Lattice { origin: Vector3::repeat(-1.3), side: 0.1, cells: [26, 25, 27] };
        let values = sample(&field, &lattice);
        let mut far = 0;
        for (number, value) in (0..).zip(&values) {
            let exact = field.at(&lattice.position(lattice.coordinates(number)));
            assert!(!value.is_nan());
            if value.is_infinite() {
                far += 1;
                assert_eq!(*value > 0.0, exact > 0.0, "{number} {exact}");
            } else {
                assert_eq!(*value, exact);
            }
        }
        assert!(far > values.len() / 3, "{far} of {}", values.len());
    }

    #[test]
    fn blocks_have_the_signs_of_their_points() {
        let ball = TriMesh::icosphere(1.0, 8).unwrap();
        agrees(&ball, None);
        agrees(&ball, Some(0.3));
        // Holes of several sizes.
        for missing in [1, 40, 500] {
            let (positions, triangles) = ball.clone().into_parts();
            agrees(&TriMesh::new(positions, triangles[missing..].to_vec()).unwrap(), None);
        }
    }
}
