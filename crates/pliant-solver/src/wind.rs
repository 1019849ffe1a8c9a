//! Drag and lift of moving air on triangles; the force law is documented at [`Wind`](crate::Wind).

use nalgebra::Vector3;
use pliant_constraints::{norm, splat_vector};
use pliant_mesh::Adjacency;
use rayon::prelude::*;

use crate::float::Float;
use crate::particles::Particles;
use crate::settings::Wind;

/// The triangles that feel the wind, and which of them meet at each particle.
pub(crate) struct WindField<T: Float> {
    triangles: Vec<[u32; 3]>,
    around: Adjacency,
    /// A third of the impulse on every triangle in the last substep, N·s.
    impulses: Vec<Vector3<T>>,
}

const CHUNK: usize = 2048;

impl<T: Float> WindField<T> {
    pub(crate) fn new(triangles: Vec<[u32; 3]>, particles: usize) -> Self {
        let around = Adjacency::of_elements(particles, &triangles);
        Self { impulses: vec![Vector3::zeros(); triangles.len()], around, triangles }
    }

    /// Adds the impulses of a substep of length `h`, s, to the velocities. Each particle sums its triangles in their order, so the result is
    /// the same for every number of threads.
    pub(crate) fn apply(&mut self, wind: &Wind, h: f64, particles: &mut Particles<T>) {
        let air = splat_vector::<T>(&wind.velocity);
        let half_density_h = T::splat(0.5 * wind.density * h);
        let (drag, lift) = (T::splat(wind.drag), T::splat(wind.lift));
        let third = T::splat(1.0 / 3.0);
        let (now, velocity) = (&particles.now, &particles.velocity);
        let impulse = |triangle: &[u32; 3]| {
            let corners = triangle.map(|v| now[v as usize]);
            let v = triangle.map(|v| velocity[v as usize]);
            let relative = air - (v[0] + v[1] + v[2]) * third;
            let doubled = (corners[1].x - corners[0].x).cross(&(corners[2].x - corners[0].x));
            let (area2, speed) = (norm(&doubled), norm(&relative));
            if area2 <= T::zero() || speed <= T::zero() {
                return Vector3::zeros();
            }
            let normal = doubled / area2;
            let normal = if normal.dot(&relative) < T::zero() { -normal } else { normal };
            let flow = normal.dot(&relative) * area2 * T::splat(0.5) * half_density_h;
            let push = (relative * (drag - lift) + normal * (lift * speed)) * (flow * third);
            // Explicit drag on light cloth in a storm would overshoot: air never turns a triangle's relative motion around.
            let gain = norm(&push) * corners.iter().fold(T::zero(), |w, p| w.max(p.w));
            push * (speed / gain.max(speed))
        };
        self.triangles
            .par_chunks(CHUNK)
            .zip(self.impulses.par_chunks_mut(CHUNK))
            .for_each(|(triangles, out)| triangles.iter().zip(out).for_each(|(t, out)| *out = impulse(t)));
        for (i, velocity) in particles.velocity.iter_mut().enumerate() {
            let w = particles.now[i].w;
            if w > T::zero() {
                for &t in self.around.row(i) {
                    *velocity += self.impulses[t as usize] * w;
                }
            }
        }
    }
}
