//! Gmsh MSH 2.2, text: the version that most programs read.

use std::io::{self, Write};

use super::number::Short;
use crate::Mesh;

/// Writes a mesh, every digit of it.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    writeln!(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}", mesh.positions().len())?;
    for (p, number) in mesh.positions().iter().zip(1_u64..) {
        writeln!(out, "{number} {} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    writeln!(out, "$EndNodes\n$Elements")?;
    match mesh {
        Mesh::Tri(mesh) => elements(out, mesh.triangles(), 2)?,
        Mesh::Tet(mesh) => elements(out, mesh.tets(), 4)?,
    }
    writeln!(out, "$EndElements")
}

fn elements<const N: usize>(out: &mut dyn Write, elements: &[[u32; N]], kind: u8) -> io::Result<()> {
    writeln!(out, "{}", elements.len())?;
    for (element, number) in elements.iter().zip(1_u64..) {
        // Two tags, physical and elementary: some programs refuse elements without.
        write!(out, "{number} {kind} 2 0 1")?;
        for &vertex in element {
            write!(out, " {}", u64::from(vertex) + 1)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
