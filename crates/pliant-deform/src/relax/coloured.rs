//! [`Coloured`]: the edges in an order in which four at a time, and many clusters at a time, are independent.
//!
//! Vertices are put into clusters of 1024 by place. The edges inside a cluster are packed by fours that share no vertex, in the mesh's order as far as that
//! goes ([`schedule`]). Clusters do not touch each other's vertices, so any number of threads may sweep them. The edges between clusters, a few in a
//! hundred, are packed alike and come last, on one thread. All that depends on the mesh alone, and so do the bits of the answer.
//!
//! The sweep solves the same equations as the sequential one, in another order and in single precision: positions that the one leaves alone the
//! other does too, to rounding. [`Coloured::order`] is the order in which a sequential sweep would do the same.

use nalgebra::Vector3;
use pliant_mesh::Aabb;
use rayon::prelude::*;

use super::constraints::EdgeConstraints;
use super::lanes::{LANES, Particle, Strength, four, one};
use super::order::clusters;
use super::schedule::schedule;
use crate::deformer::GRAIN;

/// Vertices of a cluster: 16 KiB of particles.
const CLUSTER: usize = 1024;

/// Clusters from which on several threads are worth their start.
const PARALLEL: usize = 16;

/// Four independent edges of a cluster, ends as places in it.
#[derive(Debug, Clone, Copy)]
struct Pack<I> {
    ends: [[I; LANES]; 2],
    rest: [f32; LANES],
}

/// Edges that are swept together.
#[derive(Debug, Clone)]
struct Part<I> {
    packs: Vec<Pack<I>>,
    /// Sums of the inverse masses at the ends, beside the packs; none where all are equal.
    sums: Vec<[f32; LANES]>,
    /// Edges one by one, where there are too few vertices for packs: ends, rest length, sum.
    singles: Vec<([I; 2], f32, f32)>,
}

/// A plan for relaxing edges in lanes and threads.
#[derive(Debug, Clone)]
pub(crate) struct Coloured {
    /// Vertex by slot, [`CLUSTER`] slots to a cluster; only the last cluster has fewer vertices.
    vertices: Vec<u32>,
    weights: Vec<f32>,
    inside: Vec<Part<u16>>,
    between: Part<u32>,
    order: Vec<u32>,
    /// Whether all inverse masses are the same.
    equal: bool,
    particles: Vec<Particle>,
}

impl Coloured {
    /// Plans some edges. `rest` are the positions that clusters are made from, `w` inverse masses, both one per vertex. Edges between fixed vertices are left out.
    pub(crate) fn new(edges: &EdgeConstraints, rest: &[Vector3<f64>], w: &[f64]) -> Self {
        let vertices = clusters(rest, CLUSTER);
        let mut slot = vec![0_u32; vertices.len()];
        for (s, &v) in (0_u32..).zip(&vertices) {
            slot[v as usize] = s;
        }
        let weights: Vec<f32> = vertices.iter().map(|&v| w[v as usize] as f32).collect();
        let equal = weights.iter().all(|&w| w == weights[0] && w > 0.0);

        let count = vertices.len().div_ceil(CLUSTER);
        let mut inside: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut between = Vec::new();
        for (edge, pair) in (0_u32..).zip(edges.pairs()) {
            let [a, b] = pair.map(|v| slot[v as usize] as usize);
            if weights[a] + weights[b] > 0.0 {
                let [a, b] = [a / CLUSTER, b / CLUSTER];
                if a == b { inside[a].push(edge) } else { between.push(edge) }
            }
        }
        let mut order = Vec::with_capacity(edges.pairs().len());
        let part = |list: &[u32], first: usize, size: usize, order: &mut Vec<u32>| {
            let ends = |edge: u32| edges.pairs()[edge as usize].map(|v| slot[v as usize] - first as u32);
            let data = |edge: u32| {
                let sum: f32 = ends(edge).map(|s| weights[first + s as usize]).iter().sum();
                (ends(edge), edges.rest_lengths()[edge as usize] as f32, sum)
            };
            pack(list, size, equal, data, order)
        };
        let inside = (0..count)
            .map(|c| {
                let narrow = |[a, b]: [u32; 2]| [a as u16, b as u16];
                part(&inside[c], c * CLUSTER, CLUSTER, &mut order).map(narrow)
            })
            .collect();
        let between = part(&between, 0, vertices.len(), &mut order);
        let particles = vec![[0.0; 4]; count * CLUSTER];
        Self { vertices, weights, inside, between, order, equal, particles }
    }

    /// The edges in the order in which one after the other would give the same result.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Relaxes positions, m, by so many sweeps.
    pub(crate) fn run(&mut self, x: &mut [Vector3<f64>], iterations: u32, [push, pull]: [f64; 2]) {
        let Some(bounds) = Aabb::of_points(x) else { return };
        // Seen from its middle a skin loses no digits by being far from the origin.
        let centre = bounds.centre();
        let single = |p: &Vector3<f64>| {
            let p = p - centre;
            [p.x as f32, p.y as f32, p.z as f32]
        };
        let (vertices, weights) = (&self.vertices, &self.weights);
        self.particles[..vertices.len()].par_iter_mut().with_min_len(GRAIN).enumerate().for_each(
            |(slot, p)| {
                let [a, b, c] = single(&x[vertices[slot] as usize]);
                *p = [a, b, c, weights[slot]];
            },
        );
        let strength = Strength { push: push as f32, pull: pull as f32 };
        for _ in 0..iterations {
            if self.equal { self.sweep::<true>(strength) } else { self.sweep::<false>(strength) }
        }
        for (&v, p) in self.vertices.iter().zip(&self.particles) {
            let x = &mut x[v as usize];
            let before = single(x);
            for k in 0..3 {
                // What did not move keeps all its digits, and what moved keeps those that single precision has not.
                if p[k] != before[k] {
                    x[k] += f64::from(p[k]) - f64::from(before[k]);
                }
            }
        }
    }

    fn sweep<const EQUAL: bool>(&mut self, strength: Strength) {
        let one_cluster = |(particles, part): (&mut [Particle], &Part<u16>)| {
            let particles: &mut [Particle; CLUSTER] =
                particles.try_into().expect("the particles are whole clusters");
            part.sweep_cluster::<EQUAL>(particles, strength);
        };
        if self.inside.len() >= PARALLEL {
            self.particles.par_chunks_exact_mut(CLUSTER).zip(&self.inside).for_each(one_cluster);
        } else {
            self.particles.chunks_exact_mut(CLUSTER).zip(&self.inside).for_each(one_cluster);
        }
        self.between.sweep::<EQUAL>(&mut self.particles, strength);
    }
}

impl Part<u32> {
    fn map<I>(self, narrow: impl Fn([u32; 2]) -> [I; 2]) -> Part<I> {
        let ends = |[a, b]: [[u32; LANES]; 2]| {
            let [mut left, mut right] = [Vec::new(), Vec::new()];
            for lane in 0..LANES {
                let [a, b] = narrow([a[lane], b[lane]]);
                left.push(a);
                right.push(b);
            }
            [left, right].map(|list| list.try_into().unwrap_or_else(|_| unreachable!("one end per lane")))
        };
        Part {
            packs: self.packs.into_iter().map(|p| Pack { ends: ends(p.ends), rest: p.rest }).collect(),
            sums: self.sums,
            singles: self.singles.into_iter().map(|(e, rest, sum)| (narrow(e), rest, sum)).collect(),
        }
    }

    fn sweep<const EQUAL: bool>(&self, p: &mut [Particle], strength: Strength) {
        for (i, pack) in self.packs.iter().enumerate() {
            let [a, b] = pack.ends;
            let sum = if EQUAL { [0.0; LANES] } else { self.sums[i] };
            let [new_a, new_b] =
                four::<EQUAL>(a.map(|a| p[a as usize]), b.map(|b| p[b as usize]), pack.rest, sum, strength);
            for lane in 0..LANES {
                p[a[lane] as usize] = new_a[lane];
                p[b[lane] as usize] = new_b[lane];
            }
        }
        for &([a, b], rest, sum) in &self.singles {
            let (a, b) = (a as usize, b as usize);
            [p[a], p[b]] = one::<EQUAL>(p[a], p[b], rest, sum, strength);
        }
    }
}

impl Part<u16> {
    /// As [`Part::sweep`], in an array of known length, in which the mask leaves no bound to check.
    fn sweep_cluster<const EQUAL: bool>(&self, p: &mut [Particle; CLUSTER], strength: Strength) {
        let place = |i: u16| i as usize & (CLUSTER - 1);
        let mut pack = |pack: &Pack<u16>, sum: [f32; LANES]| {
            let [a, b] = pack.ends.map(|end| end.map(place));
            let [new_a, new_b] = four::<EQUAL>(a.map(|a| p[a]), b.map(|b| p[b]), pack.rest, sum, strength);
            for lane in 0..LANES {
                p[a[lane]] = new_a[lane];
                p[b[lane]] = new_b[lane];
            }
        };
        if EQUAL {
            self.packs.iter().for_each(|p| pack(p, [0.0; LANES]));
        } else {
            self.packs.iter().zip(&self.sums).for_each(|(p, &sum)| pack(p, sum));
        }
        for &(ends, rest, sum) in &self.singles {
            let [a, b] = ends.map(place);
            [p[a], p[b]] = one::<EQUAL>(p[a], p[b], rest, sum, strength);
        }
    }
}

/// Packs the edges in `list`, whose ends lie below `size`, by fours. Appends their order to `order`.
fn pack(
    list: &[u32],
    size: usize,
    equal: bool,
    data: impl Fn(u32) -> ([u32; 2], f32, f32),
    order: &mut Vec<u32>,
) -> Part<u32> {
    let ends: Vec<[u32; 2]> = list.iter().map(|&edge| data(edge).0).collect();
    let packs = schedule(&ends, size);
    order.extend(packs.iter().flatten().map(|&i| list[i as usize]));
    let mut part = Part { packs: Vec::new(), sums: Vec::new(), singles: Vec::new() };
    if size <= 2 * LANES {
        // Too few vertices for idle lanes to keep away from.
        part.singles = packs.iter().flatten().map(|&i| data(list[i as usize])).collect();
        return part;
    }
    for group in packs {
        // A lane without an edge joins a vertex that the pack does not use to itself, which moves nothing.
        let used = |v: u32| group.iter().any(|&i| ends[i as usize].contains(&v));
        let idle =
            (0..size as u32).find(|&v| !used(v)).expect("a pack uses no more than two vertices a lane");
        let mut pack = Pack { ends: [[idle; LANES]; 2], rest: [0.0; LANES] };
        let mut sums = [1.0; LANES];
        for (lane, &i) in group.iter().enumerate() {
            let ([a, b], rest, sum) = data(list[i as usize]);
            (pack.ends[0][lane], pack.ends[1][lane]) = (a, b);
            (pack.rest[lane], sums[lane]) = (rest, sum);
        }
        part.packs.push(pack);
        if !equal {
            part.sums.push(sums);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn one_by_one<const EQUAL: bool>(
        plan: &Coloured,
        edges: &EdgeConstraints,
        w: &[f64],
        x: &mut [Vector3<f64>],
        n: u32,
    ) {
        let centre = Aabb::of_points(x).unwrap().centre();
        let mut p: Vec<Particle> = x
            .iter()
            .zip(w)
            .map(|(x, &w)| {
                let d = x - centre;
                [d.x as f32, d.y as f32, d.z as f32, w as f32]
            })
            .collect();
        let before = p.clone();
        for _ in 0..n {
            for &edge in plan.order() {
                let [a, b] = edges.pairs()[edge as usize].map(|v| v as usize);
                let (rest, sum) = (edges.rest_lengths()[edge as usize] as f32, p[a][3] + p[b][3]);
                let strength = Strength { push: 0.3, pull: 0.8 };
                [p[a], p[b]] = one::<EQUAL>(p[a], p[b], rest, sum, strength);
            }
        }
        for (v, x) in x.iter_mut().enumerate() {
            for k in 0..3 {
                if p[v][k] != before[v][k] {
                    x[k] += f64::from(p[v][k]) - f64::from(before[v][k]);
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
                if equal {
                    one_by_one::<true>(&plan, &edges, &w, &mut expected, 3);
                } else {
                    one_by_one::<false>(&plan, &edges, &w, &mut expected, 3);
                }
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
            assert!(plan.inside.len() >= PARALLEL);
            pool.install(|| plan.run(&mut x, 5, [0.1, 0.5]));
            x
        };
        assert!(run(1) == run(3));
    }

    #[test]
    fn packs_hold_nearly_all_edges() {
        let (edges, rest, _) = bent(150);
        let plan = Coloured::new(&edges, &rest, &vec![1.0; rest.len()]);
        let inside: usize = plan.inside.iter().map(|p| p.packs.len()).sum();
        let singles: usize =
            plan.inside.iter().map(|p| p.singles.len()).sum::<usize>() + plan.between.singles.len();
        let (between, all) = (plan.between.packs.len(), edges.pairs().len());
        assert!(singles * 100 < all && between * 48 < all, "{singles} singles, {between} between, of {all}");
        let lanes = 4 * (inside + between) + singles;
        assert!(lanes * 20 < all * 21, "{lanes} lanes for {all} edges");
    }

    #[test]
    fn nothing_is_planned_for_nothing() {
        let mut plan = Coloured::new(&EdgeConstraints::new(0, vec![], vec![]).unwrap(), &[], &[]);
        plan.run(&mut [], 3, [1.0, 1.0]);
        assert!(plan.order().is_empty());
    }
}
