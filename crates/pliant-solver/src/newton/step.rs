//! Newton steps with a line search.

use pliant_kernel::{Particle, Scalar, widen};

use super::system::{Substep, System};

/// Newton steps of a substep at most.
const STEPS: usize = 6;

/// Iterations of conjugate gradients at most, and the share of the right-hand side at which they end.
const ITERATIONS: usize = 30;
const LEFT: f64 = 1e-2;

/// The share of the step before that a step may have for its Hessian to serve once more.
const SERVES: f64 = 0.3;

/// What may be left of the slope for the Hessian to serve at all.
const BENT: f64 = 0.05;

/// How often a step is shortened at most, and the share of its slope that may be left, with the other sign, behind it.
const SHORTENED: usize = 4;
const SLOPE: f64 = 0.5;

/// Steps that shrink by less than this factor are no longer those of Newton's method, and are made of rounding if they are smaller than so many times what positions are rounded by.
const SHRINKS: f64 = 0.5;
const ROUNDED: f64 = 64.0;

/// Lengths in the norm of M.
struct Sizes {
    /// Of the step.
    step: f64,
    /// From where the particles were predicted to where they are.
    moved: f64,
    /// What positions are rounded by.
    rounding: f64,
}

/// How far the solution is, after a step of this size and one `before` it, if steps go on to shrink at least as fast; of the first step nobody knows, so it is its own size.
fn still_to_go(step: f64, before: Option<f64>) -> f64 {
    match before.map(|before| step / before) {
        Some(ratio) if ratio < 1.0 => step * ratio / (1.0 - ratio),
        _ => step,
    }
}

impl<T: Scalar> System<T> {
    /// Solves the implicit step, from where the sweeps have left the particles. Where that fails they stay there. Whether it is as exact as was asked for, or as the number type allows.
    ///
    /// The Hessian of a step serves the next ones too, as long as they shrink fast: that takes half the time.
    pub(crate) fn solve(&mut self, substep: &mut Substep<'_, T>) -> bool {
        self.take_pulls(substep);
        let (reached, moved) = self.descend(substep);
        if moved {
            self.relax(substep, false);
        }
        reached
    }

    /// Steps until one is the last: whether the particles are where they should be, and whether there was a step.
    fn descend(&mut self, substep: &mut Substep<'_, T>) -> (bool, bool) {
        let (mut before, mut new, mut moved_at_all) = (None, true, false);
        for _ in 0..STEPS {
            if new || self.has_rigid() {
                self.assemble(substep, new);
            }
            let bent = if self.find_step(new, LEFT, ITERATIONS) { self.search(substep) } else { None };
            let Some(bent) = bent else {
                if new {
                    return (false, moved_at_all);
                }
                // The Hessian is of somewhere else.
                (before, new) = (None, true);
                continue;
            };
            moved_at_all = true;
            self.relax(substep, true);
            let Sizes { step, moved, rounding } = self.sizes(&substep.particles.now);
            let rounded = before.is_some_and(|before| step > SHRINKS * before) && step <= ROUNDED * rounding;
            // How fast steps shrink that have different Hessians says nothing.
            let left = if new { still_to_go(step, before) } else { step };
            if rounded || left <= substep.accuracy * moved {
                return (true, true);
            }
            new = bent > BENT || !new && before.is_some_and(|before| step > SERVES * before);
            before = Some(step);
        }
        (false, moved_at_all)
    }

    /// Goes along the step until φ no longer falls, as its slope says. None if it never fell; else what of the slope is left at the end of the step, which is nothing where φ is as the Hessian says, or all if the step was shortened.
    fn search(&mut self, substep: &mut Substep<'_, T>) -> Option<f64> {
        let first = self.slope();
        if !(first > 0.0 && first.is_finite()) {
            return None;
        }
        for (start, p) in self.start.iter_mut().zip(&substep.particles.now) {
            *start = p.x;
        }
        let mut share = 1.0;
        for shortened in 0..=SHORTENED {
            self.go(share, &mut substep.particles.now);
            self.assemble(substep, false);
            let slope = self.slope();
            if slope.is_finite() && slope >= -SLOPE * first {
                return Some(if shortened == 0 { slope.abs() / first } else { 1.0 });
            }
            // Where the line through both slopes vanishes.
            let secant = if slope.is_finite() { first / (first - slope) } else { 0.0 };
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

    fn sizes(&self, now: &[Particle<T>]) -> Sizes {
        let (mut step, mut moved, mut far) = (0.0, 0.0, 0.0);
        for ((p, predicted), s) in now.iter().zip(&self.predicted).zip(&self.step) {
            if p.w > T::zero() {
                let mass = 1.0 / p.w.to_f64();
                step += mass * s.iter().map(|&s| f64::from(s) * f64::from(s)).sum::<f64>();
                moved += mass * (widen(&p.x) - widen(predicted)).norm_squared();
                far += mass * widen(&p.x).norm_squared();
            }
        }
        let rounding = 0.5 * T::EPSILON * f64::sqrt(far);
        Sizes { step: step.sqrt(), moved: moved.sqrt(), rounding }
    }
}
