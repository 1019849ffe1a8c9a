//! A team goes over the clusters: sweeps and evaluations.

use std::marker::PhantomData;
use std::sync::OnceLock;

use pliant_constraints::Kind;

use super::{Packs, Way};
use crate::evaluation::Evaluation;
use crate::findings::Common;
use crate::item::Sweep;
use crate::lanes::{PACK, Simd, Wide};
use crate::lists::{Clusters, Finished, Lists};
use crate::particles::Particle;
use crate::run::Run;
use crate::shared::Shared;
use crate::summary::{State, Summary, energy_over_rest, summarise_here};
use crate::team::Team;

impl<T: Wide, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    pub(crate) fn sweep_here(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        assert!(particles.len() >= self.particles, "the packs were planned for more particles");
        assert!(previous.len() >= self.particles, "the packs were planned for more particles");
        self.next_round();
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
                trio_count: points.trio_count(cluster),
                rows: &rows[packs.start * stride..packs.end * stride],
                // SAFETY: there are `M` rows of multipliers for every pack, and no other thread has those of these
                // packs: the team hands out every cluster once, and clusters
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
            return (0..count).for_each(|place| T::dispatch(run(cluster(place)), sweep.simd));
        }
        lists.take_turns(waits, finished, round, team, |_, cluster| {
            T::dispatch(run(cluster), sweep.simd);
        });
    }

    /// Calls `run` with every cluster, each when those before it that it shares particles with are finished,
    /// and with its multipliers.
    pub(crate) fn take_turns(
        &mut self,
        team: Team<'_>,
        run: &(impl Fn(&Self, usize, &mut [[T; PACK]]) + Sync),
    ) {
        self.next_round();
        self.share_out(team.threads(), false);
        let mut multipliers = std::mem::take(&mut self.multipliers);
        let start = Shared(multipliers.as_mut_ptr());
        let this = &*self;
        let cluster = |cluster: usize| {
            let packs = this.clusters[cluster].clone();
            // SAFETY: there are `M` rows of multipliers for every pack, and no other thread has those of
            // these packs: the team hands out every cluster once, and clusters are disjoint ranges of packs
            // (invariant of `Packs`).
            let own =
                unsafe { std::slice::from_raw_parts_mut(start.get().add(packs.start * M), packs.len() * M) };
            run(this, cluster, own);
        };
        if team.threads() == 1 {
            (0..this.clusters.len()).for_each(cluster);
        } else {
            let Way { waits, lists, .. } = &this.there;
            lists.take_turns(waits, &this.finished, this.round, team, |_, place| cluster(place));
        }
        self.multipliers = multipliers;
    }

    /// Begins a round, in which no cluster is finished.
    fn next_round(&mut self) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.finished.iter_mut().for_each(Finished::reset);
            1
        });
    }

    pub(crate) fn evaluate_here(
        &self,
        state: &State<'_, T>,
        impulses: Option<&mut [Particle<T>]>,
        simd: Simd,
        team: Team<'_>,
    ) -> Summary {
        let lengths =
            [state.now.len(), state.previous.len(), impulses.as_ref().map_or(usize::MAX, |p| p.len())];
        assert!(lengths.iter().all(|&n| n >= self.particles), "the packs were planned for more particles");
        let start = Shared(impulses.map_or(std::ptr::null_mut(), <[_]>::as_mut_ptr));
        let stride = self.stride();
        let found: Vec<OnceLock<Summary>> = self.clusters.iter().map(|_| OnceLock::new()).collect();
        let common = Common::new(self.len, team.threads());
        let Way { waits, lists, ahead } = &self.there;
        let look = |member: usize, cluster: usize| {
            let packs = self.clusters[cluster].clone();
            let evaluation = Evaluation {
                cluster,
                member,
                points: self.points.of(cluster),
                rows: &self.rows[packs.start * stride..packs.end * stride],
                multipliers: &self.multipliers[packs.start * M..packs.end * M],
                source: &self.source[packs.clone()],
                border: ahead.border(cluster),
                ahead: ahead.lines(packs.clone()),
                trio_count: self.points.trio_count(cluster),
                stride,
                uniform: self.uniform,
                state: *state,
                common: &common,
                impulses: start.get(),
                kind: PhantomData::<K>,
            };
            let mut summary = T::dispatch(evaluation, simd);
            if summary.inverted > 0 || !(summary.residual_squares + summary.energy).is_finite() {
                // Lanes do not report where it is.
                summary = Summary::default();
                self.for_each(packs, &mut |_, item| summarise_here(&mut summary, item, state));
                // They have been counted.
                (summary.stretch_distribution, summary.volume_distribution) = (None, None);
            } else if !state.rest_energies.is_empty() {
                summary.energy = 0.0;
                self.for_each(packs, &mut |_, item| summary.energy += energy_over_rest(item, state));
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
