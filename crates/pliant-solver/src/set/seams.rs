//! [`Seams`]: pairs of a point and a place that are drawn together, and closed where they meet.
//!
//! An open pair is no constraint. At the beginning of a substep of length h it gets an impulse that would have its gap d, which changes
//! at u, close at the speed v, as far as the force F allows:
//!
//! ```text
//! d = x_0 − (1 − t) x_1 − t x_2,   J = −(u + v d/|d|)/W  with  |J| ≤ F h,   W = w_0 + (1 − t)² w_1 + t² w_2
//! ```
//!
//! J acts on the point, −(1 − t) J and −t J on the ends. So what is in the way holds the pair up, and is not torn through. Where |d| ≤ v h
//! the pair is closed: from then on a rigid constraint holds it together, for good. Which pairs are closed is part of a state.
//!
//! What is left open after the time T in which all should have closed is tight: the panels have to stretch. An impulse that changes the
//! speed of a pair by v is a force of no more than v/(h W), whatever F is, so from then on v grows, tenfold within the next T, and F a
//! hundredfold.

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
    closed: bool,
}

/// The rows of one seam.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Closing {
    pub(crate) name: String,
    pub(crate) rows: Range<usize>,
    /// At which they close, m/s; infinite where they are closed from the start.
    pub(crate) speed: f64,
    /// With which they are drawn together at most, N, until the time in which they should close is over.
    pub(crate) force: f64,
    /// That time, s, from the start of the simulation.
    pub(crate) time: f64,
}

/// By how much the speed grows at most; the force grows by its square.
const GROWTH: f64 = 10.0;

impl Closing {
    /// The speed at which rows close at a time, m/s, and the force with which they are drawn together at most, N.
    fn pull_at(&self, time: f64) -> (f64, f64) {
        if time <= self.time {
            return (self.speed, self.force);
        }
        let growth = libm::pow(GROWTH, (time / self.time - 1.0).min(1.0));
        (self.speed * growth, self.force * growth * growth)
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
        Self { points, place, closed: false }
    }

    /// The sum of vectors at the points by their coefficients in the gap: of places the gap, m, from the place to the point.
    pub(crate) fn gap_at(&self, at: impl Fn(u32) -> Vector3<f64>) -> Vector3<f64> {
        let [q, a, b] = self.points.map(at);
        (q - a) - (b - a) * self.place
    }

    fn gap_of<T: Scalar>(&self, now: &[Particle<T>]) -> Vector3<f64> {
        self.gap_at(|v| widen(&now[v as usize].x))
    }

    fn coefficients(&self) -> [f64; 3] {
        [1.0, self.place - 1.0, -self.place]
    }

    /// Draws an open row towards a closing speed, m/s, by an impulse of at most so much, N·s. Returns the kinetic energy that it gave, J.
    fn draw<T: Scalar>(
        &self,
        particles: &mut Particles<T>,
        gap: &Vector3<f64>,
        speed: f64,
        most: f64,
    ) -> f64 {
        let weights = self.points.map(|v| particles.now[v as usize].w.to_f64());
        let shares = self.coefficients();
        let inverse_mass: f64 = shares.iter().zip(weights).map(|(b, w)| b * b * w).sum();
        if inverse_mass <= 0.0 {
            return 0.0;
        }
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
    /// Those that have no time to close are closed.
    pub(crate) fn new(closings: Vec<Closing>, mut rows: Vec<Row>) -> Self {
        for Closing { rows: range, speed, .. } in &closings {
            rows[range.clone()].iter_mut().for_each(|row| row.closed = speed.is_infinite());
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

    /// Closes the rows whose gaps close within a substep of length `h`, s, of a frame that begins at `time`, s, and says whether there
    /// are any.
    pub(crate) fn close<T: Scalar>(&mut self, now: &[Particle<T>], time: f64, h: f64) -> bool {
        let mut any = false;
        for closing in &self.closings {
            let (speed, _) = closing.pull_at(time);
            for row in self.rows[closing.rows.clone()].iter_mut().filter(|row| !row.closed) {
                row.closed = row.gap_of(now).norm() <= speed * h;
                any |= row.closed;
            }
        }
        any
    }

    /// Draws the open rows together for a substep of length `h`, s, in a frame that begins at `time`, s. Returns the kinetic
    /// energy that this gave, J.
    pub(crate) fn draw<T: Scalar>(&self, particles: &mut Particles<T>, time: f64, h: f64) -> f64 {
        let mut work = 0.0;
        for closing in &self.closings {
            let (speed, force) = closing.pull_at(time);
            for row in self.rows[closing.rows.clone()].iter().filter(|row| !row.closed) {
                let gap = row.gap_of(&particles.now);
                work += row.draw(particles, &gap, speed, force * h);
            }
        }
        work
    }

    /// Whether any may be open.
    pub(crate) fn are_drawn(&self) -> bool {
        self.closings.iter().any(|closing| closing.speed.is_finite())
    }

    /// The rows that are open: constraints that do not act.
    pub(crate) fn open(&self) -> impl Iterator<Item = Range<usize>> {
        (0..).zip(&self.rows).filter(|(_, row)| !row.closed).map(|(i, _)| i..i + 1)
    }

    /// Which rows are closed.
    pub(crate) fn closed(&self) -> Vec<bool> {
        self.rows.iter().map(|row| row.closed).collect()
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
            for (pair, row) in rows.iter().enumerate() {
                let gap = row.gap_of(now).norm();
                max.take(gap, pair);
                sum += gap;
            }
            SeamGap { name: closing.name.clone(), pairs: rows.len(), max, mean: sum / rows.len() as f64 }
        };
        self.closings.iter().map(of).collect()
    }
}
