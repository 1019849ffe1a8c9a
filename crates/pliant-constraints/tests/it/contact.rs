//! [`contact_step`] and [`friction_step`]: the inequalities of contact.

use nalgebra::Vector3;
use pliant_constraints::{contact_step, friction_step};
use pliant_testkit::point;
use proptest::prelude::*;

fn weight() -> impl Strategy<Value = f64> {
    (-3.0..3.0_f64).prop_map(|e| 10.0_f64.powf(e))
}

proptest! {
    #![proptest_config(pliant_testkit::config(500))]

    #[test]
    fn one_step_ends_at_or_above_the_surface(gap in -2.0..2.0_f64, w in weight(), lambda in 0.0..10.0_f64) {
        let (push, after) = contact_step(gap, w, lambda);
        let noise = 1e-15 * (gap.abs() + w * lambda) * 4.0;
        prop_assert!(gap + push >= -noise, "the gap is closed from below");
        prop_assert!(after >= 0.0, "a contact does not pull");
        prop_assert!((after * (gap + push) * w).abs() <= noise * (after * w), "it presses or it is open");
        prop_assert!((push - w * (after - lambda)).abs() <= noise, "the push is what the multiplier says");
    }

    #[test]
    fn what_was_pushed_too_far_is_taken_back(
        w in weight(), disturbances in prop::collection::vec(-1.0..1.0_f64, 1..20),
    ) {
        // Other constraints move the point between the projections; the total push of the contact is wλ, and
        // never negative.
        let (mut gap, mut lambda, mut given) = (0.0, 0.0, 0.0);
        for moved in disturbances {
            gap += moved;
            let (push, after) = contact_step(gap, w, lambda);
            gap += push;
            given += push;
            lambda = after;
            prop_assert!((given - w * lambda).abs() < 1e-13);
            prop_assert!(gap > -1e-13 && lambda >= 0.0);
            prop_assert!(lambda * w < 1e-12 || gap < 1e-12, "an active contact is closed");
        }
    }

    #[test]
    fn a_fixed_point_is_left_alone(gap in -2.0..2.0_f64, lambda in 0.0..10.0_f64) {
        prop_assert_eq!(contact_step(gap, 0.0, lambda), (0.0, lambda));
    }

    #[test]
    fn friction_only_slows(slip in point(1.0), pressure in 0.0..2.0_f64, statics in 0.0..1.5_f64, ratio in 0.0..=1.0_f64) {
        let kinetics = ratio * statics;
        let dx = friction_step(&slip, pressure, statics, kinetics);
        let left = slip + dx;
        prop_assert!(left.dot(&slip) >= 0.0, "friction never turns the motion round");
        prop_assert!(left.cross(&slip).norm() <= 1e-15, "nor aside");
        prop_assert!(dx.norm() <= slip.norm() * (1.0 + 1e-15));
        prop_assert!(dx.norm() <= statics * pressure * (1.0 + 1e-15), "Coulomb's cone");
        if slip.norm() <= statics * pressure {
            prop_assert_eq!(left, Vector3::zeros());
        } else {
            prop_assert!((dx.norm() - kinetics * pressure).abs() <= 1e-15, "sliding is slowed by μ_k δ");
        }
    }

    #[test]
    fn contact_in_single_precision(gap in -2.0..2.0_f32, w in 0.01..100.0_f32, lambda in 0.0..10.0_f32) {
        let (push, after) = contact_step(gap, w, lambda);
        prop_assert!(gap + push >= -1e-6 * (gap.abs() + w * lambda) && after >= 0.0);
    }
}

#[test]
fn no_pressure_no_friction_and_no_slip_no_nan() {
    let slip = Vector3::new(0.3, 0.0, -0.1);
    assert_eq!(friction_step(&slip, 0.0, 0.9, 0.8), Vector3::zeros());
    assert_eq!(friction_step(&Vector3::zeros(), 1.0, 0.9, 0.8), Vector3::zeros());
    assert_eq!(friction_step(&Vector3::zeros(), 0.0, 0.0, 0.0), Vector3::zeros());
    assert_eq!(friction_step(&slip, 1.0, 0.0, 0.0), Vector3::zeros());
}

#[test]
fn a_pile_of_two_contacts_keeps_the_larger_push() {
    // A point in a corner below two floors: the higher one carries it, the lower one lets go.
    let (mut y, mut low, mut high) = (-0.3, 0.0, 0.0);
    for _ in 0..4 {
        let (push, l) = contact_step(y, 1.0, low);
        (y, low) = (y + push, l);
        let (push, l) = contact_step(y - 0.1, 1.0, high);
        (y, high) = (y + push, l);
    }
    assert!((y - 0.1_f64).abs() < 1e-15 && low == 0.0 && (high - 0.4_f64).abs() < 1e-15, "{y} {low} {high}");
}
