//! Finds every [`Passage`]: particles that went through an obstacle within a substep.
//!
//! Contacts look at where a particle is at the end of a substep. One that was on one side of a thin obstacle
//! before and is on the other side after, or is pushed out there, has gone through. It is found by its path in
//! the frame of the obstacle: straight between poses that differ by an eighth of half a turn at most, so an
//! obstacle that spins is followed up to four turns in a substep.
//!
//! *Hazard.* A path that only grazes the surface, and one to a particle that is still inside, are no
//! passages: paths count that go deeper than an eighth of the obstacle's thickness between two ends that are
//! not as deep.

use std::f64::consts::PI;

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_kernel::{Particle, Particles, Scalar, widen};

use super::geometry::Geometry;
use super::thin::{Passage, Thin};
use super::{Contacts, LocalFrame, Surface};

/// The depth that counts, as a share of the thickness.
const DEPTH: f64 = 0.125;
/// Rotation of an obstacle between two poses, rad, and the most poses of a substep.
const TURN: f64 = PI / 8.0;
const MOST_POSES: f64 = 64.0;
/// Steps of the search for the deepest point of a path.
const STEPS: usize = 40;
/// The most steps along a path among the distances of a grid.
const MOST_STEPS: usize = 256;

impl<T: Scalar> Contacts<T> {
    /// Adds the particles that went through an obstacle in the substep of length `h`, s, that ends at `end`,
    /// s, before velocities are derived.
    pub(crate) fn passages(&self, particles: &Particles<T>, end: f64, h: f64, found: &mut Passage) {
        let thin = || self.surfaces.iter().filter_map(|surface| Some((surface, surface.thin.as_ref()?)));
        if thin().next().is_none() {
            return;
        }
        let count = self.radius.len();
        let (now, previous) = (&particles.now[..count], &particles.previous[..count]);
        let way = |(p, q): (&Particle<T>, &Particle<T>)| {
            let d = p.x - q.x;
            if p.w > T::zero() { d.dot(&d) } else { T::zero() }
        };
        let most = |most: T, square: T| if square > most { square } else { most };
        let farthest = now.iter().zip(previous).map(way).fold(T::zero(), most).to_f64().sqrt();
        for (surface, thin) in thin() {
            // A path through the obstacle is at least as long as twice the depth that counts.
            let rest = 2.0 * DEPTH * thin.thickness - surface.carried(thin, end, h);
            if farthest <= rest {
                continue;
            }
            let poses = surface.poses_within(end, h);
            for (i, (p, q)) in now.iter().zip(previous).enumerate() {
                if p.w <= T::zero() || way((p, q)).to_f64().sqrt() <= rest {
                    continue;
                }
                let (ends, radius) = ([widen(&q.x), widen(&p.x)], self.radius[i].to_f64());
                if let Some(way) = surface.path_through(&poses, ends, radius, thin.thickness) {
                    found.pass(i, way);
                }
            }
        }
    }
}

impl<T: Scalar> Surface<T> {
    /// A bound on how far a point of the obstacle moved in the substep, m.
    fn carried(&self, thin: &Thin, end: f64, h: f64) -> f64 {
        if self.motion.is_fixed() {
            return 0.0;
        }
        let [(pivot, from), (_, to)] = [end - h, end].map(|time| self.motion.screw(time));
        let arm = thin.corners.iter().map(|corner| (corner - pivot).norm()).fold(0.0, f64::max);
        let moved = (to[0] - from[0]).norm() + (to[1] - from[1]).norm() * arm;
        // A call may have moved it as well.
        let corners = thin.corners.iter().map(splat_vector);
        let put = corners.map(|x| widen(&(self.now.to_world(&x) - self.before.to_world(&x))).norm());
        put.fold(moved, f64::max)
    }

    /// The poses at the start of the substep, in it and at its end.
    fn poses_within(&self, end: f64, h: f64) -> Vec<LocalFrame<T>> {
        let [from, to] = [end - h, end].map(|time| self.motion.screw(time).1[1]);
        let count = ((to - from).norm() / TURN).ceil().clamp(1.0, MOST_POSES);
        let between = |k: usize| LocalFrame::new(&self.motion.pose(end - h + h * k as f64 / count));
        let mut poses = vec![self.before];
        poses.extend((1..count as usize).map(between));
        poses.push(self.now);
        poses
    }

    /// The length of the path, m, relative to the obstacle, of a particle from one place to another, if it
    /// goes through the obstacle.
    fn path_through(
        &self,
        poses: &[LocalFrame<T>],
        [from, to]: [Vector3<f64>; 2],
        radius: f64,
        thickness: f64,
    ) -> Option<f64> {
        let depth = DEPTH * (thickness + 2.0 * radius);
        let pieces = (poses.len() - 1) as f64;
        let place = |k: usize| widen(&poses[k].to_local(&splat_vector(&from.lerp(&to, k as f64 / pieces))));
        let gap = |x: &Vector3<f64>| self.geometry.gap(&splat_vector(x)).0.to_f64() - radius;
        let outside = |x: &Vector3<f64>| gap(x) >= -depth;
        let length = (1..poses.len()).map(|k| (place(k) - place(k - 1)).norm()).sum::<f64>();
        if length <= 2.0 * depth || !outside(&place(0)) || !outside(&place(poses.len() - 1)) {
            return None;
        }
        let is_through = |k: usize| {
            let (a, b) = (place(k - 1), place(k));
            // The distance changes by no more than the way.
            gap(&a) - (b - a).norm() < -depth && self.geometry.deepest([a, b], depth, &gap) < -depth
        };
        (1..poses.len()).any(is_through).then_some(length)
    }
}

impl<T: Scalar> Geometry<T> {
    /// The least distance along a straight path, m, by `gap`; any that is deeper than `depth` will do.
    fn deepest(&self, [a, b]: [Vector3<f64>; 2], depth: f64, gap: &impl Fn(&Vector3<f64>) -> f64) -> f64 {
        let at = |share: f64| gap(&a.lerp(&b, share));
        if let Self::DistanceGrid(_) = self {
            // By steps of the distance itself, which leads to the surface and not beyond it; at the surface by
            // half of the depth.
            let (length, mut share, mut least) = ((b - a).norm(), 0.0, f64::INFINITY);
            for _ in 0..MOST_STEPS {
                least = least.min(at(share));
                if least < -depth || share >= 1.0 {
                    break;
                }
                share = (share + at(share).max(0.5 * depth) / length).min(1.0);
            }
            return least;
        }
        // The distance from a convex solid is convex along a straight path.
        let (mut low, mut high) = (0.0, 1.0);
        let mut least = f64::INFINITY;
        for _ in 0..STEPS {
            let [first, second] = [(2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0];
            let found = [at(first), at(second)];
            least = least.min(found[0]).min(found[1]);
            if least < -depth {
                break;
            }
            if found[0] <= found[1] { high = second } else { low = first }
        }
        least
    }
}

#[cfg(test)]
mod tests;
