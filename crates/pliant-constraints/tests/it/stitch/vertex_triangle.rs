//! The solid element between a vertex and a triangle.

use nalgebra::Vector3;
use pliant_constraints::stitch::{VertexTriangleStitch, stitch_triangles};
use pliant_constraints::{Lame, Update, project};
use pliant_testkit::{
    check_finite, degenerate, near_degenerate, point, rigid_motion, scaled_compliance, stencil, weights,
};
use proptest::prelude::*;

use super::v;

fn stitch() -> VertexTriangleStitch {
    VertexTriangleStitch { min_separate_distance: 0.1, ..VertexTriangleStitch::default() }
}

/// The vertex on its own side of the triangle, in front of it or behind.
fn in_order(rest: &[Vector3<f64>; 4]) -> [Vector3<f64>; 4] {
    let (order, shape) = stitch().rest_positions(rest).unwrap();
    order.map(|k| shape[k])
}

mod suite {
    use super::*;
    use pliant_testkit::Suite;

    fn kind(rest: &[Vector3<f64>; 4]) -> pliant_constraints::NeoHookeanTet<f64> {
        stitch().element(rest).unwrap().1.kind
    }

    #[test]
    fn gradients_and_invariance() {
        let suite = Suite::<4>::new().with_stencils(stencil::<4>());
        suite.gradients(kind);
        suite.scaled_rows(kind);
        suite.translation(kind);
        suite.rotation(kind);
        suite.rigid_motion(kind);
        suite.momentum(kind);
        suite.finite(kind);
    }
}

/// Triangles of ordinary shape and a vertex anywhere about them, in their plane or in one of their corners too.
fn over_a_triangle() -> impl Strategy<Value = [Vector3<f64>; 4]> {
    let height =
        prop_oneof![Just(0.0), -1.0..1.0_f64, (-14.0..0.0_f64).prop_map(|e: f64| -(10.0_f64.powf(e)))];
    (stencil::<3>(), -1.0..2.0_f64, -1.0..2.0_f64, height, any::<bool>()).prop_map(
        |(t, a, b, height, corner)| {
            let (e1, e2) = (t[1] - t[0], t[2] - t[0]);
            let n = e1.cross(&e2) / e1.norm();
            let (a, b) = if corner { (a.round(), b.round()) } else { (a, b) };
            [t[0] + e1 * a + e2 * b + n * height, t[0], t[1], t[2]]
        },
    )
}

#[test]
fn the_published_volumes() {
    let points = [v(0.25, 0.5, 0.25), v(0.5, 0.7, 0.1), v(0.1, 0.6, 0.5), v(0.3, 1.0, 0.3)];
    let rest = [&points[..], &[v(0.0, 1.0, 0.0), v(1.0, 1.0, 0.0), v(0.0, 1.0, 1.0)]].concat();
    let pairs = [0, 1, 2, 3].map(|vertex| [vertex, 4, 5, 6]);
    let stitches = stitch_triangles(&pairs, &rest, &[stitch()]).unwrap();
    let mu = stitch().moduli.mu;
    for (compliance, volume) in stitches.compliances.iter().zip([12.0, 20.0, 15.0, 60.0]) {
        // α = 1/(μV₀).
        assert!((1.0 / (compliance * mu) * volume - 1.0).abs() < 1e-13, "{compliance} for 1/{volume}");
    }
    // The first three are in front of the triangle (its normal is −y), as the fourth is put.
    assert!(stitches.stencils.iter().all(|s| *s == [s[0], 5, 4, 6]), "{:?}", stitches.stencils);
    assert_eq!(stitch().moduli, Lame::solid(120e3, 0.49).unwrap());
}

#[test]
fn a_vertex_in_the_plane_goes_to_the_front() {
    let rest = |z: f64| [v(0.2, 0.3, z), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    let at = |z: f64| stitch().rest_positions(&rest(z)).unwrap();
    assert_eq!(at(0.0), ([0, 2, 1, 3], rest(0.1)));
    assert_eq!(at(0.05), ([0, 2, 1, 3], rest(0.1)));
    assert_eq!(at(-0.05), ([0, 1, 2, 3], rest(-0.1)));
    assert_eq!(at(0.3), ([0, 2, 1, 3], rest(0.3)));
}

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn a_rigid_motion_of_the_rest_shape_is_free(rest in over_a_triangle(), motion in rigid_motion(1.0)) {
        let size = (rest[2] - rest[1]).norm();
        let stitch = VertexTriangleStitch { min_separate_distance: 0.05 * size, ..stitch() };
        let (order, element) = stitch.element(&rest).unwrap();
        let (same, shape) = stitch.rest_positions(&rest).unwrap();
        prop_assert_eq!(order, same);
        let x = order.map(|k| motion.rotation * shape[k] + motion.translation * size);
        let scale = stitch.moduli.lambda * size * size;
        let forces = element.energy_gradient(&x);
        prop_assert!(forces.iter().all(|f| f.norm() <= 1e-10 * scale), "{forces:?} {scale}");
        // And it stays where it is: at rest both rows pull, and cancel.
        let compliance = element.compliance * 1e4;
        let dx = project(&element.kind, &x, &[1.0; 4], compliance, Update::xpbd(), &mut [0.0; 2]);
        prop_assert!(dx.iter().all(|d| d.norm() <= 1e-9 * size), "{dx:?}");
    }

    #[test]
    fn the_vertex_is_moved_along_the_normal_only(rest in over_a_triangle()) {
        let size = (rest[2] - rest[1]).norm();
        let least = 0.05 * size;
        let stitch = VertexTriangleStitch { min_separate_distance: least, ..stitch() };
        let (order, shape) = stitch.rest_positions(&rest).unwrap();
        let n = (rest[2] - rest[1]).cross(&(rest[3] - rest[1])).normalize();
        let height = |x: &Vector3<f64>| n.dot(&(x - rest[1]));
        let (before, after) = (height(&rest[0]), height(&shape[0]));
        prop_assert!((after.abs() - before.abs().max(least)).abs() < 1e-12 * size);
        prop_assert!(before.abs() < 1e-12 * size || after * before > 0.0);
        prop_assert!((shape[0] - rest[0]).cross(&n).norm() < 1e-12 * size);
        prop_assert_eq!(&shape[1..], &rest[1..]);
        let [a, b, c, d] = order.map(|k| shape[k]);
        prop_assert!((b - a).cross(&(c - a)).dot(&(d - a)) > 0.0);
    }

    #[test]
    fn exchanging_corners_changes_nothing(rest in stencil::<4>(), x in stencil::<4>()) {
        let energy = |corners: [usize; 4]| {
            let stitch = VertexTriangleStitch { min_separate_distance: 0.0, ..stitch() };
            let (order, element) = stitch.element(&corners.map(|k| rest[k])).unwrap();
            element.energy(&order.map(|k| x[corners[k]]))
        };
        let (one, other) = (energy([0, 1, 2, 3]), energy([0, 3, 2, 1]));
        prop_assert!((one - other).abs() <= 1e-7 * one, "{one} {other}");
    }

    #[test]
    fn whatever_becomes_of_it_it_stays_finite(
        rest in over_a_triangle(), x in prop_oneof![near_degenerate::<4>(), degenerate::<4>()], w in weights(), alpha_tilde in scaled_compliance(),
    ) {
        let size = (rest[2] - rest[1]).norm();
        let (_, element) = VertexTriangleStitch { min_separate_distance: 0.05 * size, ..stitch() }.element(&rest).unwrap();
        check_finite(&element.kind, &x, &w, alpha_tilde)?;
        prop_assert!(element.energy(&x).is_finite() && element.energy(&x) >= 0.0);
        prop_assert!(element.energy_gradient(&x).iter().all(|f| f.iter().all(|c| c.is_finite())));
    }

    #[test]
    fn every_displacement_of_the_vertex_costs_energy(rest in stencil::<4>(), by in point(0.2)) {
        // Unlike the membrane, it has no mode without resistance: the forces at rest vanish, and the energy
        // rises in every direction.
        let x = in_order(&rest);
        let (order, element) = stitch().element(&x).unwrap();
        prop_assert_eq!(order, [0, 1, 2, 3]);
        let size = (x[2] - x[1]).norm();
        prop_assume!(by.norm() > 1e-3);
        let moved = [x[0] + by * size, x[1], x[2], x[3]];
        prop_assert!(element.energy(&moved) > element.energy(&x));
    }
}
