//! [`Distance`], [`BookDistance`] and [`BendDistance`]: one formula, three meanings.

use nalgebra::Vector3;
use pliant_constraints::book::BookDistance;
use pliant_constraints::{
    BendDistance, BlockConstraint, Constraint as _, Distance, Kind, Real, Update, project,
};
use pliant_testkit::{
    Suite, check_converges, check_finite, check_gradient, check_momentum, check_precision, near_degenerate,
    positive_weights, scaled_compliance, stencil, weights,
};
use proptest::prelude::*;

pliant_testkit::constraint_suite!(mod distance, free, 2 points, Distance::at_rest);
pliant_testkit::constraint_suite!(mod bend_distance, free, 2 points, BendDistance::at_rest);
pliant_testkit::constraint_suite!(mod book_distance, free, 2 points, |rest| BookDistance {
    rest: Distance::at_rest(rest).rest
});

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn one_projection_satisfies_it(x in stencil::<2>(), w in positive_weights(), share in 0.0..3.0_f64, fix in 0..4_usize) {
        let mut w: [f64; 2] = w;
        if fix < 2 {
            w[fix] = 0.0;
        }
        let edge = Distance { rest: share * Distance::at_rest(&x).rest };
        check_converges(&edge, &x, &w, 1, 1e-13)?;
    }

    #[test]
    fn nearly_coincident_points_have_all_their_digits(
        x in near_degenerate::<2>(), rest in 0.0..2.0_f64, w in weights(), alpha_tilde in scaled_compliance(),
    ) {
        let edge = Distance { rest };
        check_gradient(&edge, &x, 1e-6)?;
        check_momentum(&edge, &x, &w, alpha_tilde, [0.1], 1e-12)?;
        check_finite(&edge, &x, &w, alpha_tilde)?;
    }

    #[test]
    fn single_precision_agrees(x in stencil::<2>(), rest in 0.0..2.0_f64) {
        check_precision(&Distance { rest }, &x, 1e-6)?;
        check_precision(&BendDistance { rest }, &x, 1e-6)?;
        check_precision(&BookDistance { rest }, &x, 1e-6)?;
    }

    #[test]
    fn gradients_are_unit_vectors(x in near_degenerate::<2>()) {
        let (_, g) = Distance { rest: 1.0 }.value_and_gradient(&x);
        prop_assert!((g[0].norm() - 1.0).abs() < 1e-15 * 8.0 && g[1] == -g[0]);
    }

    #[test]
    fn the_three_say_the_same(x in stencil::<2>(), rest in 0.0..2.0_f64) {
        let distance = Distance { rest }.value_and_gradient(&x);
        prop_assert_eq!(distance, BookDistance { rest }.value_and_gradient(&x));
        prop_assert_eq!(distance, BendDistance { rest }.value_and_gradient(&x));
    }
}

#[test]
fn coincident_points_are_pushed_apart_along_x() {
    let x = [Vector3::<f64>::new(0.3, -1.0, 2.0); 2];
    let edge = Distance { rest: 0.5 };
    let dx = project(&edge, &x, &[1.0, 3.0], 0.0, Update::xpbd(), &mut [0.0]);
    assert_eq!(dx, [Vector3::x() * 0.125, Vector3::x() * -0.375]);
    check_converges(&edge, &x, &[1.0, 3.0], 1, 1e-14).unwrap();
}

#[test]
fn the_book_skips_coincident_points() {
    let x = [Vector3::<f64>::new(0.3, -1.0, 2.0); 2];
    for alpha_tilde in [0.0, 1e-3, 1e6] {
        let mut lambda = [0.0];
        let dx =
            project(&BookDistance { rest: 0.5 }, &x, &[1.0, 3.0], alpha_tilde, Update::xpbd(), &mut lambda);
        assert_eq!((dx, lambda), ([Vector3::zeros(); 2], [0.0]));
    }
}

#[test]
fn points_closer_than_any_square_can_tell_stay_finite() {
    for gap in [1e-150, 1e-162, 1e-170, 1e-300, f64::MIN_POSITIVE, 5e-324] {
        let x = [Vector3::zeros(), Vector3::new(0.0, gap, -gap)];
        check_finite(&Distance { rest: 1.0 }, &x, &[1.0, 1.0], 0.0).unwrap();
    }
    for gap in [1e-18_f32, 1e-22, 1e-30, 1e-45] {
        let x = [Vector3::zeros(), Vector3::new(0.0, gap, gap)];
        let dx = project(&Distance { rest: 1.0_f32 }, &x, &[1.0; 2], 0.0, Update::xpbd(), &mut [0.0]);
        assert!(dx.iter().all(|d| d.norm() < 1.0), "{gap}: {dx:?}");
    }
}

#[test]
fn rest_data_survive_the_way_through_a_list_of_numbers() {
    let mut rest = [0.0];
    Distance { rest: 0.1 }.write_rest(&mut rest);
    assert_eq!(rest, [0.1]);
    assert_eq!(<Distance<f64> as Kind<2, 1>>::from_rest(&rest), Distance { rest: 0.1 });
    assert_eq!(Distance { rest: 0.1_f64 }.at::<f32>(), Distance { rest: 0.1_f32 });
}

#[test]
fn far_from_the_origin_the_difference_keeps_its_digits() {
    // Nothing but the positions' own rounding: the difference of two near numbers is exact.
    let x = [Vector3::new(1e6, 1e6, 1e6), Vector3::new(1e6 + 3.0, 1e6 + 4.0, 1e6)];
    let (c, g) = Distance { rest: 5.0 }.value_and_gradient(&x);
    assert_eq!(c, 0.0);
    assert!((g[1] - Vector3::new(0.6, 0.8, 0.0)).norm() < 1e-15);
    Suite::<2>::new().with_stencils(stencil::<2>()).translation(|_| Distance { rest: 1.0 });
}

/// Displacements and multiplier of a projection and of the same with the points in each other's place.
fn both_ways<T: Real>(
    kind: &impl BlockConstraint<T, 2, 1>,
    x: [Vector3<T>; 2],
    w: [T; 2],
    alpha_tilde: T,
) -> [([Vector3<T>; 2], [T; 1]); 2] {
    let (mut lambda, mut turned) = ([T::splat(0.25)], [T::splat(0.25)]);
    let dx = project(kind, &x, &w, alpha_tilde, Update::xpbd(), &mut lambda);
    let [b, a] = project(kind, &[x[1], x[0]], &[w[1], w[0]], alpha_tilde, Update::xpbd(), &mut turned);
    [(dx, lambda), ([a, b], turned)]
}

proptest! {
    #![proptest_config(pliant_testkit::config(256))]

    #[test]
    fn symmetric_kinds_do_not_see_which_point_is_the_first(
        a in prop::array::uniform3(-3.0..3.0_f64),
        b in prop::array::uniform3(-3.0..3.0_f64),
        w in prop::array::uniform2(0.0..4.0_f64),
        rest in 0.1..2.0_f64,
        compliance in prop_oneof![Just(0.0), 1e-6..1e2_f64],
    ) {
        const { assert!(<Distance<f64> as Kind<2, 1>>::SYMMETRIC && <BookDistance<f64> as Kind<2, 1>>::SYMMETRIC) };
        let x = [Vector3::from(a), Vector3::from(b)];
        let [one, other] = both_ways(&Distance { rest }, x, w, compliance);
        prop_assert_eq!(one, other);
        let [one, other] = both_ways(&BookDistance { rest }, x, w, compliance);
        prop_assert_eq!(one, other);
        let (x, w, rest) = (x.map(|x| x.map(|c| c as f32)), w.map(|w| w as f32), rest as f32);
        let [one, other] = both_ways(&Distance { rest }, x, w, compliance as f32);
        prop_assert_eq!(one, other);
    }
}
