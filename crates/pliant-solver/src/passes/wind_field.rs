//! Drag and lift of moving air on triangles; the force law is documented at [`Wind`](crate::Wind).

use nalgebra::Vector3;
use pliant_constraints::{norm, splat_vector};
use pliant_kernel::{Particles, widen};
use pliant_mesh::Adjacency;
use rayon::prelude::*;

use crate::describe::wind::Wind;
use pliant_kernel::Scalar;

/// The triangles that feel the wind, and which of them meet at each particle.
pub(crate) struct WindField<T: Scalar> {
    triangles: Vec<[u32; 3]>,
    around: Adjacency,
    /// A third of the impulse on every triangle in the last substep, N·s.
    impulses: Vec<Vector3<T>>,
}

const CHUNK: usize = 2048;

impl<T: Scalar> WindField<T> {
    pub(crate) fn new(triangles: Vec<[u32; 3]>, particles: usize) -> Self {
        let around = Adjacency::of_elements(particles, &triangles);
        Self { impulses: vec![Vector3::zeros(); triangles.len()], around, triangles }
    }

    /// Adds the impulses of a substep of length `h`, s, to the velocities. Each particle sums its triangles
    /// in their order, so the result is the same for every number of threads. Returns the kinetic energy that
    /// it gave, J, if that is to be `measured`.
    pub(crate) fn apply(&mut self, wind: &Wind, h: f64, particles: &mut Particles<T>, measured: bool) -> f64 {
        let mut work = 0.0;
        let air = splat_vector::<T>(&wind.velocity);
        let half_density_h = T::splat(0.5 * wind.density * h);
        let (drag, lift) = (T::splat(wind.drag), T::splat(wind.lift));
        let third = T::splat(1.0 / 3.0);
        let (now, velocity) = (&particles.now, &particles.velocity);
        let impulse = |triangle: &[u32; 3]| {
            let corners = triangle.map(|v| now[v as usize]);
            let v = triangle.map(|v| velocity[v as usize].v);
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
            // Explicit drag on light cloth in a storm would overshoot: air never reverses the relative motion
            // of a triangle.
            let gain = norm(&push) * corners.iter().fold(T::zero(), |w, p| w.max(p.w));
            push * (speed / gain.max(speed))
        };
        self.triangles
            .par_chunks(CHUNK)
            .zip(self.impulses.par_chunks_mut(CHUNK))
            .for_each(|(triangles, out)| triangles.iter().zip(out).for_each(|(t, out)| *out = impulse(t)));
        for (i, velocity) in particles.velocity[..particles.free_w.len()].iter_mut().enumerate() {
            let w = particles.now[i].w;
            if w > T::zero() {
                let before = velocity.v;
                for &t in self.around.row(i) {
                    velocity.v += self.impulses[t as usize] * w;
                }
                if measured {
                    let gained = widen(&velocity.v).norm_squared() - widen(&before).norm_squared();
                    work += 0.5 * gained / w.to_f64();
                }
            }
        }
        work
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles of a square of 1 m² in the xz plane, each vertex of 1 kg.
    fn plate() -> (Particles<f64>, WindField<f64>) {
        let x = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]].map(Vector3::from);
        (
            Particles::new(&x, &[Vector3::zeros(); 4], &[1.0; 4], |i| i, 0),
            WindField::new(vec![[0, 1, 2], [0, 2, 3]], 4),
        )
    }

    fn momentum(air: [f64; 3], h: f64) -> Vector3<f64> {
        let (mut particles, mut field) = plate();
        field.apply(&Wind { velocity: air.into(), ..Wind::default() }, h, &mut particles, false);
        particles.velocity.iter().map(|v| v.v).sum()
    }

    #[test]
    fn square_flow_gives_the_dynamic_pressure() {
        let push = momentum([0.0, 3.0, 0.0], 1e-3);
        let expected = 0.5 * 1.2 * 9.0 * 1e-3;
        assert!((push - Vector3::new(0.0, expected, 0.0)).norm() < 1e-15, "{push}");
        assert_eq!(momentum([0.0, -3.0, 0.0], 1e-3), -push, "the side does not matter");
    }

    #[test]
    fn grazing_flow_gives_nothing_and_slanted_flow_lifts() {
        assert_eq!(momentum([5.0, 0.0, 0.0], 1e-3), Vector3::zeros());
        let (r, h) = (Vector3::new(4.0, 3.0, 0.0), 1e-3);
        let expected = (r * 0.5 + Vector3::y() * (0.5 * 5.0)) * (0.5 * 1.2 * 3.0 * h);
        assert!((momentum(r.into(), h) - expected).norm() < 1e-15);
    }

    #[test]
    fn a_storm_on_light_cloth_does_not_overshoot() {
        let (mut particles, mut field) = plate();
        particles.now.iter_mut().for_each(|p| p.w = 1e4);
        let wind = Wind { velocity: Vector3::new(0.0, 100.0, 0.0), ..Wind::default() };
        field.apply(&wind, 1.0, &mut particles, false);
        // Vertices of two triangles may take two impulses, none of which alone exceeds the speed of the air.
        assert!(particles.velocity.iter().all(|v| v.v.y > 0.0 && v.v.y <= 200.0 + 1e-9));
    }
}
