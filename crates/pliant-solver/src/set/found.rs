//! [`Find`]: finds the constraints of a dynamic set in a substep.

use nalgebra::Vector3;

/// Finds constraints of one kind again in every substep.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::Distance;
/// use pliant_solver::{Assembly, Constraints, Find, Found, Predicted};
///
/// /// Balls of one radius, m, that keep their distance. Testing all pairs is fast enough for a few balls.
/// struct Balls(f64);
///
/// impl Find<Distance<f64>, 2, 1> for Balls {
///     fn find(&mut self, at: &Predicted<'_>, found: &mut Found<'_, Distance<f64>, 2>) {
///         for b in 0..at.len() {
///             for a in (0..b).filter(|&a| (at.end(a) - at.end(b)).norm() < 2.0 * self.0) {
///                 found.add([a as u32, b as u32], &Distance { rest: 2.0 * self.0 }, 0.0);
///             }
///         }
///     }
/// }
///
/// let x = vec![Vector3::zeros(), Vector3::x()];
/// let mut two = Assembly::new(x, vec![1.0, 1.0])?;
/// two.velocities(vec![Vector3::x(), -Vector3::x()])?;
/// two.add(Constraints::found("balls", Balls(0.25)));
/// let mut sim = two.build::<f64>()?;
/// for _ in 0..30 {
///     sim.step(1.0 / 60.0)?;
/// }
/// assert!((sim.position(1) - sim.position(0)).norm() > 0.5 - 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Find<K, const N: usize, const M: usize>: Send + Sync {
    /// Adds the constraints of a substep to `found`, in an order that depends only on positions.
    fn find(&mut self, at: &Predicted<'_>, found: &mut Found<'_, K, N>);
}

/// Where the particles are, in the caller's numbering: at the start of the substep and, as predicted, at its end.
pub struct Predicted<'a> {
    pub(crate) count: usize,
    pub(crate) start: &'a dyn Fn(usize) -> Vector3<f64>,
    pub(crate) end: &'a dyn Fn(usize) -> Vector3<f64>,
    pub(crate) h: f64,
    pub(crate) time: f64,
}

impl Predicted<'_> {
    /// Number of particles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Position of a particle at the start of the substep, m.
    ///
    /// # Panics
    ///
    /// If there is no such particle.
    #[must_use]
    pub fn start(&self, particle: usize) -> Vector3<f64> {
        (self.start)(particle)
    }

    /// Predicted position of a particle at the end of the substep, m.
    ///
    /// # Panics
    ///
    /// If there is no such particle.
    #[must_use]
    pub fn end(&self, particle: usize) -> Vector3<f64> {
        (self.end)(particle)
    }

    /// Length of the substep, s.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.h
    }

    /// Time at its end, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }
}

/// Takes the constraints of a substep.
pub struct Found<'a, K, const N: usize>(pub(crate) &'a mut dyn FnMut([u32; N], &K, f64));

impl<K, const N: usize> Found<'_, K, N> {
    /// Adds a constraint on particles, in the caller's numbering, with a compliance in the unit of the kind.
    /// A constraint between particles that cannot move is left out.
    ///
    /// # Panics
    ///
    /// If a particle does not exist, or is named twice.
    pub fn add(&mut self, stencil: [u32; N], kind: &K, compliance: f64) {
        (self.0)(stencil, kind, compliance);
    }
}
