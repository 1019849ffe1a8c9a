//! Abaqus input file: nodes and elements with their sets, without a model.

use std::io::{self, Write};

use super::number::Short;
use crate::{Attributes, Location, Mesh};

/// Writes a mesh, every digit of it, and its groups.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh, attributes: &Attributes) -> io::Result<()> {
    writeln!(out, "*HEADING\n*NODE")?;
    for (p, number) in mesh.positions().iter().zip(1_u64..) {
        writeln!(out, "{number}, {}, {}, {}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    match mesh {
        Mesh::Tri(mesh) => elements(out, "S3", mesh.triangles())?,
        Mesh::Tet(mesh) => elements(out, "C3D4", mesh.tets())?,
    }
    for group in attributes.groups() {
        let keyword = match group.location() {
            Location::Vertices => "NSET",
            Location::Elements => "ELSET",
        };
        let name = group.name().replace(|c: char| c.is_control() || matches!(c, ',' | '=' | '"'), "_");
        writeln!(out, "*{keyword}, {keyword}={name}")?;
        for row in group.members().chunks(16) {
            let numbers: Vec<String> =
                row.iter().map(|&member| (u64::from(member) + 1).to_string()).collect();
            writeln!(out, "{}", numbers.join(", "))?;
        }
    }
    Ok(())
}

fn elements<const N: usize>(out: &mut dyn Write, kind: &str, elements: &[[u32; N]]) -> io::Result<()> {
    writeln!(out, "*ELEMENT, TYPE={kind}")?;
    for (element, number) in elements.iter().zip(1_u64..) {
        write!(out, "{number}")?;
        for &vertex in element {
            write!(out, ", {}", u64::from(vertex) + 1)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
