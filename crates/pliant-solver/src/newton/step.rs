//! Newton steps with a line search.

use pliant_kernel::{Particle, Particles, Scalar, widen};
use pliant_multigrid::{Region, Tolerance};

use super::local::strain;
use super::system::{Over, Substep, System, Wanted};

/// The most Newton steps of a substep, and of one whose accuracy is closer than `CLOSE`: a sheet under compression may take
/// dozens, because its Hessian lacks what would make it buckle.
const STEPS: usize = 6;
/// The most while φ is steeper than where they began.
const STEPS_WHERE_STEEP: usize = 30;
const CLOSE: f64 = 1e-6;
const STEPS_WHERE_CLOSE: usize = 100;

/// The most iterations of conjugate gradients.
const ITERATIONS: usize = 30;

/// The share of a step at which they end, as far as is known: least and most.
const LEFT: [f64; 2] = [1e-2, 0.1];

/// The share of the distance that may be left after a substep which linear systems may leave.
const LEFT_OVER: f64 = 0.25;

/// Iterations of each rough step: the folds that rigid constraints cause change more from substep to substep than further
/// steps correct.
const RIGID_ITERATIONS: [usize; 2] = [2, 2];

/// The Hessian is used again if a step is at most this share of the step before.
const SERVES: f64 = 0.3;

/// The Hessian is used again only if at most this share of the slope is left.
const BENT: f64 = 0.05;

/// How often a step is shortened at most, and the share of its slope that may remain after it, with the other sign.
const SHORTENED: usize = 4;
const SLOPE: f64 = 0.5;

/// Steps that shrink by less than this factor no longer converge as Newton's method does; they are rounding
/// errors if they are smaller than a multiple of the rounding of positions.
const SHRINKS: f64 = 0.5;
const ROUNDED: f64 = 64.0;

/// Lengths in the norm of M.
struct Sizes {
    /// The step.
    step: f64,
    /// The displacement of the particles from the prediction.
    moved: f64,
    /// The rounding of positions.
    rounding: f64,
}

/// How φ falls somewhere.
struct Fall {
    /// −∇φ·Δx.
    slope: f64,
    /// The size of ∇φ in the norm of M⁻¹.
    gradient: f64,
}

/// The end of a step.
pub(super) struct End {
    /// The share of the slope that is left: zero if φ is as the Hessian predicts, or one if the step was shortened.
    bent: f64,
    /// ∇φ at the start of the step, and at its end.
    gradients: [f64; 2],
}

/// How the steps of a substep ended.
struct Descent {
    /// Whether the particles are as near to the solution as required.
    reached: bool,
    /// The number of steps.
    steps: usize,
}

/// The distance to the solution, after a step of this size and one `before` it, if steps keep shrinking at
/// least as fast; after the first step, if the next one is shorter by as much as the gradient, of which the share
/// `gradient` is left.
fn still_to_go(step: f64, before: Option<f64>, gradient: f64) -> f64 {
    let ratio = before.map_or(gradient, |before| step / before);
    if ratio < 1.0 { step * ratio / (1.0 - ratio) } else { step }
}

/// The particles that a step moves.
fn nodes(over: Over, region: &Region<f32>, count: usize) -> impl Iterator<Item = usize> {
    over.particles(region.nodes(), count)
}

impl<T: Scalar> System<T> {
    /// Solves the implicit step, from the state after the sweeps, or from where the particles were before if obstacles carry
    /// some or if steps from there [lead nowhere](Self::begin_again). If that fails, the particles are where the sweeps left
    /// them. Returns whether the result is as exact as required, or as the number type allows.
    ///
    /// The Hessian of a step is used for the next ones too, as long as they shrink fast: this halves the time.
    pub(crate) fn solve(&mut self, substep: &mut Substep<'_, T>) -> bool {
        let lands = self.find_supports(substep);
        let mut descent = self.descend(substep, lands);
        if !descent.reached && !self.is_rough && !self.meets_obstacles(lands) && !self.is_pressed() {
            descent = self.begin_again(substep, descent);
        }
        if self.meets_obstacles(lands) {
            if self.is_rough || descent.steps == 0 {
                self.leave_supports(substep);
                descent = self.descend(substep, false);
            } else {
                self.supports.press(substep.contacts, &substep.particles.now);
            }
        }
        self.has_been_rough |= self.is_rough;
        let Descent { reached, steps } = descent;
        if steps == 1 {
            self.relax(substep, false);
        }
        if self.is_rough && steps > 0 {
            self.step_where_strained(substep);
            self.balance(substep);
        } else if steps > 0 && !self.meets_obstacles(lands) && !self.is_pressed() {
            if !reached {
                // The residual is that of another state.
                self.assemble(substep, Wanted::default());
            }
            self.parts.keep_momentum(&mut substep.particles.now, &self.residual);
        }
        reached
    }

    /// Makes the steps of a substep once more, from where the particles were at its start, if φ is flatter there than at the end
    /// of those from the state after the sweeps: a sweep over some materials leaves elements from which no step leads back.
    fn begin_again(&mut self, substep: &mut Substep<'_, T>, descent: Descent) -> Descent {
        let first = self.gradient(substep);
        let Particles { now, previous, .. } = &mut *substep.particles;
        for ((ended, p), q) in self.ended.iter_mut().zip(now.iter_mut()).zip(previous.iter()) {
            *ended = p.x;
            if p.w > T::zero() {
                p.x = q.x;
            }
        }
        let start = self.gradient(substep);
        if start < first {
            let again = self.descend(substep, false);
            if again.reached || self.gradient(substep) < first {
                return again;
            }
        }
        for (p, ended) in substep.particles.now.iter_mut().zip(&self.ended) {
            p.x = *ended;
        }
        self.assemble(substep, Wanted { keep: true, ..Wanted::default() });
        descent
    }

    /// The size of ∇φ at the present positions, in the norm of M⁻¹.
    fn gradient(&mut self, substep: &mut Substep<'_, T>) -> f64 {
        self.assemble(substep, Wanted::default());
        self.fall(&substep.particles.now, Over::All).gradient
    }

    /// Finds what obstacles carry. If anything lies on them or lands, brings the particles back to where they were at the
    /// start of the substep, where no element is squashed, and returns that; where surfaces of bodies press, they stay where
    /// those have put them.
    fn find_supports(&mut self, substep: &mut Substep<'_, T>) -> bool {
        self.supports.clear();
        self.carries = !self.has_been_rough && !substep.contacts.is_empty();
        let presses = self.take_pulls(substep);
        if !self.carries {
            return false;
        }
        let Particles { now, previous, .. } = &mut *substep.particles;
        let lands = self.supports.find(substep.contacts, now, &self.predicted, previous);
        for ((swept, p), q) in self.swept.iter_mut().zip(now.iter_mut()).zip(previous.iter()) {
            *swept = p.x;
            if lands && !presses && p.w > T::zero() {
                p.x = q.x;
            }
        }
        lands
    }

    /// Whether anything `lands`, or steps have brought particles into an obstacle.
    fn meets_obstacles(&self, lands: bool) -> bool {
        lands || !self.supports.is_empty()
    }

    /// Goes back to the state after the sweeps, whose contacts press as they do there.
    fn leave_supports(&mut self, substep: &mut Substep<'_, T>) {
        self.supports.clear();
        self.carries = false;
        for (p, swept) in substep.particles.now.iter_mut().zip(&self.swept) {
            p.x = *swept;
        }
        self.take_pulls(substep);
    }

    /// Makes steps until the last one; more of them while φ is steeper than where they began. From the second on the elastic
    /// constraints keep the multipliers at their ends. Makes none that are rough where something `lands`: they start from the
    /// state after the sweeps.
    #[inline(never)]
    fn descend(&mut self, substep: &mut Substep<'_, T>, lands: bool) -> Descent {
        let (mut before, mut new, mut steps) = (None, true, 0);
        let [little, much] = LEFT;
        let first = Tolerance { residual: much, error: substep.accuracy.clamp(little, much), distance: 0.0 };
        let (mut tolerance, mut enough) =
            (first, substep.accuracy * self.sizes(&substep.particles.now).moved);
        let most = if substep.accuracy < CLOSE { STEPS_WHERE_CLOSE } else { STEPS };
        // ∇φ where the first step began, and where the last one ended.
        let (mut began, mut ended) = (None, 0.0);
        for attempt in 0..most.max(STEPS_WHERE_STEEP) {
            if attempt >= most && began.is_none_or(|began| ended <= began) {
                break;
            }
            if new || self.keeps_multipliers(substep) {
                self.assemble(substep, Wanted { stiffness: new, ..Wanted::default() });
            }
            self.is_rough = self.has_folds(substep);
            if self.is_rough && self.meets_obstacles(lands) {
                return Descent { reached: false, steps };
            }
            self.carries &= !self.is_rough;
            let iterations = if self.is_rough { RIGID_ITERATIONS[steps] } else { ITERATIONS };
            // What is near its solution already takes few iterations.
            let distance = if self.is_rough { 0.0 } else { LEFT_OVER * enough };
            let found = self.find_step(new, Tolerance { distance, ..tolerance }, iterations);
            let end = found.and_then(|error| Some((error, self.search(substep, steps > 0, Over::All)?)));
            let Some((error, End { bent, gradients: [start, end] })) = end else {
                if new {
                    return Descent { reached: false, steps };
                }
                // The Hessian belongs to another state.
                (before, new, tolerance) = (None, true, first);
                continue;
            };
            steps += 1;
            (began, ended) = (began.or(Some(start)), end);
            let gradient = end / start;
            self.relax(substep, true);
            if self.is_rough && steps == RIGID_ITERATIONS.len() {
                return Descent { reached: true, steps };
            }
            let Particles { now, previous, .. } = &*substep.particles;
            let (wrong, changed) = if self.carries {
                self.supports.revise(substep.contacts, now, previous)
            } else {
                (0.0, false)
            };
            let Sizes { step, moved, rounding } = self.sizes(now);
            let rounded = before.is_some_and(|before| step > SHRINKS * before) && step <= ROUNDED * rounding;
            enough = substep.accuracy * moved;
            // What is left of the linear system is left of the step as well.
            let left_over = still_to_go(step, before, gradient).max(gradient.max(error).min(1.0) * step);
            if wrong <= enough && (rounded || left_over + wrong <= enough) {
                return Descent { reached: true, steps };
            }
            new = changed || bent > BENT || !new && before.is_some_and(|before| step > SERVES * before);
            // Later residuals are those of the stiffest elements, whatever the others do: half of the error is theirs.
            let rest = 0.5 * (enough / left_over).clamp(2.0 * little, much);
            tolerance = if new { first } else { Tolerance { residual: 1.0, error: rest, distance: 0.0 } };
            before = Some(step);
        }
        Descent { reached: false, steps }
    }

    /// Goes along the step until φ no longer falls, judged by its slope. `None` if it never fell. Elastic
    /// constraints `keep` the multipliers there.
    pub(super) fn search(&mut self, substep: &mut Substep<'_, T>, keep: bool, over: Over) -> Option<End> {
        let strained = self.is_rough.then(|| strain(substep));
        let wanted = Wanted { stiffness: false, keep, over, strained };
        let Fall { slope: first, gradient: whole } = self.fall(&substep.particles.now, over);
        if !(first > 0.0 && first.is_finite()) {
            return None;
        }
        for node in nodes(over, &self.region, self.start.len()) {
            self.start[node] = substep.particles.now[node].x;
        }
        let mut share = 1.0;
        for shortened in 0..=SHORTENED {
            self.go(share, &mut substep.particles.now, over);
            self.assemble(substep, wanted);
            let Fall { slope, gradient } = self.fall(&substep.particles.now, over);
            if slope.is_finite() && slope >= -SLOPE * first {
                let bent = if shortened == 0 { slope.abs() / first } else { 1.0 };
                return Some(End { bent, gradients: [whole, gradient] });
            }
            // The zero of the line through both slopes.
            let secant = if slope.is_finite() { first / (first - slope) } else { 0.0 };
            share *= secant.clamp(0.1, 0.7);
        }
        self.go(0.0, &mut substep.particles.now, over);
        if keep {
            self.assemble(substep, wanted);
        }
        None
    }

    /// How φ falls at the present positions, along the step.
    fn fall(&self, now: &[Particle<T>], over: Over) -> Fall {
        let (mut slope, mut squares) = (0.0, 0.0);
        nodes(over, &self.region, self.step.len()).for_each(|node| {
            let (r, s) = (widen(&self.residual[node].x), self.step[node].map(f64::from));
            slope += r.x * s[0] + r.y * s[1] + r.z * s[2];
            squares += now[node].w.to_f64() * r.norm_squared();
        });
        Fall { slope, gradient: squares.sqrt() }
    }

    /// Moves the particles by a share of the step from their earlier positions.
    fn go(&self, share: f64, now: &mut [Particle<T>], over: Over) {
        nodes(over, &self.region, self.step.len()).for_each(|node| {
            let (p, start) = (&mut now[node], &self.start[node]);
            for (axis, &step) in self.step[node].iter().enumerate() {
                p.x[axis] = start[axis] + T::splat(share * f64::from(step));
            }
        });
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
