//! [`Suite`]: all the checks on many random stencils, for a constraint of your own.

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, Bound, Damping};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

use crate::config::config;
use crate::error::CheckError;
use crate::strategies::{
    degenerate, points, positive_weights, rigid_motion, scaled_compliance, stencil, weights,
};
use crate::{
    check_damped, check_damped_rows, check_finite, check_gradient, check_linearised, check_momentum,
    check_potential, check_rigid_motion, check_rotation, check_scaled_rows, check_translation,
};

/// The properties that every constraint should have, run over random stencils of `N` points.
///
/// Each method draws the cases, checks one property and panics with the smallest failing case, as a test
/// does. `make` builds the constraint from a rest stencil; it is then evaluated on another one. The macro
/// [`constraint_suite!`](crate::constraint_suite) makes one test of each.
///
/// ```
/// use pliant_constraints::Distance;
/// use pliant_testkit::Suite;
///
/// let suite = Suite::new();
/// suite.gradients(Distance::at_rest);
/// suite.momentum(Distance::at_rest);
/// ```
#[derive(Debug, Clone)]
pub struct Suite<const N: usize> {
    /// Number of cases of each check.
    pub cases: u32,
    /// Relative tolerance of gradients against finite differences.
    pub gradient_tolerance: f64,
    /// Relative tolerance of sums that cancel: translation, rotation, momentum.
    pub momentum_tolerance: f64,
    /// Relative tolerance of the linearised equation after a projection.
    pub projection_tolerance: f64,
    stencils: BoxedStrategy<[Vector3<f64>; N]>,
}

impl<const N: usize> Default for Suite<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// The random input of a projection: rest stencil, stencil, inverse masses, scaled compliance and a number in
/// [−1, 1] for the multipliers.
type Projection<const N: usize> = ([Vector3<f64>; N], [Vector3<f64>; N], [f64; N], f64, f64);

impl<const N: usize> Suite<N> {
    /// 256 cases of each check, on well-shaped stencils and on random points, with tolerances that suit
    /// formulas of ordinary conditioning.
    #[must_use]
    pub fn new() -> Self {
        Self {
            cases: 256,
            gradient_tolerance: 1e-7,
            momentum_tolerance: 1e-11,
            projection_tolerance: 1e-10,
            stencils: prop_oneof![3 => stencil::<N>(), 1 => points::<N>(1.0)].boxed(),
        }
    }

    /// The same suite on other stencils.
    #[must_use]
    pub fn with_stencils(self, stencils: impl Strategy<Value = [Vector3<f64>; N]> + 'static) -> Self {
        Self { stencils: stencils.boxed(), ..self }
    }

    /// The same suite with another number of cases.
    #[must_use]
    pub fn with_cases(self, cases: u32) -> Self {
        Self { cases, ..self }
    }

    /// Gradients agree with finite differences. See [`check_gradient`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn gradients<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        self.run((self.stencils.clone(), self.stencils.clone()), |(rest, x)| {
            check_gradient(&make(rest), x, self.gradient_tolerance)
        });
    }

    /// The rows of a projection are the values and gradients times a factor. See [`check_scaled_rows`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn scaled_rows<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        self.run((self.stencils.clone(), self.stencils.clone(), weights()), |(rest, x, w)| {
            check_scaled_rows(&make(rest), x, w, self.momentum_tolerance)
        });
    }

    /// Energy, gradient and stiffness agree with finite differences. See [`check_potential`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn potentials<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        // A matrix of finite differences takes as long as a few dozen gradients.
        let suite = self.clone().with_cases(self.cases / 8);
        let drawn = (stencil::<N>(), points::<N>(1.0), scaled_compliance());
        suite.run(drawn, |(x, by, compliance)| {
            // Of about the size of the stencil: differences of values of very different size lose their
            // digits. Also larger than the stencil, beyond the range in which limits are inactive.
            let size = x.iter().map(|p| (p - x[0]).norm()).fold(0.0, f64::max);
            let rest = std::array::from_fn(|j| (x[j] - x[0]) * 1.5 + by[j] * (0.1 * size));
            let constraint = make(&rest);
            // The energy of an inequality has a kink in its slope at its boundary, and its value may have
            // others inside.
            let value = constraint.values(x).into_iter().fold(0.0, f64::min);
            if C::BOUND == Bound::AtLeastZero && value > -0.1 * size {
                return Ok(());
            }
            check_potential(&constraint, x, compliance + 1e-3, 1e3 * self.gradient_tolerance)
        });
    }

    /// The gradients of each row cancel. See [`check_translation`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn translation<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        self.run((self.stencils.clone(), self.stencils.clone()), |(rest, x)| {
            check_translation(&make(rest), x, self.momentum_tolerance)
        });
    }

    /// The torques of each row cancel. See [`check_rotation`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn rotation<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        self.run((self.stencils.clone(), self.stencils.clone()), |(rest, x)| {
            check_rotation(&make(rest), x, self.momentum_tolerance)
        });
    }

    /// The values are invariant under rigid motions. See [`check_rigid_motion`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn rigid_motion<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        let drawn = (self.stencils.clone(), self.stencils.clone(), rigid_motion(10.0));
        self.run(drawn, |(rest, x, motion)| {
            check_rigid_motion(&make(rest), x, motion, self.momentum_tolerance)
        });
    }

    /// A projection conserves the momentum that fixed points do not absorb. See [`check_momentum`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn momentum<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        self.run(self.projections(weights()), |(rest, x, w, alpha_tilde, draw)| {
            let constraint = make(rest);
            let lambda = plausible_multipliers(&constraint, x, w, *alpha_tilde, *draw);
            check_momentum(&constraint, x, w, *alpha_tilde, lambda, self.momentum_tolerance)
        });
    }

    /// A projection solves the linearised equation. See [`check_linearised`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn linearised<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        self.run(self.projections(positive_weights()), |(rest, x, w, alpha_tilde, draw)| {
            let constraint = make(rest);
            let lambda = plausible_multipliers(&constraint, x, w, *alpha_tilde, *draw);
            check_linearised(&constraint, x, w, *alpha_tilde, lambda, self.projection_tolerance)
        });
    }

    /// A projection with damping solves its linearised equation and conserves momentum. See [`check_damped`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn damped<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        self.run_damped(make, |constraint, x, w, alpha_tilde, damping, lambda| {
            check_damped(constraint, x, w, alpha_tilde, damping, lambda, self.projection_tolerance)
        });
    }

    /// The same for rows that rotate with the body, whose angular momentum is not checked. See [`check_damped_rows`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn damped_rows<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        self.run_damped(make, |constraint, x, w, alpha_tilde, damping, lambda| {
            let tolerance = self.projection_tolerance;
            check_damped_rows(constraint, x, w, alpha_tilde, damping, lambda, tolerance).map(|_| ())
        });
    }

    /// Draws the input of a projection with damping.
    fn run_damped<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
        check: impl Fn(
            &C,
            &[Vector3<f64>; N],
            &[f64; N],
            f64,
            Damping<'_, f64, N>,
            [f64; M],
        ) -> Result<(), CheckError>,
    ) {
        let drawn = (self.projections(positive_weights()), points::<N>(0.1), 0.0..100.0_f64);
        self.run(drawn, |((rest, x, w, alpha_tilde, draw), moved, gamma)| {
            let constraint = make(rest);
            let lambda = plausible_multipliers(&constraint, x, w, *alpha_tilde, *draw);
            let size = x.iter().map(|p| (p - x[0]).norm()).fold(0.0, f64::max);
            let previous = std::array::from_fn(|j| x[j] + moved[j] * size);
            check(&constraint, x, w, *alpha_tilde, Damping { previous: &previous, gamma: *gamma }, lambda)
        });
    }

    /// Collapsed stencils give finite answers. See [`check_finite`].
    ///
    /// # Panics
    ///
    /// With the smallest failing case.
    pub fn finite<C: BlockConstraint<f64, N, M>, const M: usize>(
        &self,
        make: impl Fn(&[Vector3<f64>; N]) -> C,
    ) {
        let drawn = (self.stencils.clone(), degenerate::<N>(), weights(), scaled_compliance());
        self.run(drawn, |(rest, x, w, alpha_tilde)| check_finite(&make(rest), x, w, *alpha_tilde));
    }

    fn projections(&self, w: impl Strategy<Value = [f64; N]>) -> impl Strategy<Value = Projection<N>> {
        (self.stencils.clone(), self.stencils.clone(), w, scaled_compliance(), -1.0..=1.0)
    }

    fn run<S: Strategy>(&self, drawn: S, check: impl Fn(&S::Value) -> Result<(), CheckError>) {
        // Failures are not kept on disk, because a suite is called from anywhere and there is no file beside
        // which to keep them. The seed is fixed, so each run finds them again.
        let kept_nowhere = Config { failure_persistence: None, ..config(self.cases) };
        let mut runner = TestRunner::new(kept_nowhere);
        match runner.run(&drawn, |case| check(&case).map_err(TestCaseError::from)) {
            Ok(()) => {}
            Err(TestError::Fail(reason, _)) => panic!("{reason}"),
            Err(aborted) => panic!("{aborted}"),
        }
    }
}

/// Multipliers as an earlier iteration may have left them: `draw` times the step of a projection from zero.
fn plausible_multipliers<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    w: &[f64; N],
    alpha_tilde: f64,
    draw: f64,
) -> [f64; M]
where
    C: BlockConstraint<f64, N, M>,
{
    let mut lambda = [0.0; M];
    let update = pliant_constraints::Update::xpbd();
    pliant_constraints::project(constraint, x, w, alpha_tilde, update, &mut lambda);
    // Multipliers of an inequality are never negative.
    let share = if C::BOUND == Bound::AtLeastZero { draw.abs() } else { draw };
    lambda.map(|l| l * share)
}

/// One `#[test]` for each property of a [`Suite`](crate::Suite), in a module of its own.
///
/// `free` constraints depend only on their points; `anchored` ones are tied to a fixed frame and are not
/// checked for invariance and momentum. The constraint is a function of a rest stencil.
///
/// ```
/// use pliant_constraints::{PointTarget, TetVolume};
///
/// pliant_testkit::constraint_suite!(mod volume, free, 4 points, TetVolume::at_rest);
/// pliant_testkit::constraint_suite!(mod target, anchored, 1 points, |rest| PointTarget { target: rest[0] });
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! constraint_suite {
    (mod $name:ident, anchored, $n:literal points, $make:expr) => {
        mod $name {
            use super::*;
            $crate::constraint_suite!(@one $n, $make, gradients scaled_rows linearised finite);
        }
    };
    (mod $name:ident, free, $n:literal points, $make:expr) => {
        mod $name {
            use super::*;
            $crate::constraint_suite!(@one $n, $make,
                gradients scaled_rows potentials translation rotation rigid_motion momentum linearised damped finite);
        }
    };
    (@one $n:literal, $make:expr, $($property:ident)*) => {
        $crate::constraint_suite!(@each [$n, $make] $($property)*);
    };
    (@each [$n:literal, $make:expr]) => {};
    (@each [$n:literal, $make:expr] $property:ident $($rest:ident)*) => {
        #[test]
        fn $property() {
            $crate::Suite::<$n>::new().$property($make);
        }
        $crate::constraint_suite!(@each [$n, $make] $($rest)*);
    };
}
