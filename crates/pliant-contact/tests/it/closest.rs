//! Closest points against sampling, against each other, and in degenerate cases.

use nalgebra::Vector3;
use pliant_contact::{Closest, edge_edge, vertex_triangle};
use proptest::prelude::*;

type Point = Vector3<f64>;

/// Coordinates of a coarse lattice or between: degenerate cases are frequent.
fn point() -> impl Strategy<Value = Point> {
    let coordinate = || prop_oneof![(-3..=3).prop_map(f64::from), -3.0..3.0_f64];
    (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| Vector3::new(x, y, z))
}

fn points() -> impl Strategy<Value = [Point; 4]> {
    let four = [point(), point(), point(), point()];
    // Thin, parallel and pointlike pairs: some points are moved next to others, or to where a sum of others is.
    (four, 0..7, prop_oneof![Just(0.0), 1e-12..1e-3]).prop_map(|(mut x, case, small)| {
        match case {
            0 => x[2] = x[1] + x[3] * small,
            1 => x[1] = x[0] + x[3] * small,
            2 => x[3] = x[2] + (x[1] - x[0]) * 0.5,
            3 => x[3] = x[1] + (x[2] - x[1]) * 0.25 + x[0] * small,
            4 => (x[2], x[3]) = (x[1], x[1] + x[0] * small),
            _ => {}
        }
        x
    })
}

fn consistent(x: &[Point; 4], near: &Closest<f64>, first: usize) {
    let sum = |range: std::ops::Range<usize>| near.weights[range].iter().sum::<f64>();
    assert!(near.weights.iter().all(|b| b.is_finite()), "{near:?}");
    assert!((sum(0..first) - 1.0).abs() < 1e-14 && (sum(first..4) + 1.0).abs() < 1e-12, "{near:?}");
    assert!(near.weights[..first].iter().all(|&b| (0.0..=1.0).contains(&b)), "{near:?}");
    assert!(near.weights[first..].iter().all(|&b| (-1.0 - 1e-12..=0.0).contains(&b)), "{near:?}");
    let delta: Point = near.weights.iter().zip(x).map(|(&b, x)| x * b).sum();
    assert!((delta - near.delta).norm() < 1e-12, "{near:?}");
}

/// The least distance over a net of points of the two partners.
fn sampled(x: &[Point; 4], edges: bool) -> f64 {
    const STEPS: u32 = 24;
    let mut least = f64::INFINITY;
    for i in 0..=STEPS {
        for j in 0..=STEPS {
            let (s, t) = (f64::from(i) / f64::from(STEPS), f64::from(j) / f64::from(STEPS));
            let between = |a: &Point, b: &Point, t: f64| a * (1.0 - t) + b * t;
            let distance = if edges {
                (between(&x[0], &x[1], s) - between(&x[2], &x[3], t)).norm()
            } else {
                (x[0] - between(&x[1], &between(&x[2], &x[3], t), s)).norm()
            };
            least = least.min(distance);
        }
    }
    least
}

fn vt(x: &[Point; 4]) -> Closest<f64> {
    vertex_triangle(&x[0], &[x[1], x[2], x[3]])
}

fn ee(x: &[Point; 4]) -> Closest<f64> {
    edge_edge(&[x[0], x[1]], &[x[2], x[3]])
}

proptest! {
    #![proptest_config(pliant_testkit::config(2000))]

    #[test]
    fn nothing_sampled_is_nearer(x in points()) {
        let (vt, ee) = (vt(&x), ee(&x));
        consistent(&x, &vt, 1);
        consistent(&x, &ee, 2);
        prop_assert!(vt.distance() <= sampled(&x, false) + 1e-7, "{} {}", vt.distance(), sampled(&x, false));
        prop_assert!(ee.distance() <= sampled(&x, true) + 1e-7, "{} {}", ee.distance(), sampled(&x, true));
    }

    /// The boundary of a triangle is three edges: a vertex is an edge without length.
    #[test]
    fn a_vertex_is_an_edge_of_no_length(x in points()) {
        let point = [x[0], x[0]];
        let edges = [[x[1], x[2]], [x[2], x[3]], [x[3], x[1]]].map(|edge| edge_edge(&point, &edge).distance());
        let least = edges.into_iter().fold(f64::INFINITY, f64::min);
        let near = vt(&x);
        prop_assert!(near.distance() <= least + 1e-12);
        // On the boundary of the triangle it is the distance of the edges.
        if near.weights[1..].contains(&0.0) {
            prop_assert!((near.distance() - least).abs() < 1e-7, "{} {least}", near.distance());
        }
    }

    #[test]
    fn partners_may_change_places(x in points()) {
        let (forward, backward) = (ee(&x), ee(&[x[2], x[3], x[0], x[1]]));
        prop_assert!((forward.distance() - backward.distance()).abs() < 1e-7);
        let (one, turned) = (vt(&x), vt(&[x[0], x[2], x[3], x[1]]));
        prop_assert!((one.distance() - turned.distance()).abs() < 1e-12);
    }

    #[test]
    fn single_precision_is_finite_and_near_double(x in points()) {
        let y = x.map(Vector3::cast::<f32>);
        let vt32 = vertex_triangle(&y[0], &[y[1], y[2], y[3]]);
        let ee32 = edge_edge(&[y[0], y[1]], &[y[2], y[3]]);
        prop_assert!(vt32.weights.iter().chain(&ee32.weights).all(|b| b.is_finite()));
        prop_assert!((f64::from(vt32.distance()) - vt(&x).distance()).abs() < 1e-5);
        // Nearly parallel edges: see the hazard.
        prop_assert!((f64::from(ee32.distance()) - ee(&x).distance()).abs() < 2e-2);
    }
}

#[test]
fn all_in_one_point_is_no_nan() {
    let x = [Vector3::new(1.0, 2.0, 3.0); 4];
    for near in [vt(&x), ee(&x)] {
        assert_eq!(near.distance(), 0.0);
        assert!(near.weights.iter().all(|b| b.is_finite()), "{near:?}");
    }
}

#[test]
fn parallel_edges_side_by_side_are_their_lines_apart() {
    let edge = [Vector3::zeros(), Vector3::x()];
    for shift in [-0.9, -0.3, 0.0, 0.7] {
        let other = edge.map(|x| x + Vector3::new(shift, 0.0, 2.0));
        let turned = [other[1], other[0]];
        assert_eq!(edge_edge(&edge, &other).distance(), 2.0, "{shift}");
        assert_eq!(edge_edge(&edge, &turned).distance(), 2.0, "{shift}");
    }
    let beyond = edge.map(|x| x + Vector3::new(4.0, 4.0, 0.0));
    assert_eq!(edge_edge(&edge, &beyond).distance(), 5.0);
}
