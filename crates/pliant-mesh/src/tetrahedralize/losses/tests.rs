use nalgebra::Vector3;

use crate::{Resolution, Split, TetMesh, TetrahedralizeError, TetrahedralizeOptions, TriMesh};

/// A surface of revolution about the x axis through circles [x, radius], closed by points at both ends.
fn lathe(profile: &[[f64; 2]], ends: [f64; 2]) -> TriMesh {
    const SIDES: u32 = 24;
    let mut positions: Vec<Vector3<f64>> = Vec::new();
    for &[x, radius] in profile {
        positions.extend((0..SIDES).map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(SIDES);
            Vector3::new(x, radius * angle.cos(), radius * angle.sin())
        }));
    }
    let first = positions.len() as u32;
    positions.extend(ends.map(|x| Vector3::new(x, 0.0, 0.0)));
    let last_ring = SIDES * (profile.len() as u32 - 1);
    let mut triangles = Vec::new();
    for k in 0..SIDES {
        let next = (k + 1) % SIDES;
        triangles.push([first, next, k]);
        triangles.push([first + 1, last_ring + k, last_ring + next]);
        for ring in (0..last_ring).step_by(SIDES as usize) {
            let [a, b, c, d] = [ring + k, ring + next, ring + SIDES + next, ring + SIDES + k];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let mesh = TriMesh::new(positions, triangles).unwrap();
    assert!(mesh.hinges().is_closed() && mesh.enclosed_volume() > 0.0);
    mesh
}

/// Two thick discs on a rod of 3 cm across, 2 m long.
fn dumbbell() -> TriMesh {
    lathe(
        &[[-1.0, 0.3], [-0.7, 0.3], [-0.69, 0.015], [0.0, 0.015], [0.69, 0.015], [0.7, 0.3], [1.0, 0.3]],
        [-1.0, 1.0],
    )
}

fn options(cells: usize) -> TetrahedralizeOptions {
    TetrahedralizeOptions { resolution: Resolution::Cells(cells), ..Default::default() }
}

fn accepting(cells: usize) -> TetrahedralizeOptions {
    TetrahedralizeOptions { accept_losses: true, ..options(cells) }
}

#[test]
fn what_hangs_by_a_rod_hangs_together() {
    let surface = dumbbell();
    let (solid, report) = surface.tetrahedralize(&TetrahedralizeOptions::default()).unwrap();
    assert_eq!((report.pieces, report.surface_pieces, solid.components().count()), (1, 1, 1));
    assert!(report.tried.starts_with(&[32]) && report.losses.is_none(), "{report:?}");
    assert!(report.remarks(false).iter().any(|remark| remark.contains("cells lost parts")));
    // An error says where the loss is and how many cells would do.
    let error = surface.tetrahedralize(&options(32)).unwrap_err();
    let TetrahedralizeError::Lost { cells: 32, losses, enough: Some(enough) } = &error else {
        panic!("{error}")
    };
    assert_eq!(losses.torn, 1);
    assert_eq!(*enough, (2.0 / report.edge_length).round() as usize);
    assert!(error.to_string().contains("1 piece came off"), "{error}");
    assert!(error.to_string().contains(&format!("{enough} cells lose nothing")), "{error}");
    // It is made anyway if that is accepted.
    let (halves, report) = surface.tetrahedralize(&accepting(32)).unwrap();
    assert_eq!((halves.components().count(), report.losses), (2, **losses));
    // The lost part is one half.
    let [low, high] = losses.place.unwrap();
    assert!(low[0] >= 0.0 && high[0] > 0.9 || high[0] <= 0.0 && low[0] < -0.9, "{low:?} {high:?}");
}

#[test]
fn crumbs_of_thin_ends_are_dropped() {
    // A needle on a disc, ever thinner, askew to the lattice.
    let needle = lathe(&[[0.0, 0.3], [0.3, 0.3], [0.3001, 0.12], [2.0, 0.0001]], [0.0, 2.0]);
    let turned = nalgebra::Rotation3::from_euler_angles(0.0, 0.3, 0.2);
    let needle = needle.with_positions(needle.positions().iter().map(|p| turned * p).collect()).unwrap();
    let mut crumbs = 0;
    for cells in 20..40 {
        let (solid, report) = needle.tetrahedralize(&accepting(cells)).unwrap();
        assert_eq!((report.losses.torn, solid.components().count()), (0, 1), "{cells}");
        assert!(report.crumb_volume < report.crumbs as f64 * report.edge_length.powi(3) + 1e-300);
        assert!((report.volume - solid.volume()).abs() < 1e-12);
        crumbs += report.crumbs;
    }
    assert!(crumbs > 0);
}

#[test]
fn thin_plates_are_made_finer_or_refused() {
    let plate = |thickness: f64| {
        // Askew, so that no plane of the lattice lies in it.
        let block = TetMesh::block([2, 2, 2], [1.0, thickness, 1.0], Split::Kuhn).unwrap().surface().mesh;
        let (s, c) = 0.3_f64.sin_cos();
        let turn = |p: &Vector3<f64>| Vector3::new(c * p.x - s * p.y, s * p.x + c * p.y, p.z + 0.1 * p.x);
        block.with_positions(block.positions().iter().map(turn).collect()).unwrap()
    };
    let automatic = TetrahedralizeOptions::default();
    let (solid, report) = plate(0.015).tetrahedralize(&automatic).unwrap();
    assert!(!report.tried.is_empty(), "{:?}", report.tried);
    assert_eq!(solid.components().count(), 1);
    assert!((solid.volume() / plate(0.015).enclosed_volume() - 1.0).abs() < 0.1);
    let error = plate(0.001).tetrahedralize(&automatic).unwrap_err();
    assert!(
        matches!(error, TetrahedralizeError::Lost { .. } | TetrahedralizeError::TooThin { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("ask for more"), "{error}");
}

#[test]
fn open_sheets_are_no_solids() {
    // A skirt: a tube, which goes round its middle by more than half.
    let tube = TriMesh::cylinder(0.3, 0.6, 32, 8, crate::Caps::Open).unwrap();
    let error = tube.tetrahedralize(&TetrahedralizeOptions::default()).unwrap_err();
    assert!(
        matches!(error, TetrahedralizeError::Open { boundary_edges: 64, holes, .. } if (holes - 0.5).abs() < 0.01),
        "{error}"
    );
    assert!(tube.tetrahedralize(&accepting(16)).is_ok());
    // With a thickness the lattice is as fine as it needs.
    let shell = TetrahedralizeOptions { shell_thickness: Some(0.02), ..Default::default() };
    let (solid, report) = tube.tetrahedralize(&shell).unwrap();
    assert_eq!((solid.components().count(), report.tried.len()), (1, 1), "{:?}", report.tried);
}

#[test]
fn closed_parts_that_vanish_are_named() {
    let (mut positions, mut triangles) = TriMesh::icosphere(0.5, 8).unwrap().into_parts();
    let small = TriMesh::icosphere(0.06, 4).unwrap();
    let n = positions.len() as u32;
    positions.extend(small.positions().iter().map(|p| p + Vector3::new(0.58, 0.02, 0.03)));
    triangles.extend(small.triangles().iter().map(|t| t.map(|v| v + n)));
    let both = TriMesh::new(positions, triangles).unwrap();
    let missing: Vec<usize> =
        (3..8).map(|cells| both.tetrahedralize(&accepting(cells)).unwrap().1.losses.missing).collect();
    assert!(missing.contains(&1), "{missing:?}");
    let (_, report) = both.tetrahedralize(&TetrahedralizeOptions::default()).unwrap();
    assert!(report.losses.is_none());
    assert_eq!(report.surface_pieces, 2);
}
