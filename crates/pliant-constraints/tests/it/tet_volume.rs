//! [`TetVolume`].

use nalgebra::Vector3;
use pliant_constraints::{Constraint as _, Kind as _, TetVolume, Update, project};
use pliant_testkit::{
    check_converges, check_finite, check_gradient, check_momentum, check_precision, check_rotation,
    check_translation, degenerate, near_degenerate, positive_weights, scaled_compliance, stencil, weights,
};
use proptest::prelude::*;

pliant_testkit::constraint_suite!(mod volume, free, 4 points, TetVolume::at_rest);

/// The corners opposite to each point.
const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn a_gradient_is_a_third_of_the_opposite_face(x in prop_oneof![stencil::<4>(), near_degenerate::<4>()]) {
        let (_, g) = TetVolume { rest: 0.0 }.value_and_gradient(&x);
        let size = x.iter().map(|p| (p - x[0]).norm()).fold(0.0, f64::max);
        for (g, [a, b, c]) in g.iter().zip(FACES) {
            let area = 0.5 * (x[b] - x[a]).cross(&(x[c] - x[a])).norm();
            // A small face between far points loses what the cross products of the larger ones round away.
            let noise = 1e-15 * size * size;
            prop_assert!((g.norm() - area / 3.0).abs() <= 1e-12 * area + noise, "{} {}", g.norm(), area);
        }
    }

    #[test]
    fn a_gradient_points_away_from_the_opposite_face(x in stencil::<4>()) {
        let (volume, g) = TetVolume { rest: 0.0 }.value_and_gradient(&x);
        for (j, face) in FACES.iter().enumerate() {
            // Moving a corner along its gradient by the height would double the volume.
            let height = g[j].dot(&(x[j] - x[face[0]]));
            prop_assert!((height - volume).abs() < 1e-12 * volume, "{height} {volume}");
        }
    }

    #[test]
    fn projections_converge(x in stencil::<4>(), w in positive_weights(), share in 0.5..2.0_f64) {
        let volume = TetVolume { rest: share * TetVolume::at_rest(&x).rest };
        check_converges(&volume, &x, &w, 8, 1e-12)?;
    }

    #[test]
    fn near_a_line_or_a_plane_or_a_point(
        x in near_degenerate::<4>(), share in -2.0..2.0_f64, w in weights(), alpha_tilde in scaled_compliance(),
    ) {
        let volume = TetVolume { rest: share * TetVolume::at_rest(&x).rest };
        check_gradient(&volume, &x, 1e-6)?;
        check_translation(&volume, &x, 1e-9)?;
        check_rotation(&volume, &x, 1e-9)?;
        check_momentum(&volume, &x, &w, alpha_tilde, [0.0], 1e-8)?;
        check_finite(&volume, &x, &w, alpha_tilde)?;
    }

    #[test]
    fn single_precision_agrees(x in stencil::<4>(), rest in -1.0..1.0_f64) {
        check_precision(&TetVolume { rest }, &x, 3e-6)?;
    }

    #[test]
    fn a_collapsed_tetrahedron_is_not_thrown_apart(
        x in degenerate::<4>(), noise in prop::array::uniform4(prop::array::uniform3(-1.0..=1.0_f64)), size in 0.1..10.0_f64,
    ) {
        // Collinear points up to the rounding of their coordinates.
        let axis = Vector3::new(1.0, 2.0, -1.0);
        let x: [Vector3<f64>; 4] =
            std::array::from_fn(|j| axis * (x[j].x.signum() * size) + Vector3::from(noise[j]) * 1e-15);
        let volume = TetVolume { rest: size * size * size };
        let update = Update::xpbd().with_gradient_floor(volume.gradient_floor());
        let dx = project(&volume, &x, &[1.0; 4], 0.0, update, &mut [0.0]);
        prop_assert!(dx.iter().all(|d| d.norm() == 0.0), "{dx:?}");
    }

    #[test]
    fn the_floor_lies_below_every_tetrahedron_of_ordinary_shape(rest in stencil::<4>(), x in stencil::<4>()) {
        // A tetrahedron squeezed to a hundredth of its rest size still has its constraint.
        let volume = TetVolume::at_rest(&rest);
        let size = (volume.rest / TetVolume::at_rest(&x).rest).cbrt() * 0.01;
        let x = x.map(|p| p * size);
        let (_, g) = volume.value_and_gradient(&x);
        prop_assert!(g.iter().all(|g| g.norm_squared() > volume.gradient_floor()));
    }
}

#[test]
fn one_projection_of_a_stretched_corner() {
    // Equal masses, volume a third, asked to be a sixth.
    let mut x = [Vector3::zeros(), Vector3::x(), Vector3::y(), 2.0 * Vector3::z()];
    let volume = TetVolume { rest: 1.0 / 6.0 };
    let step = |x: &mut [Vector3<f64>; 4]| {
        let dx = project(&volume, x, &[1.0; 4], 0.0, Update::xpbd(), &mut [0.0]);
        for (x, dx) in x.iter_mut().zip(dx) {
            *x += dx;
        }
        volume.value(x)
    };
    let c = step(&mut x);
    let expected = [
        Vector3::new(1.0 / 9.0, 1.0 / 9.0, 1.0 / 18.0),
        Vector3::new(8.0 / 9.0, 0.0, 0.0),
        Vector3::new(0.0, 8.0 / 9.0, 0.0),
        Vector3::new(0.0, 0.0, 35.0 / 18.0),
    ];
    for (x, e) in x.iter().zip(expected) {
        assert!((x - e).norm() < 1e-15, "{x:?} {e:?}");
    }
    assert!((c + volume.rest - 0.184_727_938).abs() < 5e-10);
    assert!((step(&mut x) - 2.613e-4).abs() < 5e-8);
    assert!((step(&mut x) - 5.476e-8).abs() < 5e-12);
    assert!((step(&mut x) - 2.4e-15).abs() < 2e-16);
}

#[test]
fn the_sign_tells_inside_out() {
    let x: [Vector3<f64>; 4] = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    assert_eq!(TetVolume::at_rest(&x).rest, 1.0 / 6.0);
    assert_eq!(TetVolume::at_rest(&[x[1], x[0], x[2], x[3]]).rest, -1.0 / 6.0);
}

#[test]
fn an_inverted_tetrahedron_is_turned_back() {
    let x = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::new(0.2, 0.2, -0.3)];
    let volume = TetVolume { rest: 1.0 / 6.0 };
    check_converges(&volume, &x, &[1.0; 4], 12, 1e-12).unwrap();
}
