//! MEDIT `.mesh`, as Mmg, Gmsh and TetGen read it.

use std::io::{self, Write};

use super::number::Short;
use crate::{Attribute, Attributes, Location, Mesh};

/// The attributes that can be references, the first that is there first.
const REFERENCES: [&str; 3] = ["medit:ref", "gmsh:physical", "tetgen:ref"];

/// The references of vertices or elements.
pub(crate) fn references(attributes: &Attributes, location: Location) -> Option<&Attribute> {
    let fits = |field: &&Attribute| field.is_integer() && field.components() == 1 && field.missing() == 0;
    REFERENCES.into_iter().find_map(|name| attributes.field(name, location).filter(fits))
}

/// Writes a mesh, every digit of it, with its references.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh, attributes: &Attributes) -> io::Result<()> {
    let of = |location| references(attributes, location).map_or(&[][..], Attribute::values);
    let of_vertices = of(Location::Vertices).iter().copied().chain(std::iter::repeat(0.0));
    writeln!(out, "MeshVersionFormatted 2\nDimension 3\nVertices\n{}", mesh.positions().len())?;
    for (p, reference) in mesh.positions().iter().zip(of_vertices) {
        writeln!(out, "{} {} {} {reference}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    match mesh {
        Mesh::Tri(mesh) => elements(out, "Triangles", mesh.triangles(), of(Location::Elements))?,
        Mesh::Tet(mesh) => elements(out, "Tetrahedra", mesh.tets(), of(Location::Elements))?,
    }
    writeln!(out, "End")
}

fn elements<const N: usize>(
    out: &mut dyn Write,
    name: &str,
    elements: &[[u32; N]],
    references: &[f64],
) -> io::Result<()> {
    writeln!(out, "{name}\n{}", elements.len())?;
    for (element, reference) in elements.iter().zip(references.iter().copied().chain(std::iter::repeat(0.0)))
    {
        for &vertex in element {
            write!(out, "{} ", u64::from(vertex) + 1)?;
        }
        writeln!(out, "{reference}")?;
    }
    Ok(())
}
