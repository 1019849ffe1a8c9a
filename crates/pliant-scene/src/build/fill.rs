//! A surface filled with tetrahedra.

use pliant_io::Mesh;
use pliant_mesh::{Resolution, TetrahedralizeError, TetrahedralizeOptions, TriMesh, counted};

use super::read_mesh::ReadMesh;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{Bounded, TetrahedralizeModel};

/// The solid within a surface, and the surface that it carries; `at` is the field of the mesh, `notes` are
/// the remarks on the surface.
pub(super) fn fill(
    at: &FieldPath,
    surface: TriMesh,
    how: &TetrahedralizeModel,
    mut notes: Vec<String>,
) -> Result<ReadMesh, Fault> {
    let mut options = TetrahedralizeOptions {
        shell_thickness: how.shell_thickness.map(Bounded::get),
        graded: how.graded,
        accept_losses: how.accept_losses,
        ..TetrahedralizeOptions::default()
    };
    match (how.edge_length, how.cells) {
        (Some(length), _) => options.resolution = Resolution::EdgeLength(length.get()),
        (None, Some(cells)) => options.resolution = Resolution::Cells(cells.into()),
        (None, None) => {}
    }
    let (mesh, report) =
        surface.tetrahedralize(&options).map_err(|error| fault(&at.key("tetrahedralize"), how, &error))?;
    notes.push(format!(
        "its surface was filled with {} with edges of {:.3e} m in the unit of the mesh; the angles between their faces are {:.1}° to {:.1}°",
        counted(mesh.tets().len(), "tetrahedron", "tetrahedra"),
        report.edge_length,
        report.dihedral[0].to_degrees(),
        report.dihedral[1].to_degrees()
    ));
    notes.extend(report.remarks(options.shell_thickness.is_some()));
    Ok(ReadMesh { surface: Some(surface), ..ReadMesh::whole(Mesh::Tet(mesh), notes) })
}

/// The fault, at the field whose change can correct it.
fn fault(at: &FieldPath, how: &TetrahedralizeModel, error: &TetrahedralizeError) -> Fault {
    let (key, expected) = match error {
        TetrahedralizeError::ThinShell { .. } => (Some("shell_thickness"), "a thicker shell, or more cells"),
        TetrahedralizeError::Open { .. } | TetrahedralizeError::NoVolume => {
            (None, "a closed surface, or `shell_thickness` in this table")
        }
        TetrahedralizeError::Lost { .. } => {
            let expected = "more `cells`, or `accept_losses = true` in this table";
            (how.edge_length.map(|_| "edge_length").or(how.cells.map(|_| "cells")), expected)
        }
        TetrahedralizeError::TooManyCells { .. } | TetrahedralizeError::TooThin { .. } => {
            (if how.edge_length.is_some() { Some("edge_length") } else { Some("cells") }, "")
        }
        _ => (None, ""),
    };
    Fault::new(key.map_or_else(|| at.clone(), |key| at.key(key)), error.to_string(), expected)
}
