//! [`Seams`]: pairs of a point and a place that are drawn together, and closed where they meet.
//!
//! An open pair is not a constraint. At the beginning of a substep of length h it gets an impulse that would
//! have its gap d, which changes at u, close at the speed v, as far as the force F allows:
//!
//! ```text
//! d = x_0 − (1 − t) x_1 − t x_2,   J = −(u + v d/|d|)/W  with  |J| ≤ F h,   W = w_0 + (1 − t)² w_1 + t² w_2
//! ```
//!
//! J acts on the point, −(1 − t) J and −t J on the ends. So what is in the way holds the pair up, and is not
//! torn through. The speed is that at which the gap of the start closes within the time T, so that all pairs
//! close at the same time: a border whose pairs close one after the other folds, and rolls in. Where |d| ≤ v h
//! the pair is closed: from then on a rigid constraint holds it together, for good. Which pairs are closed is
//! part of a state.
//!
//! What is left open after T is tight: the panels have to stretch, or something is in the way. An impulse that
//! changes the speed of a pair by v is a force of no more than v/(h W), whatever F is, which a panel under
//! tension withstands. So from then on a string is in each open pair, of a length L that falls from the widest
//! gap of all at the start, L_0, to nothing within the next T, ever more slowly, L = L_0 (2 − t/T)⁴. At the end
//! of the sweeps of a substep, where |d| > L, it is drawn in by a multiplier that is bounded too, by a force
//! that is a hundredfold:
//!
//! ```text
//! λ = −(|d| − L)/W · d/|d|  with  |λ| ≤ 100 F h²
//! ```
//!
//! In corners, where several pairs share a point, strings that have no length left still leave each other
//! open. So from 2 T on a pair whose gap is no longer than its edge is closed as well.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_kernel::{Particle, Particles, Peak, Scalar, widen};

use crate::observe::report::SeamGap;

/// A point and its place on an edge.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// The point and the ends of the edge.
    pub(crate) points: [u32; 3],
    pub(crate) place: f64,
    /// Number of the pair in its seam.
    pair: usize,
    /// How far apart it starts, m.
    start: f64,
    closed: bool,
}

/// The rows of one seam.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Closing {
    pub(crate) name: String,
    pub(crate) rows: Range<usize>,
    /// Number of its pairs. Those that are welded have no rows, and are closed.
    pub(crate) pairs: usize,
    /// How far apart the widest of them starts, m.
    pub(crate) widest: f64,
    /// With which they are drawn together at most, N, until the time in which they should close is over.
    pub(crate) force: f64,
    /// That time, s, from the start of the simulation; 0 where they are closed from the start.
    pub(crate) time: f64,
}

/// A place this near to an end of an edge, as a share of it, is the end.
const AT_END: f64 = 1e-3;

/// Sweeps over the closed rows at the end of a substep, at most.
const SWEEPS: usize = 16;
/// A gap that is negligible, as a part of the edge.
const CLOSED: f64 = 1e-3;
/// How many times the force may be used by the strings of late pairs.
const LATE: f64 = 100.0;

/// Which end of an edge this place is, 0 or 1, if it is one.
pub(crate) fn end_at(place: f64) -> Option<usize> {
    match place {
        t if t <= AT_END => Some(0),
        t if t >= 1.0 - AT_END => Some(1),
        _ => None,
    }
}

impl Closing {
    /// The length of the strings in its open rows at a time, m; infinite while they have time to close.
    fn string_at(&self, time: f64) -> f64 {
        let left = 2.0 - time / self.time;
        if left >= 1.0 { f64::INFINITY } else { self.widest * left.max(0.0).powi(4) }
    }

    /// The speed at which a row closes in time, m/s.
    fn speed_of(&self, row: &Row) -> f64 {
        row.start / self.time
    }

    /// The widest gap, m, that is closed for good in a substep of length `h`, s, that starts at `time`, s.
    fn closes(&self, row: &Row, edge: f64, (time, h): (f64, f64)) -> f64 {
        let negligible = (self.speed_of(row) * h).max(CLOSED * edge);
        if time >= 2.0 * self.time { negligible.max(edge) } else { negligible }
    }
}

/// The seams of a running simulation.
#[derive(Debug)]
pub(crate) struct Seams {
    /// Their group of constraints: one for every row.
    pub(crate) group: usize,
    closings: Vec<Closing>,
    rows: Vec<Row>,
}

impl Row {
    pub(crate) fn new(points: [u32; 3], place: f64) -> Self {
        Self { points, place, pair: 0, start: 0.0, closed: false }
    }

    /// The row of a pair that starts so far apart, m.
    pub(crate) fn starting_at(self, start: f64) -> Self {
        Self { start, ..self }
    }

    /// The row of a pair of its seam, and whether that is closed.
    pub(crate) fn of_pair(self, pair: usize, closed: bool) -> Self {
        Self { pair, closed, ..self }
    }

    /// The end of the edge that the place is.
    pub(crate) fn end(&self) -> Option<u32> {
        end_at(self.place).map(|end| self.points[1 + end])
    }

    /// The sum of vectors at the points by their coefficients in the gap: of places the gap, m, from the
    /// place to the point.
    pub(crate) fn gap_at(&self, at: impl Fn(u32) -> Vector3<f64>) -> Vector3<f64> {
        let [q, a, b] = self.points.map(at);
        (q - a) - (b - a) * self.place
    }

    fn gap_of<T: Scalar>(&self, now: &[Particle<T>]) -> Vector3<f64> {
        self.gap_at(|v| widen(&now[v as usize].x))
    }

    /// Length of its edge, m.
    fn edge_of<T: Scalar>(&self, now: &[Particle<T>]) -> f64 {
        let [a, b] = [self.points[1], self.points[2]].map(|v| widen(&now[v as usize].x));
        (b - a).norm()
    }

    fn coefficients(&self) -> [f64; 3] {
        [1.0, self.place - 1.0, -self.place]
    }

    /// Inverse masses of the points, and that of the gap, 1/kg.
    fn inverse_masses<T: Scalar>(&self, particles: &Particles<T>) -> ([f64; 3], f64) {
        let weights = self.points.map(|v| particles.now[v as usize].w.to_f64());
        let of_gap = self.coefficients().iter().zip(weights).map(|(b, w)| b * b * w).sum();
        (weights, of_gap)
    }

    /// Closes a row; false if it is closed but for a negligible part of its edge.
    fn hold<T: Scalar>(&self, particles: &mut Particles<T>) -> bool {
        let negligible = CLOSED * self.edge_of(&particles.now);
        let (_, inverse_mass) = self.inverse_masses(particles);
        let is_open =
            self.gap_of(&particles.now).norm_squared() > negligible * negligible && inverse_mass > 0.0;
        if is_open {
            self.draw_in(particles, 0.0, f64::INFINITY);
        }
        is_open
    }

    /// Moves an open row towards a gap of a length, m, by a multiplier of at most so much, kg·m. Returns its
    /// work in the substep, times the square of the length of that, kg·m²: the multiplier times the way that
    /// the points have come.
    fn draw_in<T: Scalar>(&self, particles: &mut Particles<T>, length: f64, most: f64) -> f64 {
        let gap = self.gap_of(&particles.now);
        let (weights, inverse_mass) = self.inverse_masses(particles);
        let excess = gap.norm() - length;
        if excess <= 0.0 || inverse_mass <= 0.0 {
            return 0.0;
        }
        let multiplier = gap * (-(excess / inverse_mass).min(most) / gap.norm());
        let mut work = 0.0;
        for ((v, w), share) in self.points.into_iter().zip(weights).zip(self.coefficients()) {
            if w > 0.0 {
                let x = &mut particles.now[v as usize].x;
                *x = splat_vector(&(widen(x) + multiplier * (share * w)));
                work += share * multiplier.dot(&(widen(x) - widen(&particles.previous[v as usize].x)));
            }
        }
        work
    }

    /// Draws an open row towards a closing speed, m/s, by an impulse of at most so much, N·s. Returns the
    /// kinetic energy that it gave, J.
    fn draw<T: Scalar>(
        &self,
        particles: &mut Particles<T>,
        gap: &Vector3<f64>,
        speed: f64,
        most: f64,
    ) -> f64 {
        let (weights, inverse_mass) = self.inverse_masses(particles);
        if inverse_mass <= 0.0 {
            return 0.0;
        }
        let shares = self.coefficients();
        let rate = self.gap_at(|v| widen(&particles.velocity[v as usize].v));
        let impulse = (rate + gap * (speed / gap.norm())) / -inverse_mass;
        let impulse = impulse * (most / impulse.norm()).min(1.0);
        let mut work = 0.0;
        for ((v, w), share) in self.points.into_iter().zip(weights).zip(shares) {
            if w > 0.0 {
                let velocity = &mut particles.velocity[v as usize].v;
                let before = widen(velocity);
                *velocity = splat_vector(&(before + impulse * (share * w)));
                work += 0.5 * (widen(velocity).norm_squared() - before.norm_squared()) / w;
            }
        }
        work
    }
}

impl Seams {
    /// Those that have no time to close are closed, besides those that are already.
    pub(crate) fn new(closings: Vec<Closing>, mut rows: Vec<Row>) -> Self {
        for closing in &closings {
            rows[closing.rows.clone()].iter_mut().for_each(|row| row.closed |= closing.time == 0.0);
        }
        Self { group: 0, closings, rows }
    }

    /// Says which group of constraints theirs is.
    pub(crate) fn in_group(self, group: usize) -> Self {
        Self { group, ..self }
    }

    /// Takes the particles' numbers in the simulation.
    pub(crate) fn renumber(&mut self, internal: impl Fn(u32) -> u32) {
        for row in &mut self.rows {
            row.points = row.points.map(&internal);
        }
    }

    /// Closes the rows whose gaps close within a substep that starts at `time`, s, and is `h`, s, long; says whether
    /// there are any.
    pub(crate) fn close<T: Scalar>(&mut self, now: &[Particle<T>], (time, h): (f64, f64)) -> bool {
        let mut any = false;
        for closing in &self.closings {
            for row in self.rows[closing.rows.clone()].iter_mut().filter(|row| !row.closed) {
                row.closed = row.gap_of(now).norm() <= closing.closes(row, row.edge_of(now), (time, h));
                any |= row.closed;
            }
        }
        any
    }

    /// Draws the open rows together for a substep of length `h`, s. Returns the kinetic energy that this gave, J.
    pub(crate) fn draw<T: Scalar>(&self, particles: &mut Particles<T>, h: f64) -> f64 {
        let mut work = 0.0;
        for closing in &self.closings {
            for row in self.rows[closing.rows.clone()].iter().filter(|row| !row.closed) {
                let gap = row.gap_of(&particles.now);
                work += row.draw(particles, &gap, closing.speed_of(row), closing.force * h);
            }
        }
        work
    }

    /// Projects the closed rows again and again, forward and backward, because rows meet in corners, where
    /// one sweep over all constraints leaves them open.
    pub(crate) fn hold<T: Scalar>(&self, particles: &mut Particles<T>) {
        let closed = || self.rows.iter().filter(|row| row.closed);
        for sweep in 0..SWEEPS {
            let hold = |any: bool, row: &Row| row.hold(particles) | any;
            let any =
                if sweep % 2 == 0 { closed().fold(false, hold) } else { closed().rev().fold(false, hold) };
            if !any {
                return;
            }
        }
    }

    /// Draws in the strings of rows that are late, in a substep of length `h`, s, that ends at `end`, s.
    /// Returns the work, J.
    pub(crate) fn draw_in<T: Scalar>(&self, particles: &mut Particles<T>, end: f64, h: f64) -> f64 {
        let mut work = 0.0;
        for closing in &self.closings {
            let length = closing.string_at(end);
            if length.is_finite() {
                for row in self.rows[closing.rows.clone()].iter().filter(|row| !row.closed) {
                    work += row.draw_in(particles, length, LATE * closing.force * h * h) / (h * h);
                }
            }
        }
        work
    }

    /// Whether any may be open.
    pub(crate) fn are_drawn(&self) -> bool {
        self.closings.iter().any(|closing| closing.time > 0.0)
    }

    /// The rows that are open: constraints that do not act.
    pub(crate) fn open(&self) -> impl Iterator<Item = Range<usize>> {
        (0..).zip(&self.rows).filter(|(_, row)| !row.closed).map(|(i, _)| i..i + 1)
    }

    /// Which rows are closed.
    pub(crate) fn closed(&self) -> Vec<bool> {
        self.rows.iter().map(|row| row.closed).collect()
    }

    /// The seams by their names, each with which of its pairs are closed.
    pub(crate) fn closed_pairs(&self) -> Vec<(String, Vec<bool>)> {
        let of = |closing: &Closing| {
            let mut closed = vec![true; closing.pairs];
            for row in &self.rows[closing.rows.clone()] {
                closed[row.pair] = row.closed;
            }
            (closing.name.clone(), closed)
        };
        self.closings.iter().map(of).collect()
    }

    /// Goes back to the rows that were closed at another moment, and says whether these differ.
    pub(crate) fn take_closed(&mut self, closed: &[bool]) -> bool {
        let mut differs = false;
        for (row, &closed) in self.rows.iter_mut().zip(closed) {
            differs |= row.closed != closed;
            row.closed = closed;
        }
        differs
    }

    /// How far open the seams are.
    pub(crate) fn gaps<T: Scalar>(&self, now: &[Particle<T>]) -> Vec<SeamGap> {
        let of = |closing: &Closing| {
            let (mut max, mut sum) = (Peak::default(), 0.0);
            let rows = &self.rows[closing.rows.clone()];
            for row in rows {
                let gap = row.gap_of(now).norm();
                max.take(gap, row.pair);
                sum += gap;
            }
            let pairs = closing.pairs;
            SeamGap { name: closing.name.clone(), pairs, max, mean: sum / pairs as f64 }
        };
        self.closings.iter().map(of).collect()
    }
}
