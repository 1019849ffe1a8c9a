//! [`Tether`].

use nalgebra::Vector3;
use pliant_constraints::{Bound, Constraint as _, Kind, Tether, Update, project};
use pliant_testkit::{
    Suite, check_finite, check_gradient, check_precision, point, positive_weights, stencil,
};
use proptest::prelude::*;

fn tether(rest: &[Vector3<f64>; 1]) -> Tether<f64> {
    Tether { anchor: rest[0], length: 0.5 * rest[0].norm() }
}

#[test]
fn gradients() {
    Suite::<1>::new().gradients(tether);
    Suite::<1>::new().scaled_rows(tether);
    Suite::<1>::new().finite(tether);
}

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn within_reach_it_does_nothing_and_beyond_it_pulls_back(
        anchor in point(1.0), x in point(3.0), length in 0.0..2.0_f64, w in positive_weights::<1>(),
    ) {
        let tether = Tether { anchor, length };
        let mut lambda = [0.0];
        let dx = project(&tether, &[x], &w, 0.0, Update::xpbd(), &mut lambda)[0];
        let distance = (x - anchor).norm();
        prop_assert!(lambda[0] >= 0.0);
        if distance <= length {
            prop_assert_eq!((dx, lambda), (Vector3::zeros(), [0.0]));
        } else {
            prop_assert!(((x + dx - anchor).norm() - length).abs() < 1e-14);
            prop_assert!(dx.cross(&(x - anchor)).norm() < 1e-14, "straight towards the anchor");
            prop_assert!((dx.norm() - w[0] * lambda[0]).abs() < 1e-13);
        }
    }

    #[test]
    fn what_it_pulled_too_far_is_taken_back(
        x in point(3.0), length in 0.1..2.0_f64, moved in point(1.0), w in positive_weights::<1>(),
    ) {
        let tether = Tether { anchor: Vector3::zeros(), length };
        prop_assume!(tether.value(&[x]) < -0.01);
        let mut lambda = [0.0];
        let first = x + project(&tether, &[x], &w, 0.0, Update::xpbd(), &mut lambda)[0];
        // Something else moves the point: inwards, part of the pull goes back, at most all of it.
        let pulled = w[0] * lambda[0];
        let second = first + moved;
        let dx = project(&tether, &[second], &w, 0.0, Update::xpbd(), &mut lambda)[0];
        let outwards = dx.dot(&second.normalize());
        prop_assert!(lambda[0] >= 0.0 && outwards <= pulled * (1.0 + 1e-12));
        prop_assert!((second + dx).norm() <= length * (1.0 + 1e-12));
        if lambda[0] > 0.0 {
            prop_assert!(((second + dx).norm() - length).abs() < 1e-12);
        }
    }

    #[test]
    fn single_precision_agrees(x in stencil::<1>(), anchor in point(1.0), length in 0.0..2.0_f64) {
        prop_assume!((x[0] - anchor).norm() > 0.01 * (x[0].norm() + 1.0));
        check_precision(&Tether { anchor, length }, &x, 2e-4)?;
        check_gradient(&Tether { anchor, length }, &x, 1e-7)?;
    }
}

#[test]
fn at_the_anchor_nothing_is_infinite() {
    for length in [0.0, 1.0] {
        let tether = Tether { anchor: Vector3::x(), length };
        check_finite(&tether, &[Vector3::x()], &[1.0], 0.0).unwrap();
        let dx = project(&tether, &[Vector3::x()], &[1.0], 0.0, Update::xpbd(), &mut [0.0])[0];
        assert_eq!(dx, Vector3::zeros());
    }
}

#[test]
fn the_kind_says_that_it_is_an_inequality() {
    assert_eq!(<Tether<f64> as Kind<1, 1>>::BOUND, Bound::AtLeastZero);
    let tether = Tether { anchor: Vector3::new(0.25, 0.5, 0.75), length: 2.0 };
    let mut rest = [0.0; 4];
    tether.write_rest(&mut rest);
    assert_eq!(rest, [0.25, 0.5, 0.75, 2.0]);
    assert_eq!(<Tether<f64> as Kind<1, 1>>::from_rest(&rest), tether);
}

/// A chain of masses that hangs from a pin: with few iterations it is the tethers that keep its length.
#[test]
fn a_hanging_chain_keeps_its_length_with_one_iteration() {
    let stretch = |tethered: bool| {
        let (n, h) = (20, 1.0 / 600.0);
        let mut x: Vec<Vector3<f64>> = (0..=n).map(|i| Vector3::y() * -0.1 * f64::from(i)).collect();
        let (mut v, length) = (vec![Vector3::zeros(); x.len()], 0.1);
        for _ in 0..600 {
            let before = x.clone();
            for i in 1..x.len() {
                v[i] -= Vector3::y() * 9.81 * h;
                x[i] += v[i] * h;
            }
            for i in 0..x.len() - 1 {
                let w = [if i == 0 { 0.0 } else { 1.0 }, 1.0];
                let edge = pliant_constraints::Distance { rest: length };
                let dx = project(&edge, &[x[i], x[i + 1]], &w, 0.0, Update::xpbd(), &mut [0.0]);
                x[i] += dx[0];
                x[i + 1] += dx[1];
            }
            for i in 1..x.len() {
                if tethered {
                    let tether = Tether { anchor: Vector3::zeros(), length: length * i as f64 };
                    let dx = project(&tether, &[x[i]], &[1.0], 0.0, Update::xpbd(), &mut [0.0])[0];
                    x[i] += dx;
                }
                v[i] = (x[i] - before[i]) / h;
            }
        }
        x[n as usize].norm() / 2.0 - 1.0
    };
    let (with, without) = (stretch(true), stretch(false));
    assert!(with <= 1e-12 && without > 1e-3, "stretched by {with:e} with tethers, {without:e} without");
}
