//! [`PointTarget`]: a block of three rows.

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint as _, PointTarget, Update, project};
use pliant_testkit::{check_precision, point, positive_weights, rotation, scaled_compliance};
use proptest::prelude::*;

pliant_testkit::constraint_suite!(mod target, anchored, 1 points, |rest| PointTarget { target: rest[0] });

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn without_compliance_the_point_arrives(x in point(5.0), target in point(5.0), w in positive_weights::<1>()) {
        let dx = project(&PointTarget { target }, &[x], &w, 0.0, Update::xpbd(), &mut [0.0; 3]);
        prop_assert!((x + dx[0] - target).norm() <= 4e-15 * (x.norm() + target.norm()));
    }

    #[test]
    fn it_is_three_springs_of_zero_length(
        x in point(5.0), target in point(5.0), w in positive_weights::<1>(), alpha_tilde in scaled_compliance(),
    ) {
        let mut lambda = [0.0; 3];
        let dx = project(&PointTarget { target }, &[x], &w, alpha_tilde, Update::xpbd(), &mut lambda);
        let share = w[0] / (w[0] + alpha_tilde);
        prop_assert!((dx[0] - (target - x) * share).norm() <= 1e-14 * (target - x).norm());
        prop_assert!((dx[0] - Vector3::from(lambda) * w[0]).norm() <= 1e-14 * dx[0].norm());
        // Accumulated, a second projection finds nothing left to do.
        let again = project(&PointTarget { target }, &[x + dx[0]], &w, alpha_tilde, Update::xpbd(), &mut lambda);
        let noise = f64::EPSILON * 8.0 * (x.norm() + target.norm());
        prop_assert!(again[0].norm() <= noise, "{again:?}");
    }

    #[test]
    fn it_pulls_alike_in_every_direction(
        x in point(5.0), w in positive_weights::<1>(), alpha_tilde in scaled_compliance(), turn in rotation(),
    ) {
        let pull = PointTarget { target: Vector3::zeros() };
        let step = |x| project(&pull, &[x], &w, alpha_tilde, Update::xpbd(), &mut [0.0; 3])[0];
        prop_assert!((turn * step(x) - step(turn * x)).norm() <= 1e-13 * x.norm());
    }

    #[test]
    fn single_precision_agrees(x in point(5.0), target in point(5.0)) {
        check_precision(&PointTarget { target }, &[x], 1e-6)?;
    }
}

#[test]
fn a_fixed_point_stays() {
    let pull = PointTarget { target: Vector3::x() };
    for alpha_tilde in [0.0, 1.0] {
        let mut lambda = [0.0; 3];
        let dx = project(&pull, &[Vector3::zeros()], &[0.0], alpha_tilde, Update::xpbd(), &mut lambda);
        assert_eq!((dx, lambda), ([Vector3::zeros()], [0.0; 3]));
    }
}

#[test]
fn at_the_target_it_still_has_a_gradient() {
    let (c, g) = PointTarget::<f64> { target: Vector3::y() }.values_and_gradients(&[Vector3::y()]);
    assert_eq!(c, [0.0; 3]);
    assert_eq!(g, [[Vector3::x()], [Vector3::y()], [Vector3::z()]]);
}
