//! Newton steps with a line search.

use pliant_kernel::{Particle, Scalar, widen};

use super::system::{Substep, System};

/// Newton steps of a substep at most.
const STEPS: usize = 6;

/// Iterations of conjugate gradients at most, and the share of the right-hand side at which they end.
const ITERATIONS: usize = 30;
const LEFT: f64 = 1e-2;

/// How often a step is shortened at most, and the share of its slope that may be left, with the other sign, behind it.
const SHORTENED: usize = 4;
const SLOPE: f64 = 0.5;

/// How far the solution is, after a step of this size and one `before` it, if steps go on to shrink at least as fast; of the first step nobody knows, so it is its own size.
fn still_to_go(step: f64, before: Option<f64>) -> f64 {
    match before.map(|before| step / before) {
        Some(ratio) if ratio < 1.0 => step * ratio / (1.0 - ratio),
        _ => step,
    }
}

impl<T: Scalar> System<T> {
    /// Solves the implicit step, from where the sweeps have left the particles. Where that fails they stay there.
    pub(crate) fn solve(&mut self, substep: &mut Substep<'_, T>) {
        self.take_pulls(substep);
        let mut before = None;
        for _ in 0..STEPS {
            self.assemble(substep, true);
            if !self.find_step(LEFT, ITERATIONS) || !self.search(substep) {
                return;
            }
            substep.relax(self.linearised());
            let (step, moved) = self.sizes(&substep.particles.now);
            if still_to_go(step, before) <= substep.accuracy * moved {
                return;
            }
            before = Some(step);
        }
    }

    /// Goes along the step until φ no longer falls, as its slope says; whether it fell at all.
    fn search(&mut self, substep: &mut Substep<'_, T>) -> bool {
        let first = self.slope();
        if !(first > 0.0 && first.is_finite()) {
            return false;
        }
        for (start, p) in self.start.iter_mut().zip(&substep.particles.now) {
            *start = p.x;
        }
        let mut share = 1.0;
        for _ in 0..=SHORTENED {
            self.go(share, &mut substep.particles.now);
            self.assemble(substep, false);
            let slope = self.slope();
            if slope.is_finite() && slope >= -SLOPE * first {
                return true;
            }
            // Where the line through both slopes vanishes.
            let secant = if slope.is_finite() { first / (first - slope) } else { 0.0 };
            share *= secant.clamp(0.1, 0.7);
        }
        self.go(0.0, &mut substep.particles.now);
        false
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

    /// How far the step goes, and how far the particles are from where they were predicted, both in the norm of M.
    fn sizes(&self, now: &[Particle<T>]) -> (f64, f64) {
        let (mut step, mut moved) = (0.0, 0.0);
        for ((p, predicted), s) in now.iter().zip(&self.predicted).zip(&self.step) {
            if p.w > T::zero() {
                let mass = 1.0 / p.w.to_f64();
                step += mass * s.iter().map(|&s| f64::from(s) * f64::from(s)).sum::<f64>();
                moved += mass * (widen(&p.x) - widen(predicted)).norm_squared();
            }
        }
        (step.sqrt(), moved.sqrt())
    }
}
