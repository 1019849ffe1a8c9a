//! [`Packs`]: constraints of one kind, eight side by side, in clusters that run in parallel.
//!
//! A *pack* holds eight constraints that share no particle, as arrays of eight: offsets of particles, rest data, compliances and multipliers. Packs belong to *clusters*, which are
//! projected by one thread each; clusters of one *colour* share no particle. A cluster waits for the few before it that it shares particles with, not for a whole colour.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use nalgebra::Vector3;
use pliant_constraints::{Bound, Damping, Kind, MAX_REST, Update, project, project_damped, project_rigid};
use pliant_mesh::Adjacency;

use super::batch::{Item, Sweep};
use super::lanes::{Lanes, PACK, Simd, fetch_ahead, offset, particle_at};
use super::survey::{Common, Survey};
use super::team::Team;
use crate::float::Float;
use crate::group::Layout;
use crate::particles::Particle;
use crate::summary::{State, Summary, energy_over_rest, summarise_items};

/// Stands for no constraint in the list of numbers.
pub(crate) const NONE: u32 = u32::MAX;

/// Constraints in packs.
///
/// Invariant, established by [`Packs::new`]: every offset is that of a particle below `particles`; no two constraints of a pack share a particle; of any two clusters that share a
/// particle, the later waits for the earlier, directly or by way of others that do.
pub(crate) struct Packs<T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    offsets: Vec<[[u32; PACK]; N]>,
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
    /// For every cluster those before it which share particles with it.
    waits: Adjacency,
    /// The round in which every cluster was last finished, and the round at work.
    finished: Vec<AtomicU32>,
    round: u32,
    lists: Lists,
    particles: usize,
    len: usize,
    kind: PhantomData<K>,
}

/// A plan of packs: which constraints, by their place in a list, form each pack, each cluster and each colour.
pub(crate) struct PackPlan {
    /// One to eight constraints each, then [`NONE`].
    pub(crate) packs: Vec<[u32; PACK]>,
    /// Consecutive ranges of packs.
    pub(crate) clusters: Vec<Range<usize>>,
    /// First of the dummy particles of every cluster, eight per point of a stencil.
    pub(crate) dummies: Vec<u32>,
    /// Consecutive ranges of clusters of which no two share a particle.
    pub(crate) colours: Vec<Range<usize>>,
    /// For every cluster those before it which share particles with it.
    pub(crate) waits: Adjacency,
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    /// Packs `count` constraints, of which `item` gives one by its place, as planned, over `particles` particles of which the last are dummies without mass.
    /// `uniform` is the compliance of all, if it is the same.
    ///
    /// # Panics
    ///
    /// If the plan breaks the invariant, which is a bug of the planner.
    pub(crate) fn new(
        count: usize,
        item: impl Fn(usize) -> Item<T, K, N, M>,
        uniform: Option<T>,
        plan: PackPlan,
        particles: usize,
    ) -> Self {
        let PackPlan { packs: planned, clusters, dummies, colours, waits } = plan;
        let mut packs = Self {
            offsets: Vec::with_capacity(planned.len()),
            rows: Vec::new(),
            source: planned,
            uniform,
            finished: clusters.iter().map(|_| AtomicU32::new(0)).collect(),
            round: 0,
            lists: Lists::default(),
            clusters,
            colours,
            waits,
            particles,
            len: count,
            kind: PhantomData,
        };
        packs.rows = vec![[T::zero(); PACK]; packs.source.len() * packs.stride()];
        for (cluster, &dummies) in dummies.iter().enumerate() {
            for pack in packs.clusters[cluster].clone() {
                packs.fill(pack, &item, dummies);
            }
        }
        packs.verify();
        packs
    }

    /// Appends the data of a pack, whose `source` still says the places of its constraints.
    fn fill(&mut self, pack: usize, item: &impl Fn(usize) -> Item<T, K, N, M>, dummies: u32) {
        let members = self.source[pack];
        assert!(members[0] != NONE, "a pack holds at least one constraint");
        let mut offsets = [[0; PACK]; N];
        let stride = self.stride();
        let rows = &mut self.rows[pack * stride..(pack + 1) * stride];
        for lane in 0..PACK {
            let present = members[lane] != NONE;
            // Dummies repeat the first constraint's data on particles of their own that cannot move.
            let item = item(members[if present { lane } else { 0 }] as usize);
            for (j, row) in offsets.iter_mut().enumerate() {
                let particle = if present { item.stencil()[j] } else { dummies + (j * PACK + lane) as u32 };
                assert!((particle as usize) < self.particles, "particle {particle} does not exist");
                row[lane] = offset::<T>(particle);
            }
            let mut rest = [T::zero(); MAX_REST];
            K::rest_of(item.rest(), &mut rest[..K::REST]);
            for (row, value) in rows.iter_mut().zip(&rest[..K::REST]) {
                row[lane] = *value;
            }
            if self.uniform.is_none() {
                rows[K::REST][lane] = item.compliance();
            }
            for (row, lambda) in rows[stride - M..].iter_mut().zip(item.lambda()) {
                row[lane] = *lambda;
            }
            if present {
                self.source[pack][lane] = item.source() as u32;
            }
        }
        self.offsets.push(offsets);
    }

    /// Checks the invariant.
    fn verify(&self) {
        let mut next = 0;
        for range in &self.clusters {
            assert_eq!(range.start, next, "clusters must follow one another");
            next = range.end;
        }
        assert_eq!(next, self.offsets.len(), "clusters must cover the packs");
        next = 0;
        for range in &self.colours {
            assert_eq!(range.start, next, "colours must follow one another");
            next = range.end;
        }
        assert_eq!(next, self.clusters.len(), "colours must cover the clusters");
        let count = self.source.iter().flatten().filter(|&&s| s != NONE).count();
        assert_eq!(count, self.len, "every constraint must be in one pack");
        // The pack that each particle was last seen in. If every cluster waits for the last one at each of its particles, then all that share a particle
        // form a chain.
        let mut seen = vec![u32::MAX; self.particles];
        for (cluster, packs) in self.clusters.iter().enumerate() {
            for pack in packs.clone() {
                for &offset in self.offsets[pack].iter().flatten() {
                    let v = particle_at::<T>(offset) as usize;
                    let last = std::mem::replace(&mut seen[v], pack as u32);
                    assert_ne!(last, pack as u32, "two constraints of pack {pack} share particle {v}");
                    if last != u32::MAX && (last as usize) < packs.start {
                        let other = self.clusters.partition_point(|packs| packs.end <= last as usize) as u32;
                        assert!(
                            self.waits.row(cluster).contains(&other),
                            "cluster {cluster} does not wait for cluster {other}, which shares particle {v}"
                        );
                    }
                }
            }
        }
        let earlier = |cluster: usize| self.waits.row(cluster).iter().all(|&w| (w as usize) < cluster);
        assert!((0..self.clusters.len()).all(earlier), "a cluster waits for a later one");
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
        let bytes = self.offsets.len()
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
            packs: self.offsets.len(),
            empty_lanes: self.offsets.len() * PACK - self.len,
            tail_packs: self.source.iter().filter(|pack| pack.contains(&NONE)).count(),
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

    /// The packs of every cluster.
    pub(crate) fn clusters(&self) -> &[Range<usize>] {
        &self.clusters
    }

    pub(crate) fn pack_count(&self) -> usize {
        self.offsets.len()
    }

    /// The constraint in a lane of a pack that holds one.
    pub(crate) fn item(&self, pack: usize, lane: usize) -> Item<T, K, N, M> {
        let stride = self.stride();
        let rows = &self.rows[pack * stride..(pack + 1) * stride];
        let mut rest = [T::zero(); MAX_REST];
        for (value, row) in rest.iter_mut().zip(&rows[..K::REST]) {
            *value = row[lane];
        }
        Item::restore(
            self.offsets[pack].map(|row| particle_at::<T>(row[lane])),
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

    /// Replaces the multipliers; `of` gives those of a constraint by its number in the caller's list.
    pub(crate) fn set_multipliers(&mut self, of: impl Fn(usize) -> [T; M]) {
        let stride = self.stride();
        for (rows, source) in self.rows.chunks_exact_mut(stride).zip(&self.source) {
            for (lane, &s) in source.iter().enumerate().filter(|(_, s)| **s != NONE) {
                for (row, lambda) in of(s as usize).into_iter().enumerate() {
                    rows[stride - M + row][lane] = lambda;
                }
            }
        }
    }

    /// The caller's numbers, pack by pack.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        self.source.iter().enumerate().flat_map(|(pack, lanes)| {
            let present = lanes.iter().enumerate().filter(|(_, s)| **s != NONE);
            present.map(move |(lane, &s)| (s as usize, pack, lane))
        })
    }

    /// Projects every constraint once, cluster by cluster. Each starts when those before it that it shares particles with are finished, so what a particle goes through does not depend on who does it.
    ///
    /// # Panics
    ///
    /// If there are fewer particles than the packs were made for.
    pub(crate) fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        assert!(particles.len() >= self.particles, "the packs were planned for more particles");
        assert!(previous.len() >= self.particles, "the packs were planned for more particles");
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.finished.iter_mut().for_each(|round| *round.get_mut() = 0);
            1
        });
        let round = self.round;
        let stride = self.stride();
        let Self { offsets, rows, clusters, colours, waits, finished, lists, uniform, .. } = self;
        let (start, first_row) = (Shared(particles.as_mut_ptr()), Shared(rows.as_mut_ptr()));
        let run = |packs: Range<usize>| Run {
            offsets: &offsets[packs.clone()],
            // SAFETY: there are `stride` rows for every pack, and nobody else has those of these packs: the team hands out every cluster once, and clusters
            // are disjoint ranges of packs (invariant of `Packs`).
            rows: unsafe {
                std::slice::from_raw_parts_mut(
                    first_row.get().add(packs.start * stride),
                    packs.len() * stride,
                )
            },
            stride,
            uniform: *uniform,
            particles: start.get(),
            previous,
            sweep,
            kind: PhantomData::<K>,
        };
        if team.threads() == 1 {
            return T::project_packs(run(0..offsets.len()), sweep.simd);
        }
        if lists.members != team.threads() {
            *lists = Lists::new(colours, team.threads());
        }
        lists.take_turns(waits, finished, round, team, |cluster| {
            T::project_packs(run(clusters[cluster].clone()), sweep.simd);
        });
    }

    /// Residuals, strains and energy of all constraints. Adds what they pull at every particle, Σ ∇Cᵀλ in kg·m, to `pull`, if that is given.
    ///
    /// # Panics
    ///
    /// If there are fewer particles than the packs were made for.
    pub(crate) fn survey(
        &self,
        state: &State<'_, T>,
        pull: Option<&mut [Particle<T>]>,
        simd: Simd,
        team: Team<'_>,
    ) -> Summary {
        let lengths = [state.now.len(), state.previous.len(), pull.as_ref().map_or(usize::MAX, |p| p.len())];
        assert!(lengths.iter().all(|&n| n >= self.particles), "the packs were planned for more particles");
        let start = Shared(pull.map_or(std::ptr::null_mut(), <[_]>::as_mut_ptr));
        let stride = self.stride();
        let found: Vec<OnceLock<Summary>> = self.clusters.iter().map(|_| OnceLock::new()).collect();
        let common = Common::default();
        let look = |cluster: usize| {
            let packs = self.clusters[cluster].clone();
            let survey = Survey {
                offsets: &self.offsets[packs.clone()],
                rows: &self.rows[packs.start * stride..packs.end * stride],
                source: &self.source[packs.clone()],
                stride,
                uniform: self.uniform,
                state: *state,
                common: &common,
                pull: start.get(),
                kind: PhantomData::<K>,
            };
            let mut summary = T::survey_packs(survey, simd);
            if summary.inverted > 0 || !(summary.residual_squares + summary.energy).is_finite() {
                // Lanes do not tell where it is.
                summary = Summary {
                    // They have been counted.
                    stretch_distribution: None,
                    volume_distribution: None,
                    ..summarise_items(self.items(packs), state)
                };
            } else if !state.rest_energies.is_empty() {
                summary.energy = self.items(packs).map(|item| energy_over_rest(&item, state)).sum();
            }
            common.note(&summary);
            let _ = found[cluster].set(summary);
        };
        if team.threads() == 1 {
            (0..self.clusters.len()).for_each(look);
        } else {
            let finished: Vec<_> = self.clusters.iter().map(|_| AtomicU32::new(0)).collect();
            Lists::new(&self.colours, team.threads()).take_turns(&self.waits, &finished, 1, team, look);
        }
        let mut all = found.iter().filter_map(OnceLock::get).fold(Summary::default(), Summary::merge);
        if all.stretches > 0 {
            all.stretch_distribution = Some(common.distribution());
        } else if all.volumes > 0 {
            all.volume_distribution = Some(common.distribution());
        }
        all
    }
}

/// Which member of a team begins with which clusters: of every colour the same part, so that it meets the same particles again.
#[derive(Default)]
struct Lists {
    members: usize,
    /// The clusters of the first member, colour by colour, then those of the second, and so on.
    order: Vec<u32>,
    /// Place of every cluster in the order.
    place_of: Vec<u32>,
    /// Ends of the members' lists.
    ends: Vec<usize>,
}

impl Lists {
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer clusters than particles")]
    fn new(colours: &[Range<usize>], members: usize) -> Self {
        let mut lists = Self { members, ..Self::default() };
        for member in 0..members {
            for (c, colour) in colours.iter().enumerate() {
                // What does not divide goes to another member with every colour.
                let bound = |member: usize| colour.start + (colour.len() * member + c % members) / members;
                let first = if member == 0 { colour.start } else { bound(member) };
                let end = if member + 1 == members { colour.end } else { bound(member + 1) };
                lists.order.extend((first as u32)..end as u32);
            }
            lists.ends.push(lists.order.len());
        }
        lists.place_of = vec![0; lists.order.len()];
        for (place, &cluster) in (0_u32..).zip(&lists.order) {
            lists.place_of[cluster as usize] = place;
        }
        lists
    }

    /// Has a team run every cluster once, each when those before it that it shares particles with are finished in this `round`.
    fn take_turns(
        &self,
        waits: &Adjacency,
        finished: &[AtomicU32],
        round: u32,
        team: Team<'_>,
        run: impl Fn(usize) + Sync,
    ) {
        team.run_lists(&self.ends, |place| {
            let cluster = self.order[place] as usize;
            for &other in waits.row(cluster) {
                let is_finished = || finished[other as usize].load(Ordering::Acquire) == round;
                team.wait_for(self.place_of[other as usize] as usize, is_finished);
            }
            run(cluster);
            finished[cluster].store(round, Ordering::Release);
        });
    }
}

/// Mode of projection: any compliance and update.
const PLAIN: u8 = 0;
/// Mode of projection: equations of zero compliance under XPBD. The multiplier has no part in them: it need not be read, nor written before the last substep of a frame.
const RIGID: u8 = 1;
/// Mode of projection: as plain, with damping.
const DAMPED: u8 = 2;

/// A pointer that several threads use for places of their own.
struct Shared<X>(*mut X);

// SAFETY: whoever dereferences it promises that no two threads do so at the same place between two barriers. What it points to is plain data.
unsafe impl<X: Send> Sync for Shared<X> {}

impl<X> Shared<X> {
    /// The pointer; a method, so that closures capture what is shared and not what it holds.
    fn get(&self) -> *mut X {
        self.0
    }
}

/// A range of packs at work: the particles of its packs are accessed by nobody else meanwhile.
pub struct Run<'a, T: Float, K: Kind<N, M>, const N: usize, const M: usize> {
    offsets: &'a [[[u32; PACK]; N]],
    rows: &'a mut [[T; PACK]],
    stride: usize,
    uniform: Option<T>,
    particles: *mut Particle<T>,
    previous: &'a [Particle<T>],
    sweep: Sweep<T>,
    kind: PhantomData<K>,
}

impl<T: Float, K: Kind<N, M>, const N: usize, const M: usize> Run<'_, T, K, N, M> {
    /// Projects the packs one after the other in lanes of the type `L`.
    ///
    /// # Safety
    ///
    /// The processor has the instructions of `L`, and nobody else accesses the particles of these packs meanwhile.
    #[inline(always)]
    pub(super) unsafe fn project<L: Lanes<T>>(self) {
        // A mode more is a kernel more to compile for every kind and lane; in blocks, which are rarely rigid, the multipliers are a small part of the work.
        let equation = M == 1 && matches!(K::BOUND, Bound::Equality);
        // SAFETY: as the caller promises.
        unsafe {
            if self.sweep.gamma > T::zero() {
                self.go::<L, DAMPED>();
            } else if equation && self.uniform == Some(T::zero()) && self.sweep.update.is_xpbd() {
                self.go::<L, RIGID>();
            } else {
                self.go::<L, PLAIN>();
            }
        }
    }

    /// The projection in one of its modes: [`PLAIN`], [`RIGID`] or [`DAMPED`].
    #[inline(always)]
    unsafe fn go<L: Lanes<T>, const MODE: u8>(self) {
        let Sweep { update, first, keep, last, inverse_h2, gamma, .. } = self.sweep;
        let rigid = MODE == RIGID;
        let gradient_floor = L::load(&[update.gradient_floor; PACK]);
        let update = Update {
            scale: L::load(&[update.scale; PACK]),
            memory: L::load(&[update.memory; PACK]),
            gradient_floor,
        };
        let (inverse_h2, gamma) = (L::load(&[inverse_h2; PACK]), L::load(&[gamma; PACK]));
        let uniform = L::load(&[self.uniform.unwrap_or(T::zero()); PACK]) * inverse_h2;
        let save = keep || (!rigid && !last);
        let row_of_lambda = self.stride - M;
        for (offsets, rows) in self.offsets.iter().zip(self.rows.chunks_exact_mut(self.stride)) {
            fetch_ahead(offsets, rows);
            for lane in (0..PACK).step_by(L::WIDTH) {
                // Loops instead of closures: what is not inlined into the kernel cannot use its instructions.
                let mut x = [Vector3::new(L::zero(), L::zero(), L::zero()); N];
                let mut w = [L::zero(); N];
                for j in 0..N {
                    // SAFETY: offsets are in range and particles ours alone (invariant of `Packs`, promise of the caller).
                    (x[j], w[j]) = unsafe { L::gather(self.particles, &offsets[j][lane..]) };
                }
                let mut rest = [L::zero(); MAX_REST];
                for k in 0..K::REST {
                    rest[k] = L::load(&rows[k][lane..]);
                }
                let alpha_tilde = if rigid {
                    L::zero()
                } else if self.uniform.is_some() {
                    uniform
                } else {
                    L::load(&rows[K::REST][lane..]) * inverse_h2
                };
                let mut lambda = [L::zero(); M];
                if !rigid && !first {
                    for row in 0..M {
                        lambda[row] = L::load(&rows[row_of_lambda + row][lane..]);
                    }
                }
                let constraint = K::from_rest(&rest[..K::REST]);
                let dx = if MODE == DAMPED {
                    let mut previous = x;
                    for j in 0..N {
                        // SAFETY: offsets are in range of the previous particles too (checked in `sweep`), which nobody writes.
                        (previous[j], _) = unsafe { L::gather(self.previous.as_ptr(), &offsets[j][lane..]) };
                    }
                    let damping = Damping { previous: &previous, gamma };
                    project_damped(&constraint, &x, &w, alpha_tilde, damping, update, &mut lambda)
                } else if rigid {
                    let floor = if K::GRADIENT_VANISHES { Some(gradient_floor) } else { None };
                    project_rigid(&constraint, &x, &w, floor, &mut lambda)
                } else {
                    project(&constraint, &x, &w, alpha_tilde, update, &mut lambda)
                };
                if save {
                    for row in 0..M {
                        if rigid && !first {
                            lambda[row] += L::load(&rows[row_of_lambda + row][lane..]);
                        }
                        lambda[row].store(&mut rows[row_of_lambda + row][lane..]);
                    }
                }
                for j in 0..N {
                    // SAFETY: as above, and the particles of a pack are distinct.
                    unsafe { L::scatter(self.particles, &offsets[j][lane..], x[j] + dx[j], w[j]) };
                }
            }
        }
    }
}
