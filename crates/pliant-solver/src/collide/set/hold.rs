//! What happens after the sweeps: pairs are held by the net until nothing has to move any more.

use pliant_kernel::{Particle, Scalar, Team, widen};

use super::CollisionSet;
use crate::collide::crowded::Crowded;
use crate::collide::net::{Cut, Swept};
use crate::collide::skin::Skins;

/// How often pairs are held again because particles were put behind planes. A push that passes through more
/// layers than that is taken for a pinch.
const ROUNDS: u32 = 8;

impl<T: Scalar> CollisionSet<T> {
    /// Cuts back what would cross, and puts what is in the way of held particles behind their planes.
    pub(super) fn cut_back(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        h: f64,
        team: Team<'_>,
    ) -> Cut {
        // By prediction all were where they are expected; the mean of all may be off since.
        let drift = self.paths.drift_to(self.surface.vertices(), now);
        self.stray_pairs.clear();
        self.net.start();
        let mut cut = Cut::default();
        for round in 1..=ROUNDS {
            let vertices = self.surface.vertices();
            self.paths.mark(vertices, now, &mut self.is_stray, &mut self.strays, team);
            let mut held = self.hold_all(previous, now, drift, team);
            let (surface, islands, skins) = (&self.surface, &self.islands, &self.skins);
            let frame = |v| islands.frame(skins.body(surface, v));
            let put = self.net.draw(previous, now, (frame, skins), h, &mut held);
            if !skins.is_empty() {
                skins.follow(now, team);
            }
            cut.go_on(&held);
            if put.is_none() {
                break;
            }
            if round == ROUNDS {
                cut.pinched += 1;
                cut.first_pinched = cut.first_pinched.or(put);
            }
        }
        cut
    }

    /// Enters what the net did in the account of the frame.
    pub(super) fn enter(&mut self, cut: &Cut) {
        let tally = &mut self.tally;
        tally.truncated = tally.truncated.max(cut.truncated);
        tally.truncated_share += cut.truncated as f64 / self.surface.vertices().len().max(1) as f64;
        tally.frozen += cut.frozen;
        tally.pinched += cut.pinched;
        self.first_pinched = self.first_pinched.or(cut.first_pinched);
        tally.momentum += cut.momentum;
        tally.energy += cut.energy;
    }

    /// Moves the particles of these tetrahedra half of their way back towards the start of the substep, as it moves with
    /// their island. A start that nothing crosses and an end that the net has cut are on the right side of every
    /// plane, and so is all between them. Returns whether any moved.
    pub(super) fn go_half(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        tets: &[[u32; 4]],
        h: f64,
    ) -> bool {
        let Self { surface, islands, back, .. } = self;
        back.clear();
        for tet in tets {
            if let Some(body) = tet.iter().find_map(|&v| surface.body_of(v)) {
                back.extend(tet.map(|v| (v, body)));
            }
        }
        back.retain(|&(v, _)| now[v as usize].w > T::zero());
        back.sort_unstable();
        back.dedup_by_key(|&mut (v, _)| v);
        let mut cut = Cut { truncated: back.len(), ..Cut::default() };
        for &(v, body) in &*back {
            let p = &mut now[v as usize];
            let start = widen(&previous[v as usize].x) + widen(&islands.frame(body));
            let way = widen(&p.x) - start;
            let kept = way * 0.5;
            p.x = pliant_constraints::splat_vector(&(start + kept));
            cut.take(1.0 / p.w.to_f64(), &way, &kept, h);
        }
        let any = !back.is_empty();
        self.enter(&cut);
        any
    }

    /// Holds all pairs until no particle is where lists do not expect it.
    fn hold_all(&mut self, previous: &[Particle<T>], now: &[Particle<T>], drift: f64, team: Team<'_>) -> Cut {
        let mut strays = !self.strays.is_empty();
        loop {
            self.look(previous, now, 1.0, team);
            // Strays may bring islands together, which then have one frame: they are listed, and all is held, again.
            while std::mem::take(&mut strays) {
                strays = self.list_strays(previous, now, drift, team);
                self.look(previous, now, 1.0, team);
            }
            let mut cut = Cut::default();
            self.net.clear();
            self.hold(previous, now, &mut cut, team);
            strays = self.mark_laggards(previous, now);
            if !strays {
                return cut;
            }
        }
    }

    /// Holds the listed pairs that use up their room, and those of strays.
    fn hold(&mut self, previous: &[Particle<T>], now: &[Particle<T>], cut: &mut Cut, team: Team<'_>) {
        let frames = self.islands.frames();
        let (spreads, least) = (self.skins.spreads(), T::splat(self.least));
        let search = Crowded { previous, now, frames, reach: &self.reach, spreads, least };
        search.run_on(&self.candidates, &mut self.crowded, self.simd, team);
        let surface = &self.surface;
        let swept = Swept { previous, now, least: self.least, skins: &self.skins };
        for &(elements, place) in self.crowded.iter().flatten() {
            let pair = &self.candidates.pairs[place as usize];
            let frame = self.islands.frame(surface.body_at(pair.points[0]));
            self.net.hold((elements, pair), &swept, &frame, cut);
        }
        for (elements, pair) in &self.stray_pairs {
            let frame = self.islands.frame(surface.body_at(pair.points[0]));
            self.net.hold((*elements, pair), &swept, &frame, cut);
        }
    }

    /// Marks the particles that are cut back by more than lists allow for; says whether there are new ones.
    fn mark_laggards(&mut self, previous: &[Particle<T>], now: &[Particle<T>]) -> bool {
        let mut any = false;
        let Self { surface, islands, skins, net, .. } = self;
        for &v in net.touched() {
            let frame = islands.frame(skins.body(surface, v));
            let way = |v: u32| now[v as usize].x - previous[v as usize].x - frame;
            let own = surface.body_of(v).map(|_| (v, (1.0 - net.share(v)) * widen(&way(v)).norm()));
            let lag = |&point| Some((point, Skins::lag(skins.of(point)?, |v| net.share(v), way)));
            for (point, lag) in own.into_iter().chain(skins.carried_by(v).iter().filter_map(lag)) {
                let most = f64::from(self.allowances[point as usize]);
                if lag > most && !self.is_stray[point as usize] {
                    self.is_stray[point as usize] = true;
                    self.strays.push(point);
                    any = true;
                }
            }
        }
        any
    }
}
