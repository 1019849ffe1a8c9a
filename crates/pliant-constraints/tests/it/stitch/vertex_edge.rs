//! The membrane between a vertex and an edge.

use nalgebra::Vector3;
use pliant_constraints::stitch::{VertexEdgeStitch, stitch_edges};
use pliant_constraints::{Lame, RestTriangle};
use pliant_testkit::{
    Suite, check_finite, degenerate, near_degenerate, point, rigid_motion, rotation, scaled_compliance,
    stencil, weights,
};
use proptest::prelude::*;

use super::v;

/// t = d = 0.1 m, as in libuipc's test scene.
fn thick() -> VertexEdgeStitch {
    VertexEdgeStitch { thickness: 0.1, min_separate_distance: 0.1, ..VertexEdgeStitch::default() }
}

#[test]
fn gradients_and_invariance() {
    let kind = |rest: &[Vector3<f64>; 3]| {
        VertexEdgeStitch { min_separate_distance: 0.0, ..thick() }.element(rest).unwrap().kind
    };
    let mut suite = Suite::<3>::new().with_stencils(stencil::<3>());
    suite.gradients(kind);
    suite.scaled_rows(kind);
    suite.translation(kind);
    suite.rotation(kind);
    suite.rigid_motion(kind);
    suite.linearised(kind);
    suite.finite(kind);
    // Where one point alone can move, the three rows depend on each other; multipliers are then large, and
    // their rounding is felt.
    suite.momentum_tolerance = 1e-5;
    suite.momentum(kind);
}

/// A vertex over an edge of length 1 to 100 m somewhere in space: at a share of its length (beyond its ends
/// too), and at a height that may be nothing.
fn over_an_edge() -> impl Strategy<Value = [Vector3<f64>; 3]> {
    let height = prop_oneof![Just(0.0), Just(1.0), (-14.0..0.0_f64).prop_map(|e: f64| 10.0_f64.powf(e)),];
    (rotation(), point(1.0), -2.0..3.0_f64, height, 0.0..2.0_f64).prop_map(
        |(turn, place, share, height, size)| {
            let length = 10.0_f64.powf(size);
            [v(share, height, 0.0), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)].map(|p| turn * (p * length) + place)
        },
    )
}

#[test]
fn the_published_figures() {
    let stitch = thick();
    assert!((stitch.moduli.lambda - 644_821.687_1).abs() < 1e-4);
    assert!((stitch.moduli.mu - 335_570.469_8).abs() < 1e-4);
    let rest = [v(0.25, 0.5, 0.0), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    let x = [rest[0] + v(0.05, -0.1, 0.02), rest[1], rest[2]];
    let energy = stitch.energy(&rest).unwrap();
    assert!((energy.density(&x) - 21_644.716_410_1).abs() < 1e-6, "{}", energy.density(&x));
    assert!((energy.energy(&x) - 1_082.235_820_5).abs() < 1e-6);
    let g = energy.gradient(&x);
    assert!((g[0] - v(1063.2978, -18339.255, -916.96276)).norm() < 1e-3, "{g:?}");
    assert!((g[1] - v(4651.1383, 12412.159, 620.60797)).norm() < 1e-3, "{g:?}");
    // The rows of the solver say the same.
    let rows = stitch.element(&rest).unwrap();
    assert!((rows.energy(&x) - energy.energy(&x)).abs() < 1e-9);
    let forces = rows.energy_gradient(&x);
    assert!((0..3).all(|j| (forces[j] - g[j]).norm() < 1e-9 * 2e4));
}

#[test]
fn the_four_pairs_of_the_published_scene() {
    let points = [v(0.25, 0.5, 0.0), v(0.5, 0.3, 0.0), v(0.75, 0.4, 0.0), v(0.5, 0.0, 0.0)];
    let rest = [&points[..], &[v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)]].concat();
    let pairs = [0, 1, 2, 3].map(|vertex| [vertex, 4, 5]);
    let stitches = stitch_edges(&pairs, &rest, &[thick()]).unwrap();
    assert_eq!(stitches.stencils, pairs);
    // α = 1/((λ + 2μ)·2tA₀) with the heights 0.5, 0.3 and 0.4 m, and 0.1 m for the vertex on the edge.
    let Lame { mu, lambda } = thick().moduli;
    // The modulus of the rows is the largest entry of K, 4μ or λ + 2μ.
    let modulus = (lambda + 2.0 * mu).max(4.0 * mu);
    for (compliance, height) in stitches.compliances.iter().zip([0.5, 0.3, 0.4, 0.1]) {
        let volume = 2.0 * 0.1 * 0.5 * height;
        assert!((compliance * modulus * volume - 1.0).abs() < 1e-14, "{compliance}");
    }
}

#[test]
fn a_vertex_on_the_line_goes_where_it_is_documented() {
    let at = |rest: [Vector3<f64>; 3]| thick().rest_positions(&rest).unwrap()[0];
    // Along x: ê × y = z. Along y: ê × x = −z.
    let along_x = [v(0.5, 0.0, 0.0), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    assert_eq!(at(along_x), v(0.5, 0.0, 0.1));
    let along_y = [v(0.0, 0.5, 0.0), v(0.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    assert_eq!(at(along_y), v(0.0, 0.5, -0.1));
    // Beyond the end of the edge it is the line that counts, not the segment.
    assert_eq!(at([v(3.0, 0.0, 0.0), along_x[1], along_x[2]]), v(3.0, 0.0, 0.1));
    // A direction that exists is kept.
    assert!((at([v(0.5, -0.01, 0.0), along_x[1], along_x[2]]) - v(0.5, -0.1, 0.0)).norm() < 1e-16);
    // High enough: left where it is.
    assert_eq!(at([v(0.5, 0.1, 0.0), along_x[1], along_x[2]]), v(0.5, 0.1, 0.0));
}

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn a_rigid_motion_of_the_rest_shape_is_free(rest in over_an_edge(), motion in rigid_motion(3.0), t in 0.001..1.0_f64) {
        let length = (rest[1] - rest[2]).norm();
        let stitch = VertexEdgeStitch { thickness: t, min_separate_distance: 0.01 * length, ..thick() };
        let energy = stitch.energy(&rest).unwrap();
        let shape = stitch.rest_positions(&rest).unwrap();
        let moved = shape.map(|p| motion.apply(&p));
        let scale = stitch.moduli.mu * t * length;
        // Coordinates of the size of 10 m have lost a few digits of a height of 1 cm.
        prop_assert!(energy.energy(&moved) <= 1e-10 * scale * length, "{}", energy.energy(&moved));
        prop_assert!(energy.gradient(&moved).iter().all(|f| f.norm() <= 1e-10 * scale), "{:?}", energy.gradient(&moved));
        let rows = stitch.element(&rest).unwrap();
        prop_assert!(rows.energy(&moved) <= 1e-10 * scale * length);
        prop_assert!(rows.energy_gradient(&moved).iter().all(|f| f.norm() <= 1e-10 * scale));
    }

    #[test]
    fn the_rest_shape_is_as_high_as_it_must_be(rest in over_an_edge()) {
        let length = (rest[1] - rest[2]).norm();
        let stitch = VertexEdgeStitch { min_separate_distance: 0.01 * length, ..thick() };
        let shape = stitch.rest_positions(&rest).unwrap();
        let direction = (rest[2] - rest[1]) / length;
        let up = |x: &[Vector3<f64>; 3]| (x[0] - x[1]) - direction * (x[0] - x[1]).dot(&direction);
        let (before, after) = (up(&rest), up(&shape));
        prop_assert!((after.norm() - before.norm().max(0.01 * length)).abs() < 1e-13 * length);
        // Along the edge it stays, and on its side of it.
        prop_assert!((shape[0] - rest[0]).dot(&direction).abs() < 1e-13 * length);
        prop_assert!(before.norm() < 1e-8 * length || after.dot(&before) > 0.0);
        // The element's area is that of the lifted triangle.
        let area = RestTriangle::lifted(&rest, 0.01 * length).unwrap().area;
        prop_assert!((area - 0.5 * length * after.norm()).abs() < 1e-12 * area.max(length * length * 1e-3));
    }

    #[test]
    fn stitches_of_any_size_are_alike(rest in over_an_edge(), x in stencil::<3>(), exponent in -9.0..6.0_f64) {
        // Nothing depends on an absolute length: the same shape a thousand times smaller has the same strain.
        let scale = 10.0_f64.powf(exponent);
        let length = (rest[1] - rest[2]).norm();
        let stitch = VertexEdgeStitch { thickness: length, min_separate_distance: 1e-3 * length, ..thick() };
        let small = VertexEdgeStitch { thickness: length * scale, min_separate_distance: 1e-3 * length * scale, ..stitch };
        let one = stitch.energy(&rest).unwrap().density(&x);
        let other = small.energy(&rest.map(|p| p * scale)).unwrap().density(&x.map(|p| p * scale));
        prop_assert!((one - other).abs() <= 1e-6 * one, "{one} {other}");
    }

    #[test]
    fn whatever_becomes_of_it_it_stays_finite(
        rest in over_an_edge(), x in prop_oneof![near_degenerate::<3>(), degenerate::<3>()], w in weights(), alpha_tilde in scaled_compliance(),
    ) {
        let stitch = thick();
        let element = stitch.element(&rest).unwrap();
        check_finite(&element.kind, &x, &w, alpha_tilde)?;
        let energy = stitch.energy(&rest).unwrap();
        prop_assert!(energy.energy(&x).is_finite() && energy.energy(&x) >= 0.0);
        prop_assert!(energy.hessian(&x).iter().chain(energy.projected_hessian(&x).iter()).all(|h| h.is_finite()));
    }

    #[test]
    fn a_mirrored_vertex_has_the_same_energy(rest in stencil::<3>()) {
        // Turned about the edge by half a turn, the triangle is where its mirror image is: no stress, and a
        // wrong side that costs nothing.
        let stitch = VertexEdgeStitch { min_separate_distance: 0.0, ..thick() };
        let element = stitch.element(&rest).unwrap();
        let length = (rest[2] - rest[1]).norm();
        let direction = (rest[2] - rest[1]) / length;
        let along = direction * (rest[0] - rest[1]).dot(&direction);
        let mirrored = [rest[1] + along * 2.0 - (rest[0] - rest[1]), rest[1], rest[2]];
        prop_assert!(element.energy(&mirrored) < 1e-20 * stitch.moduli.mu * length * length);
    }
}
