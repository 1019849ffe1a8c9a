//! MEDIT `.mesh`, as Mmg, Gmsh and TetGen read it.

use std::io::{self, Write};

use super::number::Short;
use crate::Mesh;

/// Writes a mesh, every digit of it.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    writeln!(out, "MeshVersionFormatted 2\nDimension 3\nVertices\n{}", mesh.positions().len())?;
    for p in mesh.positions() {
        writeln!(out, "{} {} {} 0", Short(p.x), Short(p.y), Short(p.z))?;
    }
    match mesh {
        Mesh::Tri(mesh) => elements(out, "Triangles", mesh.triangles())?,
        Mesh::Tet(mesh) => elements(out, "Tetrahedra", mesh.tets())?,
    }
    writeln!(out, "End")
}

fn elements<const N: usize>(out: &mut dyn Write, name: &str, elements: &[[u32; N]]) -> io::Result<()> {
    writeln!(out, "{name}\n{}", elements.len())?;
    for element in elements {
        for &vertex in element {
            write!(out, "{} ", u64::from(vertex) + 1)?;
        }
        writeln!(out, "0")?;
    }
    Ok(())
}
