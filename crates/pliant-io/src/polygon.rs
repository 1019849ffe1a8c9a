//! [`split`]: polygons into triangles, around their first corner where that does not fold, else by clipping ears.
//!
//! Readers fan a polygon (0, 1, 2), (0, 2, 3)… as they meet it, since a file may name vertices that it gives
//! later. With all positions known, a fan is checked along the normal of its polygon (Newell: the sum of the
//! cross products, which is twice the area of the polygon in that view). The fan of a convex polygon has no
//! triangle that is turned over, and stays as it is. That of a concave one may have: then ears are cut off,
//! the best shaped first (Meisters 1975, *Polygons have ears*). An ear is a corner that turns left and whose
//! triangle holds no other corner. Triangles that all turn left and have the polygon for their boundary cover
//! each point as often as the polygon winds around it, which is once: so the result is right whenever enough
//! ears are found.
//!
//! *Hazard*: a polygon that crosses itself or has no area has no inside, and one that is far from flat may
//! cross itself in its plane. Such polygons keep their fans, and are counted.

use nalgebra::Vector3;

use crate::raw::RawMesh;

/// How far a triangle of a fan may be turned over, relative to the square of its longest side: coordinates are rounded.
const FLAT: f64 = 1e-6;
/// Twice the area of a polygon that has none, relative to the square of its extent.
const NO_AREA: f64 = 1e-12;
/// Polygons with at most this many corners are never too large.
const FEW: usize = 64;
/// How many comparisons of corners may be spent on the larger polygons of a file. Ears take the square of the number of
/// corners: this is enough for a polygon of 10 000, or for 10 000 of 100.
const MOST_COMPARISONS: u64 = 1 << 29;

/// The outcome for polygons whose fans are turned over somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    /// Split by clipping ears.
    pub(crate) clipped: usize,
    /// Left as fans: they cross themselves or have no area.
    pub(crate) without_inside: usize,
    /// Left as fans: they would take too long.
    pub(crate) too_large: usize,
}

/// Splits again the polygons of a mesh whose fans are turned over somewhere. All corners must be vertices.
pub(crate) fn split(raw: &mut RawMesh) -> Counts {
    split_within(raw, MOST_COMPARISONS)
}

fn split_within(raw: &mut RawMesh, comparisons: u64) -> Counts {
    let mut counts = Counts::default();
    let mut splitter = Splitter { left: comparisons, ..Splitter::default() };
    for run in &raw.polygons {
        let triangles = run.corners - 2;
        for polygon in 0..run.count {
            let start = run.start + polygon * triangles;
            match splitter.split(&raw.positions, &mut raw.triangles[start..start + triangles]) {
                Outcome::Fan => {}
                Outcome::Clipped => counts.clipped += 1,
                Outcome::NoInside => counts.without_inside += 1,
                Outcome::TooLarge => counts.too_large += 1,
            }
        }
    }
    counts
}

impl Counts {
    /// Notes for the report.
    pub(crate) fn notes(self) -> impl Iterator<Item = String> {
        [
            (self.clipped, "polygons are concave and were split by clipping ears"),
            (
                self.without_inside,
                "polygons cross themselves or have no area and were split around their first corner",
            ),
            (
                self.too_large,
                "concave polygons have too many corners to look for ears and were split around their first corner, which folds them; \
                 split them in the program that made them",
            ),
        ]
        .into_iter()
        .filter(|&(count, _)| count > 0)
        .map(|(count, what)| format!("{count} {what}"))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Fan,
    Clipped,
    NoInside,
    TooLarge,
}

/// Buffers for a polygon, kept from one to the next.
#[derive(Default)]
struct Splitter {
    /// Comparisons left.
    left: u64,
    /// The corners, as vertices.
    corners: Vec<u32>,
    /// Their places relative to the first one, the farthest at a distance of about 1.
    places: Vec<Vector3<f64>>,
    /// The same in the plane.
    plane: Vec<[f64; 2]>,
    /// The neighbours of each corner among those that are left.
    before: Vec<usize>,
    after: Vec<usize>,
    /// Corners that do not turn left. Clipping an ear makes the corners beside it more convex.
    reflex: Vec<usize>,
    /// How good an ear each corner is; zero if it is not an ear.
    ears: Vec<f64>,
    clipped: Vec<[u32; 3]>,
}

impl Splitter {
    /// Checks the fan of a polygon and replaces it if it is turned over somewhere.
    fn split(&mut self, positions: &[Vector3<f64>], fan: &mut [[u32; 3]]) -> Outcome {
        let first = positions[fan[0][0] as usize];
        self.places.clear();
        self.places.push(Vector3::zeros());
        self.places.push(positions[fan[0][1] as usize] - first);
        self.places.extend(fan.iter().map(|triangle| positions[triangle[2] as usize] - first));
        let extent = self.places.iter().fold(0.0_f64, |most, place| most.max(place.amax()));
        if extent == 0.0 || !extent.is_finite() {
            return Outcome::NoInside;
        }
        for place in &mut self.places {
            *place /= extent;
        }
        let around: Vector3<f64> = self.places[1..].windows(2).map(|edge| edge[0].cross(&edge[1])).sum();
        let area = around.norm();
        if area <= NO_AREA {
            return Outcome::NoInside;
        }
        let normal = around / area;
        let is_turned = |edge: &[Vector3<f64>]| {
            let longest =
                edge[0].norm_squared().max(edge[1].norm_squared()).max((edge[1] - edge[0]).norm_squared());
            edge[0].cross(&edge[1]).dot(&normal) < -FLAT * longest
        };
        if !self.places[1..].windows(2).any(is_turned) {
            return Outcome::Fan;
        }
        self.corners.clear();
        self.corners.extend([fan[0][0], fan[0][1]]);
        self.corners.extend(fan.iter().map(|triangle| triangle[2]));
        self.flatten(&normal);
        let outcome = self.clip();
        if outcome == Outcome::Clipped {
            fan.copy_from_slice(&self.clipped);
        }
        outcome
    }

    /// Puts the corners into the plane, so that the polygon turns left on the whole.
    fn flatten(&mut self, normal: &Vector3<f64>) {
        let mut axis = Vector3::zeros();
        axis[normal.iamin()] = 1.0;
        let right = axis.cross(normal).normalize();
        let up = normal.cross(&right);
        self.plane.clear();
        self.plane.extend(self.places.iter().map(|place| [place.dot(&right), place.dot(&up)]));
    }

    /// Twice the area of a triangle of corners; positive if it turns left.
    fn turn(&self, a: usize, b: usize, c: usize) -> f64 {
        turn(self.plane[a], self.plane[b], self.plane[c])
    }

    /// Takes so many comparisons from the remaining ones.
    fn spend(&mut self, comparisons: usize) -> bool {
        match self.left.checked_sub(comparisons as u64) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Cuts ears off until a triangle is left.
    fn clip(&mut self) -> Outcome {
        let n = self.plane.len();
        self.before.clear();
        self.before.extend((0..n).map(|i| (i + n - 1) % n));
        self.after.clear();
        self.after.extend((0..n).map(|i| (i + 1) % n));
        self.reflex.clear();
        self.reflex.extend(
            (0..n).filter(|&i| {
                turn(self.plane[(i + n - 1) % n], self.plane[i], self.plane[(i + 1) % n]) <= 0.0
            }),
        );
        // Edges are compared in pairs, ears in each step, and three corners with those that do not turn left in each.
        let steps = self.reflex.len().saturating_mul(3).saturating_add(n).saturating_add(n / 2);
        if n > FEW && !self.spend(n.saturating_mul(steps)) {
            return Outcome::TooLarge;
        }
        if self.crosses_itself() {
            return Outcome::NoInside;
        }
        self.ears.clear();
        self.ears.resize(n, 0.0);
        for corner in 0..n {
            self.ears[corner] = self.ear(corner);
        }
        self.clipped.clear();
        let mut some = 0;
        for _ in 0..n - 2 {
            // The best ear that is left; of several the first.
            let (mut best, mut corner) = (some, self.after[some]);
            while corner != some {
                if self.ears[corner].total_cmp(&self.ears[best]).then(best.cmp(&corner)).is_gt() {
                    best = corner;
                }
                corner = self.after[corner];
            }
            if self.ears[best] <= 0.0 {
                return Outcome::NoInside;
            }
            let (a, c) = (self.before[best], self.after[best]);
            self.clipped.push([self.corners[a], self.corners[best], self.corners[c]]);
            (self.after[a], self.before[c]) = (c, a);
            for corner in [a, c] {
                if self.turn(self.before[corner], corner, self.after[corner]) > 0.0 {
                    self.reflex.retain(|&reflex| reflex != corner);
                }
            }
            (self.ears[a], self.ears[c]) = (self.ear(a), self.ear(c));
            some = a;
        }
        Outcome::Clipped
    }

    /// How good an ear a corner is, from 0 for none: the area of its triangle by the square of its longest side.
    fn ear(&self, corner: usize) -> f64 {
        let (a, b, c) = (self.before[corner], corner, self.after[corner]);
        let twice_area = self.turn(a, b, c);
        if twice_area <= 0.0 {
            return 0.0;
        }
        let [p, q, r] = [a, b, c].map(|i| self.plane[i]);
        // A corner at the place of one of the three is where a polygon meets itself, as one around a hole does.
        let holds = |i: usize| {
            let place = self.plane[i];
            place != p
                && place != q
                && place != r
                && turn(p, q, place) >= 0.0
                && turn(q, r, place) >= 0.0
                && turn(r, p, place) >= 0.0
        };
        if self.reflex.iter().any(|&i| holds(i)) {
            return 0.0;
        }
        let squared = |[x0, y0]: [f64; 2], [x1, y1]: [f64; 2]| (x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0);
        twice_area / squared(p, q).max(squared(q, r)).max(squared(r, p))
    }

    /// Whether two edges cross. Edges that touch do not.
    fn crosses_itself(&self) -> bool {
        let n = self.plane.len();
        (0..n).any(|i| {
            let (a, b) = (i, (i + 1) % n);
            (i + 2..n).any(|j| {
                let (c, d) = (j, (j + 1) % n);
                let parted = |x: f64, y: f64| (x < 0.0 && y > 0.0) || (x > 0.0 && y < 0.0);
                parted(self.turn(a, b, c), self.turn(a, b, d))
                    && parted(self.turn(c, d, a), self.turn(c, d, b))
            })
        })
    }
}

/// Twice the area of a triangle, positive if it turns left.
fn turn([ax, ay]: [f64; 2], [bx, by]: [f64; 2], [cx, cy]: [f64; 2]) -> f64 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

#[cfg(test)]
mod tests;
