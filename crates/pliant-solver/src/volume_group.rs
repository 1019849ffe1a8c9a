//! [`EnclosedVolume`]: the volume inside a closed surface, and the group of such constraints in a running simulation.
//!
//! Sums run over fixed chunks, which a team shares out, and are added in the order of the chunks: the same bits for any number of threads.

use std::ops::Range;

use pliant_constraints::{ClosedSurface, GlobalVolume, GroupDamping, SUM_CHUNK, VolumeState, VolumeSums};

use crate::constraints::{Constraints, GroupData, PlanContext};
use crate::error::BuildError;
use crate::float::Float;
use crate::group::{Group, Layout};
use crate::kernel::{Sweep, Team};
use crate::many_points::{State64, displace, update64};
use crate::particles::Particle;
use crate::summary::{State, Summary};

/// A closed surface of particles and the volume that it is to hold.
#[derive(Debug, Clone)]
pub struct EnclosedVolume {
    /// Triangles, oriented alike, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Rest volume, m³, and pressure factor.
    pub law: GlobalVolume,
    /// Compliance, m³/Pa; 0 is rigid.
    pub compliance: f64,
}

impl Constraints {
    /// Keeps the volume inside closed surfaces; see [`GlobalVolume`]. Each is one constraint.
    ///
    /// # Errors
    ///
    /// If a surface is not closed or has no rest volume, or a number is not finite or a compliance negative.
    pub fn volumes(
        name: impl Into<String>,
        enclosed: impl IntoIterator<Item = EnclosedVolume>,
    ) -> Result<Self, BuildError> {
        let name = name.into();
        let mut volumes = Vec::new();
        for (constraint, EnclosedVolume { triangles, law, compliance }) in enclosed.into_iter().enumerate() {
            if !(compliance >= 0.0 && compliance.is_finite()) {
                return Err(BuildError::Compliance { group: name, constraint, value: compliance });
            }
            if !(law.rest.is_finite() && law.rest != 0.0 && law.factor.is_finite()) {
                return Err(BuildError::RestData { group: name, constraint });
            }
            let surface = ClosedSurface::new(&triangles);
            let surface = surface.map_err(|open| BuildError::Group {
                group: name.clone(),
                constraint,
                problem: open.to_string(),
            })?;
            volumes.push(Volume::new(surface, law, compliance));
        }
        Ok(Self::of_data(name, "m³", Box::new(Volumes(volumes))))
    }
}

/// One constraint at work.
struct Volume {
    surface: ClosedSurface,
    law: GlobalVolume,
    compliance: f64,
    state: VolumeState,
    /// Scratch of the chunks.
    parts: Vec<f64>,
    sums: Vec<VolumeSums>,
    /// Whether one of its particles can move.
    acts: bool,
}

impl Volume {
    fn new(surface: ClosedSurface, law: GlobalVolume, compliance: f64) -> Self {
        Self {
            state: VolumeState::new(&surface),
            parts: vec![0.0; surface.triangle_chunks()],
            sums: vec![VolumeSums::default(); surface.vertex_chunks()],
            surface,
            law,
            compliance,
            acts: true,
        }
    }

    fn project<T: Float>(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        let Self { surface, state, parts, sums, .. } = self;
        if sweep.first {
            state.lambda = 0.0;
        }
        let gamma = sweep.gamma.to_f64();
        let (points, before) = (State64(particles), State64(previous));
        let previous = (gamma > 0.0).then_some(&before);
        team.for_each(parts.iter_mut().enumerate(), |(chunk, part)| {
            *part = surface.volume_of_chunk(chunk, &points);
        });
        let chunks = state.gradients.chunks_mut(SUM_CHUNK).zip(sums.iter_mut()).enumerate();
        team.for_each(chunks, |(chunk, (gradients, sum))| {
            *sum = surface.gradients_of_chunk(chunk, &points, previous, gradients);
        });
        let mut total = VolumeSums::default();
        sums.iter().for_each(|sum| total += *sum);
        let alpha_tilde = self.compliance * sweep.inverse_h2.to_f64();
        let (volume, update) = (parts.iter().sum(), update64(sweep.update));
        let delta = self.law.multiplier_step(volume, &total, alpha_tilde, gamma, update, state);
        for (&v, gradient) in surface.vertices().iter().zip(&state.gradients) {
            let particle = &mut particles[v as usize];
            let w = particle.w.to_f64();
            if w > 0.0 {
                displace(particle, &(gradient * (w * delta)));
            }
        }
    }
}

/// Constraints of a group, as given and at work.
struct Volumes(Vec<Volume>);

impl Volumes {
    fn build(self, context: &PlanContext<'_>) -> Self {
        let mut all = self;
        for volume in &mut all.0 {
            volume.acts = volume.surface.vertices().iter().any(|&v| context.w[v as usize] > 0.0);
            if let Some(map) = context.to_internal {
                let shift = |t: &[u32; 3]| t.map(|v| map[v as usize]);
                let triangles: Vec<_> = volume.surface.triangles().iter().map(shift).collect();
                // A surface stays closed under another numbering.
                if let Ok(surface) = ClosedSurface::new(&triangles) {
                    let acts = volume.acts;
                    *volume = Volume { acts, ..Volume::new(surface, volume.law, volume.compliance) };
                }
            }
        }
        all
    }
}

impl GroupData for Volumes {
    fn len(&self) -> usize {
        self.0.len()
    }

    /// They are in no cluster.
    fn points(&self) -> usize {
        0
    }

    fn first_out_of_range(&self, particles: usize) -> Option<(usize, u32)> {
        self.0.iter().enumerate().find_map(|(constraint, volume)| {
            let vertices = volume.surface.vertices();
            vertices.iter().find(|&&v| v as usize >= particles).map(|&v| (constraint, v))
        })
    }

    fn build_f32(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn Group<f32>> {
        Box::new((*self).build(context))
    }

    fn build_f64(self: Box<Self>, context: &PlanContext<'_>) -> Box<dyn Group<f64>> {
        Box::new((*self).build(context))
    }
}

impl<T: Float> Group<T> for Volumes {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn active(&self) -> usize {
        self.0.iter().filter(|volume| volume.acts).count()
    }

    fn layout(&self) -> Layout {
        Layout {
            colour_sizes: vec![self.0.iter().filter(|v| v.acts).count()],
            bytes_per_constraint: size_of::<Volume>(),
            ..Layout::default()
        }
    }

    fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        for volume in self.0.iter_mut().filter(|volume| volume.acts) {
            volume.project(particles, previous, sweep, team);
        }
    }

    fn replan(&mut self, particles: &[Particle<T>], without: &[Range<usize>]) {
        for (i, volume) in self.0.iter_mut().enumerate() {
            let is_free = |&v: &u32| particles[v as usize].w > T::zero();
            volume.acts =
                volume.surface.vertices().iter().any(is_free) && !without.iter().any(|r| r.contains(&i));
        }
    }

    /// The rest data are the rest volume, m³, and the pressure factor.
    fn set_rest(&mut self, constraint: usize, rest: &[f64]) {
        self.0[constraint].law = GlobalVolume { rest: rest[0], factor: rest[1] };
    }

    fn summarise(&self, state: &State<'_, T>) -> Summary {
        let mut summary = Summary::default();
        let (points, previous) = (State64(state.now), State64(state.previous));
        let gamma = state.gamma.to_f64();
        let damping = (gamma > 0.0).then_some(GroupDamping { previous: &previous, gamma });
        for (i, volume) in self.0.iter().enumerate().filter(|(_, volume)| volume.acts) {
            let Volume { surface, law, compliance, .. } = volume;
            let alpha_tilde = compliance * state.inverse_h2.to_f64();
            let residual = law.residual(surface, &points, alpha_tilde, damping, volume.state.lambda);
            summary.residual.take(residual.abs(), i);
            summary.residual_squares += residual * residual;
            summary.rows += 1;
            summary.energy += law.energy(surface.volume(&points), *compliance);
        }
        summary
    }

    fn first_non_finite(&self, particles: &[Particle<T>]) -> Option<usize> {
        self.0.iter().position(|volume| !volume.surface.volume(&State64(particles)).is_finite())
    }

    fn multipliers(&self) -> Vec<f64> {
        self.0.iter().map(|volume| volume.state.lambda).collect()
    }
}
