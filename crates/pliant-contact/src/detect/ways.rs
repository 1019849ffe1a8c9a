//! [`Ways`]: where the path of each particle begins and ends, and when, as lanes read them.

use std::sync::atomic::{AtomicU32, Ordering};

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_kernel::{Particle, Team, Wide};

use super::rules::{DetectError, FARTHEST, Paths, Since};
use crate::Surface;

/// Particles that are written together.
const PIECE: usize = 2048;

/// Both ends of the path of every particle, m, as particles whose masses are the substeps, since the last full
/// detection, at which they are there; and the end of a particle that stops.
pub(super) struct Ways<T: Wide> {
    pub(super) begin: Vec<Particle<T>>,
    pub(super) end: Vec<Particle<T>>,
    pub(super) halt: Vec<Particle<T>>,
}

impl<T: Wide> Default for Ways<T> {
    fn default() -> Self {
        Self { begin: Vec::new(), end: Vec::new(), halt: Vec::new() }
    }
}

/// How paths are written: where all have drifted, m, their length in substeps, and when they begin and end.
struct Writing<'a, T> {
    surface: &'a Surface,
    paths: &'a Paths<'a, T>,
    drift: Vector3<T>,
    horizon: T,
    times: [T; 2],
}

impl<T: Wide> Writing<'_, T> {
    /// Begin, end and halt of a particle.
    fn of(&self, particle: u32) -> Result<[Particle<T>; 3], DetectError> {
        let v = particle as usize;
        let x = self.paths.positions[v] - self.drift;
        let end = x + self.paths.steps[v] * self.horizon;
        let body = self.surface.body_of(particle);
        let halt =
            self.paths.halts.zip(body).map_or(end, |(halts, body)| x + halts[body as usize] * self.horizon);
        let is_far = |x: &Vector3<T>| !x.iter().all(|&c| Into::<f64>::into(c).abs() <= FARTHEST);
        if body.is_some() && [x, end, halt].iter().any(is_far) {
            return Err(DetectError::NotFinite { particle });
        }
        let [from, until] = self.times;
        Ok([Particle::new(x, from), Particle::new(end, until), Particle::new(halt, until)])
    }
}

impl<T: Wide> Ways<T> {
    /// Takes the paths of all particles, which begin now.
    pub(super) fn take_all(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        horizon: u32,
        team: Team<'_>,
    ) -> Result<(), DetectError> {
        let horizon = T::splat(f64::from(horizon));
        let writing =
            Writing { surface, paths, drift: Vector3::zeros(), horizon, times: [T::zero(), horizon] };
        let nothing = Particle::new(Vector3::zeros(), T::zero());
        for list in [&mut self.begin, &mut self.end, &mut self.halt] {
            list.resize(surface.particles(), nothing);
        }
        let astray = AtomicU32::new(u32::MAX);
        let Self { begin, end, halt } = self;
        let pieces = begin.chunks_mut(PIECE).zip(end.chunks_mut(PIECE)).zip(halt.chunks_mut(PIECE));
        team.for_each(pieces.zip((0..).step_by(PIECE)), |(((begin, end), halt), first)| {
            for ((begin, end), (halt, particle)) in
                begin.iter_mut().zip(end).zip(halt.iter_mut().zip(first..))
            {
                match writing.of(particle) {
                    Ok(way) => [*begin, *end, *halt] = way,
                    Err(_) => _ = astray.fetch_min(particle, Ordering::Relaxed),
                }
            }
        });
        match astray.into_inner() {
            u32::MAX => Ok(()),
            particle => Err(DetectError::NotFinite { particle }),
        }
    }

    /// Takes new paths of some particles.
    pub(super) fn take(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        horizon: u32,
        since: &Since,
        particles: &[u32],
    ) -> Result<(), DetectError> {
        let writing = Writing {
            surface,
            paths,
            drift: splat_vector(&since.drift),
            horizon: T::splat(f64::from(horizon)),
            times: since.times.map(|time| T::splat(f64::from(time))),
        };
        for &particle in particles {
            let v = particle as usize;
            [self.begin[v], self.end[v], self.halt[v]] = writing.of(particle)?;
        }
        Ok(())
    }
}
