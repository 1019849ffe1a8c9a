//! Every kind of defect is planted once, and must be found and be the only one.

use nalgebra::Vector3;

use crate::{NonManifoldEdge, Split, TetMesh, TetMeshReport, TriMesh, TriMeshReport};

fn tri_defects(r: &TriMeshReport) -> [usize; 6] {
    let surface = [r.without_area.len(), r.duplicates.len(), r.unreferenced.len(), r.coincident.len()];
    [surface[0], surface[1], surface[2], surface[3], r.non_manifold.len(), r.inconsistent.len()]
}

fn tet_defects(r: &TetMeshReport) -> [usize; 8] {
    [
        r.inverted.len(),
        r.flat.len(),
        r.duplicates.len(),
        r.unreferenced.len(),
        r.massless.len(),
        r.coincident.len(),
        r.crowded_faces.len(),
        r.non_manifold.len(),
    ]
}

fn tri(change: impl Fn(&mut Vec<Vector3<f64>>, &mut Vec<[u32; 3]>)) -> TriMeshReport {
    let (mut positions, mut triangles) = TriMesh::grid([3, 3], [2.0, 2.0]).unwrap().into_parts();
    change(&mut positions, &mut triangles);
    TriMesh::new(positions, triangles).unwrap().report()
}

fn tet(change: impl Fn(&mut Vec<Vector3<f64>>, &mut Vec<[u32; 4]>)) -> TetMeshReport {
    let (mut positions, mut tets) = TetMesh::block([2; 3], [2.0; 3], Split::Kuhn).unwrap().into_parts();
    change(&mut positions, &mut tets);
    TetMesh::new(positions, tets).unwrap().report()
}

#[test]
fn a_clean_sheet() {
    let report = tri(|_, _| {});
    assert_eq!(tri_defects(&report), [0; 6]);
    assert_eq!((report.vertices, report.triangles, report.edges, report.hinges), (9, 8, 16, 8));
    assert_eq!((report.components, report.boundary.len(), report.enclosed_volume), (1, 8, None));
    assert!((report.area - 4.0).abs() < 1e-15);
    assert_eq!((report.edge_lengths.shortest, report.edge_lengths.longest), (1.0, 2.0_f64.sqrt()));
    assert!((report.edge_lengths.mean - (12.0 + 4.0 * 2.0_f64.sqrt()) / 16.0).abs() < 1e-15);
}

#[test]
fn defects_of_a_sheet() {
    let flat = tri(|p, _| p[0] = (p[1] + p[3]) / 2.0);
    assert_eq!((tri_defects(&flat), flat.without_area.as_slice()), ([1, 0, 0, 0, 0, 0], [0].as_slice()));
    let loose = tri(|p, _| p.push(Vector3::new(0.0, 5.0, 0.0)));
    assert_eq!((tri_defects(&loose), loose.unreferenced.as_slice()), ([0, 0, 1, 0, 0, 0], [9].as_slice()));
    let turned = tri(|_, t| t[0].swap(0, 1));
    // One of the three edges of the corner triangle is shared.
    assert_eq!(
        (tri_defects(&turned), turned.inconsistent.as_slice()),
        ([0, 0, 0, 0, 0, 1], [[3, 1]].as_slice())
    );
    let fin = tri(|p, t| {
        p.push(Vector3::new(0.0, 1.0, 0.0));
        t.push([1, 3, 9]);
    });
    assert_eq!(fin.non_manifold, [NonManifoldEdge { edge: [1, 3], triangles: vec![0, 1, 8] }]);
    // A seam: the last triangle gets a copy of a vertex.
    let seam = tri(|p, t| {
        p.push(p[7]);
        let corner = t[7].iter().position(|&v| v == 7).unwrap();
        t[7][corner] = 9;
    });
    assert_eq!((tri_defects(&seam), seam.coincident.as_slice()), ([0, 0, 0, 1, 0, 0], [[9, 7]].as_slice()));
    assert_eq!(seam.boundary.len(), 10);
    // Twice the corner triangle: its shared edge then has three.
    let double = tri(|_, t| t.push([t[0][1], t[0][2], t[0][0]]));
    assert_eq!((double.duplicates.as_slice(), double.non_manifold.len()), ([[8, 0]].as_slice(), 1));
    let pieces = tri(|p, t| {
        p.extend([5.0, 6.0, 7.0].map(|x| Vector3::new(x, x * x, 0.0)));
        t.push([9, 10, 11]);
    });
    assert_eq!((pieces.components, tri_defects(&pieces)), (2, [0; 6]));
}

#[test]
fn a_clean_block() {
    let report = tet(|_, _| {});
    assert_eq!(tet_defects(&report), [0; 8]);
    assert_eq!((report.vertices, report.tets, report.boundary_triangles, report.components), (27, 48, 48, 1));
    assert!((report.volume - 8.0).abs() < 1e-14 && (report.boundary_area - 24.0).abs() < 1e-14);
    let quality = report.quality.unwrap();
    assert!((quality.min_dihedral.to_degrees() - 45.0).abs() < 1e-9);
    assert!((quality.mean_min_dihedral - quality.min_dihedral).abs() < 1e-9);
    assert!((quality.mean_radius_ratio - quality.min_radius_ratio).abs() < 1e-9);
}

#[test]
fn defects_of_a_block() {
    let turned = tet(|_, t| t[7].swap(0, 1));
    assert_eq!(
        (tet_defects(&turned), turned.inverted.as_slice()),
        ([1, 0, 0, 0, 0, 0, 0, 0], [7].as_slice())
    );
    let loose = tet(|p, _| p.push(Vector3::zeros().add_scalar(9.0)));
    assert_eq!(
        (tet_defects(&loose), loose.unreferenced.as_slice()),
        ([0, 0, 0, 1, 0, 0, 0, 0], [27].as_slice())
    );
    // A flat element on the outside, on a vertex of its own.
    let flat = tet(|p, t| {
        p.push((p[0] + p[1] + p[3]) / 3.0);
        t.push([0, 1, 3, 27]);
    });
    assert_eq!((flat.flat.as_slice(), flat.massless.as_slice()), ([48].as_slice(), [27].as_slice()));
    assert_eq!(flat.quality.unwrap().min_dihedral_tet, 48);
    let double = tet(|_, t| t.push([t[5][1], t[5][2], t[5][0], t[5][3]]));
    assert_eq!(double.duplicates, [[48, 5]]);
    assert!(!double.crowded_faces.is_empty());
    let seam = tet(|p, t| {
        p.push(p[26]);
        let last = t.iter_mut().flatten().rfind(|v| **v == 26).unwrap();
        *last = 27;
    });
    assert_eq!(seam.coincident, [[27, 26]]);
}

#[test]
fn blocks_that_touch_along_an_edge() {
    // Two opposite cells of four: the edge between them has four boundary triangles' sides.
    let block = TetMesh::block([2, 2, 1], [2.0, 2.0, 1.0], Split::Kuhn).unwrap();
    let cells = [0, 3].map(|c| block.tets()[6 * c..6 * c + 6].to_vec()).concat();
    let report = TetMesh::new(block.positions().to_vec(), cells).unwrap().report();
    let middle = [8, 9];
    assert_eq!(
        report.non_manifold.iter().map(|n| (n.edge, n.triangles.len())).collect::<Vec<_>>(),
        [(middle, 4)]
    );
    assert_eq!((report.components, report.unreferenced.len()), (1, 4));
}

#[test]
fn nothing_has_no_defects() {
    let (surface, solid) = (TriMesh::default().report(), TetMesh::default().report());
    assert_eq!((tri_defects(&surface), tet_defects(&solid)), ([0; 6], [0; 8]));
    assert_eq!((surface.enclosed_volume, solid.quality), (None, None));
}

#[test]
fn the_two_zeros_are_one_place() {
    let positions =
        vec![Vector3::new(0.0, 0.0, 1.0), Vector3::new(-0.0, 0.0, 1.0), Vector3::x(), Vector3::y()];
    let report = TriMesh::new(positions, vec![[0, 2, 3], [1, 3, 2]]).unwrap().report();
    assert_eq!(report.coincident, [[1, 0]]);
}
