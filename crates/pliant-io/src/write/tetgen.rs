//! TetGen: vertices in `.node` and tetrahedra in the `.ele` beside it, both counted from 0.

use std::io::{self, Write};
use std::path::Path;

use pliant_mesh::TetMesh;

use super::ExportError;
use super::atomic::write_file;
use super::number::Short;

/// Writes both files, whichever of them `path` names: the vertices first, so that there are no tetrahedra without them.
pub(crate) fn write(path: &Path, mesh: &TetMesh) -> Result<(), ExportError> {
    let given = path.extension().unwrap_or_default();
    let capitals = given.to_str().is_some_and(|given| given.chars().all(char::is_uppercase));
    let beside = |extension: &str| {
        path.with_extension(if capitals { extension.to_uppercase() } else { extension.to_owned() })
    };
    write_file(&beside("node"), |out| nodes(out, mesh))?;
    write_file(&beside("ele"), |out| elements(out, mesh))
}

/// A line of counts (vertices, dimensions, attributes, markers), then a line for each vertex, which begins
/// with its number.
fn nodes(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    writeln!(out, "{} 3 0 0", mesh.positions().len())?;
    for (v, p) in mesh.positions().iter().enumerate() {
        writeln!(out, "{v} {} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    Ok(())
}

/// A line of counts (tetrahedra, corners of each, attributes), then a line for each tetrahedron, which begins
/// with its number.
fn elements(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    writeln!(out, "{} 4 0", mesh.tets().len())?;
    for (t, [a, b, c, d]) in mesh.tets().iter().enumerate() {
        writeln!(out, "{t} {a} {b} {c} {d}")?;
    }
    Ok(())
}
