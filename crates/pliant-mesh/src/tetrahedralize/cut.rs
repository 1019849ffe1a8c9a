//! Cut points of the surface with the edges of the lattice, and the warp that removes those near its points.
//!
//! Every edge between a point inside and one outside has a cut point, where the field is zero. A cut point
//! near the end of its edge would make a flat tetrahedron: the lattice point moves there instead and is *on*
//! the surface from then on, and the other cut points of its edges are forgotten (Labelle & Shewchuk 2007,
//! section 3.1).

use nalgebra::Vector3;

use super::lattice::{DIRECTIONS, LONG, Lattice, NONE, length};
use super::sample::Field;

/// Share of a long edge within which a cut point moves the end; see [`WARP_SHORT`].
///
/// The published thresholds (0.24999 and 0.41189) bound the dihedral angles by 9.31° and 161.6° if every warp
/// that the signs allow is put together with every position of the cut points. A search over both finds
/// 10.54° and 163.8° here.
const WARP_LONG: f64 = 0.28;

/// Share of a short edge within which a cut point moves the end.
const WARP_SHORT: f64 = 0.4;

/// A value of the field that counts as zero, in sides of a cube.
const ON_SURFACE: f64 = 1e-9;

/// How far from the surface a cut point may stay, in sides of a cube.
const TOLERANCE: f64 = 1e-3;

/// Steps of the search for a cut point.
const STEPS: usize = 12;

/// Share of an edge in one of [`DIRECTIONS`] within which a cut point moves the end.
pub(super) fn threshold(direction: usize) -> f64 {
    if direction < LONG { WARP_LONG } else { WARP_SHORT }
}

/// The points of the lattice after the warp, and the cut points that remain.
pub(super) struct Cuts {
    /// 1 inside, 0 on the surface, −1 outside; for each point of the lattice.
    pub(super) signs: Vec<i8>,
    /// The place in `ends` of each point of the lattice with a cut edge.
    end_of: Vec<u32>,
    /// The points of the lattice with a cut edge, ascending.
    ends: Vec<End>,
    /// The cut points, m.
    pub(super) points: Vec<Vector3<f64>>,
    /// How many points of the lattice have moved.
    pub(super) warped: usize,
}

/// A point of the lattice with a cut edge.
struct End {
    number: u32,
    /// Where it has moved, if it has.
    position: Option<Vector3<f64>>,
    /// The cut points of the edges that begin here, or [`NONE`].
    cuts: [u32; DIRECTIONS.len()],
}

impl Cuts {
    /// Finds the cut points of `values` at the points of the lattice, and warps.
    pub(super) fn new(field: &Field, lattice: &Lattice, values: &[f64]) -> Self {
        let rounding = ON_SURFACE * lattice.side;
        let sign = |value: &f64| match value {
            v if v.abs() <= rounding => 0,
            v if *v > 0.0 => 1,
            _ => -1,
        };
        let signs: Vec<i8> = values.iter().map(sign).collect();
        let mut cuts = Self { signs, end_of: Vec::new(), ends: Vec::new(), points: Vec::new(), warped: 0 };
        cuts.find_ends(lattice);
        let shares = cuts.cut_edges(field, lattice, values);
        cuts.warp(lattice, &shares);
        cuts
    }

    fn find_ends(&mut self, lattice: &Lattice) {
        let mut is_end = vec![false; self.signs.len()];
        for number in 0..lattice.points() {
            let sign = self.signs[number as usize];
            if sign == 0 {
                continue;
            }
            let at = lattice.coordinates(number);
            for d in DIRECTIONS {
                let Some(other) = lattice.number([0, 1, 2].map(|k| at[k] + d[k])) else { continue };
                if sign * self.signs[other as usize] < 0 {
                    is_end[number as usize] = true;
                    is_end[other as usize] = true;
                }
            }
        }
        self.end_of = vec![NONE; self.signs.len()];
        for number in (0..lattice.points()).filter(|&n| is_end[n as usize]) {
            self.end_of[number as usize] = self.ends.len() as u32;
            self.ends.push(End { number, position: None, cuts: [NONE; DIRECTIONS.len()] });
        }
    }

    /// Finds the cut points, and the share of its edge at which each is, from the edge's beginning.
    fn cut_edges(&mut self, field: &Field, lattice: &Lattice, values: &[f64]) -> Vec<f64> {
        let mut shares = Vec::new();
        for end in &mut self.ends {
            let at = lattice.coordinates(end.number);
            let begin = lattice.position(at);
            for (d, direction) in DIRECTIONS.iter().enumerate() {
                let Some(other) = lattice.number([0, 1, 2].map(|k| at[k] + direction[k])) else { continue };
                if self.signs[end.number as usize] * self.signs[other as usize] >= 0 {
                    continue;
                }
                let along = Vector3::from(direction.map(f64::from)) * (0.5 * lattice.side);
                let at_ends = [values[end.number as usize], values[other as usize]];
                let (tolerance, whole) = (TOLERANCE * lattice.side, length(d) * lattice.side);
                let share = root(at_ends, tolerance, |share, known| {
                    let known = known.map(|(at, value)| ((share - at).abs() * whole, value));
                    field.at_beside(&(begin + along * share), tolerance, known)
                });
                end.cuts[d] = self.points.len() as u32;
                self.points.push(begin + along * share);
                shares.push(share);
            }
        }
        shares
    }

    /// Moves every point of the lattice that is near a cut point there, one after the other.
    fn warp(&mut self, lattice: &Lattice, shares: &[f64]) {
        for e in 0..self.ends.len() {
            let number = self.ends[e].number;
            let sign = self.signs[number as usize];
            // The nearest of those that are too near.
            let mut nearest: Option<(f64, u32)> = None;
            for (other, d, ahead) in lattice.neighbours(lattice.coordinates(number)) {
                if sign * self.signs[other as usize] >= 0 {
                    continue;
                }
                let owner = if ahead { e } else { self.end_of[other as usize] as usize };
                let cut = self.ends[owner].cuts[d];
                let share = if ahead { shares[cut as usize] } else { 1.0 - shares[cut as usize] };
                let distance = share * length(d);
                if share < threshold(d) && nearest.is_none_or(|(least, _)| distance < least) {
                    nearest = Some((distance, cut));
                }
            }
            if let Some((_, cut)) = nearest {
                self.ends[e].position = Some(self.points[cut as usize]);
                self.signs[number as usize] = 0;
                self.warped += 1;
            }
        }
    }

    /// Where a point of the lattice is after the warp, m.
    pub(super) fn position(&self, lattice: &Lattice, number: u32) -> Vector3<f64> {
        let end = self.ends.get(self.end_of[number as usize] as usize);
        end.and_then(|end| end.position).unwrap_or_else(|| lattice.position(lattice.coordinates(number)))
    }

    /// The cut point of the edge between two neighbours of opposite sign.
    pub(super) fn between(&self, [a, b]: [u32; 2], [at_a, at_b]: [[i32; 3]; 2]) -> u32 {
        let difference = [0, 1, 2].map(|k| at_b[k] - at_a[k]);
        if let Some(d) = DIRECTIONS.iter().position(|&d| d == difference) {
            return self.ends[self.end_of[a as usize] as usize].cuts[d];
        }
        let d = DIRECTIONS.iter().position(|d| d.map(|c| -c) == difference);
        self.ends[self.end_of[b as usize] as usize].cuts[d.expect("the edge of a tetrahedron of the lattice")]
    }
}

/// The share of an edge at which a function of it is zero within a tolerance, from the values at its ends,
/// which have opposite signs: the Illinois variant of false position (Dowell & Jarratt 1971), and bisection
/// where the function jumps.
///
/// Two shares at which the function is known already are given with their values.
fn root(ends: [f64; 2], tolerance: f64, value: impl Fn(f64, [(f64, f64); 2]) -> f64) -> f64 {
    let (mut low, mut high) = ((0.0, ends[0]), (1.0, ends[1]));
    // Halved where an end is kept; the values themselves stay in `low` and `high`.
    let (mut weight_low, mut weight_high) = (1.0, 1.0);
    let mut share = 0.5;
    let mut kept = 0;
    for step in 0..STEPS {
        let (l, h) = (low.1 * weight_low, high.1 * weight_high);
        // Infinite ends have only a sign; after a few steps the function is not linear, and may have a jump.
        share = if l.is_finite() && h.is_finite() && step < STEPS / 2 {
            low.0 + (high.0 - low.0) * (l / (l - h))
        } else {
            0.5 * (low.0 + high.0)
        };
        let found = value(share, [low, high]);
        if found.abs() <= tolerance {
            break;
        }
        if (found > 0.0) == (low.1 > 0.0) {
            weight_high = if kept == -1 { 0.5 * weight_high } else { 1.0 };
            (low, weight_low, kept) = ((share, found), 1.0, -1);
        } else {
            weight_low = if kept == 1 { 0.5 * weight_low } else { 1.0 };
            (high, weight_high, kept) = ((share, found), 1.0, 1);
        }
    }
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_lines_curves_and_jumps_are_found() {
        let line = root([-1.0, 3.0], 1e-9, |x, _| 4.0 * x - 1.0);
        assert!((line - 0.25).abs() < 1e-12);
        let curve = root([-0.1, 0.9], 1e-4, |x, _| x * x - 0.1);
        assert!((curve * curve - 0.1).abs() < 1e-4);
        let jump = root([-0.7, 0.7], 1e-3, |x, _| if x < 0.31 { -0.7 } else { 0.7 });
        assert!((jump - 0.31).abs() < 1.0 / 32.0, "{jump}");
        let far = root([f64::NEG_INFINITY, f64::INFINITY], 1e-3, |x, _| x - 0.2);
        assert!((far - 0.2).abs() < 2e-3);
    }
}
