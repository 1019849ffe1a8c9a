//! Legacy VTK, version 3.0, text.

use std::io::{self, Write};

use super::number::Short;
use crate::Mesh;

/// Writes a mesh, every digit of it.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    writeln!(out, "# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID")?;
    writeln!(out, "POINTS {} double", mesh.positions().len())?;
    for p in mesh.positions() {
        writeln!(out, "{} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    match mesh {
        Mesh::Tri(mesh) => cells(out, mesh.triangles(), 5),
        Mesh::Tet(mesh) => cells(out, mesh.tets(), 10),
    }
}

fn cells<const N: usize>(out: &mut dyn Write, elements: &[[u32; N]], kind: u8) -> io::Result<()> {
    writeln!(out, "CELLS {} {}", elements.len(), elements.len() * (N + 1))?;
    for element in elements {
        write!(out, "{N}")?;
        for vertex in element {
            write!(out, " {vertex}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "CELL_TYPES {}", elements.len())?;
    for _ in elements {
        writeln!(out, "{kind}")?;
    }
    Ok(())
}
