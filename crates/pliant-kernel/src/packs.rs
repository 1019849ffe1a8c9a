//! [`Packs`]: constraints of one kind, eight side by side, in clusters that run in parallel.
//!
//! A *pack* holds eight constraints that share no particle, as arrays of eight: offsets of particles, rest data, compliances and multipliers. Packs belong to *clusters*, which are
//! projected by one thread each; clusters of one *colour* share no particle. A cluster waits for the few before it that it shares particles with, not for a whole colour.
//!
//! Constraints between two points may come in *trios*: three packs that hold, lane by lane, the sides of a triangle. Its corners are then loaded and stored once for all three sides.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::OnceLock;

use crate::per_cluster::PerCluster;
use pliant_constraints::{Kind, MAX_REST};

use super::ahead::Ahead;
use super::batch::{Item, Sweep};
use super::compiled::{Compiled, Give};
use super::findings::Common;
use super::lanes::{PACK, Simd, most_particles, offset, particle_at};
use super::lists::{Clusters, Finished, Lists};
use super::points::Points;
use super::run::Run;
use super::survey::Survey;
use super::team::Team;
use crate::layout::Layout;
use crate::particles::Particle;
use crate::scalar::Scalar;
use crate::summary::{State, Summary, energy_over_rest, summarise_items};

/// Stands for no constraint in the list of numbers.
pub const NONE: u32 = u32::MAX;

/// Constraints in packs.
///
/// Invariant, established by [`Packs::new`]: every offset is that of a particle below `particles`; no two constraints of a pack share a particle; of any two clusters that share a
/// particle, the later waits for the earlier, directly or by way of others that do; trios are what [`Woven`] says.
pub struct Packs<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> {
    /// Which particles the packs act on, and which of them are trios.
    points: Points<N>,
    /// `stride` rows of eight per pack: rest data, compliance unless it is the same for all.
    rows: Vec<[T; PACK]>,
    /// `M` rows of eight per pack. By themselves, because most sweeps neither read nor write them: those of equations without compliance before the last substep of a frame, and first
    /// iterations that are not followed by others.
    multipliers: Vec<[T; PACK]>,
    /// The caller's numbers of the constraints of every pack.
    source: Vec<[u32; PACK]>,
    /// For every pack a bit for each lane whose points have changed places, see [`Packs::orient`].
    turned: Vec<u8>,
    /// For the first pack of every pair of trios, of every single trio and for every other pack, whether it shares a particle with the unit before it in its cluster.
    linked: Vec<bool>,
    /// The compliance of all constraints, if it is the same.
    uniform: Option<T>,
    /// Packs of every cluster.
    clusters: Vec<Range<usize>>,
    /// Numbers of the clusters that follow one another in space.
    numbers: Vec<u32>,
    /// Clusters of every colour.
    colours: Vec<Range<usize>>,
    finished: Vec<Finished>,
    /// The round at work.
    round: u32,
    /// How clusters are walked from the first to the last.
    there: Way,
    /// The same from the last to the first; made when a sweep first goes that way.
    back: Option<Way>,
    particles: usize,
    len: usize,
    compiled: &'static Compiled<T, K, N, M>,
}

/// One of the two directions in which clusters are walked.
struct Way {
    /// For every cluster those which share particles with it and come before it in this direction.
    waits: PerCluster,
    /// Who projects what in the team that was last at work.
    lists: Lists,
    /// What clusters ask for, according to the lists.
    ahead: Ahead,
}

impl Default for Way {
    fn default() -> Self {
        let waits = PerCluster::from_pairs(0, std::iter::empty);
        Self { waits, lists: Lists::default(), ahead: Ahead::default() }
    }
}

/// How many trios a cluster begins with.
///
/// A trio is three packs of constraints between two points, which hold in every lane the sides a–b, b–c and a–c of a triangle, or nothing. First come pairs of trios that share no
/// particle, which are walked in step: a–b of one and of the other, b–c of both, a–c of both; then single trios; then packs that belong to none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Woven {
    /// Pairs of trios, six packs each.
    pub pairs: usize,
    /// Single trios, three packs each.
    pub single: usize,
}

impl Woven {
    /// Packs in trios.
    pub fn packs(self) -> usize {
        6 * self.pairs + 3 * self.single
    }

    /// Which corners a pack of a trio joins, by their place among the corners of all trios: a, d, b, e, c, f for a pair and a, b, c for a single one. `None` for packs that belong to none.
    pub(super) fn ends(self, pack: usize) -> Option<[usize; 2]> {
        const ENDS: [[usize; 2]; 3] = [[0, 1], [1, 2], [0, 2]];
        if pack < 6 * self.pairs {
            let (first, side, way) = (pack / 6 * 6, pack % 6 / 2, pack % 2);
            Some(ENDS[side].map(|corner| first + 2 * corner + way))
        } else if pack < self.packs() {
            let first = 6 * self.pairs;
            let (trio, side) = ((pack - first) / 3 * 3, (pack - first) % 3);
            Some(ENDS[side].map(|corner| first + trio + corner))
        } else {
            None
        }
    }

    /// The places of the packs of every trio, from the first pack of a cluster.
    pub fn trios(self) -> impl Iterator<Item = [usize; 3]> {
        let pairs = (0..self.pairs).flat_map(|p| [0, 1].map(|way| [0, 2, 4].map(|side| 6 * p + side + way)));
        let single = (0..self.single).map(move |t| [0, 1, 2].map(|side| 6 * self.pairs + 3 * t + side));
        pairs.chain(single)
    }
}

/// A plan of packs: which constraints, by their place in a list, form each pack, each cluster and each colour.
pub struct PackPlan {
    /// One to eight constraints each, then [`NONE`].
    pub packs: Vec<[u32; PACK]>,
    /// Consecutive ranges of packs.
    pub clusters: Vec<Range<usize>>,
    /// Trios of every cluster.
    pub woven: Vec<Woven>,
    /// Numbers of the clusters that follow one another in space.
    pub numbers: Vec<u32>,
    /// First of the dummy particles of every cluster, eight per point of a stencil.
    pub dummies: Vec<u32>,
    /// Consecutive ranges of clusters of which no two share a particle.
    pub colours: Vec<Range<usize>>,
    /// For every cluster those before it which share particles with it.
    pub waits: PerCluster,
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    /// Whether constraints of the kind join two points that may change places: those can be sides of triangles, and pull as much at one end as at the other.
    pub const SIDES: bool = K::SYMMETRIC && N == 2 && M == 1;

    /// Packs `count` constraints, of which `item` gives one by its place, as planned, over `particles` particles of which the last are dummies without mass.
    /// `uniform` is the compliance of all, if it is the same.
    ///
    /// # Panics
    ///
    /// If the plan breaks the invariant, which is a bug of the planner.
    pub fn new(
        count: usize,
        item: impl Fn(usize) -> Item<T, K, N, M>,
        uniform: Option<T>,
        plan: PackPlan,
        particles: usize,
    ) -> Self {
        (Compiled::get().pack)(count, &item, uniform, plan, particles)
    }

    pub(crate) fn new_here(
        count: usize,
        item: &Give<'_, T, K, N, M>,
        uniform: Option<T>,
        plan: PackPlan,
        particles: usize,
    ) -> Self {
        assert!(particles <= most_particles::<T>(), "offsets of so many particles do not fit into 32 bits");
        let PackPlan { packs: planned, clusters, woven, numbers, dummies, colours, waits } = plan;
        let mut packs = Self {
            points: Points::default(),
            rows: Vec::new(),
            multipliers: Vec::new(),
            turned: vec![0; planned.len()],
            linked: Vec::new(),
            source: planned,
            uniform,
            finished: Finished::none(clusters.len()),
            round: 0,
            there: Way { waits, ..Way::default() },
            back: None,
            clusters,
            numbers,
            colours,
            particles,
            len: count,
            compiled: Compiled::get(),
        };
        packs.rows = vec![[T::zero(); PACK]; packs.source.len() * packs.stride()];
        packs.multipliers = vec![[T::zero(); PACK]; packs.source.len() * M];
        assert_eq!(woven.len(), packs.clusters.len(), "every cluster has its trios");
        let sizes = || packs.clusters.iter().map(ExactSizeIterator::len).zip(woven.iter().copied());
        for (packs, woven) in sizes() {
            assert!(
                woven == Woven::default() || Self::SIDES,
                "points that may not change places make no triangle"
            );
            assert!(woven.packs() <= packs, "trios must lie in their cluster");
        }
        packs.points = Points::for_clusters(sizes());
        let mut points = Vec::new();
        for (cluster, (woven, dummies)) in woven.into_iter().zip(dummies).enumerate() {
            let members = packs.clusters[cluster].clone();
            points.clear();
            points.extend(members.clone().map(|pack| packs.fill(pack, item, dummies)));
            for trio in woven.trios() {
                packs.orient(members.start, trio, &mut points);
            }
            packs.points.push(woven, &points);
        }
        packs.linked = packs.verify();
        packs.share_out(1, false);
        packs
    }

    /// Makes the lists of a team that walks in either direction, unless they are there.
    fn share_out(&mut self, members: usize, backward: bool) {
        let Self { clusters: packs, numbers, points, there, back, .. } = self;
        let count = packs.len();
        let waits = &there.waits;
        let way = if backward {
            back.get_or_insert_with(|| Way {
                waits: PerCluster::from_pairs(count, || {
                    (0..count).flat_map(|later| waits.row(later).iter().map(move |&w| (w, later as u32)))
                }),
                ..Way::default()
            })
        } else {
            there
        };
        if way.lists.members() == members {
            return;
        }
        way.lists = Lists::new(Clusters { packs, numbers, waits: &way.waits, backward }, members);
        let bytes = size_of::<Particle<T>>() * self.particles;
        way.ahead = Ahead::new(points, packs, way.lists.iter(), backward, bytes);
    }

    /// Fills in the data of a pack, whose `source` still says the places of its constraints, and returns the offsets of its points.
    fn fill(&mut self, pack: usize, item: &Give<'_, T, K, N, M>, dummies: u32) -> [[u32; PACK]; N] {
        let members = self.source[pack];
        assert!(members[0] != NONE, "a pack holds at least one constraint");
        let mut offsets = [[0; PACK]; N];
        let stride = self.stride();
        let rows = &mut self.rows[pack * stride..(pack + 1) * stride];
        // Dummies repeat the first constraint's data on particles of their own that cannot move. The items by themselves, so that the memory is asked for all at once: they lie far apart.
        let items = members.map(|member| item(if member == NONE { members[0] } else { member } as usize));
        for (lane, item) in items.iter().enumerate() {
            let present = members[lane] != NONE;
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
            for (row, lambda) in self.multipliers[pack * M..].iter_mut().zip(item.lambda()) {
                row[lane] = *lambda;
            }
            if present {
                self.source[pack][lane] = item.source() as u32;
            }
        }
        offsets
    }

    /// Has the constraints of a trio of a cluster, which begins with the pack `first`, begin and end where the sides a–b, b–c and a–c do.
    fn orient(&mut self, first: usize, trio: [usize; 3], points: &mut [[[u32; PACK]; N]]) {
        for lane in 0..PACK {
            let present = trio.map(|pack| self.source[first + pack][lane] != NONE);
            if present == [false; 3] {
                continue;
            }
            let ends = |points: &[[[u32; PACK]; N]]| {
                trio.map(|pack| [points[pack][0][lane], points[pack][N - 1][lane]])
            };
            let [ab, bc, ac] = ends(points);
            let turned = [ac.contains(&ab[1]), ab.contains(&bc[1]), bc.contains(&ac[0])];
            for (pack, _) in trio.into_iter().zip(turned).filter(|(_, turned)| *turned) {
                self.turned[first + pack] |= 1 << lane;
                if let [one, .., other] = &mut points[pack][..] {
                    std::mem::swap(&mut one[lane], &mut other[lane]);
                }
            }
            // Of what they have in common one is kept.
            let [ab, bc, ac] = ends(points);
            let whole = ab[1] == bc[0] && ab[0] == ac[0] && bc[1] == ac[1];
            assert!(
                present == [true; 3] && whole,
                "pack {} begins no triangle in lane {lane}",
                first + trio[0]
            );
        }
    }

    /// Checks the invariant, and finds out which units of packs are linked.
    fn verify(&self) -> Vec<bool> {
        let mut next = 0;
        for range in &self.clusters {
            assert_eq!(range.start, next, "clusters must follow one another");
            next = range.end;
        }
        assert_eq!(next, self.source.len(), "clusters must cover the packs");
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
        let mut linked = vec![false; self.source.len()];
        for (cluster, packs) in self.clusters.iter().enumerate() {
            let woven = self.points.woven(cluster);
            let (corners, others) = self.points.of(cluster).split_at(woven.packs());
            let (pairs, single) = corners.split_at(6 * woven.pairs);
            let (mut first, mut before) = (packs.start, u32::MAX);
            // Looks at rows of points of which no two may be one particle: those of the next `count` packs, which stand for `ways` lists of constraints.
            let mut look = |rows: &[[u32; PACK]], ways: usize, count: usize| {
                for (row, points) in rows.iter().enumerate() {
                    for (&offset, &source) in points.iter().zip(&self.source[first + row % ways]) {
                        let v = particle_at::<T>(offset) as usize;
                        let last = std::mem::replace(&mut seen[v], first as u32);
                        // Dummies cannot move, whoever shares them.
                        assert!(
                            source == NONE || last != first as u32,
                            "pack {first}: constraints that are projected side by side share particle {v}"
                        );
                        linked[first] |= source != NONE && last == before && before != u32::MAX;
                        if last != u32::MAX && (last as usize) < packs.start {
                            let other =
                                self.clusters.partition_point(|packs| packs.end <= last as usize) as u32;
                            assert!(
                                self.there.waits.row(cluster).contains(&other),
                                "cluster {cluster} does not wait for cluster {other}, which shares particle {v}"
                            );
                        }
                    }
                }
                before = first as u32;
                first += count;
            };
            pairs.chunks_exact(6).for_each(|rows| look(rows, 2, 6));
            single.chunks_exact(3).for_each(|rows| look(rows, 1, 3));
            others.chunks_exact(N).for_each(|rows| look(rows, 1, 1));
        }
        assert_eq!(self.numbers.len(), self.clusters.len(), "every cluster has its place");
        let earlier = |cluster: usize| self.there.waits.row(cluster).iter().all(|&w| (w as usize) < cluster);
        assert!((0..self.clusters.len()).all(earlier), "a cluster waits for a later one");
        linked
    }

    fn stride(&self) -> usize {
        // Not zero for kinds without rest data: slices are cut into pieces of this length.
        (K::REST + usize::from(self.uniform.is_none())).max(1)
    }

    /// Number of constraints.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The layout, for inspection.
    pub fn layout(&self) -> Layout {
        let present = |pack: &[u32; PACK]| pack.iter().filter(|&&s| s != NONE).count();
        let size = |cluster: &Range<usize>| self.source[cluster.clone()].iter().map(present).sum::<usize>();
        let bytes = self.points.bytes()
            + self.source.len()
                * ((self.stride() + M) * size_of::<[T; PACK]>()
                    + size_of::<[u32; PACK]>()
                    + size_of::<u32>()
                    + 2 * size_of::<u8>());
        Layout {
            colour_sizes: self
                .colours
                .iter()
                .map(|c| self.clusters[c.clone()].iter().map(size).sum())
                .collect(),
            clusters: self.clusters.len(),
            packs: self.source.len(),
            empty_lanes: self.source.len() * PACK - self.len,
            tail_packs: self.source.iter().filter(|pack| pack.contains(&NONE)).count(),
            triangle_packs: (0..self.clusters.len()).map(|cluster| self.points.woven(cluster).packs()).sum(),
            bytes_per_constraint: bytes.checked_div(self.len).unwrap_or_default(),
        }
    }

    /// The constraints of a range of packs, one by one.
    pub fn items(&self, packs: Range<usize>) -> impl Iterator<Item = Item<T, K, N, M>> + '_ {
        packs.flat_map(move |pack| {
            let members = (0..PACK).filter(move |&lane| self.source[pack][lane] != NONE);
            let points = self.points_of(pack);
            members.map(move |lane| self.item_at(&points, pack, lane))
        })
    }

    /// The packs of every cluster.
    pub fn clusters(&self) -> &[Range<usize>] {
        &self.clusters
    }

    /// Number of packs.
    pub fn pack_count(&self) -> usize {
        self.source.len()
    }

    /// The constraint in a lane of a pack that holds one.
    pub fn item(&self, pack: usize, lane: usize) -> Item<T, K, N, M> {
        self.item_at(&self.points_of(pack), pack, lane)
    }

    /// Offsets of the points of a pack.
    fn points_of(&self, pack: usize) -> [[u32; PACK]; N] {
        let cluster = self.clusters.partition_point(|packs| packs.end <= pack);
        self.points.pack(cluster, pack - self.clusters[cluster].start)
    }

    fn item_at(&self, points: &[[u32; PACK]; N], pack: usize, lane: usize) -> Item<T, K, N, M> {
        let stride = self.stride();
        let rows = &self.rows[pack * stride..(pack + 1) * stride];
        let mut rest = [T::zero(); MAX_REST];
        for (value, row) in rest.iter_mut().zip(&rows[..K::REST]) {
            *value = row[lane];
        }
        let mut stencil = points.map(|row| particle_at::<T>(row[lane]));
        if self.turned[pack] >> lane & 1 == 1 {
            stencil.reverse();
        }
        Item::restore(
            stencil,
            K::from_rest(&rest[..K::REST]),
            self.uniform.unwrap_or_else(|| rows[K::REST][lane]),
            std::array::from_fn(|row| self.multipliers[pack * M + row][lane]),
            self.source[pack][lane],
        )
    }

    /// Replaces the rest data of the constraint in a lane of a pack.
    pub fn set_rest(&mut self, pack: usize, lane: usize, rest: &[T]) {
        let stride = self.stride();
        for (row, value) in self.rows[pack * stride..].iter_mut().zip(&rest[..K::REST]) {
            row[lane] = *value;
        }
    }

    /// Replaces the multipliers; `of` gives those of a constraint by its number in the caller's list.
    pub fn set_multipliers(&mut self, of: impl Fn(usize) -> [T; M]) {
        for (rows, source) in self.multipliers.chunks_exact_mut(M).zip(&self.source) {
            for (lane, &s) in source.iter().enumerate().filter(|(_, s)| **s != NONE) {
                for (row, lambda) in rows.iter_mut().zip(of(s as usize)) {
                    row[lane] = lambda;
                }
            }
        }
    }

    /// The caller's numbers, pack by pack.
    pub fn sources(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
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
    pub fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        (self.compiled.sweep)(self, particles, previous, sweep, team);
    }

    pub(crate) fn sweep_here(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        assert!(particles.len() >= self.particles, "the packs were planned for more particles");
        assert!(previous.len() >= self.particles, "the packs were planned for more particles");
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.finished.iter_mut().for_each(Finished::reset);
            1
        });
        let round = self.round;
        let backward = sweep.backward;
        self.share_out(team.threads(), backward);
        let stride = self.stride();
        let Self { points, rows, multipliers, linked, clusters, finished, uniform, there, back, .. } = self;
        let Way { waits, lists, ahead } = back.as_ref().filter(|_| backward).unwrap_or(there);
        let (start, multipliers) = (Shared(particles.as_mut_ptr()), Shared(multipliers.as_mut_ptr()));
        let run = |cluster: usize| {
            let packs = clusters[cluster].clone();
            Run {
                points: points.of(cluster),
                border: ahead.border(cluster),
                ahead: ahead.lines(packs.clone()),
                linked: &linked[packs.clone()],
                woven: points.woven(cluster),
                rows: &rows[packs.start * stride..packs.end * stride],
                // SAFETY: there are `M` rows of multipliers for every pack, and nobody else has those of these packs: the team hands out every cluster once, and clusters
                // are disjoint ranges of packs (invariant of `Packs`).
                multipliers: unsafe {
                    std::slice::from_raw_parts_mut(multipliers.get().add(packs.start * M), packs.len() * M)
                },
                stride,
                uniform: *uniform,
                particles: start.get(),
                previous,
                sweep,
                kind: PhantomData::<K>,
            }
        };
        if team.threads() == 1 {
            let count = clusters.len();
            let cluster = |place: usize| if backward { count - 1 - place } else { place };
            return (0..count).for_each(|place| T::project_packs(run(cluster(place)), sweep.simd));
        }
        lists.take_turns(waits, finished, round, team, |_, cluster| {
            T::project_packs(run(cluster), sweep.simd);
        });
    }

    /// Residuals, strains and energy of all constraints. Adds what they pull at every particle, Σ ∇Cᵀλ in kg·m, to `pull`, if that is given.
    ///
    /// # Panics
    ///
    /// If there are fewer particles than the packs were made for.
    pub fn survey(
        &self,
        state: &State<'_, T>,
        pull: Option<&mut [Particle<T>]>,
        simd: Simd,
        team: Team<'_>,
    ) -> Summary {
        (self.compiled.survey)(self, state, pull, simd, team)
    }

    pub(crate) fn survey_here(
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
        let common = Common::new(self.len, team.threads());
        let Way { waits, lists, ahead } = &self.there;
        let look = |member: usize, cluster: usize| {
            let packs = self.clusters[cluster].clone();
            let survey = Survey {
                cluster,
                member,
                points: self.points.of(cluster),
                rows: &self.rows[packs.start * stride..packs.end * stride],
                multipliers: &self.multipliers[packs.start * M..packs.end * M],
                source: &self.source[packs.clone()],
                border: ahead.border(cluster),
                ahead: ahead.lines(packs.clone()),
                woven: self.points.woven(cluster),
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
            (0..self.clusters.len()).for_each(|cluster| look(0, cluster));
        } else {
            let own;
            let lists = if lists.members() == team.threads() {
                lists
            } else {
                let Self { clusters: packs, numbers, .. } = self;
                own = Lists::new(Clusters { packs, numbers, waits, backward: false }, team.threads());
                &own
            };
            lists.take_turns(waits, &Finished::none(self.clusters.len()), 1, team, look);
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

#[cfg(test)]
mod tests;
