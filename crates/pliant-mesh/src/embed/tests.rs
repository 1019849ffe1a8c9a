use nalgebra::{Matrix3, Rotation3, Vector3};
use proptest::prelude::*;

use super::*;
use crate::{Split, Subdivision, TriMesh};

/// Each case builds a mesh and searches it.
const CASES: u32 = 64;

fn vector(size: f64) -> impl Strategy<Value = Vector3<f64>> {
    [-size..size, -size..size, -size..size].prop_map(Vector3::from)
}

/// A unit block about the origin whose vertices have been moved about by less than would turn an element over.
fn jittered_block() -> impl Strategy<Value = TetMesh> {
    let split = prop_oneof![Just(Split::Kuhn), Just(Split::Five)];
    (split, prop::collection::vec(vector(0.04), 48)).prop_map(|(split, moves)| {
        let block = TetMesh::block([3, 3, 2], [1.0; 3], split).unwrap();
        let moved = block.positions().iter().zip(&moves).map(|(p, d)| p.add_scalar(-0.5) + d).collect();
        block.with_positions(moved).unwrap()
    })
}

/// The least distance and the highest lowest coordinate at about that distance, by a search of all tetrahedra.
///
/// About, because distances to neighbouring faces differ by the square of what separates their nearest points.
fn by_looking_at_all(mesh: &TetMesh, point: &Vector3<f64>) -> (f64, f64) {
    let all: Vec<(f64, f64)> = (0..mesh.tets().len())
        .map(|t| {
            let frame = BarycentricFrame::new(&mesh.corners(t));
            let lowest = lowest(&frame.weights(point));
            (if lowest >= INSIDE { 0.0 } else { frame.distance_squared(point).sqrt() }, lowest)
        })
        .collect();
    let least = all.iter().map(|a| a.0).fold(f64::INFINITY, f64::min);
    let near = all.iter().filter(|a| a.0 <= least * (1.0 + EQUAL));
    (least, near.map(|a| a.1).fold(f64::NEG_INFINITY, f64::max))
}

proptest! {
    #![proptest_config(pliant_testkit::config(CASES))]

    #[test]
    fn the_rest_surface_is_reproduced(mesh in jittered_block(), points in prop::collection::vec(vector(1.0), 1..40)) {
        let embedding = Embedding::new(&mesh, &points).unwrap();
        for (p, q) in points.iter().zip(embedding.apply(mesh.positions())) {
            prop_assert!((p - q).norm() < 1e-14, "{p} {q}");
        }
        prop_assert!(embedding.fit().rest_error < 1e-14);
        prop_assert_eq!(embedding.fit().inside + embedding.fit().outside, points.len());
        for weights in embedding.weights() {
            prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn affine_maps_of_the_solid_are_those_of_the_surface(
        mesh in jittered_block(),
        points in prop::collection::vec(vector(1.0), 1..40),
        map in prop::array::uniform9(-2.0..2.0_f64),
        shift in vector(3.0),
    ) {
        let map = Matrix3::from_row_slice(&map);
        let moved: Vec<_> = mesh.positions().iter().map(|p| map * p + shift).collect();
        let embedding = Embedding::new(&mesh, &points).unwrap();
        for (p, q) in points.iter().zip(embedding.apply(&moved)) {
            prop_assert!((map * p + shift - q).norm() < 1e-12);
        }
        let number = |p: &Vector3<f64>| (map * p + shift).x;
        let coarse: Vec<f64> = mesh.positions().iter().map(number).collect();
        for (p, q) in points.iter().zip(embedding.interpolate(&coarse)) {
            prop_assert!((number(p) - q).abs() < 1e-12);
        }
    }

    #[test]
    fn each_point_gets_the_best_tetrahedron(mesh in jittered_block(), points in prop::collection::vec(vector(0.9), 1..20)) {
        let embedding = Embedding::new(&mesh, &points).unwrap();
        let mut outside = 0;
        let mut largest: f64 = 0.0;
        for (i, p) in points.iter().enumerate() {
            let (distance, best) = by_looking_at_all(&mesh, p);
            let chosen = BarycentricFrame::new(&mesh.corners(embedding.tet_of()[i] as usize));
            prop_assert!(chosen.distance_squared(p).sqrt() <= distance * (1.0 + EQUAL) + 1e-8);
            prop_assert!((lowest(&embedding.weights()[i]) - best).abs() < 1e-12);
            outside += usize::from(distance > 0.0);
            largest = largest.max(distance);
        }
        prop_assert_eq!(embedding.fit().outside, outside);
        prop_assert!((embedding.fit().largest_distance - largest).abs() <= 2.0 * EQUAL);
    }

    #[test]
    fn the_choice_depends_on_neither_order_nor_scale(mesh in jittered_block(), points in prop::collection::vec(vector(0.9), 1..20)) {
        let embedding = Embedding::new(&mesh, &points).unwrap();
        let backwards: Vec<_> = points.iter().rev().copied().collect();
        let reversed = Embedding::new(&mesh, &backwards).unwrap();
        prop_assert!(embedding.tet_of().iter().eq(reversed.tet_of().iter().rev()));
        // Powers of two scale without rounding.
        for scale in [f64::powi(2.0, -40), f64::powi(2.0, 40)] {
            let large = mesh.with_positions(mesh.positions().iter().map(|p| p * scale).collect()).unwrap();
            let far: Vec<_> = points.iter().map(|p| p * scale).collect();
            let scaled = Embedding::new(&large, &far).unwrap();
            prop_assert_eq!(scaled.tet_of(), embedding.tet_of());
            prop_assert_eq!(scaled.weights(), embedding.weights());
        }
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(CASES))]

    #[test]
    fn turning_everything_changes_nothing(
        mesh in jittered_block(),
        points in prop::collection::vec(vector(0.9), 1..20),
        axis in vector(1.0),
    ) {
        // Many of these points are nearest to an edge or a vertex, at distances that differ by rounding alone.
        let turn = Rotation3::new(3.0 * axis);
        let turned = mesh.with_positions(mesh.positions().iter().map(|p| turn * p).collect()).unwrap();
        let turned_points: Vec<_> = points.iter().map(|p| turn * p).collect();
        let (one, other) = (Embedding::new(&mesh, &points).unwrap(), Embedding::new(&turned, &turned_points).unwrap());
        prop_assert_eq!(one.tet_of(), other.tet_of());
    }

    #[test]
    fn slivers_reproduce_their_points_too(
        corners in prop::array::uniform4(vector(1.0)),
        thickness in -11.0..-6.0_f64,
        along in prop::array::uniform4(0.01..1.0_f64),
    ) {
        // The last corner is moved to just above the plane of the others.
        let [a, b, c, d] = corners;
        let normal = (b - a).cross(&(c - a));
        prop_assume!(normal.norm() > 0.1);
        let normal = normal.normalize();
        let d = d - normal * (normal.dot(&(d - a)) - 10.0_f64.powf(thickness));
        let mesh = TetMesh::new(vec![a, b, c, d], vec![[0, 1, 2, 3]]).unwrap();
        let total: f64 = along.iter().sum();
        let point = (a * along[0] + b * along[1] + c * along[2] + d * along[3]) / total;
        if let Ok(embedding) = Embedding::new(&mesh, &[point]) {
            prop_assert!(embedding.fit().rest_error < 1e-14, "{}", embedding.fit().rest_error);
        }
    }
}

#[test]
fn a_subdivided_boundary_is_inside() {
    let ball = TetMesh::ball(0.5, 5).unwrap();
    let fine = ball.surface().mesh.subdivide(2, Subdivision::Midpoint).unwrap();
    let embedding = Embedding::new(&ball, fine.positions()).unwrap();
    assert_eq!((embedding.fit().inside, embedding.fit().outside), (fine.positions().len(), 0));
    assert_eq!((embedding.fit().largest_distance, embedding.fit().farthest_point), (0.0, None));
    assert!(embedding.fit().lowest_weight >= INSIDE);
}

#[test]
fn the_fit_names_the_worst_points() {
    let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    let tet = TetMesh::new(corners, vec![[0, 1, 2, 3]]).unwrap();
    let points = [[0.1, 0.1, 0.1], [-0.5, 0.0, 0.0], [0.2, 0.2, -0.25]].map(Vector3::from);
    let embedding = Embedding::new(&tet, &points).unwrap();
    let fit = embedding.fit();
    assert_eq!((fit.inside, fit.outside), (1, 2));
    assert_eq!((fit.largest_distance, fit.farthest_point), (0.5, Some(1)));
    assert_eq!((fit.lowest_weight, fit.lowest_weight_point), (-0.5, Some(1)));
}

#[test]
fn flat_tetrahedra_carry_nothing() {
    // The flat one lies in the plane y = 0, where the points are; the good one stands on part of it.
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, -1.0]];
    let tets = vec![[0, 1, 2, 4], [0, 1, 2, 3]];
    let mesh = TetMesh::new(corners.map(Vector3::from).to_vec(), tets).unwrap();
    let points = [[0.2, 0.0, 0.2], [-0.2, 0.0, -0.2], [0.1, -3.0, 0.1]].map(Vector3::from);
    let embedding = Embedding::new(&mesh, &points).unwrap();
    assert_eq!(embedding.tet_of(), [1, 1, 1]);
    assert_eq!((embedding.fit().flat_tets, embedding.fit().inside), (1, 1));
}

#[test]
fn equal_tetrahedra_give_way_to_the_first() {
    // The middle of a cell is the middle of its diagonal, on which all six tetrahedra of the cell lie.
    let block = TetMesh::block([2, 1, 1], [2.0, 1.0, 1.0], Split::Kuhn).unwrap();
    let middles = [[0.5, 0.5, 0.5], [1.5, 0.5, 0.5]].map(Vector3::from);
    assert_eq!(Embedding::new(&block, &middles).unwrap().tet_of(), [0, 6]);
}

#[test]
fn what_cannot_be_bound_is_named() {
    let empty = TetMesh::default();
    assert_eq!(Embedding::new(&empty, &[Vector3::zeros()]), Err(EmbedError::NoTets { tets: 0 }));
    assert!(Embedding::new(&empty, &[]).unwrap().apply(&[]).is_empty());
    let block = TetMesh::block([1; 3], [1.0; 3], Split::Kuhn).unwrap();
    let error = Embedding::new(&block, &[Vector3::zeros(), Vector3::new(0.0, f64::NAN, 0.0)]).unwrap_err();
    assert!(matches!(error, EmbedError::NonFinitePoint { point: 1, .. }));
    let error = Embedding::new(&block, &[Vector3::new(f64::MAX, 0.0, f64::MIN)]).unwrap_err();
    assert!(matches!(error, EmbedError::TooFar { point: 0, .. }), "{error}");
}

#[test]
fn a_point_far_away_moves_with_the_nearest_corner() {
    let block = TetMesh::block([4; 3], [1.0; 3], Split::Five).unwrap();
    let surface = TriMesh::icosphere(1.0, 2).unwrap();
    let far: Vec<_> = surface.positions().iter().map(|p| p * 1e6).collect();
    let embedding = Embedding::new(&block, &far).unwrap();
    assert_eq!(embedding.fit().outside, far.len());
    assert!(embedding.fit().rest_error < 1e-8);
}
