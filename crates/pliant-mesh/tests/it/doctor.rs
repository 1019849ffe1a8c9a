//! Planted defects: the doctor names each, and the repair leaves none that it can mend.

use nalgebra::Vector3;
use pliant_mesh::{Action, CheckOptions, Defect, RepairOptions, Split, TetMesh, TriMesh};
use proptest::prelude::*;

fn defects(mesh: &TriMesh) -> Vec<(Defect, usize)> {
    let check = mesh.check_up(&CheckOptions::default());
    check.findings.iter().map(|finding| (finding.defect, finding.count)).collect()
}

fn solid_defects(mesh: &TetMesh) -> Vec<(Defect, usize)> {
    let check = mesh.check_up(&CheckOptions::default());
    check.findings.iter().map(|finding| (finding.defect, finding.count)).collect()
}

fn sphere() -> TriMesh {
    TriMesh::icosphere(0.5, 3).unwrap()
}

/// Repairs with all steps, and returns the actions that were taken.
fn repaired(mesh: &TriMesh) -> (TriMesh, Vec<Action>) {
    let (mesh, report) = mesh.repair(&RepairOptions { fill_holes: Some(10), ..RepairOptions::default() });
    assert_eq!(report.vertex_of.len(), mesh.positions().len());
    assert_eq!(report.element_of.len(), mesh.triangles().len());
    (mesh, report.steps.iter().map(|step| step.action).collect())
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn with(mesh: &TriMesh, change: impl FnOnce(&mut Vec<Vector3<f64>>, &mut Vec<[u32; 3]>)) -> TriMesh {
    let (mut positions, mut triangles) = mesh.clone().into_parts();
    change(&mut positions, &mut triangles);
    TriMesh::new(positions, triangles).unwrap()
}

#[test]
fn a_good_sphere_has_nothing() {
    assert_eq!(defects(&sphere()), []);
    let (mesh, actions) = repaired(&sphere());
    assert_eq!((mesh, actions.len()), (sphere(), 0));
}

#[test]
fn a_flipped_triangle_is_turned_back() {
    let bad = with(&sphere(), |_, triangles| triangles[17].swap(0, 1));
    assert_eq!(defects(&bad), [(Defect::MixedOrientation, 1)]);
    let check = bad.check_up(&CheckOptions::default());
    assert_eq!(check.finding(Defect::MixedOrientation).unwrap().at, [17]);
    let (mesh, actions) = repaired(&bad);
    assert_eq!((defects(&mesh), actions), (vec![], vec![Action::Orient]));
}

#[test]
fn the_first_triangle_flipped_is_the_one_that_is_named() {
    let bad = with(&sphere(), |_, triangles| triangles[0].swap(0, 1));
    let check = bad.check_up(&CheckOptions::default());
    assert_eq!(check.finding(Defect::MixedOrientation).unwrap().at, [0]);
}

#[test]
fn a_sphere_that_faces_inwards_is_turned_and_a_cavity_is_not() {
    let inward = with(&sphere(), |_, triangles| triangles.iter_mut().for_each(|t| t.swap(1, 2)));
    assert_eq!(defects(&inward), [(Defect::InsideOut, 1)]);
    assert!(repaired(&inward).0.enclosed_volume() > 0.4);
    let hollow = with(&inward, |positions, triangles| {
        let outer = TriMesh::icosphere(1.0, 3).unwrap();
        let first = positions.len() as u32;
        positions.extend(outer.positions());
        triangles.extend(outer.triangles().iter().map(|t| t.map(|v| v + first)));
    });
    assert_eq!(repaired(&hollow), (hollow, vec![]));
}

#[test]
fn seams_are_joined_exactly_or_within_a_distance() {
    for offset in [0.0, 1e-5] {
        let torn = with(&sphere(), |positions, triangles| {
            // The last triangle gets vertices of its own.
            let last = triangles.last_mut().unwrap();
            let shift = Vector3::repeat(offset);
            *last = last.map(|v| {
                positions.push(positions[v as usize] + shift);
                positions.len() as u32 - 1
            });
        });
        let found = defects(&torn);
        assert!(found.contains(&(Defect::Holes, 2)), "{found:?}");
        assert_eq!(found.contains(&(Defect::CoincidentVertices, 3)), offset == 0.0);
        let options = RepairOptions { weld: Some(1e-4), ..RepairOptions::default() };
        let (mesh, report) = torn.repair(&options);
        assert_eq!(mesh, sphere());
        assert_eq!(report.steps.len(), 1);
        let first = sphere().positions().len() as u32;
        assert_eq!(report.steps[0].at, [first, first + 1, first + 2]);
    }
}

#[test]
fn duplicates_floating_vertices_and_flat_triangles_are_dropped() {
    let bad = with(&sphere(), |positions, triangles| {
        let [a, b, c] = triangles[5];
        triangles.extend([[b, c, a], [a, c, b]]);
        positions.push(Vector3::repeat(3.0));
        let half = (positions[a as usize] + positions[b as usize]) / 2.0;
        positions.push(half);
        triangles.push([a, positions.len() as u32 - 1, b]);
    });
    let found = defects(&bad);
    for wanted in
        [(Defect::UnreferencedVertices, 1), (Defect::FlatElements, 1), (Defect::DuplicateElements, 2)]
    {
        assert!(found.contains(&wanted), "{found:?}");
    }
    let (mesh, actions) = repaired(&bad);
    assert_eq!(mesh, sphere());
    assert_eq!(actions, [Action::DropFlat, Action::DropDuplicates, Action::DropUnreferenced]);
}

#[test]
fn holes_are_closed_on_request_only() {
    let open = with(&sphere(), |_, triangles| drop(triangles.drain(3..5)));
    let found = defects(&open);
    assert!(found.iter().all(|(defect, _)| *defect == Defect::Holes), "{found:?}");
    assert_eq!(open.repair(&RepairOptions::default()).0, open);
    let (mesh, actions) = repaired(&open);
    assert!(actions.iter().all(|action| *action == Action::FillHole) && !actions.is_empty());
    assert_eq!(defects(&mesh), []);
    assert!((mesh.enclosed_volume() / sphere().enclosed_volume() - 1.0).abs() < 0.01);
    // The outside of a single triangle or of a square is not a hole.
    for count in [1, 2] {
        let square = [[0, 1, 2], [0, 2, 3]];
        let corners = [Vector3::zeros(), Vector3::x(), Vector3::x() + Vector3::y(), Vector3::y()];
        let sheet = TriMesh::new(corners[..count + 2].to_vec(), square[..count].to_vec()).unwrap();
        let (same, report) =
            sheet.repair(&RepairOptions { fill_holes: Some(10), ..RepairOptions::default() });
        assert_eq!(same, sheet);
        assert!(report.left[0].contains("1 hole (first: at vertex 0) cannot be closed"), "{report}");
    }
    // Too large a hole is left, and the report says so.
    let sheet = TriMesh::grid([5, 5], [1.0, 1.0]).unwrap();
    let (same, report) = sheet.repair(&RepairOptions { fill_holes: Some(10), ..RepairOptions::default() });
    assert_eq!(same, sheet);
    assert!(report.left[0].contains("1 hole of more than 10 edges left open"), "{report}");
}

#[test]
fn sheets_that_touch_are_separated() {
    let (o, x, y, z) = (Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z());
    // Three triangles on one edge, and a fourth that touches in a vertex.
    let positions = vec![o, x, y, -y, z, x + x, x + x + y];
    let fins = TriMesh::new(positions, vec![[0, 1, 2], [1, 0, 3], [0, 1, 4], [1, 5, 6]]).unwrap();
    let found = defects(&fins);
    assert!(found.contains(&(Defect::NonManifoldEdges, 1)), "{found:?}");
    assert!(found.contains(&(Defect::NonManifoldVertices, 1)), "{found:?}");
    let options = RepairOptions { split_non_manifold: true, ..RepairOptions::nothing() };
    let (mesh, report) = fins.repair(&options);
    assert_eq!(report.steps[0].at, [0, 1]);
    assert!(mesh.hinges().non_manifold.is_empty());
    assert_eq!(mesh.triangles().len(), 4);
    assert_eq!(mesh.area(), fins.area());
    assert!(!defects(&mesh).iter().any(|(defect, _)| *defect == Defect::NonManifoldVertices));
}

#[test]
fn a_moebius_strip_is_left_and_named() {
    let n = 9_u32;
    let positions: Vec<_> = (0..n)
        .flat_map(|i| {
            let (s, c) = (f64::from(i) / f64::from(n) * std::f64::consts::TAU).sin_cos();
            let (hs, hc) = (f64::from(i) / f64::from(n) * std::f64::consts::PI).sin_cos();
            [-0.3, 0.3].map(|w| Vector3::new(c * (1.0 + w * hc), s * (1.0 + w * hc), w * hs))
        })
        .collect();
    let quad = |i: u32| {
        let [a, b] = [2 * i, 2 * i + 1];
        let [c, d] = if i + 1 < n { [2 * i + 2, 2 * i + 3] } else { [1, 0] };
        [[a, b, d], [a, d, c]]
    };
    let strip = TriMesh::new(positions, (0..n).flat_map(quad).collect()).unwrap();
    assert!(defects(&strip).contains(&(Defect::OneSided, 1)), "{:?}", defects(&strip));
    let (same, report) = strip.repair(&RepairOptions::default());
    assert_eq!(same, strip);
    assert!(report.left[0].contains("one side only"));
}

#[test]
fn surfaces_through_themselves_are_reported() {
    let twice = with(&sphere(), |positions, triangles| {
        let first = positions.len() as u32;
        let moved: Vec<_> = positions.iter().map(|p| p + Vector3::new(0.31, 0.17, 0.23)).collect();
        positions.extend(moved);
        let copies: Vec<_> = triangles.iter().map(|t| t.map(|v| v + first)).collect();
        triangles.extend(copies);
    });
    let check = twice.check_up(&CheckOptions::default());
    let finding = check.finding(Defect::SelfIntersections).unwrap();
    assert!(finding.count > 20, "{check}");
    let half = sphere().triangles().len() as u32;
    assert!(finding.at.chunks(2).all(|pair| pair[0] < half && pair[1] >= half));
    assert!(
        twice
            .check_up(&CheckOptions { intersections: None, ..CheckOptions::default() })
            .finding(Defect::SelfIntersections)
            .is_none()
    );
}

#[test]
fn a_solid_with_everything_wrong_is_put_right() {
    let good = TetMesh::block([2, 2, 2], [1.0, 1.0, 1.0], Split::Kuhn).unwrap();
    assert_eq!(solid_defects(&good), []);
    let (mut positions, mut tets) = good.clone().into_parts();
    tets[7].swap(0, 1);
    let [a, b, c, d] = tets[3];
    tets.push([c, d, a, b]);
    positions.push(Vector3::repeat(2.0));
    let middle = (positions[a as usize] + positions[b as usize] + positions[c as usize]) / 3.0;
    positions.push(middle);
    tets.push([a, b, c, positions.len() as u32 - 1]);
    let bad = TetMesh::new(positions, tets).unwrap();
    let found = solid_defects(&bad);
    for wanted in [
        (Defect::InvertedTets, 1),
        (Defect::DuplicateElements, 1),
        (Defect::UnreferencedVertices, 1),
        (Defect::FlatElements, 1),
    ] {
        assert!(found.contains(&wanted), "{found:?}");
    }
    let (mesh, report) = bad.repair(&RepairOptions::default());
    assert_eq!(solid_defects(&mesh), []);
    assert_eq!(mesh.positions(), good.positions());
    assert!((mesh.volume() - 1.0).abs() < 1e-12);
    let text = report.to_string();
    assert!(text.contains("1 tetrahedron turned that were inside out (first: 7)"), "{text}");
}

#[test]
fn slivers_are_counted_and_measured() {
    let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::new(0.3, 0.3, 0.01)];
    let sliver = TetMesh::new(corners, vec![[0, 1, 2, 3]]).unwrap();
    let check = sliver.check_up(&CheckOptions::default());
    assert_eq!(check.finding(Defect::Slivers).unwrap().at, [0]);
    let quality = check.quality.unwrap();
    assert_eq!((quality.min_dihedral[0], quality.radius_ratio[0]), (1, 1));
    assert_eq!(quality.min_dihedral.iter().sum::<usize>(), 1);
}

#[test]
fn diagonals_that_do_not_match_are_named() {
    // Two unit cubes in five tetrahedra each, the second not turned.
    let cube = |x: f64| {
        let corner =
            move |i: u32| Vector3::new(x + f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
        (0..8).map(corner)
    };
    let five = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];
    let positions: Vec<_> = cube(0.0).chain(cube(1.0)).collect();
    let tets: Vec<[u32; 4]> = five.iter().copied().chain(five.iter().map(|t| t.map(|v| v + 8))).collect();
    let torn = TetMesh::new(positions, tets).unwrap();
    let (joined, _) = torn.repair(&RepairOptions { match_diagonals: false, ..RepairOptions::default() });
    assert_eq!(joined.positions().len(), 12);
    let found = solid_defects(&joined);
    assert!(found.contains(&(Defect::MismatchedDiagonals, 1)), "{found:?}");
    assert!(!joined.check_up(&CheckOptions::default()).is_fit());
    // A vertex where they cross makes the two cells fit, and leaves a mesh that is as large as before.
    let (matched, report) = joined.repair(&RepairOptions::default());
    assert_eq!(solid_defects(&matched), []);
    assert_eq!((matched.positions().len(), report.vertex_of[12]), (13, None));
    assert_eq!(matched.positions()[12], Vector3::new(1.0, 0.5, 0.5));
    assert!((matched.volume() - 2.0).abs() < 1e-12);
    assert!((matched.surface().mesh.area() - 10.0).abs() < 1e-12);
    let block = TetMesh::block([2, 1, 1], [2.0, 1.0, 1.0], Split::Five).unwrap();
    assert_eq!(solid_defects(&block), []);
}

#[test]
fn a_bare_sliver_has_no_diagonals_to_match() {
    // A square of which one corner is lifted by a tiny distance: both diagonals are edges of the one tetrahedron.
    let corners =
        vec![Vector3::zeros(), Vector3::x(), Vector3::new(1.0, 1.0, 0.0), Vector3::new(0.0, 1.0, 1e-9)];
    let sliver = TetMesh::new(corners, vec![[0, 1, 2, 3]]).unwrap();
    assert_eq!(solid_defects(&sliver), [(Defect::Slivers, 1)]);
    let (same, report) = sliver.repair(&RepairOptions::default());
    assert_eq!(same, sliver, "{report}");
}

#[test]
fn sizes_that_are_no_metres_are_named() {
    let large = TriMesh::icosphere(90.0, 2).unwrap().check_up(&CheckOptions::default());
    let units: Vec<_> = large.units.iter().map(|guess| guess.unit).collect();
    assert_eq!(units, ["millimetres", "centimetres", "inches"]);
    assert!(sphere().check_up(&CheckOptions::default()).units.is_empty());
    let json = serde_json::to_value(&large).unwrap();
    assert_eq!(json["units"][0]["scale"], 1e-3);
}

#[test]
fn triangles_that_share_no_vertices_are_a_soup() {
    let ball = TriMesh::icosphere(0.5, 4).unwrap();
    // Every triangle with corners of its own, as files for drawing have them.
    let corners = |t: &[u32; 3]| t.map(|v| ball.positions()[v as usize]);
    let loose: Vec<Vector3<f64>> = ball.triangles().iter().flat_map(corners).collect();
    let triangles = (0..ball.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let soup = TriMesh::new(loose, triangles).unwrap();
    let check = soup.check_up(&CheckOptions::default());
    assert!(!check.is_fit());
    assert_eq!(check.finding(Defect::TriangleSoup).map(|f| f.count), Some(320));
    assert_eq!(soup.errors().iter().map(|f| f.defect).collect::<Vec<_>>(), [Defect::TriangleSoup]);
    assert!(check.to_string().contains("error: 320 triangles that share no edge"), "{check}");
    assert!(soup.repair(&RepairOptions::default()).0.check_up(&CheckOptions::default()).is_fit());
    // A seam is not a soup, however long: half of the ball with corners of its own.
    let (mut positions, mut triangles) = ball.clone().into_parts();
    for corners in triangles.iter_mut().take(160) {
        for v in corners {
            positions.push(positions[*v as usize]);
            *v = positions.len() as u32 - 1;
        }
    }
    let half = TriMesh::new(positions, triangles).unwrap().check_up(&CheckOptions::default());
    assert!(half.finding(Defect::TriangleSoup).is_none());
    let seams = half.finding(Defect::CoincidentVertices).unwrap();
    assert!(seams.to_string().contains("a repair joins them"), "{seams}");
    // Apart from each other they stay a soup, which only a distance mends.
    let shrunk = soup.positions().chunks(3).flat_map(|c| {
        let centre = (c[0] + c[1] + c[2]) / 3.0;
        [0, 1, 2].map(|i| centre + (c[i] - centre) * 0.999)
    });
    let apart = soup.with_positions(shrunk.collect()).unwrap();
    let after = |unite| {
        let options = RepairOptions { unite: Some(unite), ..RepairOptions::default() };
        apart.repair(&options).0.errors().iter().map(|f| f.defect).collect::<Vec<_>>()
    };
    assert_eq!((after(0.0), after(1e-3)), (vec![Defect::TriangleSoup], vec![]));
    // A few separate triangles may be intended.
    let few = |n: usize| {
        let triangles = soup.triangles()[..n].to_vec();
        TriMesh::new(soup.positions()[..3 * n].to_vec(), triangles).unwrap().errors().is_empty()
    };
    assert_eq!([1, 3, 4].map(few), [true, true, false]);
}

#[test]
fn boundaries_are_united_however_large_the_distance() {
    // Two strips with 4000 vertices along their boundaries each.
    let strip = TriMesh::grid([2, 2000], [0.01, 20.0]).unwrap();
    let shift = Vector3::new(0.01 + 1e-4, 0.0, 0.0);
    let first = strip.positions().len() as u32;
    let positions = strip.positions().iter().copied().chain(strip.positions().iter().map(|p| p + shift));
    let triangles = strip.triangles().iter().copied();
    let triangles = triangles.clone().chain(triangles.map(|t| t.map(|v| v + first)));
    let apart = TriMesh::new(positions.collect(), triangles.collect()).unwrap();
    let unite = |distance| apart.repair(&RepairOptions { unite: Some(distance), ..RepairOptions::default() });
    // Nearer than the vertices of one side are to each other: each joins the one across.
    let (one, report) = unite(1e-3);
    assert_eq!((one.positions().len(), one.components().count()), (3 * 2000, 1));
    assert!(report.left.is_empty());
    // As large as the mesh, or larger: even so, no two vertices of one triangle are joined, and no element is lost.
    for distance in [1.0, 100.0] {
        let (folded, report) = unite(distance);
        assert!(report.left.is_empty(), "{report}");
        let united = report.steps.iter().find(|step| step.action.name() == "unite").unwrap();
        assert!(united.at.len() > 2000, "{}", united.at.len());
        assert!(!folded.triangles().is_empty());
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(200))]

    #[test]
    fn sheets_of_different_fineness_become_one(
        cells in (1..9_usize, 1..9_usize),
        gap in prop_oneof![Just(0.0), 1e-5..1e-3_f64],
        turned in any::<bool>(),
    ) {
        let (mut positions, mut triangles) = TriMesh::grid([3, cells.0 + 1], [1.0, 1.0]).unwrap().into_parts();
        let other = TriMesh::grid([3, cells.1 + 1], [1.0, 1.0]).unwrap();
        let first = positions.len() as u32;
        positions.extend(other.positions().iter().map(|p| p + Vector3::new(1.0 + gap, 0.0, 0.0)));
        let turn = |t: [u32; 3]| if turned { [t[0], t[2], t[1]] } else { t };
        triangles.extend(other.triangles().iter().map(|t| turn(t.map(|v| v + first))));
        let apart = TriMesh::new(positions, triangles).unwrap();
        let options = RepairOptions { unite: Some(2e-3), ..RepairOptions::default() };
        let (one, report) = apart.repair(&options);
        let check = one.check_up(&CheckOptions::default());
        prop_assert_eq!(check.components, 1, "{}", check);
        let kinds: Vec<_> = check.findings.iter().map(|f| (f.defect, f.count)).collect();
        prop_assert_eq!(kinds, [(Defect::Holes, 1)]);
        // The edge between them: the vertices of both sides, each place once; only the gap is lost.
        let hinges = one.hinges();
        prop_assert!(hinges.inconsistent.is_empty() && hinges.non_manifold.is_empty());
        let both = cells.0 + cells.1 - gcd(cells.0, cells.1);
        prop_assert_eq!(one.triangles().len(), apart.triangles().len() + 2 * both - cells.0 - cells.1);
        prop_assert!((one.area() - 2.0).abs() < 2.0 * gap + 1e-12, "{}", one.area());
        prop_assert!(report.left.is_empty());
        for (t, old) in report.element_of.iter().enumerate() {
            let centre = one.corners(t).iter().sum::<Vector3<f64>>() / 3.0;
            let old = apart.corners(old.unwrap() as usize);
            prop_assert!((centre.x < 1.0 + gap / 2.0) == (old.iter().any(|p| p.x < 1.0 - 1e-9)));
        }
        // Zero joins only vertices that lie on edges.
        let (exact, _) = apart.repair(&RepairOptions::default());
        prop_assert_eq!(exact.components().count(), if gap == 0.0 { 1 } else { 2 });
    }

    #[test]
    fn any_soup_is_repaired_to_a_mesh_that_needs_no_repair(
        corners in prop::collection::vec([0..4_i32, 0..4, 0..4], 3..14),
        raw in prop::collection::vec([0..14_u32, 0..14, 0..14], 0..30),
        fill in any::<bool>(),
    ) {
        let positions: Vec<_> = corners.iter().map(|c| Vector3::from(c.map(f64::from))).collect();
        let n = positions.len() as u32;
        let triangles: Vec<[u32; 3]> = raw.iter().map(|t| t.map(|v| v % n))
            .filter(|[a, b, c]| a != b && b != c && c != a).collect();
        let mesh = TriMesh::new(positions, triangles).unwrap();
        let options = RepairOptions {
            // Copies that separate sheets would be joined again.
            split_non_manifold: false,
            fill_holes: fill.then_some(6),
            ..RepairOptions::default()
        };
        let (once, report) = mesh.repair(&options);
        for (v, &old) in report.vertex_of.iter().enumerate() {
            prop_assert_eq!(once.positions()[v], mesh.positions()[old.unwrap() as usize]);
        }
        prop_assert_eq!(report.became.len(), mesh.positions().len());
        for (old, new) in report.became.iter().enumerate() {
            if let Some(new) = new {
                prop_assert_eq!(once.positions()[*new as usize], mesh.positions()[old]);
            }
        }
        let check = once.check_up(&CheckOptions::default());
        for defect in [Defect::CoincidentVertices, Defect::UnreferencedVertices] {
            prop_assert!(check.finding(defect).is_none(), "{}", check);
        }
        if !fill {
            prop_assert!(check.finding(Defect::MixedOrientation).is_none(), "{}", check);
            let (twice, again) = once.repair(&options);
            prop_assert_eq!(&twice, &once);
            prop_assert!(again.is_unchanged(), "{}", again);
        }
        // And with all steps it is still a mesh without edges of three triangles.
        let (split, _) = mesh.repair(&RepairOptions::default());
        prop_assert!(split.hinges().non_manifold.is_empty());
    }
}

/// Those cells of a block of 3 × 3 × 3 cubes that are wanted.
fn cells(wanted: impl Fn([usize; 3]) -> bool) -> TetMesh {
    let block = TetMesh::block([3, 3, 3], [3.0; 3], pliant_mesh::Split::Kuhn).unwrap();
    let low = block.bounds().unwrap().min;
    let is_in = |t: &usize| {
        let middle = block.corners(*t).iter().sum::<Vector3<f64>>() / 4.0 - low;
        wanted([middle.x as usize, middle.y as usize, middle.z as usize])
    };
    let tets = (0..block.tets().len()).filter(is_in).map(|t| block.tets()[t]).collect();
    TetMesh::new(block.positions().to_vec(), tets).unwrap()
}

#[test]
fn an_edge_between_parts_that_hang_together_at_its_ends_is_left_and_told() {
    // Two full layers, between which two cubes touch in an edge.
    let frame = cells(|[x, y, z]| x < 2 && y < 2 && (z != 1 || x == y));
    let options = RepairOptions { split_solids: true, drop_unreferenced: true, ..RepairOptions::nothing() };
    let (same, report) = frame.repair(&options);
    assert_eq!(same.tets().len(), frame.tets().len());
    assert_eq!(report.left, ["1 edge in which parts of the solid touch that hang together at both ends"]);
    // Without one of the layers one end is free, and the edge is divided there.
    let fork = cells(|[x, y, z]| x < 2 && y < 2 && (z == 0 || z == 1 && x == y));
    let (parted, report) = fork.repair(&options);
    assert!(report.left.is_empty(), "{report}");
    assert_eq!(report.steps.len(), 2, "{report}");
    assert_eq!(report.steps[0].at.len(), 1);
    assert!(parted.surface().mesh.hinges().non_manifold.is_empty());
}

proptest! {
    #![proptest_config(pliant_testkit::config(64))]

    #[test]
    fn solids_come_apart_where_they_share_no_face(bits in any::<u32>()) {
        let solid = cells(|[x, y, z]| bits >> (9 * x + 3 * y + z) & 1 == 1);
        let options = RepairOptions { split_solids: true, ..RepairOptions::nothing() };
        let (parted, report) = solid.repair(&options);
        prop_assert_eq!(parted.tets().len(), solid.tets().len());
        for (t, corners) in parted.tets().iter().enumerate() {
            prop_assert_eq!(corners.map(|v| report.vertex_of[v as usize].unwrap()), solid.tets()[t]);
            prop_assert_eq!(parted.corners(t), solid.corners(t));
        }
        // Faces are not torn: the boundary has no more triangles.
        prop_assert_eq!(parted.boundary_triangles().len(), solid.boundary_triangles().len());
        prop_assert!(parted.check_up(&CheckOptions::default()).finding(Defect::NonManifoldVertices).is_none());
        let left = parted.surface().mesh.hinges().non_manifold.len();
        prop_assert_eq!(left == 0, report.left.is_empty());
    }
}
