//! [`Simulation::rounding`]: the effect of the number type of positions on energies.
//!
//! A position is rounded whenever something moves it: once by the prediction of a substep, and once by every
//! constraint on it, in every iteration. A rounding error δ changes the velocity (x − x₀)/h by δ/h, with a
//! random sign: kinetic energy grows by m·Σδ²/(2h²) in a substep. δ² is ulp(x)²/12 on average. Constraints
//! undo a part of it, so the number is an upper bound, which bodies whose shape is free to tremble nearly
//! reach. It falls with the cube of the substep: halving the substep makes it eight times as large.
//!
//! Not all of it is random. Within a substep gravity moves a particle at rest by g h². If that is less than some
//! units in the last place of a coordinate, it is rounded up or down alike in every substep, and weights are wrong by
//! as much.

use nalgebra::Vector3;
use pliant_kernel::Particle;

use crate::describe::sweep_order::SweepOrder;
use crate::world::World;
use pliant_kernel::Scalar;

/// The least energy that counts as moved: that of moving by this part of the body's size in a second.
pub(crate) const STILL: f64 = 1e-2;

/// The effect of rounding on the energies of a simulation, at the present positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rounding {
    /// Energy that rounding can create in a second of substeps of length h, times h³, J·s².
    noise: f64,
    /// Energy that such bodies move, J: that of a fall by their own size, or their present kinetic energy.
    moved: f64,
    /// Rounding of a number relative to it.
    epsilon: f64,
    /// Mean distance between the points of a constraint, m; `None` if there is no constraint between points.
    pub(crate) element: Option<f64>,
    /// Gravity, m/s².
    gravity: f64,
    /// Distance of the farthest particle from the origin, m.
    farthest: f64,
}

/// Created energy from which a run is not to be trusted, relative to the energy that moves.
pub(crate) const CREATED: f64 = 0.01;
/// Negligible created energy, relative to the energy that moves.
const NEGLIGIBLE: f64 = 3e-4;
/// The share of [`Rounding::GRAVITY`] up to which weights are right to a percent or two.
const WEIGHED: f64 = 0.4;

/// Shares of what rounding is compared with, up to which it is tolerated.
struct Tolerance {
    /// Of a position, relative to an element.
    position: f64,
    /// Of a velocity, relative to that after a fall by an element.
    velocity: f64,
    /// Of a position, relative to the way of gravity within a substep.
    gravity: f64,
    /// Created energy, relative to the energy that moves.
    energy: f64,
}

/// Rounding that does not show.
const UNSEEN: Tolerance = Tolerance {
    position: Rounding::POSITION,
    velocity: Rounding::VELOCITY,
    gravity: WEIGHED * Rounding::GRAVITY,
    energy: NEGLIGIBLE,
};

/// Rounding by which a run is still to be trusted. Weights that are wrong by several percent are not waited
/// for to become nothing.
const TRUSTED: Tolerance = Tolerance {
    position: Rounding::MOST_POSITION,
    velocity: Rounding::MOST_VELOCITY,
    gravity: Rounding::GRAVITY,
    energy: CREATED,
};

impl Rounding {
    /// Negligible rounding of a position, relative to an element; more is rough, and ten times as much is not
    /// to be trusted.
    pub const POSITION: f64 = 2e-3;
    /// The same for the velocity that rounding creates in a substep, relative to that after a fall by an
    /// element.
    pub const VELOCITY: f64 = 0.1;
    /// Rounding of a position, relative to the way that gravity moves it within a substep, from which weights are
    /// wrong by several percent; from four times as much, gravity may be rounded to nothing.
    pub const GRAVITY: f64 = 1.0;

    /// Rounding of a position above which a run is not to be trusted, relative to an element.
    pub(crate) const MOST_POSITION: f64 = 10.0 * Self::POSITION;
    /// The same for a velocity.
    pub(crate) const MOST_VELOCITY: f64 = 10.0 * Self::VELOCITY;
    /// The same for the way of gravity.
    pub(crate) const MOST_GRAVITY: f64 = 4.0 * Self::GRAVITY;

    /// Energy that rounding can create in `time` of substeps of length `h`, s, J.
    #[must_use]
    pub fn energy(&self, h: f64, time: f64) -> f64 {
        if time > 0.0 { self.noise * time / (h * h * h) } else { 0.0 }
    }

    /// Rounding of a position at `distance` from the origin, m.
    pub(crate) fn of_position(&self, distance: f64) -> f64 {
        self.epsilon * distance
    }

    /// The same, relative to an element.
    pub(crate) fn position_share(&self, distance: f64) -> Option<f64> {
        self.element.map(|element| self.of_position(distance) / element)
    }

    /// The velocity that it creates in a substep of length `h`, s, relative to that after a fall by an element.
    pub(crate) fn velocity_share(&self, distance: f64, h: f64) -> Option<f64> {
        let fall = (self.gravity * self.element?).sqrt();
        (fall > 0.0 && h > 0.0).then(|| self.of_position(distance) / h / fall)
    }

    /// The same, relative to the way that gravity moves a particle from rest within a substep of length `h`, s, g h².
    #[must_use]
    pub(crate) fn gravity_share(&self, distance: f64, h: f64) -> Option<f64> {
        let way = self.gravity * h * h;
        (way > 0.0).then(|| self.of_position(distance) / way)
    }

    /// Whether `time` in substeps of length `h`, s, needs more digits: positions are rounded by more than a
    /// five-hundredth of an element, velocities by more than a tenth of that after a fall by an element, the
    /// way of gravity within a substep by more than two fifths, or the energy that rounding can create is
    /// more than three parts in ten thousand of the energy that moves.
    #[must_use]
    pub fn matters(&self, h: f64, time: f64) -> bool {
        self.exceeds(&UNSEEN, h, time)
    }

    /// Whether `time` in substeps of length `h`, s, can end in what is
    /// [not to be trusted](crate::Grade::Untrusted) because of rounding: positions are rounded by more than a
    /// fiftieth of an element, velocities by more than that after a fall by an element, the way of gravity
    /// within a substep by more than its length, so that weights are wrong, or the energy that rounding can
    /// create is more than a hundredth of the energy that moves.
    #[must_use]
    pub fn ruins(&self, h: f64, time: f64) -> bool {
        self.exceeds(&TRUSTED, h, time)
    }

    fn exceeds(&self, tolerance: &Tolerance, h: f64, time: f64) -> bool {
        let above = |share: Option<f64>, most: f64| share.is_some_and(|share| share > most);
        above(self.position_share(self.farthest), tolerance.position)
            || above(self.velocity_share(self.farthest, h), tolerance.velocity)
            || above(self.gravity_share(self.farthest, h), tolerance.gravity)
            || self.energy(h, time) > tolerance.energy * self.moved
    }
}

/// Mean square of the rounding error of a number.
fn rounded_off<T: Scalar>(x: T) -> f64 {
    let x = x.to_f64().abs();
    // The distance to the next number: x = m·2ᵉ with 1 ≤ m < 2.
    let (_, exponent) = libm::frexp(x);
    let ulp = if x > 0.0 { libm::ldexp(T::EPSILON, exponent - 1) } else { 0.0 };
    ulp * ulp / 12.0
}

impl<T: Scalar> World<T> {
    /// The possible effect on energies of rounding positions to the number type.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Simulation};
    ///
    /// let sheet = || Body::cloth(TriMesh::grid([11, 11], [1.0, 1.0]).expect("a grid"));
    /// let single = Simulation::builder().body(sheet()).build()?;
    /// let double = Simulation::builder().body(sheet()).build_as::<f64>()?;
    /// // 15 substeps of a frame are fine; 2000 are for double precision.
    /// assert!(!single.rounding().matters(1.0 / 900.0, 2.0));
    /// assert!(single.rounding().matters(1.0 / 120_000.0, 2.0));
    /// assert!(!double.rounding().matters(1.0 / 120_000.0, 2.0));
    /// # Ok::<(), pliant_solver::BuildError>(())
    /// ```
    #[must_use]
    pub fn rounding(&self) -> Rounding {
        let settings = &self.settings;
        let sweeps = if self.sweep_order(1.0) == SweepOrder::Symmetric { 2.0 } else { 1.0 };
        let per_constraint = sweeps * f64::from(settings.iterations);
        let particles = &self.fine.particles.now[..self.len()];
        let noise_of = |particle: &Particle<T>| {
            let squares: f64 = particle.x.iter().map(|&x| rounded_off(x)).sum();
            // m·δ²/(2h²) in each of 1/h substeps.
            if particle.w > T::zero() { 0.5 * squares / particle.w.to_f64() } else { 0.0 }
        };
        let each: Vec<f64> = particles.iter().map(noise_of).collect();
        let mut noise: f64 = each.iter().sum();
        for running in &self.fine.sets {
            running.set.for_each_residual(&self.state_of(running), &mut |_, stencil, _| {
                noise += per_constraint * stencil.iter().map(|&i| each[i as usize]).sum::<f64>();
            });
        }
        let distances = particles.iter().map(|particle| particle.x.map(T::to_f64).norm());
        Rounding {
            noise,
            moved: self.likely_to_move(),
            epsilon: T::EPSILON,
            element: self.element_size(),
            gravity: settings.gravity.norm(),
            farthest: distances.fold(0.0, f64::max),
        }
    }

    /// Energy that the bodies move, J: that of a fall by their own size, or their present kinetic energy; if
    /// nothing falls, at least that of a motion so slow that the bodies seem to be at rest.
    fn likely_to_move(&self) -> f64 {
        let (mut mass, mut kinetic) = (0.0, 0.0);
        let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for (particle, velocity) in
            self.fine.particles.now[..self.len()].iter().zip(&self.fine.particles.velocity)
        {
            let x = particle.x.map(T::to_f64);
            (low, high) = (low.inf(&x), high.sup(&x));
            if particle.w > T::zero() {
                let m = 1.0 / particle.w.to_f64();
                mass += m;
                kinetic += 0.5 * m * velocity.v.map(T::to_f64).norm_squared();
            }
        }
        let size = if self.is_empty() { 0.0 } else { (high - low).norm() };
        let gravity = self.settings.gravity.norm();
        let driven = !self.kinematics.pins.is_empty() || self.wind.is_some() || self.is_acted_on();
        let at_speed = |v: f64| 0.5 * mass * v * v;
        let falls = match (gravity > 0.0, driven) {
            (true, _) => mass * gravity * size,
            (false, true) => at_speed(size),
            (false, false) => at_speed(STILL * size),
        };
        kinetic.max(falls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_square_of_what_is_rounded_off_is_that_of_the_distance_between_numbers() {
        for x in [1.0_f32, 1.5, -1.999, 0.25, 1e-20, 3e7] {
            let next = f32::from_bits(x.abs().to_bits() + 1) - x.abs();
            let expected = f64::from(next) * f64::from(next) / 12.0;
            assert!((rounded_off(x) - expected).abs() <= 1e-12 * expected, "{x}");
        }
        assert_eq!(rounded_off(0.0_f64), 0.0);
    }

    #[test]
    fn halving_the_substep_makes_noise_eight_times_as_large() {
        let of = |noise, moved| Rounding {
            noise,
            moved,
            epsilon: 0.0,
            element: None,
            gravity: 9.81,
            farthest: 1.0,
        };
        let rounding = of(1e-15, 1.0);
        assert!((rounding.energy(1e-5, 2.0) / rounding.energy(2e-5, 2.0) - 8.0).abs() < 1e-12);
        assert!(!rounding.matters(1e-3, 1.0) && rounding.matters(1e-5, 1.0));
        assert!(!of(1.0, 0.0).matters(1e-3, 0.0));
        // 1e-15 J s²/s³ · 1 s / h³: 1e-3 J at 1e-4 s, 1.6e-2 J at 4e-5 s.
        assert!(rounding.matters(1e-4, 1.0) && !rounding.ruins(1e-4, 1.0) && rounding.ruins(4e-5, 1.0));
    }

    #[test]
    fn elements_far_from_the_origin_ask_for_more_digits() {
        let at = |farthest| Rounding {
            noise: 0.0,
            moved: 1.0,
            epsilon: 1e-7,
            element: Some(0.1),
            gravity: 10.0,
            farthest,
        };
        assert!(!at(1.0).matters(1e-3, 1.0) && !at(900.0).matters(1e-2, 1.0));
        assert!(at(3000.0).matters(1e-2, 1.0), "positions");
        assert!(at(900.0).matters(1e-4, 1.0), "velocities");
        // 10 m/s² in 1e-4 s: a tenth of a micrometre.
        let share = at(1.0).gravity_share(1.0, 1e-4);
        assert!(share.is_some_and(|share| (share - 1.0).abs() < 1e-12), "{share:?}");
        assert!(at(1.0).matters(1e-4, 1.0) && !at(1.0).matters(2e-4, 1.0), "weights");
        assert!(!at(1.0).ruins(1.1e-4, 1.0) && at(1.0).ruins(9e-5, 1.0), "weights");
        assert!(!at(3000.0).ruins(1e-1, 1.0) && at(3e4).ruins(1e-1, 1.0), "positions");
        assert_eq!(Rounding { gravity: 0.0, ..at(1.0) }.gravity_share(1.0, 1e-4), None);
    }
}
