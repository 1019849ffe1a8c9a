//! [`CarriedRows`]: contacts of skins, on the particles that carry these.
//!
//! Up to sixteen particles have a part in one, too many for packs: they are projected one after the other.
//! The formula is that of all contacts. A contact depends on its points only by Σ b_i s_i and by W, so it is
//! projected as one of a single point at Σ c_k x_k with the inverse mass W = Σ w_k c_k², and every particle
//! moves by w_k c_k Δλ.

use nalgebra::Vector3;
use pliant_constraints::{FrictionalContact, project};
use pliant_kernel::{Item, Particle, Scalar, Sweep, Visit};

use super::skin::{Skins, Stencil};

/// A contact at work.
struct Row<T: Scalar> {
    points: [u32; 4],
    stencil: Stencil,
    contact: FrictionalContact<T>,
    compliance: T,
    lambda: [T; 3],
}

/// The contacts of skins in a substep.
pub(super) struct CarriedRows<T: Scalar> {
    rows: Vec<Row<T>>,
}

impl<T: Scalar> CarriedRows<T> {
    pub(super) fn new() -> Self {
        Self { rows: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds a contact of these points.
    pub(super) fn put(
        &mut self,
        points: [u32; 4],
        contact: FrictionalContact<T>,
        compliance: T,
        skins: &Skins<T>,
    ) {
        let stencil = skins.stencil(&points, &contact.weights.map(T::to_f64));
        self.rows.push(Row { points, stencil, contact, compliance, lambda: [T::zero(); 3] });
    }

    /// Projects every contact once.
    pub(super) fn sweep(&mut self, particles: &mut [Particle<T>], sweep: &Sweep<T>) {
        let count = self.rows.len();
        for place in 0..count {
            let row = &mut self.rows[if sweep.backward { count - 1 - place } else { place }];
            if sweep.first {
                row.lambda = [T::zero(); 3];
            }
            row.project(particles, sweep);
        }
    }

    /// Calls `visit` with all contacts, as contacts of points.
    pub(super) fn for_each(&self, visit: &mut Visit<'_, T, FrictionalContact<f64>, 4, 3>) {
        for (place, row) in self.rows.iter().enumerate() {
            #[allow(clippy::cast_possible_truncation, reason = "contacts are numbered by u32")]
            let item = Item::restore(row.points, row.contact, row.compliance, row.lambda, place as u32);
            visit(place, &item);
        }
    }
}

impl<T: Scalar> Row<T> {
    fn project(&mut self, particles: &mut [Particle<T>], sweep: &Sweep<T>) {
        let zero = T::zero();
        let (mut at, mut inverse_mass) = (Vector3::zeros(), zero);
        for (v, weight) in self.stencil.iter() {
            let (p, weight) = (&particles[v as usize], T::splat(weight));
            at += p.x * weight;
            inverse_mass += p.w * weight * weight;
        }
        if inverse_mass <= zero {
            return;
        }
        let single = FrictionalContact { weights: [T::one(), zero, zero, zero], ..self.contact };
        let (x, w) =
            ([at, Vector3::zeros(), Vector3::zeros(), Vector3::zeros()], [inverse_mass, zero, zero, zero]);
        let before = self.lambda;
        project(&single, &x, &w, self.compliance * sweep.inverse_h2, sweep.update, &mut self.lambda);
        let change = Vector3::from_fn(|k, _| self.lambda[k] - before[k]);
        for (v, weight) in self.stencil.iter() {
            let p = &mut particles[v as usize];
            p.x += change * (p.w * T::splat(weight));
        }
    }
}
