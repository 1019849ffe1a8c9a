//! Rest shapes.

use nalgebra::{Matrix3, Vector3};
use pliant_constraints::{RestShapeError, RestTet, RestTriangle};
use pliant_testkit::{degenerate, near_degenerate, rigid_motion, stencil};
use proptest::prelude::*;

use super::support::oriented;

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn the_inverse_belongs_to_the_edges(x in stencil::<3>()) {
        let rest = RestTriangle::new(&x).unwrap();
        // F of the rest shape has orthonormal columns.
        let (e1, e2) = (x[1] - x[0], x[2] - x[0]);
        let f: [Vector3<f64>; 2] = std::array::from_fn(|a| e1 * rest.inverse[(0, a)] + e2 * rest.inverse[(1, a)]);
        prop_assert!((f[0].norm() - 1.0).abs() < 1e-13 && (f[1].norm() - 1.0).abs() < 1e-13);
        prop_assert!(f[0].dot(&f[1]).abs() < 1e-13);
        prop_assert!((rest.area - 0.5 * e1.cross(&e2).norm()).abs() < 1e-13 * rest.area);
    }

    #[test]
    fn the_warp_becomes_the_first_axis(x in stencil::<3>(), angle in -3.0..3.0_f64, off in -1.0..1.0_f64) {
        let normal = (x[1] - x[0]).cross(&(x[2] - x[0])).normalize();
        let u = (x[1] - x[0]).normalize();
        let direction = u * angle.cos() + normal.cross(&u) * angle.sin();
        let rest = RestTriangle::new(&x).unwrap().with_warp(&x, &((direction + normal * off) * 7.0)).unwrap();
        let (e1, e2) = (x[1] - x[0], x[2] - x[0]);
        let f0 = e1 * rest.inverse[(0, 0)] + e2 * rest.inverse[(1, 0)];
        prop_assert!((f0 - direction).norm() < 1e-12);
    }

    /// The height of a thin triangle has all of the digits that its coordinates have.
    #[test]
    fn thin_triangles_keep_their_digits(exponent in -8.0..-1.0_f64, foot in -0.5..1.5_f64) {
        let h = 10.0_f64.powf(exponent);
        let x = [Vector3::new(foot, h, 0.0), Vector3::zeros(), Vector3::x()];
        let rest = RestTriangle::new(&x).unwrap();
        prop_assert!((rest.area / (0.5 * h) - 1.0).abs() < 1e-14);
        prop_assert!((rest.inverse[(1, 1)] * h + foot).abs() < 1e-14);
    }

    #[test]
    fn lifting_is_along_the_line_and_blind_to_the_direction(foot in -3.0..4.0_f64, d in 1e-3..1.0_f64, motion in rigid_motion(1.0)) {
        // On the edge, on its line beyond the ends, and at half the height.
        for height in [0.0, 0.5 * d] {
            let x = [Vector3::new(foot, height, 0.0), Vector3::zeros(), Vector3::x()].map(|p| motion.apply(&p));
            let lifted = RestTriangle::lifted(&x, d).unwrap();
            prop_assert!((lifted.area - 0.5 * d).abs() < 1e-14 * d.max(1.0));
            let up = [Vector3::new(foot, -d, 0.0), Vector3::zeros(), Vector3::x()];
            let expected = RestTriangle::new(&up).unwrap();
            prop_assert!((lifted.inverse - expected.inverse).amax() < 1e-12 / d);
        }
        // Above the least height nothing changes.
        let x = [Vector3::new(foot, 1.1 * d, 0.0), Vector3::zeros(), Vector3::x()];
        prop_assert_eq!(RestTriangle::lifted(&x, d), RestTriangle::new(&x));
    }

    #[test]
    fn a_tetrahedron_has_its_inverse_and_volume(x in stencil::<4>()) {
        let rest = RestTet::new(&x).unwrap();
        let edges = Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]);
        prop_assert!((edges * rest.inverse - Matrix3::identity()).amax() < 1e-12);
        prop_assert!((rest.volume - edges.determinant() / 6.0).abs() < 1e-12 * rest.volume);
        let mirrored = RestTet::new(&[x[0], x[2], x[1], x[3]]);
        let inverted = matches!(mirrored, Err(RestShapeError::InvertedTet { .. }));
        prop_assert!(inverted);
    }

    #[test]
    fn whatever_is_accepted_is_finite(
        triangle in prop_oneof![near_degenerate::<3>(), degenerate::<3>()],
        tet in prop_oneof![near_degenerate::<4>(), degenerate::<4>()],
    ) {
        if let Ok(rest) = RestTriangle::new(&triangle) {
            prop_assert!(rest.area > 0.0 && rest.inverse.iter().all(|c| (*c as f32).is_finite()));
        }
        if let Ok(rest) = RestTet::new(&oriented(&tet)) {
            prop_assert!(rest.volume > 0.0 && rest.inverse.iter().all(|c| (*c as f32).is_finite()));
        }
    }
}

#[test]
fn shapes_without_extent_are_errors() {
    let (o, x, y) = (Vector3::zeros(), Vector3::<f64>::x(), Vector3::<f64>::y());
    assert_eq!(RestTriangle::new(&[o, x, x]), Err(RestShapeError::ShortEdge));
    assert!(matches!(RestTriangle::new(&[o, x, x * 2.0]), Err(RestShapeError::FlatTriangle { .. })));
    assert!(matches!(
        RestTriangle::lifted(&[o, x, x * 2.0], 1e-12),
        Err(RestShapeError::FlatTriangle { .. })
    ));
    assert_eq!(RestTriangle::new(&[o, x, y * f64::INFINITY]), Err(RestShapeError::NonFinite));
    assert_eq!(RestTriangle::lifted(&[o, x, y], f64::NAN), Err(RestShapeError::NonFinite));
    let rest = RestTriangle::new(&[o, x, y]).unwrap();
    assert_eq!(rest.with_warp(&[o, x, y], &Vector3::z()), Err(RestShapeError::Warp));
    assert_eq!(rest.with_warp(&[o, x, y], &o), Err(RestShapeError::Warp));
    assert!(matches!(RestTet::new(&[o, x, y, x + y]), Err(RestShapeError::FlatTet { .. })));
    assert!(matches!(RestTet::new(&[o; 4]), Err(RestShapeError::FlatTet { .. })));
    assert_eq!(RestTet::new(&[o, x, y, x * f64::NAN]), Err(RestShapeError::NonFinite));
}
