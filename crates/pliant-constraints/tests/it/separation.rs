//! [`Separation`].

use nalgebra::Vector3;
use pliant_constraints::{Bound, Constraint as _, Kind, Separation, Update, project};
use pliant_testkit::{Suite, check_precision, points, positive_weights, stencil};
use proptest::prelude::*;

/// Weights of a vertex over a triangle, or of two edges, by two numbers in [0, 1].
fn weights(edges: bool, s: f64, t: f64) -> [f64; 4] {
    if edges { [1.0 - s, s, t - 1.0, -t] } else { [1.0, -(1.0 - s), -s * (1.0 - t), -s * t] }
}

/// The row that keeps two elements where they are at rest: for a vertex and a triangle.
fn at_rest(x: &[Vector3<f64>; 4]) -> Separation<f64> {
    let weights = weights(false, 0.6, 0.4);
    let between: Vector3<f64> = x.iter().zip(weights).map(|(x, b)| x * b).sum();
    Separation { normal: between.normalize(), weights, distance: between.norm() }
}

#[test]
fn gradients_and_what_nobody_notices() {
    let suite = Suite::<4>::new();
    suite.gradients(at_rest);
    suite.translation(at_rest);
    suite.finite(at_rest);
    suite.potentials(at_rest);
}

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn it_pushes_apart_and_nothing_on_the_whole(
        x in stencil::<4>(), towards in points::<4>(1.0), w in positive_weights::<4>(),
        s in 0.0..1.0_f64, t in 0.0..1.0_f64, edges: bool, distance in 0.0..0.5_f64,
    ) {
        prop_assume!(towards[0].norm() > 0.01);
        let row = Separation { normal: towards[0].normalize(), weights: weights(edges, s, t), distance };
        let mut lambda = [0.0];
        let dx = project(&row, &x, &w, 0.0, Update::xpbd(), &mut lambda);
        let before = row.value(&x);
        let after = row.value(&std::array::from_fn(|j| x[j] + dx[j]));
        prop_assert!(lambda[0] >= 0.0);
        if before >= 0.0 {
            prop_assert!(dx.iter().all(|d| d.norm() == 0.0) && lambda == [0.0]);
        } else {
            prop_assert!(after.abs() < 1e-12, "{before} to {after}");
        }
        let impulse: Vector3<f64> = dx.iter().zip(&w).map(|(d, w)| d / *w).sum();
        prop_assert!(impulse.norm() < 1e-12);
    }

    #[test]
    fn there_is_no_moment_where_the_normal_runs_through_both_points(
        x in stencil::<4>(), w in positive_weights::<4>(), s in 0.0..1.0_f64, t in 0.0..1.0_f64, edges: bool,
    ) {
        let weights = weights(edges, s, t);
        let between: Vector3<f64> = x.iter().zip(weights).map(|(x, b)| x * b).sum();
        prop_assume!(between.norm() > 0.01);
        let row = Separation { normal: between.normalize(), weights, distance: 2.0 * between.norm() };
        let dx = project(&row, &x, &w, 0.0, Update::xpbd(), &mut [0.0]);
        let moment: Vector3<f64> = x.iter().zip(&dx).zip(&w).map(|((x, d), w)| x.cross(&(d / *w))).sum();
        prop_assert!(moment.norm() < 1e-11, "{moment}");
    }

    #[test]
    fn single_precision_agrees(x in stencil::<4>(), rest in stencil::<4>()) {
        check_precision(&at_rest(&rest), &x, 2e-4)?;
    }
}

#[test]
fn the_kind_says_that_it_is_an_inequality() {
    assert_eq!(<Separation<f64> as Kind<4, 1>>::BOUND, Bound::AtLeastZero);
    let row = Separation {
        normal: Vector3::new(0.6, 0.0, 0.8),
        weights: [0.25, 0.75, -0.5, -0.5],
        distance: 0.003,
    };
    let mut rest = [0.0; 8];
    row.write_rest(&mut rest);
    assert_eq!(<Separation<f64> as Kind<4, 1>>::from_rest(&rest), row);
}
