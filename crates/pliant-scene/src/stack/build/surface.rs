//! A mesh of triangles from a file or generated.

use std::path::Path;

use pliant_io::{ImportError, Mesh, read_mesh};
use pliant_mesh::TriMesh;

use crate::build::mesh::generate;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::MeshModel;
use crate::source::Source;

/// A surface from a file, unchanged, or a generated one.
pub(super) fn surface(at: &FieldPath, mesh: &MeshModel, source: &Source) -> Result<TriMesh, Fault> {
    let (at, found) = match mesh {
        MeshModel::Path(path) => (at.clone(), from_file(at, path, source)?),
        MeshModel::Table(table) => match &table.file {
            Some(path) => (at.key("file"), from_file(&at.key("file"), path, source)?),
            None => {
                let at = at.key(table.chosen(at, "the mesh")?);
                let found = generate(table).map_err(|error| Fault::new(at.clone(), error.to_string(), ""))?;
                (at, found)
            }
        },
    };
    match found {
        Mesh::Tri(mesh) => Ok(mesh),
        Mesh::Tet(_) => Err(Fault::new(at, "it is a solid of tetrahedra", "a surface of triangles")),
    }
}

fn from_file(at: &FieldPath, path: &Path, source: &Source) -> Result<Mesh, Fault> {
    read_mesh(source.resolve(path)).map(|imported| imported.mesh).map_err(|error| unread(at, &error))
}

/// A file that cannot be read.
pub(super) fn unread(at: &FieldPath, error: &ImportError) -> Fault {
    let missing = matches!(error, ImportError::Io { .. } | ImportError::NotAFile { .. });
    let expected =
        if missing { "a file; relative paths start from the folder of the stack file" } else { "" };
    Fault::new(at.clone(), error.to_string(), expected)
}
