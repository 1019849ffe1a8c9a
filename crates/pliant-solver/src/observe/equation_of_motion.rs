//! The residual of the equation of motion, and with it masses, momenta and energies, in one walk over the particles.
//!
//! A substep of XPBD solves two equations at once (Macklin, Müller & Chentanez 2016, eqs. 8 and 9):
//!
//! ```text
//! M (x − x̃) − ∇C(x)ᵀ λ = 0        C(x) + α̃ λ = 0
//! ```
//!
//! The error of the second are the residuals of the constraints. The first would hold exactly if gradients
//! were constant: every projection moves the particles along the gradients of that moment, and the gradients
//! turn when the positions change. Its residual is, for every particle,
//!
//! ```text
//! e = x − x̃ − w Σ ∇C(x)ᵀ λ        in m
//! ```
//!
//! the part of the step that no force at its end explains. Macklin et al. (2016, section 4.2) assume it to be
//! small and leave it out; a certificate that did so would be too optimistic wherever constraints turn: long
//! thin links that swing, elements that roll. Contacts and their friction count among the forces. Multiplied
//! by m/h² it is a force, N.
//!
//! Sums run over fixed chunks of every part and are added in order: the same bits for every number of threads.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use nalgebra::Vector3;
use pliant_kernel::{Explained, Particle, Peak, Sums, Tally, Team};

use crate::observe::monitor::nothing;
use crate::observe::report::{BodyMotion, Energy, MotionResidual};
use crate::state::hash;
use crate::world::World;
use pliant_kernel::Scalar;

/// Particles summed by one task.
const CHUNK: usize = 4096;

/// Sums over the particles.
pub(crate) struct Motion {
    pub(crate) residual: Option<MotionResidual>,
    /// Σ m |e|², kg·m², if the residual is known.
    pub(crate) weighted_squares: Option<f64>,
    /// Mass that can move, kg.
    pub(crate) mass: f64,
    pub(crate) energy: Energy,
    pub(crate) linear_momentum: Vector3<f64>,
    pub(crate) angular_momentum: Vector3<f64>,
    pub(crate) bodies: Vec<BodyMotion>,
    pub(crate) state_hash: u64,
}

impl<T: Scalar> World<T> {
    /// Sums over all particles. `impulses` is Σ ∇Cᵀλ of every particle, kg·m, if it is known; it is zero afterwards.
    pub(crate) fn motion(
        &self,
        impulses: Option<&mut [Particle<T>]>,
        elastic: f64,
        team: Team<'_>,
    ) -> Motion {
        let chunks: Vec<(usize, Range<usize>)> = (0..)
            .zip(&self.body_ranges)
            .flat_map(|(part, at)| {
                let Range { start, end } = at.particles;
                (start..end).step_by(CHUNK).map(move |first| (part, first..end.min(first + CHUNK)))
            })
            .collect();
        let hashes = AtomicU64::new(0);
        let found: Vec<OnceLock<Sums>> = chunks.iter().map(|_| OnceLock::new()).collect();
        let is_known = impulses.is_some();
        // Every chunk clears its own impulses while they are in the cache.
        let mut rest = impulses.unwrap_or_default();
        let slices: Vec<Option<&mut [Particle<T>]>> = chunks
            .iter()
            .map(|(_, particles)| {
                let (chunk, others) = std::mem::take(&mut rest).split_at_mut_checked(particles.len())?;
                rest = others;
                Some(chunk)
            })
            .collect();
        // The impulses of the dummies follow those of the particles.
        rest.fill(nothing());
        team.for_each(chunks.iter().zip(slices).zip(&found), |(((_, particles), impulses), found)| {
            let _ = found.set(self.sum(particles.clone(), impulses));
            // While the particles are in the cache. The order of these sums does not matter, because they wrap.
            hashes.fetch_add(self.hashes(particles.clone()), Ordering::Relaxed);
        });
        let mut parts = vec![Sums::default(); self.body_ranges.len()];
        for ((part, _), sums) in chunks.iter().zip(found.iter().filter_map(OnceLock::get)) {
            parts[*part].add(sums);
        }
        let mut all = Sums::default();
        parts.iter().for_each(|part| all.add(part));
        let largest = Peak { value: all.largest.value.sqrt(), at: all.largest.at.map(|i| self.caller(i)) };
        let residual = is_known.then(|| MotionResidual {
            max: largest,
            rms: if all.free == 0 { 0.0 } else { (all.squares / all.free as f64).sqrt() },
        });
        let energy = Energy {
            kinetic: 0.5 * all.square_speed,
            // Not −g·Σmx: without gravity that would be −0.
            potential: 0.0 - self.settings.gravity.dot(&all.moment),
            elastic,
        };
        Motion {
            residual,
            weighted_squares: residual.map(|_| all.weighted_squares),
            mass: all.mass,
            energy,
            linear_momentum: all.linear,
            angular_momentum: all.angular,
            bodies: self.motions_of_bodies(&parts),
            state_hash: hash::of_all(hashes.into_inner(), self.len()),
        }
    }

    fn sum(&self, particles: Range<usize>, impulses: Option<&mut [Particle<T>]>) -> Sums {
        let predicted = self.monitor.as_ref().and_then(|monitor| monitor.predicted(&self.fine.particles));
        let explained = predicted
            .zip(impulses.as_deref())
            .map(|(predicted, impulses)| Explained { predicted: &predicted[particles.clone()], impulses });
        let tally = Tally {
            first: particles.start,
            now: &self.fine.particles.now[particles.clone()],
            velocity: &self.fine.particles.velocity[particles],
            explained,
        };
        let sums = tally.sums(self.simd());
        if let Some(impulses) = impulses {
            impulses.fill(nothing());
        }
        sums
    }

    fn motions_of_bodies(&self, sums: &[Sums]) -> Vec<BodyMotion> {
        let tied = self.tied.get_or_init(|| self.find_ties());
        let medium = self.settings.drag > 0.0 || self.wind.is_some() || self.is_acted_on();
        let body = |(part, sums): (usize, &Sums)| {
            let at = &self.body_ranges[part];
            let touched =
                self.monitor.as_ref().is_some_and(|monitor| monitor.has_touched(at.particles.clone()));
            let unmonitored = self.monitor.is_none() && !self.contacts.is_empty();
            let centre = if sums.mass > 0.0 { sums.moment / sums.mass } else { Vector3::zeros() };
            BodyMotion {
                name: at.name.clone(),
                mass: sums.mass,
                centre,
                linear_momentum: sums.linear,
                angular_momentum: sums.angular - centre.cross(&sums.linear),
                free: sums.held == 0 && !tied[part] && !medium && !touched && !unmonitored,
            }
        };
        sums.iter().enumerate().map(body).collect()
    }

    /// For every part, whether a constraint ties it to the world or to another part.
    fn find_ties(&self) -> Vec<bool> {
        let part_of = |i: u32| self.body_ranges.partition_point(|part| part.particles.end <= i as usize);
        let mut tied = vec![false; self.body_ranges.len()];
        for running in &self.fine.sets {
            running.set.ties(&part_of, &mut tied);
        }
        tied
    }
}
