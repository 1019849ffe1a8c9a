//! [`Packs`]: constraints of one kind, eight side by side, in clusters that run in parallel.
//!
//! A *pack* holds eight constraints that share no particle, as arrays of eight: indices, rest data, compliances and multipliers. Packs belong to *clusters*, which are
//! projected by one thread each; clusters of one *colour* share no particle.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::{Kind, MAX_REST, Update, project};

use super::batch::{Item, Sweep};
use super::disjoint::DisjointParticles;
use super::lanes::{Lanes, PACK};
use crate::float::Float;
use crate::group::Layout;
use crate::particles::Particle;

/// Stands for no constraint in the list of numbers.
const NONE: u32 = u32::MAX;

/// Constraints in packs.
///
/// Invariant, established by [`Packs::new`]: every index is below `particles`; no two constraints of a pack share a particle; no two clusters of a
/// colour share a particle.
pub(crate) struct Packs<T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    indices: Vec<[[u32; PACK]; N]>,
    /// `stride` rows of eight per pack: rest data, compliance unless it is the same for all, multipliers.
    rows: Vec<[T; PACK]>,
    /// The caller's numbers of the constraints of every pack.
    source: Vec<[u32; PACK]>,
    /// The compliance of all constraints, if it is the same.
    uniform: Option<T>,
    /// Packs of every cluster.
    clusters: Vec<Range<usize>>,
    /// Clusters of every colour.
    colours: Vec<Range<usize>>,
    particles: usize,
    len: usize,
    kind: std::marker::PhantomData<K>,
}

/// A plan of packs: which constraints, by their place in a list of items, form each pack, each cluster and each colour.
pub(crate) struct PackPlan {
    /// Up to eight constraints each.
    pub(crate) packs: Vec<Vec<u32>>,
    /// Consecutive ranges of packs.
    pub(crate) clusters: Vec<Range<usize>>,
    /// First of the dummy particles of every cluster, eight per point of a stencil.
    pub(crate) dummies: Vec<u32>,
    /// Consecutive ranges of clusters.
    pub(crate) colours: Vec<Range<usize>>,
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    /// Packs `items` as planned, over `particles` particles of which the last are dummies without mass.
    ///
    /// # Panics
    ///
    /// If the plan breaks the invariant, which is a bug of the planner.
    pub(crate) fn new(items: &[Item<T, K, N, M>], plan: &PackPlan, particles: usize) -> Self {
        let first = items.first().map_or(T::zero(), Item::compliance);
        let uniform = items.iter().all(|item| item.compliance() == first).then_some(first);
        let mut packs = Self {
            indices: Vec::with_capacity(plan.packs.len()),
            rows: Vec::new(),
            source: Vec::with_capacity(plan.packs.len()),
            uniform,
            clusters: plan.clusters.clone(),
            colours: plan.colours.clone(),
            particles,
            len: items.len(),
            kind: std::marker::PhantomData,
        };
        packs.rows.reserve_exact(plan.packs.len() * packs.stride());
        for (cluster, range) in plan.clusters.iter().enumerate() {
            for members in &plan.packs[range.clone()] {
                packs.push(items, members, plan.dummies[cluster]);
            }
        }
        packs.verify();
        packs
    }

    fn push(&mut self, items: &[Item<T, K, N, M>], members: &[u32], dummies: u32) {
        assert!(!members.is_empty() && members.len() <= PACK, "a pack holds one to eight constraints");
        let mut indices = [[0; PACK]; N];
        let mut source = [NONE; PACK];
        let stride = self.stride();
        let start = self.rows.len();
        self.rows.resize(start + stride, [T::zero(); PACK]);
        let rows = &mut self.rows[start..];
        for lane in 0..PACK {
            // Dummies repeat the first constraint's data on particles of their own that cannot move.
            let item = &items[members[if lane < members.len() { lane } else { 0 }] as usize];
            for (j, row) in indices.iter_mut().enumerate() {
                row[lane] = match members.get(lane) {
                    Some(_) => item.stencil()[j],
                    None => dummies + (j * PACK + lane) as u32,
                };
            }
            let mut rest = [T::zero(); MAX_REST];
            K::rest_of(item.rest(), &mut rest[..K::REST]);
            for (row, value) in rows.iter_mut().zip(&rest[..K::REST]) {
                row[lane] = *value;
            }
            if self.uniform.is_none() {
                rows[K::REST][lane] = item.compliance();
            }
            for (row, lambda) in item.lambda().iter().enumerate() {
                rows[stride - M + row][lane] = *lambda;
            }
            if lane < members.len() {
                source[lane] = item.source() as u32;
            }
        }
        self.indices.push(indices);
        self.source.push(source);
    }

    /// Checks the invariant.
    fn verify(&self) {
        let mut next = 0;
        for range in &self.clusters {
            assert_eq!(range.start, next, "clusters must follow one another");
            next = range.end;
        }
        assert_eq!(next, self.indices.len(), "clusters must cover the packs");
        next = 0;
        for range in &self.colours {
            assert_eq!(range.start, next, "colours must follow one another");
            next = range.end;
        }
        assert_eq!(next, self.clusters.len(), "colours must cover the clusters");
        let count = self.source.iter().flatten().filter(|&&s| s != NONE).count();
        assert_eq!(count, self.len, "every constraint must be in one pack");
        let mut in_pack = vec![u32::MAX; self.particles];
        let mut in_colour = vec![(u32::MAX, u32::MAX); self.particles];
        for (colour, clusters) in (0_u32..).zip(&self.colours) {
            for cluster in clusters.clone() {
                for pack in self.clusters[cluster].clone() {
                    for &v in self.indices[pack].iter().flatten() {
                        let v = v as usize;
                        assert_ne!(
                            in_pack[v], pack as u32,
                            "two constraints of pack {pack} share particle {v}"
                        );
                        in_pack[v] = pack as u32;
                        let owner = (colour, cluster as u32);
                        let earlier = std::mem::replace(&mut in_colour[v], owner);
                        assert!(
                            earlier.0 != colour || earlier == owner,
                            "two clusters of colour {colour} share particle {v}"
                        );
                    }
                }
            }
        }
    }

    fn stride(&self) -> usize {
        K::REST + usize::from(self.uniform.is_none()) + M
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The layout, for inspection.
    pub(crate) fn layout(&self) -> Layout {
        let present = |pack: &[u32; PACK]| pack.iter().filter(|&&s| s != NONE).count();
        let size = |cluster: &Range<usize>| self.source[cluster.clone()].iter().map(present).sum::<usize>();
        let bytes = self.indices.len()
            * (size_of::<[[u32; PACK]; N]>()
                + self.stride() * size_of::<[T; PACK]>()
                + size_of::<[u32; PACK]>());
        Layout {
            colour_sizes: self
                .colours
                .iter()
                .map(|c| self.clusters[c.clone()].iter().map(size).sum())
                .collect(),
            clusters: self.clusters.len(),
            packs: self.indices.len(),
            empty_lanes: self.indices.len() * PACK - self.len,
            bytes_per_constraint: bytes.checked_div(self.len).unwrap_or_default(),
        }
    }

    /// The constraints of a range of packs, one by one.
    pub(crate) fn items(&self, packs: Range<usize>) -> impl Iterator<Item = Item<T, K, N, M>> + '_ {
        packs.flat_map(move |pack| {
            let members = (0..PACK).filter(move |&lane| self.source[pack][lane] != NONE);
            members.map(move |lane| self.item(pack, lane))
        })
    }

    pub(crate) fn pack_count(&self) -> usize {
        self.indices.len()
    }

    fn item(&self, pack: usize, lane: usize) -> Item<T, K, N, M> {
        let stride = self.stride();
        let rows = &self.rows[pack * stride..(pack + 1) * stride];
        let mut rest = [T::zero(); MAX_REST];
        for (value, row) in rest.iter_mut().zip(&rows[..K::REST]) {
            *value = row[lane];
        }
        Item::restore(
            self.indices[pack].map(|row| row[lane]),
            K::from_rest(&rest[..K::REST]),
            self.uniform.unwrap_or_else(|| rows[K::REST][lane]),
            std::array::from_fn(|row| rows[stride - M + row][lane]),
            self.source[pack][lane],
        )
    }

    /// Replaces the rest data of the constraint in a lane of a pack.
    pub(crate) fn set_rest(&mut self, pack: usize, lane: usize, rest: &[T]) {
        let stride = self.stride();
        for (row, value) in self.rows[pack * stride..].iter_mut().zip(&rest[..K::REST]) {
            row[lane] = *value;
        }
    }

    /// The caller's numbers, pack by pack.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.source.iter().enumerate().flat_map(|(pack, lanes)| {
            let present = lanes.iter().enumerate().filter(|(_, s)| **s != NONE);
            present.map(move |(lane, &s)| (s as usize, pack, lane))
        })
    }

    /// Sets every multiplier to zero.
    pub(crate) fn reset(&mut self) {
        let stride = self.stride();
        for pack in self.rows.chunks_exact_mut(stride) {
            pack[stride - M..].fill([T::zero(); PACK]);
        }
    }

    /// Projects every constraint once, cluster colour by cluster colour.
    ///
    /// # Panics
    ///
    /// If there are fewer particles than the packs were made for.
    pub(crate) fn sweep(&mut self, particles: &mut [Particle<T>], sweep: Sweep<T>) {
        assert!(particles.len() >= self.particles, "the packs were planned for more particles");
        let shared = DisjointParticles::new(
            particles,
            #[cfg(debug_assertions)]
            None,
        );
        let stride = self.stride();
        let mut rows = self.rows.as_mut_slice();
        for colour in &self.colours {
            let clusters = &self.clusters[colour.clone()];
            let (Some(first), Some(last)) = (clusters.first(), clusters.last()) else { continue };
            let packs = first.start..last.end;
            let (now, later) = std::mem::take(&mut rows).split_at_mut(packs.len() * stride);
            rows = later;
            let run = Run {
                indices: &self.indices[packs.clone()],
                rows: now,
                stride,
                uniform: self.uniform,
                particles: &shared,
                sweep,
                kind: self.kind,
            };
            run.split(clusters, packs.start);
        }
    }
}

/// A range of packs at work.
pub struct Run<'a, T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    indices: &'a [[[u32; PACK]; N]],
    rows: &'a mut [[T; PACK]],
    stride: usize,
    uniform: Option<T>,
    particles: &'a DisjointParticles<'a, T>,
    sweep: Sweep<T>,
    kind: std::marker::PhantomData<K>,
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> Run<'_, T, K, N, M> {
    /// Halves the clusters of a colour until each task has one; `first` is the first pack of the run.
    fn split(self, clusters: &[Range<usize>], first: usize) {
        if !self.sweep.parallel || clusters.len() == 1 {
            let simd = self.sweep.simd;
            T::project_packs(self, simd);
            return;
        }
        let (low, high) = clusters.split_at(clusters.len() / 2);
        let at = high[0].start - first;
        let (indices, more_indices) = self.indices.split_at(at);
        let (rows, more_rows) = self.rows.split_at_mut(at * self.stride);
        let a = Run { indices, rows, ..self };
        let b = Run { indices: more_indices, rows: more_rows, ..self };
        rayon::join(|| a.split(low, first), || b.split(high, high[0].start));
    }

    /// Projects the packs one after the other in lanes of the type `L`.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of `L`, and nobody else accesses the particles of these packs meanwhile.
    #[inline(always)]
    pub(super) unsafe fn project<L: Lanes<T>>(self) {
        let start = self.particles.start();
        let inverse_h2 = L::load(&[self.sweep.inverse_h2; PACK]);
        let update = Update {
            scale: L::load(&[self.sweep.update.scale; PACK]),
            memory: L::load(&[self.sweep.update.memory; PACK]),
            gradient_floor: L::load(&[self.sweep.update.gradient_floor; PACK]),
        };
        let uniform = L::load(&[self.uniform.unwrap_or(T::zero()); PACK]) * inverse_h2;
        for (indices, rows) in self.indices.iter().zip(self.rows.chunks_exact_mut(self.stride)) {
            for lane in (0..PACK).step_by(L::WIDTH) {
                // Loops instead of closures: what is not inlined into the kernel cannot use its instructions.
                let mut x = [Vector3::new(L::zero(), L::zero(), L::zero()); N];
                let mut w = [L::zero(); N];
                for j in 0..N {
                    // SAFETY: indices are in range and particles ours alone (invariant of `Packs`, promise of the caller).
                    (x[j], w[j]) = unsafe { L::gather(start, &indices[j][lane..]) };
                }
                let mut rest = [L::zero(); MAX_REST];
                for k in 0..K::REST {
                    rest[k] = L::load(&rows[k][lane..]);
                }
                let alpha_tilde = if self.uniform.is_some() {
                    uniform
                } else {
                    L::load(&rows[K::REST][lane..]) * inverse_h2
                };
                let first = self.stride - M;
                let mut lambda = [L::zero(); M];
                for row in 0..M {
                    lambda[row] = L::load(&rows[first + row][lane..]);
                }
                let constraint = K::from_rest(&rest[..K::REST]);
                let dx = project(&constraint, &x, &w, alpha_tilde, update, &mut lambda);
                for row in 0..M {
                    lambda[row].store(&mut rows[first + row][lane..]);
                }
                for j in 0..N {
                    // SAFETY: as above, and the particles of a pack are distinct.
                    unsafe { L::scatter(start, &indices[j][lane..], x[j] + dx[j], w[j]) };
                }
            }
        }
    }
}
