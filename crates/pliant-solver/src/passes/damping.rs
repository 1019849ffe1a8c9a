//! Damping that keeps linear and angular momentum: velocities approach the rigid motion of their body.
//!
//! Source: Müller, Heidelberger, Hennix & Ratcliff, "Position based dynamics" (2007), section 3.5.

use std::ops::Range;

use nalgebra::{Matrix3, Vector3};
use pliant_kernel::{Particles, widen};

use pliant_kernel::Scalar;

/// Linear momentum, angular momentum and the like of a range of particles that can move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RigidMotion {
    pub(crate) centre: Vector3<f64>,
    pub(crate) velocity: Vector3<f64>,
    /// About the centre of mass.
    pub(crate) angular_momentum: Vector3<f64>,
    inertia: Matrix3<f64>,
}

impl RigidMotion {
    /// Sums in index order, in `f64`.
    pub(crate) fn of<T: Scalar>(particles: &Particles<T>, range: Range<usize>) -> Self {
        let mut mass = 0.0;
        let (mut centre, mut momentum) = (Vector3::zeros(), Vector3::zeros());
        let free = |i: &usize| particles.now[*i].w > T::zero();
        for i in range.clone().filter(free) {
            let m = 1.0 / particles.now[i].w.to_f64();
            mass += m;
            centre += widen(&particles.now[i].x) * m;
            momentum += widen(&particles.velocity[i].v) * m;
        }
        if mass == 0.0 {
            let zero = Vector3::zeros();
            return Self { centre: zero, velocity: zero, angular_momentum: zero, inertia: Matrix3::zeros() };
        }
        centre /= mass;
        let (mut angular_momentum, mut inertia) = (Vector3::zeros(), Matrix3::zeros());
        for i in range.filter(free) {
            let m = 1.0 / particles.now[i].w.to_f64();
            let r = widen(&particles.now[i].x) - centre;
            angular_momentum += r.cross(&widen(&particles.velocity[i].v)) * m;
            inertia += (Matrix3::identity() * r.dot(&r) - r * r.transpose()) * m;
        }
        Self { centre, velocity: momentum / mass, angular_momentum, inertia }
    }

    /// Angular velocity ω with I ω = L. Particles on a line have no inertia about it; ω has no part along the
    /// line then.
    fn angular_velocity(&self) -> Vector3<f64> {
        solve_semidefinite(self.inertia, self.angular_momentum)
    }
}

/// Moves every free velocity in `range` by the share `amount` towards the rigid motion of the range.
pub(crate) fn damp<T: Scalar>(particles: &mut Particles<T>, range: Range<usize>, amount: f64) {
    let rigid = RigidMotion::of(particles, range.clone());
    let omega = rigid.angular_velocity();
    for i in range {
        if particles.now[i].w > T::zero() {
            let r = widen(&particles.now[i].x) - rigid.centre;
            let v = widen(&particles.velocity[i].v);
            let target = rigid.velocity + omega.cross(&r);
            let damped = v + (target - v) * amount;
            particles.velocity[i].v = damped.map(T::splat);
        }
    }
}

/// Solves A y = b for a symmetric positive semi-definite A and b in its range, by elimination with the
/// largest pivot first; directions without a pivot above rounding get zero.
fn solve_semidefinite(mut a: Matrix3<f64>, mut b: Vector3<f64>) -> Vector3<f64> {
    let tiny = 1e-13 * a.trace();
    let mut order = [usize::MAX; 3];
    let mut done = [false; 3];
    let mut rank = 0;
    for slot in &mut order {
        let mut pivot = usize::MAX;
        for k in 0..3 {
            if !done[k] && a[(k, k)] > tiny && (pivot == usize::MAX || a[(k, k)] > a[(pivot, pivot)]) {
                pivot = k;
            }
        }
        if pivot == usize::MAX {
            break;
        }
        for i in 0..3 {
            if !done[i] && i != pivot {
                let factor = a[(i, pivot)] / a[(pivot, pivot)];
                for j in 0..3 {
                    a[(i, j)] -= factor * a[(pivot, j)];
                }
                b[i] -= factor * b[pivot];
            }
        }
        done[pivot] = true;
        *slot = pivot;
        rank += 1;
    }
    let mut y = Vector3::zeros();
    for &p in order[..rank].iter().rev() {
        let known: f64 = (0..3).filter(|&j| j != p).map(|j| a[(p, j)] * y[j]).sum();
        y[p] = (b[p] - known) / a[(p, p)];
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semidefinite_systems_are_solved() {
        let full = Matrix3::new(4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 2.0);
        let y = Vector3::new(1.0, -2.0, 3.0);
        assert!((solve_semidefinite(full, full * y) - y).norm() < 1e-12);
        // Two particles on a slanted line.
        let d = Vector3::new(1.0, 2.0, 3.0);
        let line = Matrix3::identity() * d.dot(&d) - d * d.transpose();
        let b = line * y;
        assert!((line * solve_semidefinite(line, b) - b).norm() < 1e-10);
    }

    fn cloud() -> Particles<f64> {
        let x = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [0.1, 1.0, 0.3], [0.5, 0.4, 2.0], [3.0, 1.0, 1.0]]
            .map(Vector3::from);
        let v = [[1.0, 0.0, 2.0], [0.0, -1.0, 0.0], [0.3, 0.7, -0.2], [0.0, 0.0, 1.0], [9.0, 9.0, 9.0]]
            .map(Vector3::from);
        Particles::new(&x, &v, &[1.0, 0.5, 2.0, 4.0, 0.0], |i| i, 0)
    }

    #[test]
    fn damping_keeps_momenta_and_takes_energy() {
        let mut p = cloud();
        let energy = |p: &Particles<f64>| {
            (0..4).map(|i| 0.5 * p.velocity[i].v.norm_squared() / p.now[i].w).sum::<f64>()
        };
        let (before, e) = (RigidMotion::of(&p, 0..5), energy(&p));
        damp(&mut p, 0..5, 0.5);
        let after = RigidMotion::of(&p, 0..5);
        assert!((before.velocity - after.velocity).norm() < 1e-14);
        assert!((before.angular_momentum - after.angular_momentum).norm() < 1e-13);
        assert!(energy(&p) < 0.9 * e);
        assert_eq!(p.velocity[4].v, Vector3::from([9.0; 3]), "a fixed particle keeps its velocity");
    }

    #[test]
    fn rigid_motion_is_not_damped() {
        let mut p = cloud();
        let omega = Vector3::new(0.3, -1.0, 2.0);
        for i in 0..4 {
            p.velocity[i].v = Vector3::new(1.0, 2.0, 3.0) + omega.cross(&p.now[i].x);
        }
        let before = p.velocity.clone();
        damp(&mut p, 0..5, 1.0);
        for (after, before) in p.velocity.iter().zip(&before) {
            assert!((after.v - before.v).norm() < 1e-13);
        }
    }
}
