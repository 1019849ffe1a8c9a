//! Making a [`FrameReport`]. All sums run in a fixed order in `f64`.

use nalgebra::Vector3;

use crate::error::StepError;
use crate::float::Float;
use crate::particles::widen;
use crate::report::{Energy, FrameReport, GroupResidual, Stretch, VolumeError};
use crate::simulation::Simulation;
use crate::summary::{Peak, Summary};

impl<T: Float> Simulation<T> {
    /// Steps by `dt`, s, and reports on the state at the end.
    ///
    /// # Errors
    ///
    /// As [`advance`](Simulation::advance).
    pub fn step(&mut self, dt: f64) -> Result<FrameReport, StepError> {
        self.advance(dt)?;
        Ok(self.report())
    }

    /// Reports on the state as the last substep left it. Before the first step there are no multipliers and residuals are the values C.
    #[must_use]
    pub fn report(&self) -> FrameReport {
        let mut residuals = Vec::with_capacity(self.groups.len() + 1);
        let mut all = Summary::default();
        for running in &self.groups {
            let summary = running.group.summarise(&self.state_of(running));
            residuals.push(GroupResidual {
                name: running.name.clone(),
                unit: running.unit,
                constraints: running.group.active(),
                max: summary.residual,
                rms: root_mean_square(summary.residual_squares, summary.rows),
            });
            all = combine(all, &summary, running.measured);
        }
        if !self.watched.is_empty() {
            all = combine(all, &self.watched_volumes(), true);
        }
        let mut contacts = 0;
        if !self.contacts.is_empty() {
            let (mut max, squares, count) = self.contacts.residual(&self.particles.now);
            max.at = max.at.map(|particle| self.caller(particle));
            contacts = count;
            let rms = root_mean_square(squares, count);
            residuals.push(GroupResidual {
                name: "contacts".into(),
                unit: "m",
                constraints: count,
                max,
                rms,
            });
        }
        let (energy, linear_momentum, angular_momentum) = self.motion(all.energy);
        FrameReport {
            frame: self.frame,
            time: self.time,
            residuals,
            stretch: (all.stretches > 0).then(|| Stretch {
                max: all.stretch,
                max_compression: all.compression,
                mean: all.stretch_sum / all.stretches as f64,
            }),
            volume: (all.volumes > 0).then_some(VolumeError {
                max: all.volume,
                inverted: all.inverted,
                first_inverted: all.first_inverted,
            }),
            energy,
            linear_momentum,
            angular_momentum,
            contacts,
            state_hash: self.state_hash(),
        }
    }

    /// Volumes of tetrahedra whose constraints do not tell them.
    fn watched_volumes(&self) -> Summary {
        let mut summary = Summary::default();
        for (i, (tet, rest)) in self.watched.iter().enumerate() {
            let [a, b, c, d] = tet.map(|v| widen(&self.particles.now[v as usize].x));
            let volume = (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0;
            summary.take_volume(volume / rest - 1.0, i);
        }
        summary
    }

    fn motion(&self, elastic: f64) -> (Energy, Vector3<f64>, Vector3<f64>) {
        let mut energy = Energy { elastic, ..Energy::default() };
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for (p, v) in self.particles.now.iter().zip(&self.particles.velocity) {
            if p.w > T::zero() {
                let (x, v, m) = (widen(&p.x), widen(&v.v), 1.0 / p.w.to_f64());
                energy.kinetic += 0.5 * m * v.dot(&v);
                energy.potential -= m * self.settings.gravity.dot(&x);
                linear += v * m;
                angular += x.cross(&v) * m;
            }
        }
        (energy, linear, angular)
    }
}

fn root_mean_square(squares: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { (squares / count as f64).sqrt() }
}

/// Strains of several groups: the first of equal peaks wins, numbers are those of its group. Of a group that is no body's only the energy counts.
fn combine(mut all: Summary, group: &Summary, measured: bool) -> Summary {
    all.energy += group.energy;
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
    all
}
