//! [`Transfer`]: centroids of patches, and displacements back to their members.

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_kernel::{Particle, Scalar, Team, widen};

use super::nodes::Nodes;
use super::patches::Patches;

/// Nodes handled by one task.
const CHUNK: usize = 2048;

/// A node that does not bend is moved by the patches that can move, if these have more than this share of it.
const LEAST: f64 = 1e-2;

/// Nodes of a finer level and the patches that they belong to; weights in the number type `T` of the finer level.
pub(crate) struct Transfer<T> {
    /// Numbers of the finer level's nodes that patches move, ascending.
    fine: Vec<u32>,
    /// The most patches that one of them has.
    width: usize,
    /// As many patches of each; where there are fewer, the last is repeated without weight.
    patches: Vec<u32>,
    weights: Vec<T>,
    /// Nodes that belong to held patches too, by their place among those that are moved; such a patch, and how much of the
    /// mass of the node is its own, kg. The others move that share as well.
    rim: Vec<(u32, u32, f64)>,
    /// Where the members of each patch begin in the lists that follow.
    starts: Vec<u32>,
    members: Vec<u32>,
    /// Share of a member in the centroid; they sum to one.
    shares: Vec<T>,
}

impl<T: Scalar> Transfer<T> {
    /// Between `fine` nodes and their patches; `number` gives the number of a fine node among the particles
    /// that are moved.
    #[allow(clippy::cast_possible_truncation, reason = "nodes are numbered by u32")]
    pub(crate) fn new(fine: &Nodes, patches: &Patches, coarse: &Nodes, number: impl Fn(u32) -> u32) -> Self {
        let mut order: Vec<(u32, u32)> = (0..fine.len() as u32).map(|node| (number(node), node)).collect();
        order.sort_unstable();
        let mut lists: Vec<Vec<(u32, f64)>> = vec![Vec::new(); coarse.len()];
        let (mut moved, mut rows, mut weights, mut rim) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let free = patches.of.iter().zip(&fine.held).filter(|(_, held)| !**held);
        let width = free.map(|(shares, _)| shares.len()).max().unwrap_or(1);
        for &(name, node) in &order {
            let (node, shares) = (node as usize, &patches.of[node as usize]);
            for &(patch, weight) in
                shares.iter().filter(|(patch, _)| coarse.held[*patch as usize] == fine.held[node])
            {
                let mass = weight * fine.masses[node];
                lists[patch as usize].push((name, mass / coarse.masses[patch as usize]));
            }
            if !fine.held[node] {
                let last = shares.last().map_or(0, |share| share.0);
                let is_held = |(patch, _): &(u32, f64)| coarse.held[*patch as usize];
                let free: f64 = shares.iter().filter(|share| !is_held(share)).map(|share| share.1).sum();
                let mut scale = 1.0;
                if free > LEAST && !fine.bends[node] {
                    scale = 1.0 / free;
                    let held = shares.iter().filter(|share| is_held(share));
                    rim.extend(
                        held.map(|(patch, share)| (moved.len() as u32, *patch, share * fine.masses[node])),
                    );
                }
                moved.push(name);
                rows.extend((0..width).map(|k| shares.get(k).map_or(last, |share| share.0)));
                weights
                    .extend((0..width).map(|k| T::splat(shares.get(k).map_or(0.0, |share| scale * share.1))));
            }
        }
        let mut starts = vec![0];
        for list in &lists {
            starts.push(starts[starts.len() - 1] + list.len() as u32);
        }
        let members = lists.iter().flatten().map(|member| member.0).collect();
        let shares = lists.iter().flatten().map(|member| T::splat(member.1)).collect();
        Self { fine: moved, width, patches: rows, weights, rim, starts, members, shares }
    }

    /// Puts every coarse particle at the centroid of its members.
    pub(crate) fn restrict(&self, fine: &[Particle<T>], coarse: &mut [Particle<f64>], team: Team<'_>) {
        let size = CHUNK / 16;
        let tasks = coarse[..self.starts.len() - 1].chunks_mut(size).enumerate();
        team.for_each(tasks, |(task, coarse)| {
            for (patch, particle) in (task * size..).zip(coarse) {
                let range = self.starts[patch] as usize..self.starts[patch + 1] as usize;
                let mut sum = Vector3::zeros();
                for (&member, share) in self.members[range.clone()].iter().zip(&self.shares[range]) {
                    sum += widen(&fine[member as usize].x) * share.to_f64();
                }
                particle.x = sum;
            }
        });
    }

    /// Finds what the displacements of the coarse particles from `start` to `now` pull held patches by, kg·m, patch by patch:
    /// as much as others move the shares of these in nodes.
    pub(crate) fn pulls(
        &self,
        start: &[Particle<f64>],
        now: &[Particle<f64>],
        pulls: &mut Vec<Vector3<f64>>,
    ) {
        pulls.clear();
        pulls.resize(self.starts.len() - 1, Vector3::zeros());
        for &(node, held, mass) in &self.rim {
            let row = node as usize * self.width..(node as usize + 1) * self.width;
            for (&patch, weight) in self.patches[row.clone()].iter().zip(&self.weights[row]) {
                let way = now[patch as usize].x - start[patch as usize].x;
                pulls[held as usize] -= way * (mass * weight.to_f64());
            }
        }
    }

    /// Moves the finer level by the displacements of the coarse particles from `start` to `now`. `room` is a
    /// buffer for the displacements.
    pub(crate) fn prolong(
        &self,
        start: &[Particle<f64>],
        now: &[Particle<f64>],
        room: &mut Vec<Particle<T>>,
        fine: &mut [Particle<T>],
        team: Team<'_>,
    ) {
        room.clear();
        room.extend(
            now.iter()
                .zip(start)
                .map(|(now, start)| Particle::new(splat_vector(&(now.x - start.x)), T::zero())),
        );
        let moves: &[Particle<T>] = room;
        let mut rest = fine;
        let mut before = 0;
        let width = self.width;
        let lists = self.patches.chunks(CHUNK * width).zip(self.weights.chunks(CHUNK * width));
        let tasks = self.fine.chunks(CHUNK).zip(lists);
        let tasks = tasks.map(|(numbers, (patches, weights))| {
            let end = numbers[numbers.len() - 1] as usize + 1;
            let (part, others) = std::mem::take(&mut rest).split_at_mut(end - before);
            rest = others;
            let first = std::mem::replace(&mut before, end);
            (first, part, numbers, patches, weights)
        });
        team.for_each(tasks, |(first, part, numbers, patches, weights)| {
            let lists = patches.chunks_exact(width).zip(weights.chunks_exact(width));
            for (&number, (patches, weights)) in numbers.iter().zip(lists) {
                let mut sum = Vector3::zeros();
                for (&patch, &weight) in patches.iter().zip(weights) {
                    sum += moves[patch as usize].x * weight;
                }
                part[number as usize - first].x += sum;
            }
        });
    }
}
