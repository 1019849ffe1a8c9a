//! [`Dihedral`].

use std::f64::consts::PI;

use nalgebra::{Rotation3, Unit, Vector3};
use pliant_constraints::{Constraint as _, Dihedral, Kind as _, Update, project};
use pliant_testkit::{
    RigidMotion, Suite, check_converges, check_finite, check_gradient, check_momentum, check_precision,
    check_rigid_motion, check_rotation, check_translation, degenerate, near_degenerate, rigid_motion,
    scaled_compliance, weights,
};
use proptest::prelude::*;

/// A hinge with the shared edge from 0 to (`length`, 0, 0), wings of the given heights over the points at the
/// shares `feet` of the edge, folded by `angle`, and moved.
fn hinge(
    length: f64,
    heights: [f64; 2],
    feet: [f64; 2],
    angle: f64,
    motion: &RigidMotion,
) -> [Vector3<f64>; 4] {
    let axis = Unit::new_unchecked(Vector3::x());
    let fold = Rotation3::from_axis_angle(&axis, angle);
    let wing2 = Vector3::new(feet[0] * length, heights[0], 0.0);
    let wing3 = fold * Vector3::new(feet[1] * length, -heights[1], 0.0);
    [Vector3::zeros(), Vector3::x() * length, wing2, wing3].map(|p| motion.apply(&p))
}

/// Hinges of ordinary shape with the angle they were folded by, up to three radians either way.
fn hinges() -> impl Strategy<Value = ([Vector3<f64>; 4], f64)> {
    let shape = (0.3..3.0_f64, prop::array::uniform2(0.3..3.0_f64), prop::array::uniform2(-0.5..1.5_f64));
    (shape, -3.0..=3.0_f64, rigid_motion(3.0), -2.0..=2.0_f64).prop_map(|((l, h, s), angle, motion, size)| {
        (hinge(l, h, s, angle, &motion).map(|p| p * 10.0_f64.powf(size)), angle)
    })
}

fn still() -> RigidMotion {
    RigidMotion { rotation: Rotation3::identity(), translation: Vector3::zeros() }
}

fn suite() -> Suite<4> {
    Suite::new().with_stencils(hinges().prop_map(|(x, _)| x))
}

#[test]
fn gradients() {
    suite().gradients(Dihedral::at_rest);
}

#[test]
fn scaled_rows() {
    suite().scaled_rows(Dihedral::at_rest);
}

#[test]
fn translation() {
    suite().translation(Dihedral::at_rest);
}

#[test]
fn rotation() {
    suite().rotation(Dihedral::at_rest);
}

#[test]
fn invariance() {
    suite().rigid_motion(Dihedral::at_rest);
}

#[test]
fn momentum() {
    suite().momentum(Dihedral::at_rest);
}

#[test]
fn linearised() {
    suite().linearised(Dihedral::at_rest);
}

#[test]
fn finite() {
    suite().finite(Dihedral::at_rest);
}

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn the_value_is_the_angle_of_the_fold((x, angle) in hinges(), rest in -1.0..1.0_f64) {
        let value = Dihedral { rest }.value(&x);
        prop_assert!((value - (angle - rest)).abs() < 1e-12, "{value}, folded by {angle} from {rest}");
    }

    #[test]
    fn the_mirror_image_has_the_opposite_angle((x, _) in hinges()) {
        let mirrored = x.map(|p| Vector3::new(p.x, p.y, -p.z));
        let flat = Dihedral { rest: 0.0 };
        prop_assert!((flat.value(&x) + flat.value(&mirrored)).abs() < 1e-14);
        // Exchanging the wings keeps it, and turning the edge round as well.
        prop_assert!((flat.value(&x) - flat.value(&[x[1], x[0], x[3], x[2]])).abs() < 1e-12);
    }

    #[test]
    fn it_is_the_angle_between_the_normals_with_a_sign((x, _) in hinges()) {
        let e = x[1] - x[0];
        let (n1, n2) = (e.cross(&(x[2] - x[0])).normalize(), (x[3] - x[0]).cross(&e).normalize());
        let unsigned = n1.dot(&n2).clamp(-1.0, 1.0).acos();
        let flat = Dihedral { rest: 0.0 };
        prop_assert!((flat.value(&x).abs() - unsigned).abs() < 1e-7);
    }

    #[test]
    fn projections_converge((x, angle) in hinges(), change in -1.0..1.0_f64, w in prop::array::uniform4(0.3..3.0_f64)) {
        let rest = (angle + change).clamp(-2.5, 2.5);
        prop_assume!((rest - angle).abs() < 1.0);
        check_converges(&Dihedral { rest }, &x, &w, 30, 1e-10)?;
    }

    #[test]
    fn near_flat_there_is_no_kink(exponent in -16.0..-3.0_f64, sign in any::<bool>(), motion in rigid_motion(1.0)) {
        let angle = 10.0_f64.powf(exponent) * if sign { 1.0 } else { -1.0 };
        let flat = Dihedral { rest: 0.0 };
        // In place the angle has all its digits; elsewhere it loses only the rounding of the coordinates.
        let here = hinge(1.0, [0.8, 1.1], [0.3, 0.6], angle, &still());
        prop_assert!((flat.value(&here) - angle).abs() < 1e-14 * angle.abs());
        let there = hinge(1.0, [0.8, 1.1], [0.3, 0.6], angle, &motion);
        prop_assert!((flat.value(&there) - angle).abs() < 1e-14);
        check_gradient(&flat, &there, 1e-8)?;
    }

    #[test]
    fn near_folded_over((exponent, sign) in (-9.0..-3.0_f64, any::<bool>()), motion in rigid_motion(1.0)) {
        let gap = 10.0_f64.powf(exponent);
        let angle = if sign { PI - gap } else { gap - PI };
        let x = hinge(1.0, [0.8, 1.1], [0.3, 0.6], angle, &motion);
        let flat = Dihedral { rest: 0.0 };
        prop_assert!((flat.value(&x) - angle).abs() < 1e-14);
        check_translation(&flat, &x, 1e-14)?;
        check_rotation(&flat, &x, 1e-14)?;
    }

    #[test]
    fn a_thin_wing_pulls_hard_but_rightly(
        exponent in -5.0..-1.0_f64, angle in -2.5..2.5_f64, motion in rigid_motion(1.0), w in weights(), alpha_tilde in scaled_compliance(),
    ) {
        let height = 10.0_f64.powf(exponent);
        let x = hinge(1.0, [height, 0.9], [0.3, 0.6], angle, &motion);
        let bend = Dihedral { rest: 0.1 };
        let (_, g) = bend.value_and_gradient(&x);
        prop_assert!((g[2].norm() * height - 1.0).abs() < 1e-9);
        check_gradient(&bend, &x, 1e-6)?;
        check_rigid_motion(&bend, &x, &motion, 1e-13)?;
        check_momentum(&bend, &x, &w, alpha_tilde, [0.0], 1e-8)?;
    }

    #[test]
    fn a_long_flat_wing_has_no_direction(
        exponent in 1.0..8.0_f64, turn in rigid_motion(1.0), noise in prop::array::uniform3(-1.0..1.0_f64), single in any::<bool>(),
    ) {
        // A wing along the edge's own line, far longer than the edge; its normal is only rounding error, and
        // a constraint that divided by it would move the points arbitrarily far.
        let length = 10.0_f64.powf(exponent);
        let epsilon = if single { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let there = RigidMotion { rotation: turn.rotation, translation: Vector3::zeros() };
        let mut x = hinge(1.0, [0.0, 0.9], [length, 0.6], 0.4, &there);
        x[2] += Vector3::from(noise) * (0.5 * epsilon * length);
        let bend = Dihedral { rest: 0.0 };
        if single {
            let x = x.map(|p| p.map(|c| c as f32));
            let (_, g) = bend.at::<f32>().value_and_gradient(&x);
            prop_assert_eq!(g[2], Vector3::zeros());
        } else {
            let (_, g) = bend.value_and_gradient(&x);
            prop_assert_eq!(g[2], Vector3::zeros());
        }
        // A wing of the same length that does stand off the line keeps its gradient.
        let standing = hinge(1.0, [1e-3 * length, 0.9], [length, 0.6], 0.4, &there);
        let (_, g) = bend.value_and_gradient(&standing);
        prop_assert!((g[2].norm() * 1e-3 * length - 1.0).abs() < 1e-6);
    }

    #[test]
    fn nearly_collapsed_hinges_are_finite(
        x in near_degenerate::<4>(), w in weights(), alpha_tilde in scaled_compliance(),
    ) {
        let bend = Dihedral { rest: 0.5 };
        check_finite(&bend, &x, &w, alpha_tilde)?;
        check_translation(&bend, &x, 1e-9)?;
    }

    #[test]
    fn collapsed_hinges_are_finite_in_single_precision(x in degenerate::<4>()) {
        let x = x.map(|p| p.map(|c| c as f32));
        let bend = Dihedral { rest: 0.5_f32 };
        let dx = project(&bend, &x, &[1.0; 4], 0.0, Update::xpbd(), &mut [0.0]);
        prop_assert!(dx.iter().all(|d| d.iter().all(|c| c.is_finite())), "{dx:?}");
    }

    #[test]
    fn single_precision_agrees((x, _) in hinges(), rest in -1.0..1.0_f64) {
        check_precision(&Dihedral { rest }, &x, 2e-5)?;
    }
}

#[test]
fn a_flat_hinge_in_a_plane_of_the_axes_is_exactly_flat() {
    let x = [Vector3::zeros(), Vector3::x(), Vector3::new(0.3, 0.7, 0.0), Vector3::new(0.6, -0.2, 0.0)];
    let (c, g) = Dihedral { rest: 0.0 }.value_and_gradient(&x);
    assert_eq!(c, 0.0);
    assert!(g.iter().all(|g| g.x == 0.0 && g.y == 0.0), "all gradients are normal to the plane: {g:?}");
    let fold = Dihedral { rest: 0.2 };
    check_converges(&fold, &x, &[1.0; 4], 6, 1e-12).unwrap();
}
