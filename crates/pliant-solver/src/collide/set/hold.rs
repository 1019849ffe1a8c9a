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
