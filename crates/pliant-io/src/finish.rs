//! The checks that all formats share, and the report.

use nalgebra::Vector3;
use pliant_mesh::{Aabb, TetMesh, TriMesh, duplicate_elements, unreferenced_vertices};

use crate::error::{ImportError, Place};
use crate::format::Format;
use crate::polygon::{self, Counts};
use crate::raw::RawMesh;
use crate::report::{ImportReport, Imported, Mesh};
use crate::source::Source;

/// Checks the arrays of a reader and makes the mesh and the report from them.
pub(crate) fn finish(source: &Source<'_>, format: Format, mut raw: RawMesh) -> Result<Imported, ImportError> {
    check_positions(source, &raw.positions)?;
    check_elements(source, "triangle", Place::Triangle, &raw.triangles, raw.positions.len())?;
    check_elements(source, "tetrahedron", Place::Tet, &raw.tets, raw.positions.len())?;
    if raw.triangles.is_empty() && raw.tets.is_empty() {
        let skipped: Vec<String> =
            raw.skipped.iter().map(|(kind, count)| format!("{count} × {kind}")).collect();
        return Err(ImportError::NoElements {
            file: source.name.to_owned(),
            vertices: raw.positions.len(),
            skipped: skipped.join(", "),
        });
    }

    // Triangles beside tetrahedra are not kept.
    let counts = if raw.tets.is_empty() { polygon::split(&mut raw) } else { Counts::default() };
    raw.notes.extend(counts.notes());
    if raw.faces_shortened > 0 {
        let note =
            format!("{} faces name a vertex twice in a row, which was taken once", raw.faces_shortened);
        raw.notes.push(note);
    }
    let attributes = raw.take_attributes(source)?;
    let bounds = Aabb::of_points(&raw.positions).expect("an element has vertices in range");
    let mut report = ImportReport {
        file: source.name.to_owned(),
        format,
        vertices: raw.positions.len(),
        triangles: raw.triangles.len(),
        tets: raw.tets.len(),
        bounds,
        inverted_tets: Vec::new(),
        flat_triangles: Vec::new(),
        duplicate_elements: Vec::new(),
        unreferenced_vertices: Vec::new(),
        polygons_fanned: raw.polygon_count(),
        polygons_clipped: counts.clipped,
        skipped: raw.skipped,
        vertices_welded: raw.vertices_welded,
        notes: raw.notes,
    };
    let refused = |error| ImportError::Unsupported {
        file: source.name.to_owned(),
        what: format!("its mesh ({error})"),
        instead: "repair it first".to_owned(),
    };
    let mesh = if raw.tets.is_empty() {
        defects(&mut report, &raw.triangles);
        let mesh = TriMesh::new(raw.positions, raw.triangles).map_err(refused)?;
        report.flat_triangles = mesh.without_area().into_iter().map(|t| t as usize).collect();
        Mesh::Tri(mesh)
    } else {
        if !raw.triangles.is_empty() {
            report.notes.push(format!(
                "{} triangles stand beside the tetrahedra and were left out of the mesh",
                raw.triangles.len()
            ));
        }
        defects(&mut report, &raw.tets);
        let mesh = TetMesh::new(raw.positions, raw.tets).map_err(refused)?;
        report.inverted_tets = mesh.inverted();
        Mesh::Tet(mesh)
    };
    Ok(Imported { mesh, report, attributes })
}

fn check_positions(source: &Source<'_>, positions: &[Vector3<f64>]) -> Result<(), ImportError> {
    if u32::try_from(positions.len()).is_err() {
        return Err(ImportError::TooLarge {
            file: source.name.to_owned(),
            what: "vertices",
            count: positions.len() as u64,
            limit: u64::from(u32::MAX),
        });
    }
    for (index, position) in positions.iter().enumerate() {
        if let Some(&value) = position.iter().find(|c| !c.is_finite()) {
            return Err(source.non_finite(Place::Vertex(index), value));
        }
    }
    Ok(())
}

fn check_elements<const N: usize>(
    source: &Source<'_>,
    kind: &'static str,
    place: fn(usize) -> Place,
    elements: &[[u32; N]],
    vertices: usize,
) -> Result<(), ImportError> {
    for (element, corners) in elements.iter().enumerate() {
        for (i, &index) in corners.iter().enumerate() {
            if index as usize >= vertices {
                return Err(source.index_error(place(element), i64::from(index), 0, vertices));
            }
            if corners[..i].contains(&index) {
                return Err(source.repeated(place(element), kind, i64::from(index)));
            }
        }
    }
    Ok(())
}

/// Lists the defects that both kinds of mesh can have.
fn defects<const N: usize>(report: &mut ImportReport, elements: &[[u32; N]]) {
    let vertices = report.vertices;
    report.duplicate_elements =
        duplicate_elements(vertices, elements).into_iter().map(|[later, _]| later as usize).collect();
    report.unreferenced_vertices =
        unreferenced_vertices(vertices, elements).into_iter().map(|v| v as usize).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(raw: RawMesh) -> ImportReport {
        finish(&Source::of("a", b""), Format::Obj, raw).unwrap().report
    }

    fn corners() -> Vec<Vector3<f64>> {
        vec![
            Vector3::zeros(),
            Vector3::x(),
            Vector3::y(),
            Vector3::z(),
            Vector3::x() * 2.0,
            Vector3::x() * 9.0,
        ]
    }

    #[test]
    fn defects_of_a_surface_are_listed() {
        let triangles = vec![[0, 1, 2], [3, 1, 2], [2, 0, 1], [0, 1, 4], [1, 0, 2]];
        let report = report(RawMesh { positions: corners(), triangles, ..RawMesh::default() });
        assert_eq!(report.duplicate_elements, [2, 4]);
        assert_eq!(report.flat_triangles, [3]);
        assert_eq!(report.unreferenced_vertices, [5]);
        assert_eq!((report.vertices, report.triangles, report.tets), (6, 5, 0));
        assert_eq!(report.bounds.max, Vector3::new(9.0, 1.0, 1.0));
        assert!(!report.is_clean());
        let text = report.to_string();
        assert!(text.contains("2 elements that repeat an earlier one (first: 2)"), "{text}");
        assert!(text.contains("1 triangles without an area (first: 3)"), "{text}");
    }

    #[test]
    fn defects_of_a_solid_are_listed_and_its_triangles_left_out() {
        let tets = vec![[0, 1, 2, 3], [0, 2, 1, 3], [0, 1, 2, 4]];
        let triangles = vec![[0, 1, 2]];
        let report = report(RawMesh { positions: corners(), triangles, tets, ..RawMesh::default() });
        assert_eq!(report.inverted_tets, [1, 2]);
        assert_eq!(report.duplicate_elements, [1]);
        assert_eq!(report.unreferenced_vertices, [5]);
        assert_eq!((report.triangles, report.tets), (1, 3));
        assert!(report.notes[0].starts_with("1 triangles stand beside the tetrahedra"));
    }

    #[test]
    fn what_no_mesh_may_have_is_refused() {
        let error = |raw| finish(&Source::of("a", b""), Format::Obj, raw).unwrap_err().to_string();
        let raw = |triangles| RawMesh { positions: corners(), triangles, ..RawMesh::default() };
        assert_eq!(
            error(raw(vec![[0, 1, 2], [0, 1, 6]])),
            "a, triangle 1 (numbered from 0): refers to vertex 6, but the vertices are numbered 0 to 5"
        );
        assert!(error(raw(vec![[0, 1, 1]])).contains("the triangle names vertex 1 twice"));
        let mut bad = raw(vec![[0, 1, 2]]);
        bad.positions[4].y = f64::NAN;
        assert!(error(bad).contains("a, vertex 4 (numbered from 0): a coordinate is NaN"));
        let mut none = raw(vec![]);
        none.skip("line", 3);
        assert_eq!(
            error(none),
            "a: holds 6 vertices but no triangle and no tetrahedron (found instead: 3 × line)"
        );
    }
}
