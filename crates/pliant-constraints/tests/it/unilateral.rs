//! Inequalities: a leash, that only pulls when it is taut, and a floor.

use nalgebra::Vector3;
use pliant_constraints::{
    Bound, Constraint, Damping, Distance, Real, Update, contact_step, norm, project, project_damped,
};
use pliant_testkit::{
    check_converges, check_damped, check_linearised, check_momentum, point, positive_weights,
    scaled_compliance, stencil, weights,
};
use proptest::prelude::*;

/// C = L − |x0 − x1| ≥ 0.
#[derive(Debug, Clone, Copy)]
struct Leash<T> {
    length: T,
}

impl<T: Real> Constraint<T, 2> for Leash<T> {
    const BOUND: Bound = Bound::AtLeastZero;
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        self.length - norm(&(x[0] - x[1]))
    }
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        let (c, [a, b]) = Distance { rest: self.length }.value_and_gradient(x);
        (-c, [-a, -b])
    }
    fn inverse_mass(&self, w: &[T; 2], _unit: &[Vector3<T>; 2]) -> T {
        w[0] + w[1]
    }
}

/// C = n·x − d ≥ 0.
struct Floor {
    normal: Vector3<f64>,
    offset: f64,
}

impl Constraint<f64, 1> for Floor {
    const BOUND: Bound = Bound::AtLeastZero;
    fn value(&self, x: &[Vector3<f64>; 1]) -> f64 {
        self.normal.dot(&x[0]) - self.offset
    }
    fn value_and_gradient(&self, x: &[Vector3<f64>; 1]) -> (f64, [Vector3<f64>; 1]) {
        (self.value(x), [self.normal])
    }
    fn inverse_mass(&self, w: &[f64; 1], _unit: &[Vector3<f64>; 1]) -> f64 {
        w[0]
    }
}

/// A leash `share` times as long as the points are apart.
fn leash(x: &[Vector3<f64>; 2], share: f64) -> Leash<f64> {
    Leash { length: share * (x[0] - x[1]).norm() }
}

// From slack to taut: the suite draws rest stencils of every size.
pliant_testkit::constraint_suite!(mod suite, free, 2 points, |rest| leash(rest, 1.0));

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn a_slack_leash_does_nothing(x in stencil::<2>(), w in weights(), alpha_tilde in scaled_compliance(), share in 1.0..3.0_f64) {
        let mut lambda = [0.0];
        let dx = project(&leash(&x, share), &x, &w, alpha_tilde, Update::xpbd(), &mut lambda);
        prop_assert_eq!((dx, lambda), ([Vector3::zeros(); 2], [0.0]));
    }

    #[test]
    fn a_taut_leash_is_a_distance(x in stencil::<2>(), w in positive_weights(), alpha_tilde in scaled_compliance(), share in 0.1..0.99_f64) {
        let (mut one_way, mut both_ways) = ([0.0], [0.0]);
        let taut = leash(&x, share);
        let dx = project(&taut, &x, &w, alpha_tilde, Update::xpbd(), &mut one_way);
        let edge = Distance { rest: taut.length };
        let expected = project(&edge, &x, &w, alpha_tilde, Update::xpbd(), &mut both_ways);
        for (dx, expected) in dx.iter().zip(expected) {
            prop_assert!((dx - expected).norm() <= 1e-14 * expected.norm());
        }
        prop_assert!((one_way[0] + both_ways[0]).abs() <= 1e-14 * one_way[0]);
        prop_assert!(one_way[0] > 0.0);
        check_converges(&taut, &x, &w, 1, 1e-13)?;
    }

    #[test]
    fn a_floor_is_a_contact(x in point(1.0), n in point(1.0), offset in -1.0..1.0_f64, w in weights::<1>(), pushes in prop::collection::vec(point(1.0), 1..8)) {
        // Other constraints push the point about between the projections; both forms agree every time.
        prop_assume!(n.norm() > 0.1);
        let floor = Floor { normal: n.normalize(), offset };
        let (mut a, mut b) = (x, x);
        let (mut lambda, mut pressure) = ([0.0], 0.0);
        for push in pushes {
            a += push;
            b += push;
            a += project(&floor, &[a], &w, 0.0, Update::xpbd(), &mut lambda)[0];
            let (moved, after) = contact_step(floor.value(&[b]), w[0], pressure);
            b += floor.normal * moved;
            pressure = after;
            prop_assert!((a - b).norm() < 1e-13, "{a:?} {b:?}");
            prop_assert!((lambda[0] - pressure).abs() <= 1e-13 * (1.0 + 1.0 / w[0].max(1e-2)));
        }
        prop_assert!(lambda[0] >= 0.0);
    }

    #[test]
    fn what_was_pushed_too_far_is_taken_back(
        x in point(1.0), w in positive_weights::<1>(), depth in 0.01..1.0_f64, share in 0.0..2.0_f64, alpha_tilde in scaled_compliance(),
    ) {
        let floor = Floor { normal: Vector3::y(), offset: x.y + depth };
        let mut lambda = [0.0];
        let up = project(&floor, &[x], &w, alpha_tilde, Update::xpbd(), &mut lambda)[0];
        // Another constraint lifts the point by a share of the floor's push.
        let lifted = x + up + up * share;
        let back = project(&floor, &[lifted], &w, alpha_tilde, Update::xpbd(), &mut lambda)[0];
        // A floor that yields pushes less the less deep the point is; never more is taken back than was given.
        let give = w[0] / (w[0] + alpha_tilde);
        let expected = (up.y * share * give).min(up.y);
        prop_assert!((back.y + expected).abs() <= 1e-12 * (up.y + x.norm()), "{} {expected}", back.y);
        prop_assert!(lambda[0] >= 0.0);
        if share * give > 1.0 + 1e-9 {
            prop_assert_eq!(lambda, [0.0]);
        }
    }

    #[test]
    fn several_projections_solve_the_inequality(
        x in stencil::<2>(), w in positive_weights(), alpha_tilde in scaled_compliance(), share in 0.2..2.0_f64, earlier in 0.0..3.0_f64,
    ) {
        let taut = leash(&x, share);
        let size = (x[0] - x[1]).norm();
        let mut lambda = [earlier * size / (w[0] + w[1] + alpha_tilde)];
        check_linearised(&taut, &x, &w, alpha_tilde, lambda, 1e-12)?;
        check_momentum(&taut, &x, &w, alpha_tilde, lambda, 1e-12)?;
        let dx = project(&taut, &x, &w, alpha_tilde, Update::xpbd(), &mut lambda);
        let moved = [x[0] + dx[0], x[1] + dx[1]];
        let value = taut.value(&moved);
        let left = Bound::AtLeastZero.residual(&[value], alpha_tilde, &lambda)[0];
        // A leash that pushed itself through its own length points the other way.
        prop_assume!((moved[0] - moved[1]).dot(&(x[0] - x[1])) > 0.0);
        prop_assert!(left.abs() <= 1e-12 * (x[0].norm() + x[1].norm()), "{left}");
        prop_assert!(lambda[0] * value <= 1e-12 * size * lambda[0]);
    }

    #[test]
    fn with_damping(
        x in stencil::<2>(), previous in stencil::<2>(), w in positive_weights(), alpha_tilde in scaled_compliance(),
        gamma in 0.0..100.0_f64, share in 0.5..1.5_f64, earlier in 0.0..3.0_f64,
    ) {
        let lambda = [earlier * (x[0] - x[1]).norm() / (w[0] + w[1] + alpha_tilde)];
        let damping = Damping { previous: &previous, gamma };
        check_damped(&leash(&x, share), &x, &w, alpha_tilde, damping, lambda, 1e-11)?;
        let mut after = lambda;
        project_damped(&leash(&x, share), &x, &w, alpha_tilde, damping, Update::xpbd(), &mut after);
        prop_assert!(after[0] >= 0.0);
    }

    #[test]
    fn in_single_precision(x in stencil::<2>(), w in weights::<2>(), share in 0.5..1.5_f64, earlier in 0.0..3.0_f64) {
        let leash = leash(&x, share);
        let single = Leash { length: leash.length as f32 };
        let x32 = x.map(|p| p.map(|c| c as f32));
        let w32 = w.map(|w| w as f32);
        let start = earlier * (x[0] - x[1]).norm() / (w[0] + w[1] + 1e-3);
        let (mut lambda, mut lambda32) = ([start], [start as f32]);
        let dx = project(&leash, &x, &w, 0.0, Update::xpbd(), &mut lambda);
        let dx32 = project(&single, &x32, &w32, 0.0, Update::xpbd(), &mut lambda32);
        prop_assert!(lambda32[0] >= 0.0);
        let noise = 1e-5 * (x[0].norm() + x[1].norm() + start * (w[0] + w[1]));
        for (a, b) in dx.iter().zip(dx32) {
            prop_assert!((a - b.map(f64::from)).norm() <= noise, "{dx:?} {dx32:?}");
        }
    }
}

#[test]
fn a_residual_knows_an_idle_inequality() {
    let bound = Bound::AtLeastZero;
    assert_eq!(bound.residual(&[0.5], 2.0, &[0.0]), [0.0]);
    assert_eq!(bound.residual(&[-0.5], 2.0, &[0.0]), [0.5]);
    assert_eq!(bound.residual(&[-0.5], 2.0, &[0.25]), [0.0]);
    assert_eq!(bound.residual(&[0.5], 0.0, &[0.25]), [0.5]);
    assert_eq!(Bound::Equality.residual(&[0.5], 2.0, &[-1.0]), [-1.5]);
    assert_eq!((bound.violation(0.5), bound.violation(-0.5)), (0.0, -0.5));
    assert_eq!((Bound::Equality.violation(0.5), Bound::Equality.violation(-0.5)), (0.5, -0.5));
}
