//! What reports, certificates and programs ask of surfaces that meet.

use std::sync::PoisonError;

use nalgebra::Vector3;
use pliant_contact::Crossing;
use pliant_kernel::{Layout, Particle, Scalar, State};

use super::CollisionSet;
use crate::collide::crossed::that_count;
use crate::collide::query::{SurfaceContact, pressing};
use crate::collide::tally::{Intersection, Pinch, Tally};
use crate::set::constraint_set::{FirstNonFinite, Inspect, Look};

impl<T: Scalar> CollisionSet<T> {
    /// The crossings that count: those of bodies that meet, and of what is not sewn together.
    pub(super) fn crossings(&self, at: &[Particle<T>]) -> Vec<Crossing> {
        let at = self.skins.extended(at);
        let positions: Vec<_> = at[..self.surface.particles()].iter().map(|p| p.x).collect();
        let mut counter = self.counter.lock().unwrap_or_else(PoisonError::into_inner);
        let found = counter.find(&self.surface, &positions).unwrap_or_default();
        that_count(found, &self.surface, &self.colliders, &self.ties)
    }

    /// The name of the body of a particle.
    fn name(&self, v: u32) -> String {
        self.colliders[self.surface.body_at(v) as usize].name.clone()
    }

    /// The number of a particle as a vertex of its body.
    fn number(&self, v: u32) -> usize {
        self.to_caller[v as usize] as usize - self.colliders[self.surface.body_at(v) as usize].first
    }

    /// Two elements that have no room.
    fn pinch(&self, a: &[u32], b: &[u32]) -> Pinch {
        let numbers = |element: &[u32]| element.iter().map(|&v| self.number(v)).collect();
        Pinch { bodies: [self.name(a[0]), self.name(b[0])], elements: [numbers(a), numbers(b)] }
    }
}

impl<T: Scalar> Inspect<T> for CollisionSet<T> {
    fn len(&self) -> usize {
        self.contacts
    }

    fn active(&self) -> usize {
        self.contacts
    }

    fn layout(&self) -> Layout {
        Layout { packs: self.rows().map(|rows| rows.packs().0).iter().sum(), ..Layout::default() }
    }

    fn cluster_residuals(&self, state: &State<'_, T>) -> Vec<f64> {
        vec![self.rows().map(|rows| rows.summarise(state).residual.value).into_iter().fold(0.0, f64::max)]
    }

    fn for_each_residual(&self, state: &State<'_, T>, look: &mut Look<'_>) {
        let [now, previous] = [state.now, state.previous].map(|particles| self.skins.extended(particles));
        let state = State { now: &now, previous: &previous, ..*state };
        self.for_each(&mut |_, item| {
            let particles = item.stencil().map(|v| self.skins.real(v));
            look(item.source(), &particles, &item.residuals(&state).map(T::to_f64));
        });
    }

    fn touching(&self, is: &dyn Fn(u32) -> bool) -> Option<Vec<u32>> {
        // Contacts do not keep their places: if any may touch, all are asked.
        let any = self.surface.vertices().iter().any(|&v| self.skins.any(v, is));
        Some(if any { vec![0] } else { Vec::new() })
    }

    fn impulses(&self, _: &[u32], particles: &[Particle<T>], look: &mut dyn FnMut(usize, u32, Vector3<f64>)) {
        let particles = self.skins.extended(particles);
        let is_held = |v: u32| particles[v as usize].w <= T::zero();
        self.for_each_that_presses(&mut |_, item| {
            if !item.stencil().into_iter().any(|v| self.skins.any(v, is_held)) {
                return;
            }
            let (_, gradients) = item.evaluate(&particles);
            for (k, v) in item.stencil().into_iter().enumerate() {
                let mut impulse = Vector3::<T>::zeros();
                for (row, lambda) in gradients.iter().zip(item.lambda()) {
                    impulse += row[k] * *lambda;
                }
                let impulse = pliant_kernel::widen(&impulse);
                match self.skins.of(v) {
                    Some(vertex) => {
                        for (&corner, weight) in vertex.corners.iter().zip(vertex.weights) {
                            look(item.source(), corner, impulse * weight);
                        }
                    }
                    None => look(item.source(), v, impulse),
                }
            }
        });
    }

    fn ties(&self, part_of: &dyn Fn(u32) -> usize, tied: &mut [bool]) {
        // Asked once: bodies that may meet others are not by themselves.
        if self.colliders.len() > 1 {
            self.surface.vertices().iter().for_each(|&v| tied[part_of(self.skins.real(v))] = true);
        }
    }

    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize> {
        let particles = self.skins.extended(particles);
        let mut first = FirstNonFinite(None);
        self.for_each(&mut |_, item| first.take(item, &particles));
        first.0
    }

    fn contacts(
        &self,
        now: &[Particle<T>],
        h: f64,
        part_of: &dyn Fn(usize) -> usize,
        found: &mut Vec<SurfaceContact>,
    ) {
        let now = self.skins.extended(now);
        let caller = |v: u32| self.to_caller[v as usize] as usize;
        let part = |v: u32| part_of(caller(self.skins.real(v)));
        self.for_each_that_presses(&mut |_, item| found.extend(pressing(item, &now, h, &caller, &part)));
    }

    fn tally(&self, now: &[Particle<T>]) -> Option<Tally> {
        let found = self.crossings(now);
        let parts = |crossing: &Crossing| {
            let (edge, triangle) = (crossing.edge as usize, crossing.triangle as usize);
            (self.surface.edges()[edge], self.surface.triangles()[triangle])
        };
        let first = found.first().map(|crossing| {
            let (edge, corners) = parts(crossing);
            Intersection {
                bodies: [self.name(edge[0]), self.name(corners[0])],
                edge: edge.map(|v| self.number(v)),
                triangle: corners.map(|v| self.number(v)),
            }
        });
        // Pairs that are held entirely are not listed: they show where they cross.
        let now = self.skins.extended(now);
        let held = |v: &u32| now[*v as usize].w <= T::zero();
        let mut pinches =
            found.iter().map(parts).filter(|(edge, triangle)| edge.iter().chain(triangle).all(held));
        let first_held = pinches.next();
        let pinched = usize::from(first_held.is_some()) + pinches.count();
        let first_pinched = self.first_pinched.map(|(elements, points)| {
            let (a, b) = points.split_at(elements.split());
            self.pinch(a, b)
        });
        Some(Tally {
            intersections: found.len(),
            first,
            pairs: self.candidates.len(),
            truncated_share: self.tally.truncated_share / self.substeps.max(1) as f64,
            pinched: self.tally.pinched + pinched,
            first_pinched: first_pinched.or(first_held.map(|(edge, triangle)| self.pinch(&edge, &triangle))),
            ..self.tally.clone()
        })
    }

    fn is_pinched(&self) -> bool {
        self.tally.pinched > 0
    }
}
