//! [`Hierarchy`]: the coarse levels of all rigid bodies, and a correction from the coarsest to the particles.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::{Distance, LengthLimit, Update};
use pliant_kernel::{Particle, Particles, Scalar, Simd, Sweep, Team};

use super::nodes::Nodes;
use super::patches::Sizes;
use super::transfer::Transfer;
use crate::build::typed::{PlanContext, Typed};
use crate::describe::plan::Plan;
use crate::error::BuildError;
use crate::plan::order::Order;
use crate::plan::schedule::ClusterMap;
use crate::set::constraint_set::ConstraintSet;

/// Patches of particles. Chosen by measuring blocks and sheets: closer ones cost more than they gain, wider
/// ones leave more to the sweeps.
const PARTICLES: Sizes = Sizes { apart: 2.5, reach: 4.0, joined: 5.5, most: 8 };

/// The same where there is only cloth, which has fewer neighbours: less overlap leaves the same stretch.
const CLOTH: Sizes = Sizes { reach: 3.0, most: 4, ..PARTICLES };

/// Patches of patches.
const PATCHES: Sizes = Sizes { apart: 1.4, reach: 2.2, joined: 3.1, most: 8 };

/// A level with fewer nodes that can move is not coarsened again.
const FEW: usize = 12;

/// A level that has more than this share of the nodes of the one below is not worth its sweeps.
const WORTH: f64 = 0.5;

/// Coarse levels in `f64`, so that rounding of centroids does not make bodies drift.
pub(crate) struct Hierarchy<T: Scalar> {
    first: Rung<T>,
    others: Vec<Rung<f64>>,
    /// Whether there is only cloth, which is corrected in every other substep.
    is_cloth: bool,
    /// Whether the last substep was corrected.
    corrected: bool,
}

/// How a correction is carried out.
#[derive(Clone, Copy)]
pub(crate) struct Correction<'a> {
    /// Whether the multipliers are needed afterwards.
    pub(crate) keep: bool,
    /// Whether it is the first substep of a frame.
    pub(crate) fresh: bool,
    pub(crate) simd: Simd,
    pub(crate) team: Team<'a>,
}

/// A coarse level and the transfer to the finer one.
struct Rung<T: Scalar> {
    transfer: Transfer<T>,
    /// Number of its nodes; dummies follow.
    nodes: usize,
    particles: Vec<Particle<f64>>,
    start: Vec<Particle<f64>>,
    sets: Vec<Box<dyn ConstraintSet<f64>>>,
    room: Vec<Particle<T>>,
    pulls: Vec<Vector3<f64>>,
}

impl<T: Scalar> Hierarchy<T> {
    /// The levels over the particles of rigid bodies, whose numbers in the simulation `number` gives; `None`
    /// if too few of them can move.
    pub(crate) fn build(
        fine: &Nodes,
        number: impl Fn(u32) -> u32,
        simd: Simd,
    ) -> Result<Option<Self>, BuildError> {
        let is_cloth = fine.bends.iter().all(|bends| *bends);
        let sizes = if is_cloth { CLOTH } else { PARTICLES };
        let Some((first, mut nodes)) = Rung::<T>::over(fine, sizes, number, simd)? else {
            return Ok(None);
        };
        let mut others = Vec::new();
        while let Some((rung, coarser)) = Rung::<f64>::over(&nodes, PATCHES, |node| node, simd)? {
            others.push(rung);
            nodes = coarser;
        }
        Ok(Some(Self { first, others, is_cloth, corrected: false }))
    }

    /// Corrects rigid bodies as a whole: finds centroids up to the coarsest level; then sweeps level by level
    /// from there, and passes the displacements down. Cloth is left out in every other substep of a frame: it
    /// costs most, and what it gains lasts.
    pub(crate) fn correct(&mut self, particles: &mut [Particle<T>], now: &Correction<'_>) {
        self.corrected = !self.is_cloth || now.fresh || !self.corrected;
        if !self.corrected {
            return;
        }
        let team = now.team;
        self.first.settle(particles, team);
        let mut below = &mut self.first.particles;
        for rung in &mut self.others {
            rung.settle(below, team);
            below = &mut rung.particles;
        }
        for i in (0..self.others.len()).rev() {
            let (finer, coarser) = self.others.split_at_mut(i);
            let rung = &mut coarser[0];
            rung.sweep(now);
            let below = finer.last_mut().map_or(&mut self.first.particles, |rung| &mut rung.particles);
            rung.carry(below, team);
        }
        self.first.sweep(now);
        self.first.carry(particles, team);
    }

    /// The impulse of the levels on the held nodes along the displacements of these since `previous`, kg·m²:
    /// Σ (∇Cᵀλ)·d.
    pub(crate) fn impulse_along_pins(&mut self, previous: &[Particle<T>], team: Team<'_>) -> f64 {
        if !self.corrected {
            return 0.0;
        }
        let mut sum = self.first.impulse_along_held(previous, team);
        let mut below = &self.first.start;
        for rung in &mut self.others {
            sum += rung.impulse_along_held(below, team);
            below = &rung.start;
        }
        sum
    }

    /// Numbers of nodes and constraints, level by level.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = (usize, usize)> {
        let first = (self.first.nodes, count(&self.first.sets));
        std::iter::once(first).chain(self.others.iter().map(|rung| (rung.nodes, count(&rung.sets))))
    }
}

fn count(sets: &[Box<dyn ConstraintSet<f64>>]) -> usize {
    sets.iter().map(|set| set.len()).sum()
}

impl<T: Scalar> Rung<T> {
    /// The level over some nodes, and its own nodes; `None` if it would not be worth its sweeps.
    fn over(
        fine: &Nodes,
        sizes: Sizes,
        number: impl Fn(u32) -> u32,
        simd: Simd,
    ) -> Result<Option<(Self, Nodes)>, BuildError> {
        if fine.free() < FEW {
            return Ok(None);
        }
        let (patches, nodes) = fine.coarsen(sizes);
        if nodes.free() as f64 > WORTH * fine.free() as f64 {
            return Ok(None);
        }
        let transfer = Transfer::new(fine, &patches, &nodes, number);
        let n = nodes.len();
        let order = Order::by_place(&nodes.rest, std::iter::once(0..n));
        let (of, count) = order.clusters();
        // Nodes keep their numbers: this is the cluster of each node by its own number.
        let of = (0..n).map(|node| of[order.to_internal[node] as usize]).collect();
        let clusters = Arc::new(ClusterMap { of, count, points: 2, triangles: false });
        let total = clusters.total();
        let w: Vec<f64> = (0..n).map(|i| if nodes.held[i] { 0.0 } else { 1.0 / nodes.masses[i] }).collect();
        let still = vec![Vector3::zeros(); n];
        let particles = Particles::<f64>::new(&nodes.rest, &still, &w, |i| i, total - n);
        let context = PlanContext {
            plan: Plan::Clustered,
            w: &w,
            to_internal: None,
            total,
            spare: total as u32,
            simd,
            clusters: Some(&clusters),
        };
        let sets = sets(&nodes, &context)?;
        let start = particles.now.clone();
        Ok(Some((
            Self {
                transfer,
                nodes: n,
                particles: particles.now,
                start,
                sets,
                room: Vec::new(),
                pulls: Vec::new(),
            },
            nodes,
        )))
    }

    /// Puts the nodes at their centroids.
    fn settle(&mut self, fine: &[Particle<T>], team: Team<'_>) {
        self.transfer.restrict(fine, &mut self.particles, team);
        self.start[..self.nodes].copy_from_slice(&self.particles[..self.nodes]);
    }

    /// Projects the distance constraints of the nodes, forward and backward: a sweep in one direction leaves
    /// an error that depends on the direction, and whole patches would tremble.
    fn sweep(&mut self, now: &Correction<'_>) {
        let Correction { keep, simd, team, .. } = *now;
        for backward in [false, true] {
            let sweep = Sweep {
                inverse_h2: 0.0,
                update: Update::xpbd(),
                gamma: 0.0,
                first: !backward,
                last: backward,
                keep,
                backward,
                simd,
            };
            for set in &mut self.sets {
                set.sweep(&mut self.particles, &self.start, sweep, team);
            }
        }
    }

    /// The share of a level in [`Hierarchy::impulse_along_pins`]; `start` then holds the nodes as they were.
    fn impulse_along_held(&mut self, previous: &[Particle<T>], team: Team<'_>) -> f64 {
        let n = self.nodes;
        self.transfer.pulls(&self.start[..n], &self.particles[..n], &mut self.pulls);
        self.transfer.restrict(previous, &mut self.start, team);
        let (now, before) = (&self.particles, &self.start);
        let is_held = |node: u32| (node as usize) < n && now[node as usize].w <= 0.0;
        let along = now.iter().zip(before).map(|(now, before)| now.x - before.x);
        let mut sum: f64 = self.pulls.iter().zip(along).map(|(pull, along)| pull.dot(&along)).sum();
        for set in &self.sets {
            let places = set.touching(&is_held).unwrap_or_default();
            set.impulses(&places, now, &mut |_, node, impulse| {
                if is_held(node) {
                    sum += impulse.dot(&(now[node as usize].x - before[node as usize].x));
                }
            });
        }
        sum
    }

    /// Passes the displacements of the nodes down.
    fn carry(&mut self, fine: &mut [Particle<T>], team: Team<'_>) {
        let n = self.nodes;
        self.transfer.prolong(&self.start[..n], &self.particles[..n], &mut self.room, fine, team);
    }
}

/// The distance constraints of the nodes of a level. Planned by their type: coarse levels are in double
/// precision also where simulations in it are left out.
fn sets(nodes: &Nodes, context: &PlanContext<'_>) -> Result<Vec<Box<dyn ConstraintSet<f64>>>, BuildError> {
    let (mut pairs, mut distances) = (Vec::new(), Vec::new());
    let (mut limited, mut limits) = (Vec::new(), Vec::new());
    for &edge in &nodes.edges {
        let Some(length) = nodes.distance(edge) else { continue };
        if nodes.bends[edge[0] as usize] {
            limited.push(edge);
            limits.push(LengthLimit { shortest: 0.0, longest: length });
        } else {
            pairs.push(edge);
            distances.push(Distance { rest: length });
        }
    }
    let mut all = Vec::new();
    if !pairs.is_empty() {
        all.push(Typed::new("coarse distances", pairs, distances, vec![0.0])?.build(context));
    }
    if !limited.is_empty() {
        all.push(Typed::new("coarse limits", limited, limits, vec![0.0])?.build(context));
    }
    Ok(all)
}
