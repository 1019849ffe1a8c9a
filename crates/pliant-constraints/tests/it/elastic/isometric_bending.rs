//! [`IsometricBending`].

use nalgebra::{Rotation3, Vector3};
use pliant_constraints::{
    BlockConstraint as _, Dihedral, Elastic, IsometricBending, Kind as _, Update, project,
};
use pliant_testkit::{
    EnergyOf, RigidMotion, Suite, check_converges, check_finite, check_gradient, check_linearised,
    check_momentum, check_precision, check_rigid_motion, check_rotation, check_translation, degenerate,
    near_degenerate, positive_weights, rigid_motion, scaled_compliance, stencil, weights,
};
use proptest::prelude::*;

/// A hinge: length of the edge, heights of the wings over the given shares of it, folded by an angle and moved.
fn hinge(
    length: f64,
    heights: [f64; 2],
    feet: [f64; 2],
    angle: f64,
    motion: &RigidMotion,
) -> [Vector3<f64>; 4] {
    let fold = Rotation3::from_axis_angle(&Vector3::x_axis(), angle);
    let wing2 = Vector3::new(feet[0] * length, heights[0], 0.0);
    let wing3 = fold * Vector3::new(feet[1] * length, -heights[1], 0.0);
    [Vector3::zeros(), Vector3::x() * length, wing2, wing3].map(|p| motion.apply(&p))
}

/// Length, heights and feet of a hinge of ordinary shape.
type Panel = (f64, [f64; 2], [f64; 2]);

fn shapes() -> impl Strategy<Value = Panel> {
    (0.3..3.0_f64, prop::array::uniform2(0.3..3.0_f64), prop::array::uniform2(-0.5..1.5_f64))
}

fn hinges() -> impl Strategy<Value = [Vector3<f64>; 4]> {
    (shapes(), -3.0..=3.0_f64, rigid_motion(3.0), -2.0..=2.0_f64).prop_map(
        |((l, h, s), angle, motion, size)| hinge(l, h, s, angle, &motion).map(|p| p * 10.0_f64.powf(size)),
    )
}

fn at_rest(rest: &[Vector3<f64>; 4]) -> IsometricBending<f64> {
    IsometricBending::with_area(rest).unwrap().0
}

fn elastic(rest: &[Vector3<f64>; 4]) -> Elastic<IsometricBending<f64>> {
    IsometricBending::elastic(rest, 0.7).unwrap()
}

fn energy(rest: &[Vector3<f64>; 4]) -> EnergyOf<IsometricBending<f64>, 3> {
    EnergyOf(elastic(rest))
}

fn suite() -> Suite<4> {
    Suite::new().with_stencils(hinges())
}

#[test]
fn gradients() {
    suite().gradients(at_rest);
}

#[test]
fn scaled_rows() {
    suite().scaled_rows(at_rest);
}

#[test]
fn translation() {
    suite().translation(at_rest);
}

#[test]
fn linearised() {
    suite().linearised(at_rest);
}

#[test]
fn damped() {
    suite().damped_rows(at_rest);
}

#[test]
fn finite() {
    suite().finite(at_rest);
}

#[test]
fn the_gradient_of_the_energy() {
    suite().gradients(energy);
    suite().translation(energy);
    suite().rigid_motion(energy);
    // A bent quadrilateral's energy turns with it only as far as |C|² does, which is exactly.
    suite().rotation(energy);
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn weights_are_cotangents(rest in hinges()) {
        let cot = |at: usize, a: usize, b: usize| {
            let (u, v) = (rest[a] - rest[at], rest[b] - rest[at]);
            u.dot(&v) / u.cross(&v).norm()
        };
        let (c01, c02, c03, c04) = (cot(0, 1, 2), cot(0, 1, 3), cot(1, 0, 2), cot(1, 0, 3));
        let [k1, k2, k3] = at_rest(&rest).weights;
        let size = k1.abs() + k2.abs() + k3.abs();
        for (found, expected) in [
            (-(k1 + k2 + k3), c03 + c04), (k1, c01 + c02), (k2, -c01 - c03), (k3, -c02 - c04),
        ] {
            prop_assert!((found - expected).abs() < 1e-12 * size, "{found} {expected}");
        }
    }

    #[test]
    fn only_the_fold_counts((l, h, s) in shapes(), rest_fold in -3.0..3.0_f64, fold in -3.0..3.0_f64, motion in rigid_motion(1.0), k in 0.1..10.0_f64) {
        // Each wing adds L times a unit vector across the edge: |C| = 2L sin(θ/2).
        let rest = hinge(l, h, s, rest_fold, &motion);
        let bend = IsometricBending::elastic(&rest, k).unwrap();
        let area = 0.5 * l * (h[0] + h[1]);
        let sine = (0.5 * fold).sin();
        let expected = 0.5 * k * 3.0 / area * 4.0 * l * l * sine * sine;
        let found = bend.energy(&hinge(l, h, s, fold, &motion));
        let scale = 0.5 * k * 3.0 / area * 4.0 * l * l;
        prop_assert!((found - expected).abs() < 1e-12 * scale, "{found} {expected}");
        prop_assert!(found >= 0.0);
    }

    #[test]
    fn flat_is_free_of_stress(rest in shapes(), turn in rigid_motion(3.0), move_on in rigid_motion(3.0)) {
        let (l, h, s) = rest;
        let bend = elastic(&hinge(l, h, s, 0.0, &turn));
        let x = hinge(l, h, s, 0.0, &move_on);
        let (c, g) = bend.kind.values_and_gradients(&x);
        let steepest = g.iter().flatten().map(Vector3::norm).fold(0.0, f64::max);
        prop_assert!(c.iter().all(|c| c.abs() < 1e-13 * steepest * 10.0), "{c:?}");
    }

    #[test]
    fn one_projection_is_exact(rest in hinges(), x in hinges(), w in positive_weights()) {
        check_converges(&at_rest(&rest), &x, &w, 1, 1e-12)?;
    }

    #[test]
    fn momentum_is_kept_from_a_multiplier_of_zero(
        rest in hinges(), x in hinges(), w in weights(), alpha_tilde in scaled_compliance(),
    ) {
        check_momentum(&at_rest(&rest), &x, &w, alpha_tilde, [0.0; 3], 1e-11)?;
    }

    #[test]
    fn with_a_multiplier_linear_momentum_is_kept_and_the_moment_is_that_of_the_formula(
        rest in hinges(), x in hinges(), w in positive_weights::<4>(), alpha_tilde in 1e-3..1e3_f64,
        start in prop::array::uniform3(-1.0..1.0_f64),
    ) {
        let bend = at_rest(&rest);
        let (c, g) = bend.values_and_gradients(&x);
        let mut lambda = start;
        let dx = project(&bend, &x, &w, alpha_tilde, Update::xpbd(), &mut lambda);
        let (mut linear, mut angular, mut size) = (Vector3::zeros(), Vector3::zeros(), 0.0);
        for j in 0..4 {
            linear += dx[j] / w[j];
            angular += (x[j] - x[0]).cross(&dx[j]) / w[j];
            size += dx[j].norm() / w[j];
        }
        let reach = x.iter().map(|p| (p - x[0]).norm()).fold(0.0, f64::max);
        prop_assert!(linear.norm() <= 1e-12 * size);
        let delta: Vector3<f64> = std::array::from_fn(|a| lambda[a] - start[a]).into();
        let expected = Vector3::from(c).cross(&delta);
        let steepest = g[0].iter().map(Vector3::norm).fold(0.0, f64::max);
        let noise = 1e-11 * (size * reach + steepest * reach * (delta.norm() + Vector3::from(start).norm()));
        prop_assert!((angular - expected).norm() <= noise, "{angular:?} {expected:?}");
    }

    #[test]
    fn the_energy_is_that_of_a_dihedral_angle_when_it_is_small((l, h, s) in shapes(), fold in -0.01..0.01_f64, motion in rigid_motion(1.0)) {
        let x = hinge(l, h, s, fold, &motion);
        let bend = elastic(&hinge(l, h, s, 0.0, &motion));
        let theta = Dihedral { rest: 0.0 }.values(&x)[0];
        let by_angle = 0.5 * l * l * theta * theta / bend.compliance;
        prop_assert!((bend.energy(&x) - by_angle).abs() <= 1e-4 * by_angle + 1e-24);
    }

    #[test]
    fn near_collapsed_shapes_are_finite(rest in near_degenerate::<4>(), x in near_degenerate::<4>(), w in weights(), alpha_tilde in scaled_compliance()) {
        if let Ok((bend, area)) = IsometricBending::with_area(&rest) {
            prop_assert!(area > 0.0 && area.is_finite());
            check_finite(&bend, &x, &w, alpha_tilde)?;
            check_translation(&bend, &x, 1e-15)?;
            check_gradient(&bend, &x, 1e-6)?;
        }
    }

    #[test]
    fn collapsed_rest_shapes_are_errors_or_finite(rest in degenerate::<4>()) {
        if let Ok(bend) = IsometricBending::elastic(&rest, 1.0) {
            prop_assert!(bend.compliance > 0.0 && bend.kind.at::<f32>().weights.iter().all(|k| k.is_finite()));
        }
    }

    #[test]
    fn single_precision_agrees(rest in hinges(), x in hinges()) {
        check_precision(&at_rest(&rest), &x, 3e-6)?;
    }

    #[test]
    fn the_energy_does_not_notice_motions(rest in stencil::<4>(), x in stencil::<4>(), motion in rigid_motion(3.0)) {
        check_rigid_motion(&energy(&rest), &x, &motion, 1e-10)?;
        check_rotation(&energy(&rest), &x, 1e-10)?;
        check_linearised(&at_rest(&rest), &x, &[1.0; 4], 0.1, [0.1, 0.2, -0.3], 1e-12)?;
    }

    /// A sheet of equilateral triangles bent to a cylinder stores ½·3k·c² per area in any direction and at
    /// any resolution; one of right triangles depends on the direction.
    #[test]
    fn a_cylinder_has_the_energy_of_a_plate(direction in 0.0..3.2_f64, size in 0.01..1.0_f64, k in 0.1..10.0_f64) {
        let plate = 0.5 * 3.0 * k;
        let equilateral = bent_lattice(size, Vector3::new(-0.5, 0.75_f64.sqrt(), 0.0), direction, k);
        prop_assert!((equilateral / plate - 1.0).abs() < 1e-10, "{equilateral} instead of {plate}");
        let s = (2.0 * direction).sin();
        let right = bent_lattice(size, Vector3::y(), direction, k);
        prop_assert!((right / (plate * (1.0 + s + s * s)) - 1.0).abs() < 1e-10, "{right}");
    }
}

/// Energy per area, J/m², of a lattice of triangles with the edges `size`·x, `size`·v and their sum, bent to
/// unit curvature in a direction.
fn bent_lattice(size: f64, v: Vector3<f64>, direction: f64, k: f64) -> f64 {
    let (o, u, v) = (Vector3::zeros(), Vector3::x() * size, v * size);
    let mut sum = 0.0;
    // One hinge of each direction: across the diagonal, across u and across v.
    for rest in [[o, u + v, v, u], [o, u, u + v, -v], [o, v, -u, u + v]] {
        // The energy is quadratic: z alone is the limit of small deflections.
        let z = rest.map(|p| {
            let along = p.x * direction.cos() + p.y * direction.sin();
            Vector3::z() * (0.5 * along * along)
        });
        sum += IsometricBending::elastic(&rest, k).unwrap().energy(&z);
    }
    sum / u.cross(&v).norm()
}

#[test]
fn rest_shapes_without_area_are_errors() {
    let (o, x, y) = (Vector3::zeros(), Vector3::<f64>::x(), Vector3::<f64>::y());
    for rest in [[o, o, y, -y], [o, x, x * 0.5, -y], [o, x, y, x * 3.0], [o, x, y, Vector3::repeat(f64::NAN)]]
    {
        assert!(IsometricBending::with_area(&rest).is_err(), "{rest:?}");
    }
    for stiffness in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(IsometricBending::elastic(&[o, x, y, -y], stiffness).is_err());
    }
}
