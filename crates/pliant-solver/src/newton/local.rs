//! Local steps: further Newton steps of the particles around strained constraints alone.
//!
//! Steps that end early leave rigid constraints, as the springs that stand for them, strained in a few places: where much
//! hangs on few of them, or a fold is sharp, φ bends more than a step along H follows. All else is near its solution. So
//! the particles around those places make steps of their own while all others stay, which takes a small part of the time
//! of a step of all (nonlinear elimination: Lanzkron, Rose and Wilkes 1996; Cai and Keyes 2002).

use std::sync::atomic::Ordering;

use pliant_kernel::Scalar;
use pliant_multigrid::Tolerance;

use super::system::{Over, Substep, System, Wanted};

/// The most local steps of a substep.
const STEPS: usize = 2;

/// The strain from which on a constraint counts, over the accuracy. The displacement of a point is half of it.
const STRAIN: f64 = 0.5;

/// Rings of neighbours that move with the particles of such constraints.
const RINGS: usize = 4;

/// The share of all particles that move at most: where more are strained, it is not the place that matters.
const PART: usize = 8;

/// The most iterations, and what they may leave.
const ITERATIONS: usize = 30;
const LEFT: f64 = 1e-2;

/// The displacement from which on constraints are noted, as a share of their size.
pub(super) fn strain<T: Scalar>(substep: &Substep<'_, T>) -> f64 {
    0.5 * STRAIN * substep.accuracy
}

impl<T: Scalar> System<T> {
    /// Makes steps of the particles around strained constraints, until there are none or steps no longer help. The gradient
    /// is that of the present positions, before and after it; elastic constraints keep the multipliers there.
    pub(super) fn step_where_strained(&mut self, substep: &mut Substep<'_, T>) {
        for _ in 0..STEPS {
            let Self { region, pattern, strained, .. } = self;
            region.gather(pattern, |node| strained[node].load(Ordering::Relaxed), RINGS);
            if region.is_empty() || region.len() > strained.len() / PART {
                return;
            }
            let wanted = Wanted { stiffness: true, keep: true, over: Over::Region, strained: None };
            self.assemble(substep, wanted);
            self.take_gradient(Over::Region);
            let Self { region, matrix, rhs, step, .. } = self;
            let tolerance = Tolerance { residual: LEFT, error: LEFT, distance: 0.0 };
            let is_solved = region.solve(matrix, rhs, step, tolerance, ITERATIONS) == Ok(true);
            if !is_solved || self.search(substep, true, Over::Region).is_none() {
                return;
            }
        }
    }
}
