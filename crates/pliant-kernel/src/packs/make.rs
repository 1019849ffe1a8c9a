//! How packs are made from a plan, and the check of their invariant.

use std::marker::PhantomData;

use pliant_constraints::{Kind, MAX_REST};

use super::{NONE, PackPlan, Packs, Way};
use crate::ahead::Ahead;
use crate::item::Give;
use crate::lanes::{PACK, most_particles, offset, particle_at};
use crate::lists::{Clusters, Finished, Lists};
use crate::number::Number;
use crate::particles::Particle;
use crate::per_cluster::PerCluster;
use crate::points::Points;
use crate::trio_count::TrioCount;

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    pub(crate) fn new_here(
        count: usize,
        item: &Give<'_, T, K, N, M>,
        uniform: Option<T>,
        plan: PackPlan,
        particles: usize,
    ) -> Self {
        assert!(particles <= most_particles::<T>(), "offsets of so many particles do not fit into 32 bits");
        let PackPlan { packs: planned, clusters, trio_counts, numbers, dummies, colours, waits } = plan;
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
            places: None,
            kind: PhantomData,
        };
        packs.rows = vec![[T::zero(); PACK]; packs.source.len() * packs.stride()];
        packs.multipliers = vec![[T::zero(); PACK]; packs.source.len() * M];
        assert_eq!(trio_counts.len(), packs.clusters.len(), "every cluster has its trios");
        let sizes = || packs.clusters.iter().map(ExactSizeIterator::len).zip(trio_counts.iter().copied());
        for (packs, trio_count) in sizes() {
            assert!(
                trio_count == TrioCount::default() || Self::SIDES,
                "points that may not change places make no triangle"
            );
            assert!(trio_count.packs() <= packs, "trios must lie in their cluster");
        }
        packs.points = Points::for_clusters(sizes());
        let mut points = Vec::new();
        for (cluster, (trio_count, dummies)) in trio_counts.into_iter().zip(dummies).enumerate() {
            let members = packs.clusters[cluster].clone();
            points.clear();
            points.extend(members.clone().map(|pack| packs.fill(pack, item, dummies)));
            for trio in trio_count.trios() {
                packs.orient(members.start, trio, &mut points);
            }
            packs.points.push(trio_count, &points);
        }
        packs.linked = packs.verify();
        packs.share_out(1, false);
        packs
    }

    /// Makes the lists of a team that walks in either direction, unless they are there.
    pub(super) fn share_out(&mut self, members: usize, backward: bool) {
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

    /// Fills in the data of a pack, whose `source` still holds the places of its constraints, and returns the
    /// offsets of its points.
    fn fill(&mut self, pack: usize, item: &Give<'_, T, K, N, M>, dummies: u32) -> [[u32; PACK]; N] {
        let members = self.source[pack];
        assert!(members[0] != NONE, "a pack holds at least one constraint");
        let mut offsets = [[0; PACK]; N];
        let stride = self.stride();
        let rows = &mut self.rows[pack * stride..(pack + 1) * stride];
        // Dummies repeat the first constraint's data on particles of their own that cannot move. The items
        // are read in a loop of their own, so that all loads are issued at once: they lie far apart.
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

    /// Orients the constraints of a trio of a cluster, which begins with the pack `first`, along the sides
    /// a–b, b–c and a–c.
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
        // The pack that each particle was last seen in. If every cluster waits for the last one at each of
        // its particles, then all that share a particle form a chain.
        let mut seen = vec![u32::MAX; self.particles];
        let mut linked = vec![false; self.source.len()];
        for (cluster, packs) in self.clusters.iter().enumerate() {
            let trio_count = self.points.trio_count(cluster);
            let (corners, others) = self.points.of(cluster).split_at(trio_count.packs());
            let (pairs, single) = corners.split_at(6 * trio_count.pairs);
            let (mut first, mut before) = (packs.start, u32::MAX);
            // Checks rows of points of which no two may be the same particle: those of the next `count`
            // packs, which stand for `ways` lists of constraints.
            let mut look = |rows: &[[u32; PACK]], ways: usize, count: usize| {
                for (row, points) in rows.iter().enumerate() {
                    for (&offset, &source) in points.iter().zip(&self.source[first + row % ways]) {
                        let v = particle_at::<T>(offset) as usize;
                        let last = std::mem::replace(&mut seen[v], first as u32);
                        // Dummies cannot move, even if they are shared.
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
}
