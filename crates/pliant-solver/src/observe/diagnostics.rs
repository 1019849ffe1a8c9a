//! Computes a [`FrameReport`]. All sums run in a fixed order in `f64`.

use nalgebra::Vector3;
use pliant_kernel::{Peak, Summary, Team, add_distribution, widen};
use pliant_mesh::tet_volume;

use crate::auto::energy::Balance;
use crate::observe::monitor::Monitor;
use crate::observe::report::{BodyMotion, Energy, FrameReport, GroupResidual, Impacts, Stretch, VolumeError};
use crate::set::contact::Passage;
use crate::world::World;
use pliant_kernel::Scalar;

impl<T: Scalar> World<T> {
    pub(crate) fn report_here(&self) -> FrameReport {
        // They are counted before, because the threads of a team have no time for others.
        let collisions = self.collisions();
        FrameReport { collisions, ..Team::form(self.threads(), |team| self.evaluate(team)) }
    }

    /// Energies, of which the elastic one is given, J, and the work of the run; `None` if the external work
    /// is not known.
    pub(crate) fn balance(&self, elastic: f64) -> Option<Balance> {
        let monitor = self.monitor.as_ref().filter(|_| !self.kinematics.moves() || self.driven().is_known)?;
        let motion = Team::form(self.threads(), |team| self.motion(None, elastic, team));
        let Energy { kinetic, potential, .. } = motion.energy;
        Some(Balance {
            kinetic,
            potential,
            elastic,
            work: monitor.contact_work + monitor.pin_work + monitor.wind_work,
            still: self.still_energy(motion.mass),
            pin_version: self.pin_version,
        })
    }

    /// The monitor, for reports; the choice of methods uses it without a certificate, too.
    fn certified(&self) -> Option<&Monitor<T>> {
        self.monitor.as_ref().filter(|_| self.settings.certificate)
    }

    /// Whether external work is done that the report does not include.
    fn is_driven_unseen(&self) -> bool {
        match self.certified() {
            Some(_) => self.kinematics.moves() && !self.driven().is_known,
            None => self.wind.is_some() || self.is_acted_on() || self.kinematics.moves(),
        }
    }

    /// All but the collisions.
    fn evaluate(&self, team: Team<'_>) -> FrameReport {
        let stepped = self.certified().filter(|monitor| monitor.stepped);
        let mut impulses = stepped.map(|monitor| monitor.scratch.take(self.fine.particles.now.len()));
        let mut residuals = Vec::with_capacity(self.fine.sets.len() + 1);
        let mut all = Summary::default();
        for running in &self.fine.sets {
            let state = self.state_of(running);
            let mut summary = running.set.evaluate(&state, impulses.as_deref_mut(), self.simd(), team);
            residuals.push(GroupResidual {
                name: running.name.clone(),
                unit: running.unit.into(),
                constraints: running.set.active(),
                length: running.length,
                rigid: summary.rigid_rows == summary.rows,
                max: summary.residual,
                rms: root_mean_square(summary.residual_squares, summary.rows),
            });
            if running.update.scale != T::one() && summary.rows > 0 {
                // A stiffness in [0, 1] is not a compliance: there is no equation whose solution could be
                // approached.
                summary.rigid_rows = summary.rows;
            }
            all = combine(all, &summary, running.measured);
        }
        if !self.reported_tets.is_empty() {
            all = combine(all, &self.reported_volumes(), true);
        }
        let mut contacts = 0;
        if !self.contacts.is_empty() {
            let (mut max, squares, count) = self.contacts.residual(&self.fine.particles.now);
            max.at = max.at.map(|particle| self.caller(particle));
            contacts = count;
            let rms = root_mean_square(squares, count);
            residuals.push(GroupResidual {
                name: "contacts".into(),
                unit: "m".into(),
                constraints: count,
                length: None,
                rigid: true,
                max,
                rms,
            });
            if let Some(impulses) = &mut impulses {
                self.contacts.add_impulses(&self.fine.particles.now, impulses);
            }
        }
        if let Some(impulses) = &mut impulses {
            self.guard.add_impulses(&self.fine.particles.now, impulses);
        }
        let motion = self.motion(impulses.as_deref_mut(), all.energy, team);
        if let (Some(monitor), Some(impulses)) = (stepped, impulses) {
            monitor.scratch.give_back(impulses);
        }
        let bounded = all.rigid_rows == 0 && contacts == 0 && !self.guard.has_acted() && motion.mass > 0.0;
        let [fastest, fastest_beside, farthest] = self.extremes(&motion.bodies);
        let step_error = motion.weighted_squares.filter(|_| bounded);
        FrameReport {
            frame: self.frame,
            time: self.time,
            residuals,
            motion: motion.residual,
            step_error: step_error.map(|squares| ((squares + all.softness) / motion.mass).sqrt()),
            stretch: (all.stretches > 0).then(|| Stretch {
                max: all.stretch,
                max_compression: all.compression,
                mean: all.stretch_sum / all.stretches as f64,
            }),
            stretches: all.stretch_distribution,
            volume: (all.volumes > 0).then_some(VolumeError {
                max: all.volume,
                inverted: all.inverted,
                first_inverted: all.first_inverted,
            }),
            volumes: all.volume_distribution,
            suspects: self.guard.suspects(&self.fine.particles.now),
            seams: self.seams.as_ref().map_or_else(Vec::new, |seams| seams.gaps(&self.fine.particles.now)),
            collisions: None,
            impacts: self.certified().filter(|_| !self.contacts.is_empty()).map(|monitor| {
                let Passage { passed, first, mut way } = monitor.passage;
                way.at = way.at.map(|particle| self.caller(particle));
                Impacts { passed, first_passed: first.map(|particle| self.caller(particle)), way }
            }),
            energy: motion.energy,
            linear_momentum: motion.linear_momentum,
            angular_momentum: motion.angular_momentum,
            contact_work: self.certified().map(|monitor| monitor.contact_work),
            pin_work: self
                .certified()
                .filter(|_| self.kinematics.may_move() || self.live.acted)
                .map(|monitor| monitor.pin_work),
            wind_work: self
                .certified()
                .filter(|_| self.wind.is_some() || self.is_acted_on())
                .map(|monitor| monitor.wind_work),
            driven: self.is_driven_unseen(),
            pin_version: self.pin_version,
            substeps: self.substeps(),
            choice: self.choice(),
            bodies: motion.bodies,
            fastest,
            fastest_beside,
            farthest,
            contacts,
            state_hash: motion.state_hash,
        }
    }

    /// The largest speed, the largest speed relative to the body's, and the largest coordinate, of particles
    /// that can move.
    fn extremes(&self, bodies: &[BodyMotion]) -> [Peak; 3] {
        let mut peaks = [Peak::default(); 3];
        for (part, body) in self.body_ranges.iter().zip(bodies) {
            let mean = if body.mass > 0.0 { body.linear_momentum / body.mass } else { Vector3::zeros() };
            let mean: Vector3<T> = mean.map(T::splat);
            let mut most = [(T::zero(), part.particles.start); 3];
            for i in part.particles.clone() {
                let (x, v) = (self.fine.particles.now[i].x, self.fine.particles.velocity[i].v);
                let beside = v - mean;
                let held = self.fine.particles.now[i].w <= T::zero();
                let found = [v.dot(&v), beside.dot(&beside), x.x.abs().max(x.y.abs()).max(x.z.abs())];
                for (most, found) in most.iter_mut().zip(found) {
                    if found > most.0 && !held {
                        *most = (found, i);
                    }
                }
            }
            for ((peak, (value, i)), root) in peaks.iter_mut().zip(most).zip([true, true, false]) {
                let value = if root { value.to_f64().sqrt() } else { value.to_f64() };
                peak.take(value, self.caller(i));
            }
        }
        peaks
    }

    /// Volumes of tetrahedra whose constraints do not report them.
    fn reported_volumes(&self) -> Summary {
        let mut summary = Summary::default();
        for (i, (tet, rest)) in self.reported_tets.iter().enumerate() {
            let volume = tet_volume(&tet.map(|v| widen(&self.fine.particles.now[v as usize].x)));
            summary.take_volume(volume / rest - 1.0, i);
        }
        summary
    }
}

fn root_mean_square(squares: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { (squares / count as f64).sqrt() }
}

/// Strains of several groups: the first of equal peaks is kept, with the number in its group. Of a group that
/// does not belong to a body only the energy counts.
fn combine(mut all: Summary, group: &Summary, measured: bool) -> Summary {
    all.energy += group.energy;
    all.softness += group.softness;
    all.rigid_rows += group.rigid_rows;
    if !measured {
        return all;
    }
    let larger = |a: &mut Peak, b: Peak| {
        if b.value > a.value || b.value.is_nan() {
            *a = b;
        }
    };
    larger(&mut all.stretch, group.stretch);
    larger(&mut all.compression, group.compression);
    larger(&mut all.volume, group.volume);
    all.stretch_sum += group.stretch_sum;
    all.stretches += group.stretches;
    all.volumes += group.volumes;
    all.inverted += group.inverted;
    all.first_inverted = all.first_inverted.or(group.first_inverted);
    add_distribution(&mut all.stretch_distribution, group.stretch_distribution.as_ref());
    add_distribution(&mut all.volume_distribution, group.volume_distribution.as_ref());
    all
}
