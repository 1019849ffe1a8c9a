//! [`Parts`]: what constraints connect, and how each part moves beside what carries it.

use nalgebra::{Matrix3, Vector3};
use pliant_kernel::{Particle, Scalar, widen};

/// No part.
const NONE: u32 = u32::MAX;

/// The inertia that is added, as a share, so that points on a line have one about it.
const THIN: f64 = 1e-9;

/// Particles that constraints connect.
pub(super) struct Parts {
    /// The part of each particle, [`NONE`] if it is held.
    of: Vec<u32>,
    /// What parts are held by: a part, and a particle.
    holders: Vec<(u32, u32)>,
    /// How many particles hold each part.
    held: Vec<u32>,
    motions: Vec<Motion>,
}

/// What carries a part: the mean displacement of the particles that hold it, or else its own motion as a rigid body.
#[derive(Clone)]
struct Motion {
    mass: f64,
    centre: Vector3<f64>,
    /// m, and radians.
    translation: Vector3<f64>,
    rotation: Vector3<f64>,
    inertia: Matrix3<f64>,
}

impl Motion {
    const NONE: Self = Self {
        mass: 0.0,
        centre: Vector3::new(0.0, 0.0, 0.0),
        translation: Vector3::new(0.0, 0.0, 0.0),
        rotation: Vector3::new(0.0, 0.0, 0.0),
        inertia: Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// The displacement of a point.
    fn at(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.translation + self.rotation.cross(&(x - self.centre))
    }
}

impl Parts {
    /// The parts of particles, none for those that are held, which elements connect.
    pub(super) fn new<E: AsRef<[u32]>>(parts: &[Option<u32>], elements: &[E]) -> Self {
        let of: Vec<u32> = parts.iter().map(|part| part.unwrap_or(NONE)).collect();
        let count = parts.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        let (mut holders, mut held) = (Vec::new(), vec![0; count]);
        for element in elements.iter().map(AsRef::as_ref) {
            let Some(part) = element.iter().find_map(|&v| parts[v as usize]) else { continue };
            holders.extend(element.iter().filter(|&&v| of[v as usize] == NONE).map(|&v| (part, v)));
        }
        holders.sort_unstable();
        holders.dedup();
        holders.iter().for_each(|(part, _)| held[*part as usize] += 1);
        Self { of, holders, held, motions: vec![Motion::NONE; count] }
    }

    /// The part of each particle that is not held.
    pub(super) fn of(&self) -> impl Iterator<Item = Option<usize>> {
        self.of.iter().map(|&part| (part != NONE).then_some(part as usize))
    }

    /// Number of parts.
    pub(super) fn len(&self) -> usize {
        self.held.len()
    }

    /// The mass of the heaviest part.
    pub(super) fn heaviest(&self, masses: &[f64]) -> f64 {
        let mut sums = vec![0.0; self.len()];
        for (part, mass) in self.of().zip(masses) {
            if let Some(part) = part {
                sums[part] += mass;
            }
        }
        sums.into_iter().fold(0.0, f64::max)
    }

    /// Moves each part that nothing holds as a rigid body, by what makes its `residual` a force without sum and without
    /// moment. Inner forces have neither, so a part whose residual has neither keeps its momentum.
    pub(super) fn keep_momentum<T: Scalar>(&mut self, now: &mut [Particle<T>], residual: &[Particle<T>]) {
        let of = |now: &Particle<T>, residual: &Particle<T>| {
            let mass = 1.0 / now.w.to_f64();
            (mass, widen(&now.x), widen(&residual.x) / mass)
        };
        self.find_rigid_motions(|v| of(&now[v], &residual[v]));
        for (v, part) in self.free() {
            let at = widen(&now[v].x);
            let by = self.motions[part].at(&at);
            for axis in 0..3 {
                now[v].x[axis] += T::splat(by[axis]);
            }
        }
    }

    /// Writes the displacement in a substep of each particle beside what carries its part, m; zero for those that are held.
    pub(super) fn displacements<T: Scalar>(
        &mut self,
        now: &[Particle<T>],
        previous: &[Particle<T>],
        to: &mut [[f32; 3]],
    ) {
        let by = |v: usize| widen(&now[v].x) - widen(&previous[v].x);
        self.find_rigid_motions(|v| (1.0 / now[v].w.to_f64(), widen(&previous[v].x), by(v)));
        for &(part, v) in &self.holders {
            let share = by(v as usize) / f64::from(self.held[part as usize]);
            self.motions[part as usize].translation += share;
        }
        for (v, (part, to)) in self.of().zip(to).enumerate() {
            let beside = part.map(|part| by(v) - self.motions[part].at(&widen(&previous[v].x)));
            *to = beside.map_or([0.0; 3], |beside| [beside.x as f32, beside.y as f32, beside.z as f32]);
        }
    }

    /// The particles of parts that nothing holds, and these parts.
    fn free(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let free = self.of().enumerate().filter_map(|(v, part)| part.map(|part| (v, part)));
        free.filter(|(_, part)| self.held[*part] == 0)
    }

    /// Finds the rigid motions of the parts that nothing holds, with the momentum of their particles: the mass of each, where
    /// it is, and by how much it moves. The others do not move.
    fn find_rigid_motions(&mut self, of: impl Fn(usize) -> (f64, Vector3<f64>, Vector3<f64>)) {
        let mut motions = std::mem::take(&mut self.motions);
        motions.fill(Motion::NONE);
        for (v, part) in self.free() {
            let (motion, (mass, at, by)) = (&mut motions[part], of(v));
            motion.mass += mass;
            motion.centre += at * mass;
            motion.translation += by * mass;
        }
        for motion in motions.iter_mut().filter(|motion| motion.mass > 0.0) {
            motion.centre /= motion.mass;
            motion.translation /= motion.mass;
        }
        for (v, part) in self.free() {
            let (motion, (mass, at, by)) = (&mut motions[part], of(v));
            let arm = at - motion.centre;
            motion.rotation += arm.cross(&(by - motion.translation)) * mass;
            motion.inertia += (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * mass;
        }
        for motion in &mut motions {
            let thin = Matrix3::identity() * (THIN * motion.inertia.trace());
            let inverse = (motion.inertia + thin).try_inverse().unwrap_or_else(Matrix3::zeros);
            motion.rotation = inverse * motion.rotation;
        }
        self.motions = motions;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn particles(at: &[Vector3<f64>], masses: &[f64]) -> Vec<Particle<f64>> {
        at.iter().zip(masses).map(|(at, mass)| Particle::new(*at, 1.0 / mass)).collect()
    }

    #[test]
    fn a_part_is_carried_by_the_particles_that_hold_it() {
        // Two held ends of a chain, and one free particle that moves with them, and up.
        let mut previous = particles(&[Vector3::zeros(), Vector3::x(), Vector3::x() * 2.0], &[1.0; 3]);
        previous[0].w = 0.0;
        previous[2].w = 0.0;
        let mut now = previous.clone();
        now.iter_mut().for_each(|p| p.x.z += 0.5);
        now[1].x.y += 0.25;
        let mut parts = Parts::new(&[None, Some(0), None], &[[0, 1], [1, 2]]);
        let mut to = [[1.0; 3]; 3];
        parts.displacements(&now, &previous, &mut to);
        assert_eq!(to, [[0.0; 3], [0.0, 0.25, 0.0], [0.0; 3]]);
        assert_eq!(parts.heaviest(&[0.0, 3.0, 0.0]), 3.0);
    }

    #[test]
    fn lone_particles_and_lines_move_as_rigid_bodies() {
        let previous = particles(&[Vector3::zeros(), Vector3::x(), Vector3::x() * 2.0], &[1.0, 2.0, 3.0]);
        let mut now = previous.clone();
        now[0].x.y += 0.1;
        now[2].x.y += 0.2;
        now[1].x.z += 0.3;
        // The first is alone; the two others turn about their centre of mass.
        let mut parts = Parts::new(&[Some(0), Some(1), Some(1)], &[[1, 2]]);
        let mut to = [[1.0; 3]; 3];
        parts.displacements(&now, &previous, &mut to);
        assert!(to.iter().flatten().all(|x| x.abs() < 1e-7), "{to:?}");
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(64))]

        /// Scaling these displacements of a free part changes neither momentum.
        #[test]
        fn they_have_no_momentum(
            of in prop::collection::vec((prop::array::uniform6(-1.0..1.0), 0.1..3.0), 3..12),
        ) {
            let at: Vec<_> = of.iter().map(|(x, _)| Vector3::new(x[0], x[1], x[2])).collect();
            let masses: Vec<f64> = of.iter().map(|(_, mass)| *mass).collect();
            let previous = particles(&at, &masses);
            let mut now = previous.clone();
            for (p, (x, _)) in now.iter_mut().zip(&of) {
                p.x += Vector3::new(x[3], x[4], x[5]);
            }
            let count = of.len() as u32;
            let edges: Vec<[u32; 2]> = (1..count).map(|v| [v - 1, v]).collect();
            let mut to = vec![[0.0; 3]; of.len()];
            Parts::new(&vec![Some(0); of.len()], &edges).displacements(&now, &previous, &mut to);
            let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
            for ((by, at), mass) in to.iter().zip(&at).zip(&masses) {
                let by = Vector3::from(by.map(f64::from));
                linear += by * *mass;
                angular += at.cross(&by) * *mass;
            }
            prop_assert!(linear.norm() < 1e-5 && angular.norm() < 1e-5, "{linear} {angular}");
        }
    }
}
