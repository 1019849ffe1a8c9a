//! [`project`]: the block solve against dense linear algebra, and the effect of iterations.

use nalgebra::{DMatrix, DVector, Vector3};
use pliant_constraints::{
    BlockConstraint, Constraint as _, Distance, PointTarget, Real, ScaledRows, TetVolume, Update,
    iteration_independent_stiffness, project, project_rigid, residual,
};
use pliant_testkit::{
    check_linearised, point, points, positive_weights, scaled_compliance, stencil, weights,
};
use proptest::prelude::*;

/// Points of the made-up constraint.
const N: usize = 3;

/// `M` rows that are linear in the positions: C_r = Σ_j a_rj · x_j − b_r.
#[derive(Debug, Clone)]
struct Linear<const M: usize> {
    rows: [[Vector3<f64>; N]; M],
    offset: [f64; M],
}

impl<const M: usize> BlockConstraint<f64, N, M> for Linear<M> {
    fn values(&self, x: &[Vector3<f64>; N]) -> [f64; M] {
        std::array::from_fn(|r| {
            self.rows[r].iter().zip(x).map(|(a, x)| a.dot(x)).sum::<f64>() - self.offset[r]
        })
    }
    fn values_and_gradients(&self, x: &[Vector3<f64>; N]) -> ([f64; M], [[Vector3<f64>; N]; M]) {
        (self.values(x), self.rows)
    }
}

/// Everything that one projection of a linear block needs.
#[derive(Debug, Clone)]
struct Case<const M: usize> {
    block: Linear<M>,
    x: [Vector3<f64>; N],
    w: [f64; N],
    alpha_tilde: f64,
    lambda: [f64; M],
}

fn case<const M: usize>() -> impl Strategy<Value = Case<M>> {
    let rows = prop::array::uniform::<_, M>(points::<N>(1.0));
    let offset = prop::array::uniform::<_, M>(-1.0..=1.0);
    let huge = prop_oneof![3 => scaled_compliance(), 1 => (6.0..=15.0).prop_map(|e: f64| 10.0_f64.powf(e))];
    let lambda = prop::array::uniform::<_, M>(-1.0..=1.0);
    (rows, offset, points(1.0), positive_weights(), huge, lambda).prop_map(
        |(rows, offset, x, w, alpha_tilde, lambda)| Case {
            block: Linear { rows, offset },
            x,
            w,
            alpha_tilde,
            lambda,
        },
    )
}

/// J W Jᵀ + α̃ I and −(C + α̃λ), written out.
fn system<const M: usize>(c: &Case<M>) -> (DMatrix<f64>, DVector<f64>) {
    let jacobian = DMatrix::from_fn(M, 3 * N, |r, k| c.block.rows[r][k / 3][k % 3]);
    let weights = DMatrix::from_fn(3 * N, 3 * N, |i, j| if i == j { c.w[i / 3] } else { 0.0 });
    let matrix = &jacobian * weights * jacobian.transpose() + DMatrix::identity(M, M) * c.alpha_tilde;
    let values = c.block.values(&c.x);
    (matrix, DVector::from_fn(M, |r, _| -(values[r] + c.alpha_tilde * c.lambda[r])))
}

fn agrees_with_dense<const M: usize>(c: &Case<M>) -> Result<(), TestCaseError> {
    let (matrix, rhs) = system(c);
    let mut lambda = c.lambda;
    let dx = project(&c.block, &c.x, &c.w, c.alpha_tilde, Update::xpbd(), &mut lambda);
    let delta = DVector::from_fn(M, |r, _| lambda[r] - c.lambda[r]);
    // Backward error: the residual of the equation, relative to the sizes of its terms. The multiplier after
    // the update has the rounding of the one before.
    let size = matrix.norm() * (delta.norm() + DVector::from_row_slice(&c.lambda).norm()) + rhs.norm();
    let left = (&matrix * &delta - &rhs).norm();
    prop_assert!(left <= 1e-12 * size, "left {left:e} of {size:e}");
    // Forward error, where the matrix is well enough conditioned for one.
    let eigenvalues = matrix.clone().symmetric_eigen().eigenvalues;
    let condition = eigenvalues.max() / eigenvalues.min();
    if condition < 1e6 {
        let expected = matrix.cholesky().expect("positive definite").solve(&rhs);
        let noise = 1e-15 * condition * expected.norm() + 1e-15 * DVector::from_row_slice(&c.lambda).norm();
        prop_assert!((&delta - &expected).norm() <= 10.0 * noise, "{delta} instead of {expected}");
    }
    // And the points move by w Jᵀ Δλ.
    for j in 0..N {
        let expected: Vector3<f64> =
            (0..M).map(|r| c.block.rows[r][j] * delta[r]).sum::<Vector3<f64>>() * c.w[j];
        let scale = c.w[j] * (delta.norm() + c.lambda.iter().map(|l| l.abs()).sum::<f64>());
        prop_assert!((dx[j] - expected).norm() <= 1e-14 * scale);
    }
    if condition < 1e6 {
        check_linearised(&c.block, &c.x, &c.w, c.alpha_tilde, c.lambda, 1e-8)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn one_row(c in case::<1>()) { agrees_with_dense(&c)?; }

    #[test]
    fn two_rows(c in case::<2>()) { agrees_with_dense(&c)?; }

    #[test]
    fn three_rows(c in case::<3>()) { agrees_with_dense(&c)?; }

    #[test]
    fn four_rows(c in case::<4>()) { agrees_with_dense(&c)?; }

    #[test]
    fn five_rows(c in case::<5>()) { agrees_with_dense(&c)?; }

    #[test]
    fn six_rows(c in case::<6>()) { agrees_with_dense(&c)?; }

    #[test]
    fn rows_that_depend_on_each_other_stay_finite_and_agree(c in case::<6>(), share in -2.0..2.0_f64) {
        // The last row repeats the first, the fourth is a mixture of the second and third; offsets to match.
        let mut c = c;
        c.alpha_tilde = 0.0;
        let rows = &mut c.block.rows;
        rows[5] = rows[0];
        for j in 0..N {
            rows[3][j] = rows[1][j] + rows[2][j] * share;
        }
        let b = &mut c.block.offset;
        (b[5], b[3]) = (b[0], b[1] + b[2] * share);
        let mut lambda = [0.0; 6];
        let dx = project(&c.block, &c.x, &c.w, 0.0, Update::xpbd(), &mut lambda);
        let moved = std::array::from_fn(|j| c.x[j] + dx[j]);
        let scale = 1.0 + dx.iter().map(Vector3::norm).sum::<f64>();
        let left = c.block.values(&moved);
        prop_assert!(left.iter().all(|c| c.abs() < 1e-7 * scale), "{left:?}, {dx:?}");
    }

    #[test]
    fn rows_that_contradict_each_other_do_not_throw_points_apart(c in case::<3>(), share in -2.0..2.0_f64) {
        // The third row contradicts the first two; its pivot is only their rounding error.
        let mut c = c;
        c.w = [1.0; N];
        let [first, second, third] = &mut c.block.rows;
        let dot = |a: &[Vector3<f64>; N], b: &[Vector3<f64>; N]| -> f64 { a.iter().zip(b).map(|(a, b)| a.dot(b)).sum() };
        prop_assume!(dot(first, first) > 1e-3);
        let overlap = dot(first, second) / dot(first, first);
        for j in 0..N {
            second[j] -= first[j] * overlap;
            third[j] = first[j] + second[j] * share;
        }
        prop_assume!(dot(second, second) > 1e-3);
        c.block.offset[2] += 1.0;
        let dx = project(&c.block, &c.x, &c.w, 0.0, Update::xpbd(), &mut [0.0; 3]);
        let without = Linear { rows: [c.block.rows[0], c.block.rows[1]], offset: [c.block.offset[0], c.block.offset[1]] };
        let expected = project(&without, &c.x, &c.w, 0.0, Update::xpbd(), &mut [0.0; 2]);
        for (dx, expected) in dx.iter().zip(expected) {
            prop_assert!((dx - expected).norm() <= 1e-9 * (1.0 + expected.norm()), "{dx:?} {expected:?}");
        }
    }

    #[test]
    fn equal_rows_share_a_compliant_load(c in case::<1>(), alpha_tilde in 1e-3..1e3_f64) {
        let twice = Linear { rows: [c.block.rows[0]; 2], offset: [c.block.offset[0]; 2] };
        let mut two = [0.0; 2];
        let dx = project(&twice, &c.x, &c.w, alpha_tilde, Update::xpbd(), &mut two);
        // Two springs side by side are one of half the compliance.
        let mut one = [0.0];
        let expected = project(&c.block, &c.x, &c.w, 0.5 * alpha_tilde, Update::xpbd(), &mut one);
        prop_assert!((two[0] - two[1]).abs() <= 1e-8 * one[0].abs());
        for (dx, expected) in dx.iter().zip(expected) {
            prop_assert!((dx - expected).norm() <= 1e-8 * expected.norm());
        }
    }

    #[test]
    fn points_without_weight_do_not_move(c in case::<4>(), w in weights()) {
        let mut lambda = c.lambda;
        let dx = project(&c.block, &c.x, &w, c.alpha_tilde, Update::xpbd(), &mut lambda);
        for j in 0..N {
            prop_assert!(dx[j].iter().all(|c| c.is_finite()));
            prop_assert!(w[j] != 0.0 || dx[j] == Vector3::zeros());
        }
        prop_assert!(lambda.iter().all(|l| l.is_finite()));
        // Without a point that can move a rigid block does nothing at all.
        let mut lambda = c.lambda;
        let dx = project(&c.block, &c.x, &[0.0; N], 0.0, Update::xpbd(), &mut lambda);
        prop_assert_eq!((dx, lambda), ([Vector3::zeros(); N], c.lambda));
    }

    #[test]
    fn a_second_projection_changes_nothing(x in stencil::<2>(), rest in 0.1..2.0_f64, w in positive_weights(), alpha_tilde in scaled_compliance()) {
        // Along its own gradient a distance is linear: XPBD solves it in one iteration, and further ones keep
        // the answer.
        let edge = Distance { rest: rest * Distance::at_rest(&x).rest };
        let mut lambda = [0.0];
        let first = project(&edge, &x, &w, alpha_tilde, Update::xpbd(), &mut lambda);
        let moved = [x[0] + first[0], x[1] + first[1]];
        let noise = 1e-14 * (x[0].norm() + x[1].norm());
        prop_assert!(residual(&[edge.value(&moved)], alpha_tilde, &lambda)[0].abs() <= 10.0 * noise);
        let again = project(&edge, &moved, &w, alpha_tilde, Update::xpbd(), &mut lambda);
        prop_assert!(again[0].norm().max(again[1].norm()) <= 10.0 * noise);
    }

    #[test]
    fn without_the_multiplier_stiffness_grows_with_the_iterations(
        x in stencil::<2>(), w in positive_weights::<2>(), alpha_tilde in 0.1..100.0_f64, iterations in 1..6,
    ) {
        let edge = Distance { rest: 0.5 * Distance::at_rest(&x).rest };
        let mut y = x;
        for _ in 0..iterations {
            let dx = project(&edge, &y, &w, alpha_tilde, Update::without_multiplier(), &mut [0.0]);
            y = [y[0] + dx[0], y[1] + dx[1]];
        }
        let r = alpha_tilde / (w[0] + w[1] + alpha_tilde);
        let expected = edge.value(&x) * r.powi(iterations);
        prop_assert!((edge.value(&y) - expected).abs() < 1e-13 * (x[0].norm() + x[1].norm()));
    }

    #[test]
    fn the_share_that_pbd_removes_does_not_depend_on_the_iterations(
        x in stencil::<2>(), w in positive_weights::<2>(), stiffness in 0.0..=1.0_f64, iterations in 1..30_u32,
    ) {
        let edge = Distance { rest: 0.5 * Distance::at_rest(&x).rest };
        let update = Update::pbd(iteration_independent_stiffness(stiffness, iterations));
        let mut y = x;
        for _ in 0..iterations {
            let dx = project(&edge, &y, &w, 0.0, update, &mut [0.0]);
            y = [y[0] + dx[0], y[1] + dx[1]];
        }
        let expected = edge.value(&x) * (1.0 - stiffness);
        prop_assert!((edge.value(&y) - expected).abs() < 1e-12 * (x[0].norm() + x[1].norm()));
    }

    #[test]
    fn a_gradient_at_the_floor_is_left_alone(x in stencil::<4>(), w in positive_weights::<4>(), alpha_tilde in scaled_compliance()) {
        let volume = TetVolume { rest: 1.0 };
        let (_, g) = volume.value_and_gradient(&x);
        let pivot: f64 = g.iter().zip(&w).map(|(g, w)| w * g.norm_squared()).sum();
        let mean = pivot / w.iter().sum::<f64>();
        let mut lambda = [0.25];
        let above = Update::xpbd().with_gradient_floor(mean * (1.0 + 1e-9));
        prop_assert_eq!(project(&volume, &x, &w, alpha_tilde, above, &mut lambda), [Vector3::zeros(); 4]);
        prop_assert_eq!(lambda, [0.25]);
        let below = Update::xpbd().with_gradient_floor(mean * (1.0 - 1e-9));
        project(&volume, &x, &w, alpha_tilde, below, &mut lambda);
        prop_assert!(lambda != [0.25]);
    }

    #[test]
    fn a_static_load_stretches_by_compliance_times_force(
        h in 1e-4..1e-1_f64, alpha in 1e-6..1e-1_f64, mass in 0.01..100.0_f64, iterations in 1..5, g in point(10.0),
    ) {
        // Equilibrium of a hanging mass: at stretch αmg the multiplier −h²mg undoes one substep of falling, for any h.
        prop_assume!(g.norm() > 0.1);
        let down = g.normalize();
        let hung = PointTarget { target: Vector3::zeros() };
        let start = g * (alpha * mass);
        let mut x = start + g * (h * h);
        let mut lambda = [0.0; 3];
        for _ in 0..iterations {
            let w = [1.0 / mass];
            x += project(&hung, &[x], &w, alpha / (h * h), Update::xpbd(), &mut lambda)[0];
        }
        let noise = 1e-13 * (start.norm() + g.norm() * h * h);
        prop_assert!((x - start).norm() < noise, "{} from {}", (x - start).dot(&down), start.norm());
    }
}

#[test]
fn stiffnesses_outside_of_the_range_are_cut_off() {
    for n in [0, 1, 2, 5, 100] {
        assert_eq!(iteration_independent_stiffness(1.0, n), 1.0);
        assert_eq!(iteration_independent_stiffness(1.0 + 1e-15, n), 1.0);
        assert_eq!(iteration_independent_stiffness(7.0, n), 1.0);
        assert_eq!(iteration_independent_stiffness(0.0, n), 0.0);
        assert_eq!(iteration_independent_stiffness(-0.5, n), 0.0);
    }
    assert_eq!(iteration_independent_stiffness(0.3, 0), iteration_independent_stiffness(0.3, 1));
}

#[test]
fn residuals_are_values_plus_compliant_multipliers() {
    assert_eq!(residual(&[1.0, -2.0], 0.5, &[4.0, 2.0]), [3.0, -1.0]);
}

/// The scaled rows of a constraint agree with its rows, and the projection of a rigid equation is the general
/// one without compliance, to the last bit.
fn is_the_general_one<T: Real + PartialOrd + Into<f64>, C: BlockConstraint<T, K, 1>, const K: usize>(
    constraint: &C,
    x: &[Vector3<f64>; K],
    w: &[f64; K],
    lambda: f64,
) -> Result<(), TestCaseError> {
    let x = x.map(|p| p.map(T::splat));
    let w = w.map(T::splat);
    let ScaledRows { factor, values, gradients, inverse_mass } = constraint.scaled_rows(&x, &w);
    let (expected, unscaled) = constraint.values_and_gradients(&x);
    let size = |g: &[Vector3<T>; K]| g.iter().flatten().map(|&g| g.into().abs()).fold(0.0, f64::max);
    let near = |a: f64, b: f64, scale: f64| (a - b).abs() <= 16.0 * T::EPSILON * scale;
    prop_assert_eq!(values[0], expected[0]);
    for j in 0..K {
        for k in 0..3 {
            let (scaled, plain) = (gradients[0][j][k].into(), unscaled[0][j][k].into() * factor.into());
            prop_assert!(near(scaled, plain, size(&gradients[0])), "gradient {j}: {scaled} is not {plain}");
        }
    }
    let matrix = constraint.inverse_mass_matrix(&w, &unscaled)[0][0].into() * factor.into();
    prop_assert!(near(inverse_mass[0][0].into(), matrix, matrix), "{:?} is not {matrix}", inverse_mass[0][0]);

    let mut lambdas = [[T::splat(lambda)]; 3];
    let general = project(constraint, &x, &w, T::zero(), Update::xpbd(), &mut lambdas[0]);
    let rigid = project_rigid(constraint, &x, &w, Some(T::zero()), &mut lambdas[1]);
    prop_assert_eq!(general, rigid);
    prop_assert_eq!(general, project_rigid(constraint, &x, &w, None, &mut lambdas[2]));
    prop_assert!(lambdas[1] == lambdas[0] && lambdas[2] == lambdas[0]);
    Ok(())
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn a_rigid_projection_is_the_general_one_without_compliance(
        x in stencil::<4>(),
        w in weights::<4>(),
        rest in 0.1..2.0_f64,
        lambda in -1.0..1.0_f64,
    ) {
        let (ends, masses) = ([x[0], x[1]], [w[0], w[1]]);
        is_the_general_one::<f64, _, 2>(&Distance { rest }, &ends, &masses, lambda)?;
        is_the_general_one::<f32, _, 2>(&Distance { rest: rest as f32 }, &ends, &masses, lambda)?;
        is_the_general_one::<f64, _, 4>(&TetVolume { rest }, &x, &w, lambda)?;
        is_the_general_one::<f32, _, 4>(&TetVolume { rest: rest as f32 }, &x, &w, lambda)?;
    }
}
