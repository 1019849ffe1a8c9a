use proptest::prelude::*;

use super::stencil::Node;
use super::*;
use crate::min_dihedral;
use crate::quality::volume_sign;

/// Nothing inverted, all angles within the bounds of the stencils, every face shared by two or on the
/// boundary, and the boundary a closed manifold that faces outwards.
fn check_solid(mesh: &TetMesh) {
    assert!(mesh.inverted().is_empty());
    let least = (0..mesh.tets().len()).map(|t| min_dihedral(&mesh.corners(t))).fold(f64::INFINITY, f64::min);
    assert!(least.to_degrees() > 10.5, "{}", least.to_degrees());
    assert!(dihedral_range(mesh)[1].to_degrees() < 163.8);
    assert!((dihedral_range(mesh)[0] - least).abs() < 1e-9);
    crate::surface::for_each_face(mesh, |slots| {
        assert!(slots.len() <= 2, "a face of {} tetrahedra", slots.len());
    });
    let surface = mesh.surface().mesh;
    let hinges = surface.hinges();
    assert!(hinges.is_closed() && hinges.inconsistent.is_empty() && hinges.coincident.is_empty());
    // The sum over tetrahedra is that of the boundary only if nothing overlaps.
    assert!((surface.enclosed_volume() / mesh.volume() - 1.0).abs() < 1e-9);
    assert!(crate::unreferenced_vertices(mesh.positions().len(), mesh.tets()).is_empty());
    let checked = surface.check_up(&crate::CheckOptions { intersections: None, ..Default::default() });
    // A soup has pieces. Separated parts have vertices at one place, and the walls of cavities face inwards.
    let allowed =
        [crate::Defect::SeparatePieces, crate::Defect::CoincidentVertices, crate::Defect::InsideOut];
    assert!(checked.findings.iter().all(|f| allowed.contains(&f.defect)), "{checked}");
}

fn fill(surface: &TriMesh, cells: usize) -> (TetMesh, TetrahedralizeReport) {
    let options = TetrahedralizeOptions { resolution: Resolution::Cells(cells), ..Default::default() };
    let (mesh, report) = surface.tetrahedralize(&options).unwrap();
    check_solid(&mesh);
    (mesh, report)
}

#[test]
fn every_combination_of_warps_and_cuts_keeps_the_angles() {
    // The extremes of both, for all signs of the four corners: what the thresholds of the warp were chosen by.
    let (mut least, mut greatest, mut seen) = (f64::INFINITY, 0.0_f64, 0);
    for at in (0..3).flat_map(|axis| Lattice::tets_of_face([1; 3], axis)) {
        let corners = at.map(|a| Vector3::from(a.map(f64::from)));
        for code in 0..81 {
            let signs = [0, 1, 2, 3].map(|i| (code / 3_i32.pow(i) % 3 - 1) as i8);
            if !signs.contains(&1) {
                continue;
            }
            let warps = warps(signs, &corners);
            for cuts in cut_points(signs, &corners) {
                for warped in &warps {
                    stencil::pieces(signs, &at, |nodes| {
                        let tet = nodes.map(|node| match node {
                            Node::Corner(i) => warped[i],
                            Node::Cut(i, j) => cuts[i.min(j)][i.max(j)],
                        });
                        assert!(volume_sign(&tet).is_gt(), "{signs:?} {nodes:?}");
                        let [low, high] = dihedral_cosines(&tet);
                        (least, greatest) = (least.min(high.acos()), greatest.max(low.acos()));
                        seen += 1;
                    });
                }
            }
        }
    }
    let (least, greatest) = (least.to_degrees(), greatest.to_degrees());
    assert!(seen > 10_000 && least > 10.54 && greatest < 163.8, "{seen} {least} {greatest}");
}

/// All extreme positions of the corners: one on the surface may have moved along any edge towards a point of
/// the other side.
fn warps(signs: [i8; 4], corners: &[Vector3<f64>; 4]) -> Vec<[Vector3<f64>; 4]> {
    let on: Vec<usize> = (0..4).filter(|&i| signs[i] == 0).collect();
    let moves: Vec<(Vector3<f64>, f64)> = lattice::DIRECTIONS
        .iter()
        .enumerate()
        .flat_map(|(d, step)| {
            let step = Vector3::from(step.map(f64::from));
            [(step, cut::threshold(d)), (-step, cut::threshold(d))]
        })
        .chain([(Vector3::zeros(), 0.0)])
        .collect();
    let mut all = Vec::new();
    for code in 0..moves.len().pow(on.len() as u32) {
        let chosen: Vec<_> =
            (0..on.len()).map(|k| moves[code / moves.len().pow(k as u32) % moves.len()]).collect();
        // Before the warp each was on one side or the other, and moved towards one of the opposite side.
        let possible = (0..1 << on.len()).any(|sides: u32| {
            let side = |i: usize| match on.iter().position(|&z| z == i) {
                Some(k) if sides >> k & 1 == 1 => 1,
                Some(_) => -1,
                None => signs[i],
            };
            on.iter().zip(&chosen).all(|(&z, (step, _))| {
                (0..4).all(|i| i == z || corners[z] + step != corners[i] || side(i) != side(z))
            })
        });
        let towards_each_other = on.iter().zip(&chosen).any(|(&z, (step, _))| {
            on.iter().zip(&chosen).any(|(&y, (back, _))| {
                y != z && corners[z] + step == corners[y] && corners[y] + back == corners[z]
            })
        });
        if possible && !towards_each_other {
            let mut warped = *corners;
            for (&z, (step, share)) in on.iter().zip(&chosen) {
                warped[z] += step * *share;
            }
            all.push(warped);
        }
    }
    all
}

/// All extreme positions of the cut points.
fn cut_points(signs: [i8; 4], corners: &[Vector3<f64>; 4]) -> Vec<[[Vector3<f64>; 4]; 4]> {
    let mut all = vec![[[Vector3::zeros(); 4]; 4]];
    for [i, j] in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] {
        if signs[i] * signs[j] < 0 {
            let limit = cut::threshold(if matches!([i, j], [0, 1] | [2, 3]) { 0 } else { lattice::LONG });
            all = all
                .iter()
                .flat_map(|cuts| {
                    [limit, 0.5, 1.0 - limit].map(|share| {
                        let mut cuts = *cuts;
                        cuts[i][j] = corners[i] + (corners[j] - corners[i]) * share;
                        cuts
                    })
                })
                .collect();
        }
    }
    all
}

#[test]
fn balls_and_rings_have_their_volumes() {
    let ball = TriMesh::icosphere(0.5, 40).unwrap();
    let (mesh, report) = fill(&ball, 32);
    assert!((mesh.volume() / (std::f64::consts::PI / 6.0) - 1.0).abs() < 0.01, "{report:?}");
    assert_eq!((report.pieces, report.boundary_edges), (1, 0));
    // Every vertex of the boundary is on the sphere.
    assert!(mesh.surface().mesh.positions().iter().all(|p| (p.norm() - 0.5).abs() < 1e-3));
    let ring = TriMesh::torus(0.3, 0.1, 96, 48).unwrap();
    let (mesh, _) = fill(&ring, 40);
    let exact = 2.0 * std::f64::consts::PI.powi(2) * 0.3 * 0.01;
    assert!((mesh.volume() / exact - 1.0).abs() < 0.02, "{}", mesh.volume() / exact);
    // It converges with the square of the edge.
    let error = |cells| (fill(&ball, cells).0.volume() / ball.enclosed_volume() - 1.0).abs();
    assert!(error(24) < 0.35 * error(12), "{} {}", error(12), error(24));
}

#[test]
fn a_box_in_whole_cubes_is_itself() {
    let cube = TetMesh::block([2, 2, 2], [1.0, 1.0, 1.0], crate::Split::Kuhn).unwrap().surface().mesh;
    let (mesh, report) = fill(&cube, 4);
    assert!((report.volume - 1.0).abs() < 0.08, "{}", report.volume);
    assert!(report.surface_volume.is_some_and(|v| (v - 1.0).abs() < 1e-12));
    let bounds = mesh.bounds().unwrap();
    assert!((bounds.size() - Vector3::repeat(1.0)).amax() < 1e-12);
}

#[test]
fn holes_overlaps_and_turned_triangles_do_not_matter() {
    let ball = TriMesh::icosphere(0.5, 8).unwrap();
    let (whole, _) = fill(&ball, 16);
    let (positions, mut triangles) = ball.clone().into_parts();
    for t in (0..triangles.len()).step_by(5) {
        triangles[t].swap(0, 1);
    }
    let (mixed, report) = fill(&TriMesh::new(positions.clone(), triangles).unwrap(), 16);
    // The triangles begin with other corners now, which changes only the rounding.
    assert_eq!(mixed.tets(), whole.tets());
    let moved = |(a, b): (&Vector3<f64>, &Vector3<f64>)| (a - b).norm();
    assert!(mixed.positions().iter().zip(whole.positions()).map(moved).all(|d| d < 1e-12));
    assert_eq!(report.prepared.steps.len(), 1);
    // Some triangles missing here and there.
    let open = ball.triangles().iter().enumerate().filter(|(t, _)| t % 50 != 0).map(|(_, t)| *t).collect();
    let (open, report) = fill(&TriMesh::new(positions.clone(), open).unwrap(), 16);
    assert!((open.volume() / whole.volume() - 1.0).abs() < 0.01);
    assert!(report.boundary_edges > 0 && report.surface_volume.is_none());
    // Two balls through each other are their union.
    let apart = Vector3::x() * 0.4;
    let n = positions.len() as u32;
    let both = positions.iter().copied().chain(positions.iter().map(|p| p + apart)).collect();
    let twice = ball.triangles().iter().copied().chain(ball.triangles().iter().map(|t| t.map(|v| v + n)));
    let (union, report) = fill(&TriMesh::new(both, twice.collect()).unwrap(), 24);
    // A ball and a half less the caps: V = 2 · 4/3 π r³ − 2 · π h² (3 r − h) / 3 with h = r − 0.2.
    let h: f64 = 0.3;
    let pi = std::f64::consts::PI;
    let exact = pi / 3.0 - 2.0 * pi * h * h * (1.5 - h) / 3.0;
    assert!((union.volume() / exact - 1.0).abs() < 0.04, "{} {exact}", union.volume());
    assert_eq!((report.pieces, report.surface_pieces), (1, 2));
}

#[test]
fn sheets_become_shells() {
    let sheet = TriMesh::grid([7, 7], [1.0, 1.0]).unwrap();
    let at = |cells, thickness| {
        sheet.tetrahedralize(&TetrahedralizeOptions {
            resolution: Resolution::Cells(cells),
            shell_thickness: thickness,
            graded: false,
            ..Default::default()
        })
    };
    assert!(
        matches!(at(16, None), Err(TetrahedralizeError::Open { boundary_edges: 24, .. })),
        "{:?}",
        at(16, None)
    );
    assert!(matches!(at(16, Some(0.05)), Err(TetrahedralizeError::ThinShell { .. })));
    let (mesh, report) = at(20, Some(0.2)).unwrap();
    check_solid(&mesh);
    // The sheet, half a tube along each side, and a quarter of a ball at each corner.
    let exact = 0.2 + 4.0 * std::f64::consts::PI * 0.01 / 2.0 + std::f64::consts::PI / 6.0 * 0.008;
    assert!((mesh.volume() / exact - 1.0).abs() < 0.03, "{} {exact}", mesh.volume());
    assert_eq!(report.surface_volume, None);
    // The thinnest that is allowed has no holes: its boundary is one ball.
    let side = 1.0 / 16.0;
    let (thin, report) = sheet
        .tetrahedralize(&TetrahedralizeOptions {
            resolution: Resolution::EdgeLength(side),
            shell_thickness: Some(LEAST_SHELL * side),
            graded: false,
            ..Default::default()
        })
        .unwrap();
    check_solid(&thin);
    let surface = thin.surface().mesh;
    let euler =
        surface.positions().len() as i64 - surface.edges().len() as i64 + surface.triangles().len() as i64;
    assert_eq!((report.pieces, euler), (1, 2));
}

#[test]
fn what_cannot_be_filled_is_refused() {
    let ball = TriMesh::icosphere(0.5, 3).unwrap();
    let with = |surface: &TriMesh, resolution| {
        surface.tetrahedralize(&TetrahedralizeOptions { resolution, ..Default::default() }).map(|_| ())
    };
    assert_eq!(with(&TriMesh::default(), Resolution::Cells(8)), Err(TetrahedralizeError::EmptySurface));
    for resolution in [
        Resolution::Cells(0),
        Resolution::EdgeLength(0.0),
        Resolution::EdgeLength(-1.0),
        Resolution::EdgeLength(f64::NAN),
        Resolution::EdgeLength(f64::INFINITY),
    ] {
        assert!(
            matches!(with(&ball, resolution), Err(TetrahedralizeError::Parameter { .. })),
            "{resolution:?}"
        );
    }
    for resolution in [Resolution::Cells(1000), Resolution::EdgeLength(1e-300), Resolution::Cells(usize::MAX)]
    {
        assert!(
            matches!(with(&ball, resolution), Err(TetrahedralizeError::TooManyCells { .. })),
            "{resolution:?}"
        );
    }
    assert!(matches!(
        with(&ball, Resolution::EdgeLength(50.0)),
        Err(TetrahedralizeError::TooThin { .. }) | Ok(())
    ));
    // Where coordinates are rounded to an eighth, cubes have no shape; where they are to 1e-7, they do.
    let moved = |by: f64| ball.translated([by, by, by]).unwrap();
    assert!(matches!(with(&moved(1e15), Resolution::Auto), Err(TetrahedralizeError::TooFar { .. })));
    assert_eq!(with(&moved(1e9), Resolution::Cells(8)), Ok(()));
    // A doubled sheet is closed and has no volume.
    let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::x() + Vector3::y()];
    let tent = vec![[0, 1, 2], [1, 3, 2], [2, 1, 0], [2, 3, 1]];
    let flat = TriMesh::new(corners, tent).unwrap();
    let error = with(&flat, Resolution::Cells(8)).unwrap_err();
    assert!(error.to_string().contains("thickness"), "{error}");
}

#[test]
fn graded_solids_are_the_same_outside_and_coarser_inside() {
    let ball = TriMesh::icosphere(0.5, 24).unwrap();
    let (uniform, report) = fill(&ball, 40);
    let options =
        TetrahedralizeOptions { resolution: Resolution::Cells(40), graded: true, ..Default::default() };
    let (graded, graded_report) = ball.tetrahedralize(&options).unwrap();
    check_solid(&graded);
    assert!(
        graded.tets().len() * 3 < uniform.tets().len() * 2,
        "{} {}",
        graded.tets().len(),
        uniform.tets().len()
    );
    assert!((graded.volume() / uniform.volume() - 1.0).abs() < 1e-9);
    let outside = |mesh: &TetMesh| {
        let mut points: Vec<[u64; 3]> = mesh
            .surface()
            .mesh
            .positions()
            .iter()
            .map(|p| [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()])
            .collect();
        points.sort_unstable();
        points
    };
    assert_eq!(outside(&graded), outside(&uniform));
    assert_eq!(report.warped, graded_report.warped);
}

proptest! {
    #![proptest_config(pliant_testkit::config(32))]

    #[test]
    fn any_closed_soup_makes_a_sound_solid(
        centres in prop::collection::vec(([-0.5..0.5, -0.5..0.5, -0.5..0.5_f64], 0.1..0.6_f64, 1_usize..4), 1..5),
        cells in 3_usize..12,
        graded in any::<bool>(),
    ) {
        // Coarse balls anywhere, through each other.
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for (centre, radius, frequency) in centres {
            let ball = TriMesh::icosphere(radius, frequency).unwrap();
            let first = positions.len() as u32;
            positions.extend(ball.positions().iter().map(|p| p + Vector3::from(centre)));
            triangles.extend(ball.triangles().iter().map(|t| t.map(|v| v + first)));
        }
        let surface = TriMesh::new(positions, triangles).unwrap();
        let options = TetrahedralizeOptions { resolution: Resolution::Cells(cells), shell_thickness: None, graded, accept_losses: true };
        match surface.tetrahedralize(&options) {
            Ok((mesh, _)) => check_solid(&mesh),
            Err(error) => prop_assert!(matches!(error, TetrahedralizeError::TooThin { .. }), "{}", error),
        }
    }

    #[test]
    fn any_triangles_make_a_sound_shell(
        corners in prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0_f64], 3..12),
        raw in prop::collection::vec([0_u32..12, 0..12, 0..12], 1..12),
        thickness in 1.5..4.0_f64,
        graded in any::<bool>(),
    ) {
        let n = corners.len() as u32;
        let triangles: Vec<_> = raw.iter().map(|t| t.map(|v| v % n))
            .filter(|[a, b, c]| a != b && b != c && c != a).collect();
        prop_assume!(!triangles.is_empty());
        let surface = TriMesh::new(corners.into_iter().map(Vector3::from).collect(), triangles).unwrap();
        let options = TetrahedralizeOptions {
            resolution: Resolution::EdgeLength(0.2), shell_thickness: Some(0.2 * thickness), graded, accept_losses: true,
        };
        let (mesh, _) = surface.tetrahedralize(&options).unwrap();
        check_solid(&mesh);
        // Filled as a solid, it is sound or refused.
        let options = TetrahedralizeOptions { shell_thickness: None, ..options };
        if let Ok((mesh, _)) = surface.tetrahedralize(&options) {
            check_solid(&mesh);
        }
    }
}
