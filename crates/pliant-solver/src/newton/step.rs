//! Newton steps with a line search.

use pliant_kernel::{Particle, Scalar, widen};
use pliant_multigrid::Status;

use super::system::{Substep, System};

/// Newton steps of a substep at most.
const STEPS: usize = 6;

/// Iterations of conjugate gradients at most, and the share of the right-hand side at which they end.
const ITERATIONS: usize = 30;
const LEFT: f64 = 1e-2;

/// How often a step is shortened, and the share of its slope that may be left behind it.
const SHORTENED: usize = 4;
const SLOPE: f64 = 0.5;

impl<T: Scalar> System<T> {
    /// Solves the implicit step, from where the sweeps have left the particles.
    pub(crate) fn solve(&mut self, substep: &mut Substep<'_, T>) {
        let env = |n: &str, d: f64| std::env::var(n).ok().and_then(|s| s.parse().ok()).unwrap_or(d);
        let talk = std::env::var("PLIANT_TALK").is_ok();
        self.take_pulls(substep);
        for step in 0..env("PLIANT_STEPS", STEPS as f64) as usize {
            let t0 = std::time::Instant::now();
            self.assemble(substep, true);
            let t1 = t0.elapsed();
            for (rhs, residual) in self.rhs.iter_mut().zip(&self.residual) {
                let r = widen(residual);
                *rhs = [r.x as f32, r.y as f32, r.z as f32];
            }
            let norm = self.norm(&substep.particles.now);
            let (matrix, hierarchy, rhs, solution) = self.parts();
            solution.fill([0.0; 3]);
            let Ok(mut ready) = hierarchy.refresh(matrix) else { return };
            let t2 = t0.elapsed();
            let Ok(outcome) = ready.solve(
                rhs,
                solution,
                env("PLIANT_LEFT", LEFT),
                env("PLIANT_CG", ITERATIONS as f64) as usize,
            ) else {
                return;
            };
            let t3 = t0.elapsed();
            if outcome.iterations == 0 || outcome.status == Status::NotFinite {
                return;
            }
            let taken = self.search(substep);
            let t4 = t0.elapsed();
            if talk {
                let after = self.norm(&substep.particles.now);
                let size: f64 = self
                    .step
                    .iter()
                    .zip(&substep.particles.now)
                    .map(|(s, p)| {
                        if p.w > T::zero() {
                            s.iter().map(|s| f64::from(*s).powi(2)).sum::<f64>() / p.w.to_f64()
                        } else {
                            0.0
                        }
                    })
                    .sum::<f64>()
                    .sqrt();
                let moved: f64 = self
                    .predicted
                    .iter()
                    .zip(&substep.particles.now)
                    .map(|(s, p)| {
                        if p.w > T::zero() {
                            (widen(&p.x) - widen(s)).norm_squared() / p.w.to_f64()
                        } else {
                            0.0
                        }
                    })
                    .sum::<f64>()
                    .sqrt();
                eprintln!(
                    "newton {step}: |r| {norm:.3e} -> {after:.3e}, cg {} to {:.1e} {:?}, t {taken:?}, step {size:.3e} of {moved:.3e}; assemble {:.2} refresh {:.2} solve {:.2} search {:.2} ms",
                    outcome.iterations,
                    outcome.residual,
                    outcome.status,
                    1e3 * t1.as_secs_f64(),
                    1e3 * (t2 - t1).as_secs_f64(),
                    1e3 * (t3 - t2).as_secs_f64(),
                    1e3 * (t4 - t3).as_secs_f64()
                );
            }
            if taken.is_none() {
                break;
            }
            let first = self.linearised().to_vec();
            substep.relax(&first);
            let size: f64 = self
                .step
                .iter()
                .zip(&substep.particles.now)
                .map(|(s, p)| {
                    if p.w > T::zero() {
                        s.iter().map(|s| f64::from(*s).powi(2)).sum::<f64>() / p.w.to_f64()
                    } else {
                        0.0
                    }
                })
                .sum::<f64>()
                .sqrt();
            let moved: f64 = self
                .predicted
                .iter()
                .zip(&substep.particles.now)
                .map(|(s, p)| {
                    if p.w > T::zero() { (widen(&p.x) - widen(s)).norm_squared() / p.w.to_f64() } else { 0.0 }
                })
                .sum::<f64>()
                .sqrt();
            if size <= substep.accuracy * moved {
                break;
            }
        }
    }

    /// The residual as a displacement, |∇φ| in the norm of M⁻¹, √kg·m.
    fn norm(&self, now: &[Particle<T>]) -> f64 {
        let squares = self.residual.iter().zip(now).map(|(r, p)| widen(r).norm_squared() * p.w.to_f64());
        squares.sum::<f64>().sqrt()
    }

    /// Goes along the step, as far as φ falls; the share of it that was taken.
    fn search(&mut self, substep: &mut Substep<'_, T>) -> Option<f64> {
        let start = self.slope();
        if !(start > 0.0 && start.is_finite()) {
            return None;
        }
        for (start, p) in self.start.iter_mut().zip(&substep.particles.now) {
            *start = p.x;
        }
        let mut share = 1.0;
        for _ in 0..=SHORTENED {
            self.go(share, &mut substep.particles.now);
            self.assemble(substep, false);
            let slope = self.slope();
            if slope.is_finite() && slope >= -SLOPE * start {
                return Some(share);
            }
            // Where a line through both slopes vanishes.
            let secant = if slope.is_finite() { start / (start - slope) } else { 0.0 };
            share *= secant.clamp(0.1, 0.7);
        }
        self.go(0.0, &mut substep.particles.now);
        None
    }

    /// −∇φ·Δx.
    fn slope(&self) -> f64 {
        let products = self.residual.iter().zip(&self.step).map(|(r, s)| {
            let r = widen(r);
            r.x * f64::from(s[0]) + r.y * f64::from(s[1]) + r.z * f64::from(s[2])
        });
        products.sum()
    }

    /// Puts the particles a share of the step from where they were.
    fn go(&self, share: f64, now: &mut [Particle<T>]) {
        for ((p, start), step) in now.iter_mut().zip(&self.start).zip(&self.step) {
            for axis in 0..3 {
                p.x[axis] = start[axis] + T::splat(share * f64::from(step[axis]));
            }
        }
    }
}
