//! The checks that all formats share, and the report.

use nalgebra::Vector3;
use pliant_mesh::{Aabb, TetMesh, TriMesh};

use crate::error::{ImportError, Place};
use crate::format::Format;
use crate::raw::RawMesh;
use crate::report::{ImportReport, Imported, Mesh};
use crate::source::Source;

/// Checks the arrays of a reader and makes mesh and report of them.
pub(crate) fn finish(source: &Source<'_>, format: Format, raw: RawMesh) -> Result<Imported, ImportError> {
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
        polygons_fanned: raw.polygons_fanned,
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
        report.duplicate_elements = duplicates(&raw.triangles);
        report.unreferenced_vertices = unreferenced(&raw.triangles, raw.positions.len());
        let mesh = TriMesh::new(raw.positions, raw.triangles).map_err(refused)?;
        report.flat_triangles = flat_triangles(&mesh);
        Mesh::Tri(mesh)
    } else {
        if !raw.triangles.is_empty() {
            report.notes.push(format!(
                "{} triangles stand beside the tetrahedra and were left out of the mesh",
                raw.triangles.len()
            ));
        }
        report.duplicate_elements = duplicates(&raw.tets);
        report.unreferenced_vertices = unreferenced(&raw.tets, raw.positions.len());
        let mesh = TetMesh::new(raw.positions, raw.tets).map_err(refused)?;
        report.inverted_tets = mesh.inverted();
        Mesh::Tet(mesh)
    };
    Ok(Imported { mesh, report })
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

/// Elements whose set of vertices stood before, in ascending order.
fn duplicates<const N: usize>(elements: &[[u32; N]]) -> Vec<usize> {
    let mut keys: Vec<([u32; N], usize)> = elements
        .iter()
        .enumerate()
        .map(|(element, corners)| {
            let mut key = *corners;
            key.sort_unstable();
            (key, element)
        })
        .collect();
    keys.sort_unstable();
    let mut found: Vec<usize> =
        keys.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
    found.sort_unstable();
    found
}

fn unreferenced<const N: usize>(elements: &[[u32; N]], vertices: usize) -> Vec<usize> {
    let mut used = vec![false; vertices];
    for &vertex in elements.as_flattened() {
        used[vertex as usize] = true;
    }
    (0..vertices).filter(|&v| !used[v]).collect()
}

/// Triangles whose area is at most 1e-12 of the square of their longest edge.
fn flat_triangles(mesh: &TriMesh) -> Vec<usize> {
    (0..mesh.triangles().len())
        .filter(|&t| {
            let [a, b, c] = mesh.corners(t);
            let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
            mesh.triangle_area(t) <= 1e-12 * longest
        })
        .collect()
}
