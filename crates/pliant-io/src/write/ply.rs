//! PLY, binary with the least significant byte first.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use nalgebra::Vector3;

use super::Precision;
use super::columns::{Column, Numbers, colours, columns};
use crate::{Attribute, Attributes, Location};

/// Writes a surface with numbers at its vertices, in single precision. A vector named `normals` becomes `nx`,
/// `ny` and `nz`, as viewers know it.
pub(super) fn write_frame(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    columns: Vec<Column<'_>>,
) -> io::Result<()> {
    let of_vertices = named(columns, None, &mut Vec::new());
    write_all(out, positions, triangles, Precision::Single, &of_vertices, &[])
}

/// Writes a surface with its attributes; the names of those that the format does not support are put on the list.
pub(crate) fn write_with(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    precision: Precision,
    attributes: &Attributes,
    left_out: &mut Vec<String>,
) -> io::Result<()> {
    let of_vertices = properties(attributes, Location::Vertices, positions.len(), left_out);
    let of_faces = properties(attributes, Location::Elements, triangles.len(), left_out);
    write_all(out, positions, triangles, precision, &of_vertices, &of_faces)
}

fn write_all(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    precision: Precision,
    of_vertices: &[Property<'_>],
    of_faces: &[Property<'_>],
) -> io::Result<()> {
    let real = match precision {
        Precision::Single => "float",
        Precision::Double => "double",
    };
    // Most programs read only signed indices; unsigned ones are used only beyond their range.
    let index = if i32::try_from(positions.len()).is_ok() { "int" } else { "uint" };
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty {real} x\nproperty {real} y\nproperty {real} z\n",
        positions.len()
    )?;
    of_vertices.iter().try_for_each(|property| property.declare(out, real))?;
    writeln!(out, "element face {}\nproperty list uchar {index} vertex_indices", triangles.len())?;
    of_faces.iter().try_for_each(|property| property.declare(out, real))?;
    writeln!(out, "end_header")?;
    for (number, position) in positions.iter().enumerate() {
        for coordinate in position {
            match precision {
                Precision::Single => out.write_all(&(*coordinate as f32).to_le_bytes())?,
                Precision::Double => out.write_all(&coordinate.to_le_bytes())?,
            }
        }
        of_vertices.iter().try_for_each(|property| property.write(out, number, precision))?;
    }
    for (number, triangle) in triangles.iter().enumerate() {
        out.write_all(&[3])?;
        for vertex in triangle {
            out.write_all(&vertex.to_le_bytes())?;
        }
        of_faces.iter().try_for_each(|property| property.write(out, number, precision))?;
    }
    Ok(())
}

/// The name of the vectors that are normals.
pub(super) const NORMALS: &str = "normals";

/// A number of each vertex or face.
struct Property<'a> {
    name: String,
    numbers: Numbers,
    values: Cow<'a, [f64]>,
    /// Which number of a row.
    component: usize,
    components: usize,
}

impl Property<'_> {
    fn declare(&self, out: &mut dyn Write, real: &str) -> io::Result<()> {
        let kind = match self.numbers {
            Numbers::Flags => "uchar",
            Numbers::Short => "int",
            Numbers::Long => "double",
            Numbers::Real => real,
        };
        writeln!(out, "property {kind} {}", self.name)
    }

    fn write(&self, out: &mut dyn Write, row: usize, precision: Precision) -> io::Result<()> {
        let value = self.values[row * self.components + self.component];
        match self.numbers {
            Numbers::Flags => out.write_all(&[value as u8]),
            Numbers::Short => out.write_all(&(value as i32).to_le_bytes()),
            Numbers::Real if precision == Precision::Single => out.write_all(&(value as f32).to_le_bytes()),
            Numbers::Long | Numbers::Real => out.write_all(&value.to_le_bytes()),
        }
    }
}

/// A property for each component. The colours of vertices are bytes named red, green and blue, as every
/// viewer knows them.
fn properties<'a>(
    attributes: &'a Attributes,
    location: Location,
    count: usize,
    left_out: &mut Vec<String>,
) -> Vec<Property<'a>> {
    let colours = colours(attributes).filter(|field| {
        let is_free = attributes.field("red", location).is_none();
        location == Location::Vertices && field.missing() == 0 && is_free
    });
    named(columns(attributes, location, count, left_out), colours.map(Attribute::name), left_out)
}

/// A property for each component of columns, of which one may be the colours.
fn named<'a>(
    columns: Vec<Column<'a>>,
    colours: Option<&str>,
    left_out: &mut Vec<String>,
) -> Vec<Property<'a>> {
    let mut properties: Vec<Property<'_>> = Vec::new();
    let mut names: BTreeSet<String> =
        ["x", "y", "z", "vertex_index", "vertex_indices"].into_iter().map(str::to_owned).collect();
    for Column { name, components, numbers, values } in columns {
        let is_colour = colours == Some(name);
        for component in 0..components {
            let plain = name.replace(|c: char| c.is_whitespace() || c.is_control(), "_");
            let property = match is_colour {
                true => ["red", "green", "blue", "alpha"][component].to_owned(),
                false if components == 1 => plain,
                false if name == NORMALS && components == 3 => ["nx", "ny", "nz"][component].to_owned(),
                false => format!("{plain}_{component}"),
            };
            if property.is_empty() || !names.insert(property.clone()) {
                left_out.push(name.to_owned());
                break;
            }
            let (numbers, values) = match is_colour {
                // Shares as bytes.
                true => (Numbers::Flags, Cow::Owned(values.iter().map(|v| (v * 255.0).round()).collect())),
                false => (numbers, values.clone()),
            };
            properties.push(Property { name: property, numbers, values, component, components });
        }
    }
    properties
}
