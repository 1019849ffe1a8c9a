//! [`Coincidence`], [`PointOnEdge`], [`PointInTriangle`] and [`PointInTet`]: three rows in the directions of the world.

use nalgebra::Vector3;
use pliant_constraints::{
    BlockConstraint, Coincidence, Kind, PointInTet, PointInTriangle, PointOnEdge, RestShapeError, Update,
    project,
};
use pliant_testkit::{
    CheckError, RigidMotion, Suite, check_converges, check_precision, near_degenerate, point, points,
    positive_weights, rigid_motion, stencil, weights,
};
use proptest::prelude::*;

/// Barycentric coordinates that depend on the rest stencil, negative ones among them.
fn place<const N: usize>(rest: &[Vector3<f64>]) -> [f64; N] {
    let mut b = [0.0; N];
    for j in 1..N {
        b[j] = 1.5 * (rest[j] - rest[0]).normalize().x;
        b[0] -= b[j];
    }
    b[0] += 1.0;
    b
}

fn on_edge(rest: &[Vector3<f64>; 3]) -> PointOnEdge<f64> {
    PointOnEdge { place: place::<2>(rest)[1] }
}

fn in_triangle(rest: &[Vector3<f64>; 4]) -> PointInTriangle<f64> {
    PointInTriangle::new(place::<3>(rest))
}

fn in_tet(rest: &[Vector3<f64>; 5]) -> PointInTet<f64> {
    PointInTet::new(place::<4>(rest))
}

/// The checks that hold although the rows turn with the body.
macro_rules! suite {
    ($name:ident, $n:literal, $make:expr) => {
        #[test]
        fn $name() {
            let suite = Suite::<$n>::new().with_stencils(stencil::<$n>());
            suite.gradients($make);
            suite.scaled_rows($make);
            suite.translation($make);
            suite.momentum($make);
            suite.linearised($make);
            suite.damped_rows($make);
            suite.finite($make);
        }
    };
}

suite!(coincidence, 2, |_: &[Vector3<f64>; 2]| Coincidence);
suite!(edge, 3, on_edge);
suite!(triangle, 4, in_triangle);
suite!(tet, 5, in_tet);

/// The energy does not notice a rigid motion, and a row has the torque C × e_a, which the energy cancels.
fn turns_with_the_body<C: BlockConstraint<f64, N, 3>, const N: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    motion: &RigidMotion,
) -> Result<(), TestCaseError> {
    let (c, g) = constraint.values_and_gradients(x);
    let c = Vector3::from(c);
    let after = Vector3::from(constraint.values(&x.map(|p| motion.apply(&p))));
    let size: f64 = g[0].iter().zip(x).map(|(g, x)| g.norm() * (x.norm() + motion.translation.norm())).sum();
    prop_assert!((after - motion.rotation * c).norm() < 1e-14 * size);
    let mut total = Vector3::zeros();
    for a in 0..3 {
        let torque: Vector3<f64> = x.iter().zip(&g[a]).map(|(x, g)| x.cross(g)).sum();
        let expected = c.cross(&Vector3::ith(a, 1.0));
        prop_assert!((torque - expected).norm() < 1e-14 * size);
        total += torque * c[a];
    }
    prop_assert!(total.norm() < 1e-13 * size * c.norm());
    Ok(())
}

/// One projection at zero compliance closes the gap, whatever the masses.
fn closes<C: BlockConstraint<f64, N, 3>, const N: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    w: &[f64; N],
) -> Result<(), CheckError> {
    check_converges(constraint, x, w, 1, 1e-12)
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn pairs(x in near_degenerate::<2>(), y in stencil::<2>(), w in positive_weights::<2>(), motion in rigid_motion(3.0)) {
        turns_with_the_body(&Coincidence, &x, &motion)?;
        closes(&Coincidence, &y, &w)?;
        check_precision(&Coincidence, &x, 1e-6)?;
    }

    #[test]
    fn places_on_edges(
        rest in stencil::<3>(), x in near_degenerate::<3>(), y in stencil::<3>(), w in positive_weights::<3>(), motion in rigid_motion(3.0),
    ) {
        turns_with_the_body(&on_edge(&rest), &x, &motion)?;
        closes(&on_edge(&rest), &y, &w)?;
        check_precision(&on_edge(&rest), &x, 2e-6)?;
    }

    #[test]
    fn places_in_triangles(
        rest in stencil::<4>(), x in near_degenerate::<4>(), y in stencil::<4>(), w in positive_weights::<4>(), motion in rigid_motion(3.0),
    ) {
        turns_with_the_body(&in_triangle(&rest), &x, &motion)?;
        closes(&in_triangle(&rest), &y, &w)?;
        check_precision(&in_triangle(&rest), &x, 2e-6)?;
    }

    #[test]
    fn places_in_tets(
        rest in stencil::<5>(), x in near_degenerate::<5>(), y in stencil::<5>(), w in positive_weights::<5>(), motion in rigid_motion(3.0),
    ) {
        turns_with_the_body(&in_tet(&rest), &x, &motion)?;
        closes(&in_tet(&rest), &y, &w)?;
        check_precision(&in_tet(&rest), &x, 2e-6)?;
    }

    #[test]
    fn it_is_the_sum_over_the_corners(b in prop::array::uniform2(-1.0..2.0_f64), x in points::<4>(1.0)) {
        let all = [1.0 - b[0] - b[1], b[0], b[1]];
        let sum = x[1] * all[0] + x[2] * all[1] + x[3] * all[2];
        let c = Vector3::from(PointInTriangle::new(all).values(&x));
        prop_assert!((c - (x[0] - sum)).norm() < 1e-14);
    }

    #[test]
    fn a_foot_is_below_its_point(x in stencil::<4>(), height in -1.0..1.0_f64) {
        let tie = PointInTriangle::at_foot(&x).unwrap();
        let c = Vector3::from(tie.values(&x));
        let (a, b) = (x[2] - x[1], x[3] - x[1]);
        prop_assert!(c.dot(&a).abs() < 1e-13 * a.norm() * c.norm().max(a.norm()));
        prop_assert!(c.dot(&b).abs() < 1e-13 * b.norm() * c.norm().max(b.norm()));
        // Moving the point along the normal does not move the foot.
        let lifted = [x[0] + a.cross(&b) * (height / a.norm()), x[1], x[2], x[3]];
        let other = PointInTriangle::at_foot(&lifted).unwrap();
        prop_assert!((0..2).all(|k| (other.weights[k] - tie.weights[k]).abs() < 1e-12));
    }

    #[test]
    fn a_place_in_a_tet_is_satisfied(corners in stencil::<4>(), q in point(1.0)) {
        let size = (corners[1] - corners[0]).norm();
        let x = [corners[0] + q * size, corners[0], corners[1], corners[2], corners[3]];
        let c = Vector3::from(PointInTet::at(&x).unwrap().values(&x));
        prop_assert!(c.norm() < 1e-13 * size);
    }

    #[test]
    fn it_pulls_both_ways(rest in stencil::<4>(), x in stencil::<4>(), w in weights::<4>()) {
        prop_assume!(w.iter().any(|&w| w > 0.0));
        let tie = PointInTriangle::new([0.2, 0.3, 0.5]);
        let dx = project(&tie, &x, &w, 0.0, Update::xpbd(), &mut [0.0; 3]);
        let c = Vector3::from(tie.values(&x));
        // The point goes against C, the corners with it, each by its share and inverse mass.
        for (j, share) in [-1.0, 0.2, 0.3, 0.5].into_iter().enumerate() {
            prop_assert!(dx[j].dot(&c) * share >= 0.0);
            prop_assert_eq!(dx[j] == Vector3::zeros(), w[j] == 0.0);
        }
        let _ = rest;
    }
}

#[test]
fn rest_data_survive() {
    let mut rest = [0.0; 3];
    PointInTet::new([0.1, 0.2, 0.3, 0.4]).write_rest(&mut rest);
    assert_eq!(rest, [0.2, 0.3, 0.4]);
    assert_eq!(<PointInTet<f64> as Kind<5, 3>>::from_rest(&rest), PointInTet { weights: rest });
    let mut rest = [0.0; 2];
    PointInTriangle::new([0.5, 0.25, 0.25]).write_rest(&mut rest);
    assert_eq!(rest, [0.25; 2]);
    let seam = PointOnEdge { place: 0.5 };
    let mut rest = [0.0; 1];
    seam.write_rest(&mut rest);
    assert_eq!(<PointOnEdge<f64> as Kind<3, 3>>::from_rest(&rest), seam);
    Coincidence.write_rest(&mut []);
}

#[test]
fn places_in_flat_elements_are_refused() {
    let line = [Vector3::y(), Vector3::zeros(), Vector3::x(), Vector3::x() * 2.0];
    assert!(matches!(PointInTriangle::at_foot(&line), Err(RestShapeError::FlatTriangle { .. })));
    let point = [Vector3::y(); 4];
    assert!(matches!(PointInTriangle::at_foot(&point), Err(RestShapeError::FlatTriangle { .. })));
    let nan = [Vector3::repeat(f64::NAN), Vector3::zeros(), Vector3::x(), Vector3::y()];
    assert_eq!(PointInTriangle::at_foot(&nan), Err(RestShapeError::NonFinite));
    let flat = [Vector3::z(), Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::new(1.0, 1.0, 0.0)];
    assert!(matches!(PointInTet::at(&flat), Err(RestShapeError::FlatTet { .. })));
    let turned = [Vector3::z(), Vector3::zeros(), Vector3::y(), Vector3::x(), Vector3::z()];
    assert!(matches!(PointInTet::at(&turned), Err(RestShapeError::InvertedTet { .. })));
}
