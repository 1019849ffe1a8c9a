use super::*;
use crate::Caps;

fn largest(all: impl Iterator<Item = f64>) -> f64 {
    all.fold(0.0, f64::max)
}

#[test]
fn weights_give_the_midpoints_and_the_control_points_of_subdivision() {
    let coarse = TriMesh::cylinder(0.3, 1.0, 7, 2, Caps::Open).unwrap();
    let fine = Refinement::new(&coarse, 2, Subdivision::Loop).unwrap();
    let x = coarse.positions();
    let by_mesh = |scheme| coarse.subdivide(2, scheme).unwrap();
    let gap = |a: &[Vector3<f64>], b: &[Vector3<f64>]| largest(a.iter().zip(b).map(|(a, b)| (a - b).norm()));
    assert_eq!(fine.triangles(), by_mesh(Subdivision::Loop).triangles());
    assert!(gap(&fine.flat(x), by_mesh(Subdivision::Midpoint).positions()) < 1e-15);
    let control = fine.smooth.as_ref().unwrap().control.apply(x);
    assert!(gap(&control, by_mesh(Subdivision::Loop).positions()) < 1e-15);
    let flat = Refinement::new(&coarse, 2, Subdivision::Midpoint).unwrap();
    assert_eq!(flat.apply(x), fine.flat(x));
}

#[test]
fn vertices_are_where_further_subdivision_takes_them() {
    // Closed, with borders, with corners of one triangle, and with a vertex of six.
    for coarse in [
        TriMesh::icosphere(1.0, 2).unwrap(),
        TriMesh::cylinder(0.3, 1.0, 5, 1, Caps::Open).unwrap(),
        TriMesh::grid([4, 3], [1.0, 0.7]).unwrap(),
    ] {
        let x: Vec<_> =
            coarse.positions().iter().map(|p| p + Vector3::y() * (3.0 * p.x + p.z).sin()).collect();
        let bent = coarse.with_positions(x.clone()).unwrap();
        let limits = Refinement::new(&coarse, 1, Subdivision::Loop).unwrap().apply(&x);
        let mut error = f64::INFINITY;
        for levels in [3, 5, 6] {
            let nearer = bent.subdivide(levels, Subdivision::Loop).unwrap();
            let now = largest(limits.iter().zip(nearer.positions()).map(|(a, b)| (a - b).norm()));
            assert!(now < 0.3 * error, "{now} after {error}");
            error = now;
        }
        assert!(error < 1e-3, "{error}");
        // The limit does not depend on the level at which it is taken.
        let later = Refinement::new(&coarse, 3, Subdivision::Loop).unwrap().apply(&x);
        let gap = largest(limits.iter().zip(&later).map(|(a, b)| (a - b).norm()));
        assert!(gap < 1e-14, "{gap}");
    }
}

#[test]
fn normals_are_those_of_the_limit() {
    for coarse in [
        TriMesh::icosphere(1.0, 2).unwrap(),
        TriMesh::cylinder(0.3, 1.0, 6, 2, Caps::Open).unwrap(),
        TriMesh::grid([5, 4], [1.0, 0.7]).unwrap(),
    ] {
        let bend = |p: &Vector3<f64>| p + Vector3::y() * (0.2 * (3.0 * p.x + p.z).sin());
        let x: Vec<_> = coarse.positions().iter().map(bend).collect();
        let normals = Refinement::new(&coarse, 1, Subdivision::Loop).unwrap().normals(&x);
        // The faces of a much finer level around the same vertices.
        let fine = Refinement::new(&coarse, 5, Subdivision::Loop).unwrap();
        let places = fine.apply(&x);
        let mut faces = vec![Vector3::zeros(); places.len()];
        for corners in fine.triangles() {
            let [a, b, c] = corners.map(|v| places[v as usize]);
            corners.iter().for_each(|&v| faces[v as usize] += (b - a).cross(&(c - a)));
        }
        for (v, (normal, faces)) in normals.iter().zip(&faces).enumerate() {
            assert!((normal.norm() - 1.0).abs() < 1e-12);
            let cos = normal.dot(&faces.normalize());
            assert!(cos > 0.995, "vertex {v}: {cos}");
        }
    }
}

#[test]
fn what_carries_moves_along_and_numbers_keep_their_range() {
    let coarse = TriMesh::grid([6, 5], [1.0, 1.0]).unwrap();
    let fine = Refinement::new(&coarse, 2, Subdivision::Loop).unwrap();
    let x = coarse.positions();
    let turn = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0);
    let moved = |p: &Vector3<f64>| turn * p + Vector3::new(4.0, -2.0, 7.0);
    let there = fine.apply(&x.iter().map(moved).collect::<Vec<_>>());
    assert!(largest(fine.apply(x).iter().zip(&there).map(|(a, b)| (moved(a) - b).norm())) < 1e-14);
    let numbers: Vec<f64> = (0..30).map(|i| f64::from(i % 2)).collect();
    let carried = fine.interpolate(&numbers);
    assert!(carried.iter().all(|number| (0.0..=1.0).contains(number)));
    assert_eq!(carried[..30], numbers);
    assert!((0..30).all(|v| fine.place(v as usize) == [(v, 1.0)]));
}

#[test]
fn what_is_no_fan_stays_and_does_no_harm() {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [5.0; 3]];
    // Three triangles at an edge, two of which are turned the same way, and a vertex of none.
    let fan = vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]];
    let coarse = TriMesh::new(positions.map(Vector3::from).to_vec(), fan).unwrap();
    let fine = Refinement::new(&coarse, 2, Subdivision::Loop).unwrap();
    let x = fine.apply(coarse.positions());
    assert!(x.iter().flatten().all(|c| c.is_finite()));
    assert_eq!((x[0], x[5]), (coarse.positions()[0], coarse.positions()[5]));
    assert_eq!(fine.normals(coarse.positions())[5], Vector3::zeros());
    let none = Refinement::new(&TriMesh::default(), usize::MAX, Subdivision::Loop).unwrap();
    assert!(none.is_empty() && none.apply(&[]).is_empty());
    assert!(Refinement::new(&coarse, 40, Subdivision::Loop).is_err());
}
