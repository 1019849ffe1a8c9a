//! [`import`]: a mesh that the scene names by a path, given by the program or read from a file.

use std::path::Path;

use pliant_io::{Attributes, ImportError, ImportReport, Imported, Mesh, ReadOptions};
use pliant_mesh::{TriMesh, unreferenced_vertices};

use crate::error::Fault;
use crate::field::FieldPath;
use crate::source::Source;

/// A mesh as it was given or as its file has it.
#[derive(Clone)]
pub(super) struct Import {
    pub(super) mesh: Mesh,
    /// Vertices that no element uses, in order.
    pub(super) unreferenced: Vec<usize>,
    /// What its file says of its vertices and elements by name, if that was wanted.
    pub(super) attributes: Attributes,
    /// What is worth knowing, but for what is refused or repaired, a sentence each.
    pub(super) notes: Vec<String>,
    /// Its path, for messages.
    name: String,
}

/// The mesh of a path in the scene; `attributes` says whether those of its file are wanted.
pub(super) fn import(
    at: &FieldPath,
    path: &Path,
    attributes: bool,
    source: &Source,
) -> Result<Import, Fault> {
    find(path, attributes, source).map_err(|error| import_error(at, &error))
}

/// The error of a path in the scene that cannot be read.
pub(super) fn import_error(at: &FieldPath, error: &ImportError) -> Fault {
    let expected = "a mesh file; relative paths start from the folder of the scene file";
    let missing = matches!(error, ImportError::Io { .. } | ImportError::NotAFile { .. });
    Fault::new(at.clone(), error.to_string(), if missing { expected } else { "" })
}

/// The same with the error of the reader.
pub(super) fn find(path: &Path, attributes: bool, source: &Source) -> Result<Import, ImportError> {
    if let Some(mesh) = source.meshes.get(path) {
        let vertices = mesh.positions().len();
        let loose = match mesh {
            Mesh::Tri(mesh) => unreferenced_vertices(vertices, mesh.triangles()),
            Mesh::Tet(mesh) => unreferenced_vertices(vertices, mesh.tets()),
        };
        return Ok(Import {
            mesh: mesh.clone(),
            unreferenced: loose.into_iter().map(|v| v as usize).collect(),
            attributes: Attributes::default(),
            notes: Vec::new(),
            name: path.display().to_string(),
        });
    }
    options(attributes).read(source.resolve(path)).map(of_file)
}

/// How to read a file of which the attributes are wanted or not.
pub(super) fn options(attributes: bool) -> ReadOptions {
    if attributes { ReadOptions::with_attributes() } else { ReadOptions::default() }
}

/// What was read from a file.
pub(super) fn of_file(imported: Imported) -> Import {
    Import {
        notes: notes_of(&imported.report),
        unreferenced: imported.report.unreferenced_vertices,
        name: imported.report.file,
        attributes: imported.attributes,
        mesh: imported.mesh,
    }
}

impl Import {
    /// The triangles, and what is worth knowing of them.
    pub(super) fn into_tri(self) -> Result<(TriMesh, Vec<String>), ImportError> {
        match self.mesh {
            Mesh::Tri(mesh) => Ok((mesh, self.notes)),
            Mesh::Tet(_) => Err(ImportError::WrongKind {
                file: self.name,
                held: "tetrahedra",
                wanted: "a triangle mesh is",
                instead: "use it as a solid, or export its boundary surface as OBJ, PLY or STL",
            }),
        }
    }
}

/// The remarks of the import report, except on what is refused or repaired.
fn notes_of(report: &ImportReport) -> Vec<String> {
    let mut notes = Vec::new();
    if report.polygons_fanned > 0 {
        notes.push(format!("{} polygons were split into triangles", report.polygons_fanned));
    }
    if report.vertices_welded > 0 {
        notes.push(format!("{} copies of vertices were merged", report.vertices_welded));
    }
    for (kind, count) in &report.skipped {
        notes.push(format!("{count} of {kind} in the file were left out"));
    }
    notes.extend(report.notes.iter().cloned());
    notes
}
