//! The properties of every generated mesh: closed or bounded as documented, outward, of well-shaped elements,
//! of the right size.

use std::f64::consts::{PI, TAU};

use nalgebra::Vector3;

use super::GenerateError;
use crate::{Caps, Diagonals, Split, TetMesh, TriMesh, min_dihedral, radius_ratio};

/// Closed, consistently oriented, in one piece, without loose vertices; the enclosed volume is positive.
fn assert_closed(mesh: &TriMesh) {
    let hinges = mesh.hinges();
    assert!(hinges.is_closed() && hinges.inconsistent.is_empty() && hinges.coincident.is_empty());
    assert_tidy(mesh);
    assert!(mesh.enclosed_volume() > 0.0);
}

fn assert_tidy(mesh: &TriMesh) {
    assert_eq!(mesh.components().count(), 1);
    assert!(mesh.components().of_vertex().iter().all(Option::is_some));
    let largest = mesh.bounds().unwrap().diagonal();
    assert!((0..mesh.triangles().len()).all(|t| mesh.triangle_area(t) > 1e-9 * largest * largest));
}

/// Euler characteristic: 2 for a sphere, 1 for a disc, 0 for a torus or a tube.
fn euler(mesh: &TriMesh) -> i64 {
    mesh.positions().len() as i64 - mesh.edges().len() as i64 + mesh.triangles().len() as i64
}

/// Positive tetrahedra in one piece, a closed boundary that encloses them; returns the smallest dihedral
/// angle, degrees.
fn assert_solid(mesh: &TetMesh) -> f64 {
    assert!(mesh.inverted().is_empty());
    assert_eq!(mesh.components().count(), 1);
    assert!(mesh.components().of_vertex().iter().all(Option::is_some));
    let surface = mesh.surface().mesh;
    assert_closed(&surface);
    assert!((surface.enclosed_volume() - mesh.volume()).abs() < 1e-12 * mesh.volume());
    (0..mesh.tets().len()).map(|t| min_dihedral(&mesh.corners(t))).fold(f64::INFINITY, f64::min).to_degrees()
}

#[test]
fn grids() {
    for diagonals in [Diagonals::Parallel, Diagonals::Alternating] {
        let sheet = TriMesh::grid_with([5, 4], [2.0, 3.0], diagonals).unwrap();
        assert_tidy(&sheet);
        let hinges = sheet.hinges();
        assert_eq!((hinges.boundary.len(), hinges.interior.len(), hinges.inconsistent.len()), (14, 29, 0));
        assert_eq!(euler(&sheet), 1);
        assert!((sheet.area() - 6.0).abs() < 1e-14);
        assert_eq!(sheet.bounds().unwrap().max, Vector3::new(1.0, 0.0, 1.5));
        for t in 0..sheet.triangles().len() {
            let [a, b, c] = sheet.corners(t);
            assert!((b - a).cross(&(c - a)).y > 0.0);
        }
    }
}

#[test]
fn the_grid_has_the_edges_of_the_book() {
    let sheet = TriMesh::grid([20, 15], [1.9, 1.4]).unwrap();
    assert_eq!(sheet.triangles()[..2], [[0, 1, 20], [1, 21, 20]]);
    assert_eq!((sheet.edges().len(), sheet.hinges().opposite_pairs().len()), (831, 765));
}

#[test]
fn blocks() {
    for (split, per_cell, angle) in [(Split::Kuhn, 6, 45.0), (Split::Five, 5, 54.7356)] {
        let block = TetMesh::block([4, 3, 2], [0.4, 0.3, 0.2], split).unwrap();
        assert_eq!(block.tets().len(), 24 * per_cell);
        assert!((assert_solid(&block) - angle).abs() < 1e-3);
        assert!((block.volume() - 0.024).abs() < 1e-15);
        assert_eq!(block.surface().mesh.triangles().len(), 4 * (12 + 8 + 6));
    }
}

#[test]
fn the_first_cell_of_a_block() {
    let block = TetMesh::block([4, 4, 4], [1.0; 3], Split::Kuhn).unwrap();
    let first =
        [[0, 25, 30, 31], [0, 26, 25, 31], [0, 30, 5, 31], [0, 5, 6, 31], [0, 1, 26, 31], [0, 6, 1, 31]];
    assert_eq!(block.tets()[..6], first);
    assert_eq!((block.tets().len(), block.edges().len()), (384, 604));
}

#[test]
fn balls() {
    for shells in [1, 2, 3, 5, 8, 12] {
        let ball = TetMesh::ball(0.7, shells).unwrap();
        assert_eq!(ball.tets().len(), 20 * shells.pow(3));
        let angle = assert_solid(&ball);
        let ratio = (0..ball.tets().len()).map(|t| radius_ratio(&ball.corners(t))).fold(1.0, f64::min);
        eprintln!("ball of {shells} shells: min dihedral {angle:.1}°, min radius ratio {ratio:.2}");
        assert!(angle > 35.0 && ratio > 0.5);
        assert!(ball.surface().mesh.positions().iter().all(|p| (p.norm() - 0.7).abs() < 1e-15));
    }
    let volume = TetMesh::ball(1.0, 12).unwrap().volume();
    assert!((volume / (4.0 / 3.0 * PI) - 1.0).abs() < 0.01);
}

#[test]
fn solid_tori() {
    for (minor, segments, rings) in [(0.1, 19, 1), (0.1, 37, 2), (0.12, 48, 3), (0.08, 94, 4), (0.15, 30, 3)]
    {
        let torus = TetMesh::torus(0.3, minor, segments, rings).unwrap();
        assert_eq!(torus.tets().len(), 18 * rings * rings * segments);
        let angle = assert_solid(&torus);
        let ratio = (0..torus.tets().len()).map(|t| radius_ratio(&torus.corners(t))).fold(1.0, f64::min);
        eprintln!("torus {minor} {segments} {rings}: min dihedral {angle:.1}°, min radius ratio {ratio:.2}");
        assert!(angle > 20.0 && ratio > 0.3);
        let surface = torus.surface().mesh;
        assert_eq!(euler(&surface), 0);
        for p in surface.positions() {
            assert!((((p.x.hypot(p.z) - 0.3).hypot(p.y)) - minor).abs() < 1e-15);
        }
    }
    let volume = TetMesh::torus(1.0, 0.3, 120, 6).unwrap().volume();
    assert!((volume / (2.0 * PI * PI * 0.09) - 1.0).abs() < 0.01);
}

#[test]
fn solid_cylinders() {
    for (rings, layers) in [(1, 3), (2, 8), (4, 15)] {
        let rod = TetMesh::cylinder(0.1, 0.4, rings, layers).unwrap();
        assert!(assert_solid(&rod) > 30.0);
        assert_eq!(rod.bounds().unwrap().max.y, 0.2);
    }
}

#[test]
fn spheres() {
    for sphere in [
        TriMesh::uv_sphere(0.4, 3, 2),
        TriMesh::uv_sphere(0.4, 24, 13),
        TriMesh::icosphere(0.4, 1),
        TriMesh::icosphere(0.4, 2),
        TriMesh::icosphere(0.4, 7),
    ] {
        let sphere = sphere.unwrap();
        assert_closed(&sphere);
        assert_eq!(euler(&sphere), 2);
        assert!(sphere.positions().iter().all(|p| (p.norm() - 0.4).abs() < 1e-15));
    }
    let icosphere = TriMesh::icosphere(1.0, 10).unwrap();
    assert_eq!((icosphere.triangles().len(), icosphere.positions().len()), (2000, 1002));
    assert!((icosphere.enclosed_volume() / (4.0 / 3.0 * PI) - 1.0).abs() < 0.02);
}

#[test]
fn cylinders_and_discs() {
    let tube = TriMesh::cylinder(0.2, 1.0, 12, 5, Caps::Open).unwrap();
    assert_tidy(&tube);
    let hinges = tube.hinges();
    assert_eq!((hinges.boundary.len(), hinges.inconsistent.len(), euler(&tube)), (24, 0, 0));
    for (segments, rings) in [(3, 1), (5, 2), (12, 5), (17, 3), (40, 4), (42, 9)] {
        let can = TriMesh::cylinder(0.2, 1.0, segments, rings, Caps::Capped).unwrap();
        assert_closed(&can);
        assert_eq!(euler(&can), 2);
        let base = segments as f64 / 2.0 * 0.04 * (2.0 * PI / segments as f64).sin();
        assert!((can.enclosed_volume() - base).abs() < 1e-15);
    }
    for rings in 1..6 {
        let disc = TriMesh::disc(0.5, rings).unwrap();
        assert_tidy(&disc);
        assert_eq!((disc.triangles().len(), euler(&disc)), (6 * rings * rings, 1));
        assert!(disc.hinges().inconsistent.is_empty());
    }
}

#[test]
fn cones() {
    let (top, bottom, height) = (0.1_f64, 0.25, 0.2);
    let slant = (height * height + (bottom - top) * (bottom - top)).sqrt();
    let skirt = TriMesh::cone([top, bottom], height, 96, 7, TAU).unwrap();
    assert_tidy(&skirt);
    let hinges = skirt.hinges();
    assert_eq!((hinges.boundary.len(), hinges.inconsistent.len(), euler(&skirt)), (192, 0, 0));
    assert!((skirt.area() / (PI * (top + bottom) * slant) - 1.0).abs() < 1e-3);
    // It faces outwards, and a sector is open at the front.
    assert!(facing(&skirt, |middle| Vector3::new(middle.x, 0.0, middle.z)));
    let cape = TriMesh::cone([top, bottom], height, 24, 5, PI).unwrap();
    assert_tidy(&cape);
    assert_eq!((cape.hinges().boundary.len(), euler(&cape)), (2 * 24 + 2 * 5, 1));
    assert!(cape.positions().iter().all(|p| p.z < 1e-15));
    assert!((cape.area() / (0.5 * PI * (top + bottom) * slant) - 1.0).abs() < 1e-2);
    assert!(facing(&cape, |middle| Vector3::new(middle.x, 0.0, middle.z)));
    // As flat as a pattern.
    let ring = TriMesh::cone([top, bottom], 0.0, 64, 3, TAU).unwrap();
    assert!(ring.positions().iter().all(|p| p.y == 0.0));
    assert!(facing(&ring, |_| Vector3::y()));
    // The opening is as wide as is left of a turn.
    let open = TriMesh::cone([top, bottom], height, 24, 5, 1.5 * PI).unwrap();
    let [first, last] = [0, 24].map(|i| open.positions()[i]);
    assert!((first - Vector3::new(0.5_f64.sqrt() * bottom, -0.1, 0.5_f64.sqrt() * bottom)).norm() < 1e-15);
    assert!((last - Vector3::new(-first.x, first.y, first.z)).norm() < 1e-15);
}

/// Whether all triangles face into a direction, which depends on their middle.
fn facing(mesh: &TriMesh, direction: impl Fn(Vector3<f64>) -> Vector3<f64>) -> bool {
    mesh.triangles().iter().all(|t| {
        let [a, b, c] = t.map(|v| mesh.positions()[v as usize]);
        (b - a).cross(&(c - a)).dot(&direction((a + b + c) / 3.0)) > 0.0
    })
}

#[test]
fn torus_surfaces() {
    let torus = TriMesh::torus(0.5, 0.2, 48, 24).unwrap();
    assert_closed(&torus);
    assert_eq!(euler(&torus), 0);
    assert!((torus.enclosed_volume() / (2.0 * PI * PI * 0.5 * 0.04) - 1.0).abs() < 0.02);
}

#[test]
fn numbers_that_make_no_mesh_are_refused() {
    let refused = [
        TriMesh::grid([1, 5], [1.0, 1.0]).err(),
        TriMesh::grid([5, 5], [1.0, 0.0]).err(),
        TriMesh::grid([1 << 40, 1 << 40], [1.0, 1.0]).err(),
        TriMesh::uv_sphere(f64::NAN, 8, 8).err(),
        TriMesh::uv_sphere(1.0, 2, 8).err(),
        TriMesh::icosphere(1.0, 0).err(),
        TriMesh::icosphere(f64::INFINITY, 2).err(),
        TriMesh::cylinder(1.0, -1.0, 8, 1, Caps::Open).err(),
        TriMesh::cone([0.1, 0.0], 0.2, 8, 1, TAU).err(),
        TriMesh::cone([0.1, 0.1], 0.0, 8, 1, TAU).err(),
        TriMesh::cone([0.1, 0.2], -0.1, 8, 1, TAU).err(),
        TriMesh::cone([0.1, 0.2], 0.1, 8, 1, 0.0).err(),
        TriMesh::cone([0.1, 0.2], 0.1, 8, 1, f64::NAN).err(),
        TriMesh::torus(0.2, 0.2, 8, 8).err(),
        TriMesh::disc(1.0, 0).err(),
        TetMesh::block([1, 0, 1], [1.0; 3], Split::Kuhn).err(),
        TetMesh::block([1 << 20; 3], [1.0; 3], Split::Five).err(),
        TetMesh::ball(1.0, 1 << 12).err(),
        TetMesh::torus(0.3, 0.1, 2, 2).err(),
        TetMesh::cylinder(0.0, 1.0, 1, 1).err(),
    ];
    assert!(refused.iter().all(Option::is_some));
    let message = refused[1].as_ref().unwrap().to_string();
    assert_eq!(message, "the size along z of a grid must be a positive length in metres, not 0");
    assert!(matches!(refused[2], Some(GenerateError::TooManyElements { shape: "grid", .. })));
}

/// FNV-1a over the bits of all coordinates.
fn hash(positions: &[Vector3<f64>]) -> u64 {
    positions
        .iter()
        .flatten()
        .flat_map(|c| c.to_bits().to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn shapes_are_the_same_to_the_last_bit_everywhere() {
    // Written down on x86-64 Linux. A change here changes every simulation that starts from such a mesh.
    assert_eq!(hash(TetMesh::ball(0.7, 5).unwrap().positions()), 0xab0e_06da_2240_e65f);
    assert_eq!(hash(TetMesh::torus(0.3, 0.1, 37, 2).unwrap().positions()), 0xac9d_5da9_31c8_549e);
    assert_eq!(
        hash(TriMesh::cylinder(0.3, 0.1, 17, 2, Caps::Capped).unwrap().positions()),
        0x32b0_a2ed_787a_ce3b
    );
    assert_eq!(hash(TriMesh::uv_sphere(0.3, 17, 9).unwrap().positions()), 0x6a46_4a3f_8ce1_ce03);
}
