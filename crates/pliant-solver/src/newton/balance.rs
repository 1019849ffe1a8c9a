//! No energy from what is left unsolved.
//!
//! Where steps end early, a part of ∇φ is left, as if an unknown force acted on the particles. What it does over the
//! displacement d of the substep is energy from nothing. So each [part](super::parts) goes along its displacement to where
//! ∇φ·d vanishes, by the share −∇φ·d / d·H d of it. With a convex energy E, the end of a substep then has no more energy
//! than its start, because with d₀ = h v₀
//!
//! ```text
//! 0 = ∇φ·d = M (d − d₀)·d + h² ∇E·d
//! ½ |d|² − ½ |d₀|² + ½ |d − d₀|² = −h² ∇E·d ≤ h² (E(start) − E(end))    in the norm of M
//! ```
//!
//! Parts that nothing holds are first moved as rigid bodies, so that what is left of ∇φ changes neither of their momenta;
//! d is the displacement beside their own rigid motion then.
//!
//! Positions are rounded, so −∇φ·d is lower by u²/12 times the diagonal of H, with the unit u in the last place of each
//! coordinate, however well the step is solved: ∇φ and d both contain what was rounded last. That much is added. What is
//! left of it is of no meaning if it is less than a share of it.

use nalgebra::Vector3;
use pliant_kernel::{Particle, Scalar, widen};

use super::line::Line;
use super::system::{Substep, System, Wanted};

/// How often shares are corrected at most.
const ROUNDS: usize = 3;

/// The unit in the last place of a number of the type `T`.
fn unit<T: Scalar>(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    T::EPSILON * f64::from_bits(x.to_bits() & EXPONENT)
}

impl<T: Scalar> System<T> {
    /// Moves the parts to where what is left of ∇φ changes no momentum and does no work. The residual is that of the
    /// present positions; the constraints keep the multipliers at the end.
    pub(super) fn balance(&mut self, substep: &mut Substep<'_, T>) {
        let Self { parts, step, rhs, matrix, residual, start, .. } = self;
        let particles = &mut *substep.particles;
        parts.keep_momentum(&mut particles.now, residual);
        parts.displacements(&particles.now, &particles.previous, step);
        for (start, p) in start.iter_mut().zip(&particles.now) {
            *start = p.x;
        }
        if matrix.multiply(step, rhs).is_err() {
            return;
        }
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear();
        lines.resize(self.parts.len(), Line::default());
        self.measure(&mut lines);
        self.bend(&substep.particles.now, &mut lines);
        let mut moves = lines.iter_mut().map(Line::begin).filter(|moves| *moves).count() > 0;
        for _ in 0..ROUNDS {
            self.shift(&mut substep.particles.now, &lines);
            self.assemble(substep, Wanted { keep: true, ..Wanted::default() });
            if !moves {
                break;
            }
            self.measure(&mut lines);
            moves = lines.iter_mut().map(Line::correct).filter(|moves| *moves).count() > 0;
            if !moves {
                break;
            }
        }
        self.lines = lines;
    }

    /// Finds −∇φ·d of each part.
    fn measure(&self, lines: &mut [Line]) {
        lines.iter_mut().for_each(|line| line.work = 0.0);
        for ((part, residual), d) in self.parts.of().zip(&self.residual).zip(&self.step) {
            if let Some(part) = part {
                lines[part].work += widen(&residual.x).dot(&Vector3::from(d.map(f64::from)));
            }
        }
    }

    /// Finds d·H d of each part, and what rounding takes away.
    fn bend(&self, now: &[Particle<T>], lines: &mut [Line]) {
        for (node, (part, p)) in self.parts.of().zip(now).enumerate() {
            let Some(part) = part else { continue };
            let [d, hd] = [&self.step, &self.rhs].map(|of| Vector3::from(of[node].map(f64::from)));
            lines[part].curvature += d.dot(&hd);
            let block = self.matrix.block(self.pattern.diagonal(node));
            for (k, x) in widen(&p.x).iter().enumerate() {
                lines[part].rounding += f64::from(block[k][k]) * unit::<T>(*x).powi(2) / 12.0;
            }
        }
    }

    /// Moves each part by its share of the displacements.
    fn shift(&self, now: &mut [Particle<T>], lines: &[Line]) {
        for ((p, part), (start, d)) in
            now.iter_mut().zip(self.parts.of()).zip(self.start.iter().zip(&self.step))
        {
            let Some(part) = part else { continue };
            for axis in 0..3 {
                p.x[axis] = start[axis] + T::splat(lines[part].share * f64::from(d[axis]));
            }
        }
    }
}
