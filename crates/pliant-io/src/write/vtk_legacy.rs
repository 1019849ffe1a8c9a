//! Legacy VTK, version 3.0, text.

use std::io::{self, Write};

use super::columns::{Column, Numbers, columns, encoded};
use super::number::Short;
use crate::{Attributes, Location, Mesh};

/// Writes a mesh, every digit of it, with its attributes; the names of those that the format does not support
/// are put on the list.
pub(crate) fn write(
    out: &mut dyn Write,
    mesh: &Mesh,
    attributes: &Attributes,
    left_out: &mut Vec<String>,
) -> io::Result<()> {
    writeln!(out, "# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID")?;
    if let Some(time) = attributes.time {
        writeln!(out, "FIELD FieldData 1\nTimeValue 1 1 double\n{}", Short(time))?;
    }
    writeln!(out, "POINTS {} double", mesh.positions().len())?;
    for p in mesh.positions() {
        writeln!(out, "{} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    match mesh {
        Mesh::Tri(mesh) => cells(out, mesh.triangles(), 5)?,
        Mesh::Tet(mesh) => cells(out, mesh.tets(), 10)?,
    }
    for (keyword, location, count) in [
        ("CELL_DATA", Location::Elements, mesh.element_count()),
        ("POINT_DATA", Location::Vertices, mesh.positions().len()),
    ] {
        let columns = columns(attributes, location, count, left_out);
        if !columns.is_empty() {
            writeln!(out, "{keyword} {count}\nFIELD FieldData {}", columns.len())?;
            columns.iter().try_for_each(|column| data(out, column, count))?;
        }
    }
    Ok(())
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

fn data(out: &mut dyn Write, column: &Column<'_>, count: usize) -> io::Result<()> {
    let kind = match column.numbers {
        Numbers::Flags => "unsigned_char",
        Numbers::Short => "int",
        Numbers::Long => "long",
        Numbers::Real => "double",
    };
    writeln!(out, "{} {} {count} {kind}", encoded(column.name), column.components)?;
    for row in column.values.chunks_exact(column.components) {
        for (i, &value) in row.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            if value.is_nan() { write!(out, "{space}nan")? } else { write!(out, "{space}{}", Short(value))? }
        }
        writeln!(out)?;
    }
    Ok(())
}
