//! [`EnclosedVolume`]: the volume inside a closed surface, and the group of such constraints in a running simulation.
//!
//! Sums run over fixed chunks, which a team divides among its threads, and are added in the order of the
//! chunks: the same bits for any number of threads.

use pliant_constraints::{ClosedSurface, GlobalVolume, GroupDamping, SUM_CHUNK, VolumeState, VolumeSums};
use pliant_kernel::{Particle, State, Summary, Sweep, Team};

use crate::build::constraints::Constraints;
use crate::error::BuildError;
use crate::error::constraint::ConstraintError;
use crate::set::many_points::{ManyPointSet, ManyPoints, State64, displace, update64};
use pliant_kernel::Scalar;

/// A closed surface of particles and the volume that it holds.
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
                return Err(ConstraintError::Compliance { group: name, constraint, value: compliance }.into());
            }
            if !(law.rest.is_finite() && law.rest != 0.0 && law.factor.is_finite()) {
                return Err(ConstraintError::RestData { group: name, constraint }.into());
            }
            let surface = ClosedSurface::new(&triangles);
            let surface =
                surface.map_err(|edge| ConstraintError::Open { group: name.clone(), constraint, edge })?;
            volumes.push(Volume::new(surface, law, compliance));
        }
        Ok(Self::of_data(name, "m³", Box::new(ManyPointSet::new(volumes))))
    }
}

/// One constraint in a running simulation.
struct Volume {
    surface: ClosedSurface,
    law: GlobalVolume,
    compliance: f64,
    state: VolumeState,
    /// Scratch of the chunks.
    parts: Vec<f64>,
    sums: Vec<VolumeSums>,
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
        }
    }
}

impl ManyPoints for Volume {
    fn vertices(&self) -> &[u32] {
        self.surface.vertices()
    }

    /// A surface stays closed under another numbering.
    fn renumbered(&self, map: &[u32]) -> Option<Self> {
        let triangles: Vec<_> = self.surface.triangles().iter().map(|t| t.map(|v| map[v as usize])).collect();
        Some(Self::new(ClosedSurface::new(&triangles).ok()?, self.law, self.compliance))
    }

    fn project<T: Scalar>(
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

    fn summarise<T: Scalar>(&self, at: usize, state: &State<'_, T>, summary: &mut Summary) {
        let Self { surface, law, compliance, .. } = self;
        let (points, previous) = (State64(state.now), State64(state.previous));
        let gamma = state.gamma.to_f64();
        let damping = (gamma > 0.0).then_some(GroupDamping { previous: &previous, gamma });
        let alpha_tilde = compliance * state.inverse_h2.to_f64();
        let residual = law.residual(surface, &points, alpha_tilde, damping, self.state.lambda);
        summary.residual.take(residual.abs(), at);
        summary.residual_squares += residual * residual;
        summary.rows += 1;
        if *compliance <= 0.0 {
            summary.rigid_rows += 1;
        } else if alpha_tilde > 0.0 {
            summary.softness += residual * residual / (alpha_tilde * (1.0 + gamma));
        }
        summary.energy += law.energy(surface.volume(&points), *compliance);
    }

    const PULLS_ALL: bool = true;

    fn add_impulses<T: Scalar>(&self, now: &[Particle<T>], impulses: &mut [Particle<T>]) {
        let points = State64(now);
        for (k, &v) in self.surface.vertices().iter().enumerate() {
            displace(&mut impulses[v as usize], &(self.surface.gradient(k, &points) * self.state.lambda));
        }
    }

    /// The rest data are the rest volume, m³, and the pressure factor.
    fn set_rest(&mut self, rest: &[f64]) {
        self.law = GlobalVolume { rest: rest[0], factor: rest[1] };
    }

    fn multipliers(&self, all: &mut Vec<f64>) {
        all.push(self.state.lambda);
    }

    fn set_multipliers(&mut self, multipliers: &[f64]) -> usize {
        self.state.lambda = multipliers[0];
        1
    }
}
