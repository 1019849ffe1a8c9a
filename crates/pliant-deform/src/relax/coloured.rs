//! [`Coloured`]: the edges in an order in which eight at a time, and many clusters at a time, are independent.
//!
//! Vertices are put into clusters of 1024 by place. The edges inside a cluster are packed by eights that
//! share no vertex, in the mesh's order as far as that goes ([`schedule`]). Clusters do not touch each
//! other's vertices, so any number of threads may sweep them. The edges between clusters, a few in a hundred,
//! are packed alike and come last. All that depends on the mesh alone, and so do the bits of the answer.
//! `pliant-kernel` decides which thread projects what, and how.
//!
//! The sweep solves the same equations as the sequential one, in another order and in single precision: a
//! fixed point of one is a fixed point of the other, to rounding. [`Coloured::order`] is the order in which a
//! sequential sweep would do the same.
//!
//! The plan is not the solver's, which packs colour by colour and goes round triangles: that takes as long
//! for a sweep and needs 16 to 32 sweeps for the result of 10 of these.

use std::fmt;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::{Update, splat_vector};
use pliant_kernel::{
    Item, NONE, PACK, PackPlan, Packs, Particle, PerCluster, Simd, Sweep, Team, TrioCount, widen,
};
use pliant_mesh::Aabb;

use super::constraints::EdgeConstraints;
use super::order::clusters;
use super::schedule::schedule;
use super::stick::Stick;

/// Vertices of a cluster: 16 KiB of particles.
const CLUSTER: usize = 1024;

/// Edges for which a thread is worth its start.
const GRAIN: usize = 10_000;

/// Edges side by side.
type Sticks = Packs<f32, Stick<f64>, 2, 1>;

/// A plan for relaxing edges in lanes and threads.
#[derive(Debug, Clone)]
pub(crate) struct Coloured {
    planned: Arc<Planned>,
    packed: Packed,
}

/// The input of a plan, except for the strengths.
#[derive(Debug)]
struct Planned {
    /// Vertex by slot, [`CLUSTER`] slots to a cluster; only the last cluster has fewer vertices.
    vertices: Vec<u32>,
    weights: Vec<f32>,
    /// The ends of every edge that can move, as slots, and its rest length, m.
    edges: Vec<([u32; 2], f64)>,
    /// Their places in the list of edges.
    numbers: Vec<u32>,
    /// Groups of edges that share no slot, cluster by cluster.
    groups: Vec<Vec<Vec<u32>>>,
    order: Vec<u32>,
}

/// The edges of a plan as they are swept, made when the first sweep says how strong they are; a copy of a
/// plan makes its own.
#[derive(Default)]
struct Packed(Option<(Sticks, [f64; 2], Vec<Particle<f32>>)>);

impl Clone for Packed {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Packed").field(&self.0.as_ref().map(|(_, strength, _)| strength)).finish()
    }
}

impl Coloured {
    /// Plans some edges. `rest` are the positions that clusters are made from, `w` inverse masses, both one
    /// per vertex. Edges between fixed vertices are left out.
    pub(crate) fn new(edges: &EdgeConstraints, rest: &[Vector3<f64>], w: &[f64]) -> Self {
        Self { planned: Arc::new(Planned::new(edges, rest, w)), packed: Packed::default() }
    }

    /// The edges in the order in which one after the other would give the same result.
    pub(crate) fn order(&self) -> &[u32] {
        &self.planned.order
    }

    /// Relaxes positions, m, by so many sweeps.
    pub(crate) fn run(&mut self, x: &mut [Vector3<f64>], iterations: u32, strength: [f64; 2]) {
        let Some(bounds) = Aabb::of_points(x) else { return };
        let planned = &self.planned;
        if planned.edges.is_empty() {
            return;
        }
        // Seen from its middle a skin loses no digits by being far from the origin.
        let centre = bounds.centre();
        let single = |p: &Vector3<f64>| splat_vector::<f32>(&(p - centre));
        let packed = self.packed.0.take().filter(|(_, packed, _)| *packed == strength);
        let (packs, _, particles) = self
            .packed
            .0
            .insert(packed.unwrap_or_else(|| (planned.pack(strength), strength, planned.particles())));
        for (p, &v) in particles.iter_mut().zip(&planned.vertices) {
            p.x = single(&x[v as usize]);
        }
        let sweep = Sweep {
            inverse_h2: 0.0,
            update: Update::xpbd(),
            gamma: 0.0,
            first: true,
            last: false,
            keep: false,
            backward: false,
            simd: Simd::detect(),
        };
        // Nothing is damped, so previous positions do not matter.
        let previous = particles.clone();
        let threads = rayon::current_num_threads().min(planned.edges.len().div_ceil(GRAIN));
        Team::form(threads, |team| {
            (0..iterations).for_each(|_| packs.sweep(particles, &previous, sweep, team));
        });
        for (&v, (p, before)) in planned.vertices.iter().zip(particles.iter().zip(&previous)) {
            let x = &mut x[v as usize];
            let (now, before) = (widen(&p.x), widen(&before.x));
            for k in 0..3 {
                // A vertex that did not move keeps all its digits; one that moved gets a displacement in
                // single precision.
                if now[k] != before[k] {
                    x[k] += now[k] - before[k];
                }
            }
        }
    }
}

impl Planned {
    fn new(edges: &EdgeConstraints, rest: &[Vector3<f64>], w: &[f64]) -> Self {
        let vertices = clusters(rest, CLUSTER);
        let mut slot = vec![0_u32; vertices.len()];
        for (s, &v) in (0_u32..).zip(&vertices) {
            slot[v as usize] = s;
        }
        let weights: Vec<f32> = vertices.iter().map(|&v| w[v as usize] as f32).collect();
        let mut planned = Self {
            vertices,
            weights,
            edges: Vec::new(),
            numbers: Vec::new(),
            groups: Vec::new(),
            order: Vec::new(),
        };
        // The last list is that of the edges between clusters.
        let mut lists = vec![Vec::new(); planned.vertices.len().div_ceil(CLUSTER) + 1];
        for ((number, pair), &rest) in (0_u32..).zip(edges.pairs()).zip(edges.rest_lengths()) {
            let ends = pair.map(|v| slot[v as usize]);
            if ends.iter().any(|&s| planned.weights[s as usize] > 0.0) {
                let [a, b] = ends.map(|s| s as usize / CLUSTER);
                let list = if a == b { a } else { lists.len() - 1 };
                lists[list].push(planned.edges.len() as u32);
                planned.edges.push((ends, rest));
                planned.numbers.push(number);
            }
        }
        let slots = planned.vertices.len();
        for (cluster, list) in lists.iter().enumerate() {
            let inside = cluster + 1 < lists.len();
            let (first, size) =
                if inside { ((cluster * CLUSTER) as u32, CLUSTER.min(slots)) } else { (0, slots) };
            let ends: Vec<[u32; 2]> =
                list.iter().map(|&edge| planned.edges[edge as usize].0.map(|s| s - first)).collect();
            let groups: Vec<Vec<u32>> = schedule(&ends, size)
                .into_iter()
                .map(|g| g.into_iter().map(|i| list[i as usize]).collect())
                .collect();
            planned.order.extend(groups.iter().flatten().map(|&edge| planned.numbers[edge as usize]));
            planned.groups.push(groups);
        }
        planned
    }

    /// The slots with their inverse masses, and behind them the dummies of every cluster.
    fn particles(&self) -> Vec<Particle<f32>> {
        let slots = self.weights.iter().map(|&w| Particle::new(Vector3::zeros(), w));
        // No two dummies are in one place, so that what lanes without an edge compute stays finite.
        let dummies = (0..self.groups.len() * 2 * PACK).map(|i| Particle::new(Vector3::x() * i as f32, 0.0));
        slots.chain(dummies).collect()
    }

    /// The edges side by side, with strengths.
    fn pack(&self, [push, pull]: [f64; 2]) -> Sticks {
        let (slots, between) = (self.vertices.len(), self.groups.len() - 1);
        let (mut packs, mut clusters, mut dummies) = (Vec::new(), Vec::new(), Vec::new());
        for (cluster, groups) in self.groups.iter().enumerate() {
            let first = packs.len();
            let pack =
                |group: &Vec<u32>| std::array::from_fn(|lane| group.get(lane).copied().unwrap_or(NONE));
            packs.extend(groups.iter().map(pack));
            clusters.push(first..packs.len());
            dummies.push((slots + cluster * 2 * PACK) as u32);
        }
        // The edges between clusters wait for the clusters that they join.
        let mut joined: Vec<u32> = self.groups[between]
            .iter()
            .flatten()
            .flat_map(|&edge| self.edges[edge as usize].0.map(|slot| slot / CLUSTER as u32))
            .collect();
        joined.sort_unstable();
        joined.dedup();
        let plan = PackPlan {
            trio_counts: vec![TrioCount::default(); clusters.len()],
            numbers: (0..).take(clusters.len()).collect(),
            colours: vec![0..between, between..clusters.len()],
            waits: PerCluster::from_pairs(clusters.len(), || joined.iter().map(|&c| (between as u32, c))),
            packs,
            clusters,
            dummies,
        };
        let item = |edge: usize| {
            let (ends, rest) = self.edges[edge];
            Item::new(ends, &Stick { rest, push, pull }, 0.0, edge as u32)
        };
        Packs::new(self.edges.len(), item, Some(0.0), plan, slots + self.groups.len() * 2 * PACK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_constraints::{Kind as _, project_rigid};
    use pliant_mesh::TriMesh;

    /// A bent sheet with its edges; large enough for several clusters.
    fn bent(side: usize) -> (EdgeConstraints, Vec<Vector3<f64>>, Vec<Vector3<f64>>) {
        let mesh = TriMesh::grid([side, side], [1.0, 1.0]).unwrap();
        let bent = mesh
            .positions()
            .iter()
            .map(|p| Vector3::new(7.0 + p.x * (1.2 - p.z), 0.3 * libm::sin(5.0 * p.x), p.z))
            .collect();
        (EdgeConstraints::of_mesh(&mesh, &[]).unwrap(), mesh.positions().to_vec(), bent)
    }

    /// The same sweep, edge by edge in the order of the plan.
    fn one_by_one(plan: &Coloured, edges: &EdgeConstraints, w: &[f64], x: &mut [Vector3<f64>], n: u32) {
        let centre = Aabb::of_points(x).unwrap().centre();
        let mut p: Vec<Vector3<f32>> = x.iter().map(|x| splat_vector(&(x - centre))).collect();
        let before = p.clone();
        for _ in 0..n {
            for &edge in plan.order() {
                let ends = edges.pairs()[edge as usize].map(|v| v as usize);
                let rest = edges.rest_lengths()[edge as usize];
                let stick = Stick { rest, push: 0.3, pull: 0.8 }.at::<f32>();
                let steps =
                    project_rigid(&stick, &ends.map(|v| p[v]), &ends.map(|v| w[v] as f32), None, &mut [0.0]);
                ends.into_iter().zip(steps).for_each(|(v, step)| p[v] += step);
            }
        }
        for (x, (p, before)) in x.iter_mut().zip(p.iter().zip(&before)) {
            for k in 0..3 {
                if p[k] != before[k] {
                    x[k] += f64::from(p[k]) - f64::from(before[k]);
                }
            }
        }
    }

    #[test]
    fn the_plan_is_a_sequential_sweep_in_its_order_to_the_last_bit() {
        for side in [3, 40, 150] {
            let (edges, rest, start) = bent(side);
            for equal in [true, false] {
                let w: Vec<f64> =
                    (0..rest.len()).map(|v| if equal { 0.7 } else { (v % 5) as f64 / 4.0 }).collect();
                let mut plan = Coloured::new(&edges, &rest, &w);
                let mut sorted = plan.order().to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                let movable = edges.pairs().iter().filter(|e| e.iter().any(|&v| w[v as usize] > 0.0)).count();
                assert_eq!((sorted.len(), plan.order().len()), (movable, movable));

                let (mut found, mut expected) = (start.clone(), start.clone());
                plan.run(&mut found, 3, [0.3, 0.8]);
                one_by_one(&plan, &edges, &w, &mut expected, 3);
                assert!(found == expected && found != start, "{side} {equal}");
            }
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let (edges, rest, start) = bent(150);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut x = start.clone();
            let mut plan = Coloured::new(&edges, &rest, &vec![1.0; rest.len()]);
            assert!(edges.pairs().len() > 3 * GRAIN);
            pool.install(|| plan.run(&mut x, 5, [0.1, 0.5]));
            x
        };
        assert!(run(1) == run(3));
    }

    #[test]
    fn a_copy_and_another_strength_start_from_the_plan() {
        let (edges, rest, start) = bent(20);
        let w = vec![1.0; rest.len()];
        let run = |plan: &mut Coloured, strength| {
            let mut x = start.clone();
            plan.run(&mut x, 2, strength);
            x
        };
        let mut plan = Coloured::new(&edges, &rest, &w);
        let soft = run(&mut plan, [0.1, 0.5]);
        let hard = run(&mut plan.clone(), [1.0, 1.0]);
        assert!(soft != hard);
        assert!(run(&mut plan, [1.0, 1.0]) == hard && run(&mut plan, [0.1, 0.5]) == soft);
    }

    #[test]
    fn packs_hold_nearly_all_edges() {
        let (edges, rest, _) = bent(150);
        let plan = Coloured::new(&edges, &rest, &vec![1.0; rest.len()]);
        let packs: usize = plan.planned.groups.iter().map(Vec::len).sum();
        let (lanes, all) = (PACK * packs, edges.pairs().len());
        assert!(lanes * 20 < all * 21, "{lanes} lanes for {all} edges");
    }

    #[test]
    fn nothing_is_planned_for_nothing() {
        let mut plan = Coloured::new(&EdgeConstraints::new(0, vec![], vec![]).unwrap(), &[], &[]);
        plan.run(&mut [], 3, [1.0, 1.0]);
        assert!(plan.order().is_empty());
    }
}
