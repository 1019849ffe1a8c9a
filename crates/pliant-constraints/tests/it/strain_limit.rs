//! [`LengthLimit`] and [`StretchLimit`].

use nalgebra::{Matrix3x2, Rotation2, Vector3};
use pliant_constraints::{
    BlockConstraint as _, Constraint as _, Damping, Kind as _, LengthLimit, RestTriangle, StretchLimit,
    Update, project,
};
use pliant_testkit::{
    Suite, check_converges, check_damped, check_finite, check_gradient, check_momentum, check_precision,
    check_rotation, check_translation, degenerate, near_degenerate, points, positive_weights, rigid_motion,
    scaled_compliance, stencil, weights,
};
use proptest::prelude::*;

fn limit(rest: &[Vector3<f64>; 2]) -> LengthLimit<f64> {
    LengthLimit::within((rest[0] - rest[1]).norm(), 0.2, 0.1).unwrap()
}

fn stretch_limit(rest: &[Vector3<f64>; 3]) -> StretchLimit<f64> {
    StretchLimit::within(&RestTriangle::new(rest).unwrap(), 0.2, 0.1).unwrap()
}

pliant_testkit::constraint_suite!(mod length, free, 2 points, limit);

#[test]
fn scaled_rows() {
    Suite::<3>::new().with_stencils(stencil::<3>()).scaled_rows(stretch_limit);
}

/// A rest triangle and it deformed to given principal stretches, in any material and spatial orientation.
fn stretched(
    sigma: impl Strategy<Value = [f64; 2]>,
) -> impl Strategy<Value = ([Vector3<f64>; 3], [Vector3<f64>; 3], [f64; 2])> {
    (stencil::<3>(), sigma, 0.0..6.3_f64, rigid_motion(1.0)).prop_map(|(rest, sigma, angle, motion)| {
        let shape = RestTriangle::new(&rest).unwrap();
        let v = Rotation2::new(angle).into_inner();
        let stretch = Matrix3x2::new(sigma[0], 0.0, 0.0, sigma[1], 0.0, 0.0) * v.transpose();
        let d = shape.inverse.try_inverse().unwrap();
        // D̄'s columns are the edges.
        let edges = motion.rotation.matrix() * stretch * d;
        let x0 = motion.translation;
        (rest, [x0, x0 + edges.column(0), x0 + edges.column(1)], sigma)
    })
}

/// Stretches whose directions are well defined, away from the ends of the range.
fn distinct() -> impl Strategy<Value = [f64; 2]> {
    [0.05..2.5_f64, 0.05..2.5_f64].prop_filter("apart", |[a, b]| {
        let clear = |s: f64| (s - 0.8).abs() > 0.02 && (s - 1.1).abs() > 0.02;
        (a - b).abs() > 0.05 && clear(*a) && clear(*b)
    })
}

fn outside(sigma: f64) -> f64 {
    (sigma - 1.1).max(0.0) + (sigma - 0.8).min(0.0)
}

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn values_are_the_stretches_outside_the_range((rest, x, sigma) in stretched([0.0..2.5_f64, 0.0..2.5_f64])) {
        let c = stretch_limit(&rest).values(&x);
        let (long, short) = (sigma[0].max(sigma[1]), sigma[0].min(sigma[1]));
        prop_assert!((c[0] - outside(long)).abs() < 1e-12 && (c[1] - outside(short)).abs() < 1e-12, "{c:?} {sigma:?}");
    }

    #[test]
    fn gradients((rest, x, _) in stretched(distinct())) {
        check_gradient(&stretch_limit(&rest), &x, 1e-6)?;
    }

    #[test]
    fn invariance((rest, x, _) in stretched([0.0..2.5_f64, 0.0..2.5_f64]), w in weights(), alpha_tilde in scaled_compliance()) {
        let limit = stretch_limit(&rest);
        check_translation(&limit, &x, 1e-12)?;
        check_rotation(&limit, &x, 1e-11)?;
        check_momentum(&limit, &x, &w, alpha_tilde, [0.0; 2], 1e-10)?;
    }

    #[test]
    fn damped(
        (rest, x, _) in stretched(distinct()), moved in points::<3>(0.1), w in positive_weights(), alpha_tilde in scaled_compliance(),
        gamma in 0.0..100.0_f64,
    ) {
        let size = (x[0] - x[1]).norm();
        let previous = std::array::from_fn(|j| x[j] + moved[j] * size);
        check_damped(&stretch_limit(&rest), &x, &w, alpha_tilde, Damping { previous: &previous, gamma }, [0.0; 2], 1e-8)?;
    }

    #[test]
    fn equal_and_vanishing_stretches_have_directions(
        (rest, x, sigma) in stretched(prop_oneof![
            (0.0..2.5_f64).prop_map(|s| [s, s]), (0.0..2.5_f64).prop_map(|s| [s, 0.0]), Just([0.0; 2]),
        ]),
        w in positive_weights(),
    ) {
        let limit = stretch_limit(&rest);
        check_finite(&limit, &x, &w, 0.0)?;
        check_translation(&limit, &x, 1e-12)?;
        check_rotation(&limit, &x, 1e-6)?;
        // A flattened triangle is opened again, two equal stretches are both brought back.
        if sigma.iter().all(|&s| outside(s) != 0.0) {
            check_converges(&limit, &x, &[1.0; 3], 40, 1e-9)?;
        }
    }

    #[test]
    fn within_the_range_nothing_moves((rest, x, _) in stretched([0.81..1.09_f64, 0.81..1.09_f64]), w in positive_weights()) {
        let limit = stretch_limit(&rest);
        let mut lambda = [0.0; 2];
        let dx = project(&limit, &x, &w, 0.0, Update::xpbd(), &mut lambda);
        prop_assert_eq!((dx, lambda), ([Vector3::zeros(); 3], [0.0; 2]));
    }

    #[test]
    fn projections_end_in_the_range((rest, x, _) in stretched([0.1..2.5_f64, 0.1..2.5_f64]), w in prop::array::uniform3(0.3..3.0_f64)) {
        check_converges(&stretch_limit(&rest), &x, &w, 60, 1e-9)?;
    }

    #[test]
    fn collapsed_triangles_are_finite(rest in stencil::<3>(), x in degenerate::<3>(), w in weights(), alpha_tilde in scaled_compliance()) {
        check_finite(&stretch_limit(&rest), &x, &w, alpha_tilde)?;
        let single = stretch_limit(&rest).at::<f32>();
        let x = x.map(|p| p.map(|c| c as f32));
        let dx = project(&single, &x, &[1.0; 3], 0.0, Update::xpbd(), &mut [0.0; 2]);
        prop_assert!(dx.iter().all(|d| d.iter().all(|c| c.is_finite())), "{dx:?}");
    }

    #[test]
    fn nearly_collapsed_triangles_are_finite(rest in stencil::<3>(), x in near_degenerate::<3>(), w in weights(), alpha_tilde in scaled_compliance()) {
        let limit = stretch_limit(&rest);
        check_finite(&limit, &x, &w, alpha_tilde)?;
        check_translation(&limit, &x, 1e-11)?;
    }

    #[test]
    fn single_precision_agrees((rest, x, _) in stretched(distinct())) {
        check_precision(&stretch_limit(&rest), &x, 1e-3)?;
    }

    #[test]
    fn an_edge_comes_back_to_the_nearer_end(x in stencil::<2>(), share in 0.0..3.0_f64, w in positive_weights()) {
        let rest = share * (x[0] - x[1]).norm();
        let limit = LengthLimit::within(rest, 0.2, 0.1).unwrap();
        let dx = project(&limit, &x, &w, 0.0, Update::xpbd(), &mut [0.0]);
        let (before, after) = ((x[0] - x[1]).norm(), (x[0] + dx[0] - x[1] - dx[1]).norm());
        let expected = before.clamp(0.8 * rest, 1.1 * rest);
        prop_assert!((after - expected).abs() < 1e-12 * (before + after), "{before} {after} {expected}");
        check_precision(&limit, &x, 1e-5)?;
    }
}

#[test]
fn coincident_points_are_pushed_apart_only_if_they_must() {
    let x = [Vector3::<f64>::y(); 2];
    let dx = project(
        &LengthLimit::within(1.0, 0.5, 0.0).unwrap(),
        &x,
        &[1.0, 1.0],
        0.0,
        Update::xpbd(),
        &mut [0.0],
    );
    assert_eq!(dx, [Vector3::x() * 0.25, Vector3::x() * -0.25]);
    let loose = LengthLimit::within(1.0, 1.0, 0.0).unwrap();
    assert_eq!(loose.value_and_gradient(&x), (0.0, [Vector3::zeros(); 2]));
}

#[test]
fn ranges_that_cannot_be_are_refused() {
    for (compression, stretch) in
        [(-0.1, 0.1), (1.1, 0.1), (0.1, -0.1), (f64::NAN, 0.0), (0.0, f64::INFINITY)]
    {
        let error = LengthLimit::within(1.0, compression, stretch).unwrap_err();
        assert!(error.to_string().contains("strain limits must be"), "{error}");
    }
}
