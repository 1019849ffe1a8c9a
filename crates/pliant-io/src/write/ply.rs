//! PLY, binary with the least significant byte first.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use nalgebra::Vector3;

use super::Precision;
use super::columns::{Column, Numbers, colours, columns};
use crate::{Attributes, Location};

/// Writes a surface.
pub(crate) fn write(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    precision: Precision,
) -> io::Result<()> {
    write_with(out, positions, triangles, precision, &Attributes::default(), &mut Vec::new())
}

/// Writes a surface with its attributes; the names of those for which there is no room are put on the list.
pub(crate) fn write_with(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    precision: Precision,
    attributes: &Attributes,
    left_out: &mut Vec<String>,
) -> io::Result<()> {
    let real = match precision {
        Precision::Single => "float",
        Precision::Double => "double",
    };
    let of_vertices = properties(attributes, Location::Vertices, positions.len(), left_out);
    let of_faces = properties(attributes, Location::Elements, triangles.len(), left_out);
    // Most programs only know signed indices; beyond their range there is no choice.
    let index = if i32::try_from(positions.len()).is_ok() { "int" } else { "uint" };
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty {real} x\nproperty {real} y\nproperty {real} z\n",
        positions.len()
    )?;
    of_vertices.iter().try_for_each(|property| property.declare(out))?;
    writeln!(out, "element face {}\nproperty list uchar {index} vertex_indices", triangles.len())?;
    of_faces.iter().try_for_each(|property| property.declare(out))?;
    writeln!(out, "end_header")?;
    for (number, position) in positions.iter().enumerate() {
        for coordinate in position {
            match precision {
                Precision::Single => out.write_all(&(*coordinate as f32).to_le_bytes())?,
                Precision::Double => out.write_all(&coordinate.to_le_bytes())?,
            }
        }
        of_vertices.iter().try_for_each(|property| property.write(out, number))?;
    }
    for (number, triangle) in triangles.iter().enumerate() {
        out.write_all(&[3])?;
        for vertex in triangle {
            out.write_all(&vertex.to_le_bytes())?;
        }
        of_faces.iter().try_for_each(|property| property.write(out, number))?;
    }
    Ok(())
}

/// A number of each vertex or face.
struct Property<'a> {
    name: String,
    numbers: Numbers,
    values: Cow<'a, [f64]>,
    /// Which of the numbers of a row.
    component: usize,
    components: usize,
}

impl Property<'_> {
    fn declare(&self, out: &mut dyn Write) -> io::Result<()> {
        let kind = match self.numbers {
            Numbers::Flags => "uchar",
            Numbers::Short => "int",
            Numbers::Long | Numbers::Real => "double",
        };
        writeln!(out, "property {kind} {}", self.name)
    }

    fn write(&self, out: &mut dyn Write, row: usize) -> io::Result<()> {
        let value = self.values[row * self.components + self.component];
        match self.numbers {
            Numbers::Flags => out.write_all(&[value as u8]),
            Numbers::Short => out.write_all(&(value as i32).to_le_bytes()),
            Numbers::Long | Numbers::Real => out.write_all(&value.to_le_bytes()),
        }
    }
}

/// A property for each component. The colours of vertices are bytes named red, green and blue, as every viewer knows them.
fn properties<'a>(
    attributes: &'a Attributes,
    location: Location,
    count: usize,
    left_out: &mut Vec<String>,
) -> Vec<Property<'a>> {
    let mut properties: Vec<Property<'_>> = Vec::new();
    let mut names: BTreeSet<String> =
        ["x", "y", "z", "vertex_index", "vertex_indices"].into_iter().map(str::to_owned).collect();
    let colours = colours(attributes).filter(|field| location == Location::Vertices && field.missing() == 0);
    for Column { name, components, numbers, values } in columns(attributes, location, count, left_out) {
        let is_colour = colours.is_some_and(|colours| colours.name() == name)
            && attributes.field("red", location).is_none();
        for component in 0..components {
            let plain = name.replace(|c: char| c.is_whitespace() || c.is_control(), "_");
            let property = match is_colour {
                true => ["red", "green", "blue", "alpha"][component].to_owned(),
                false if components == 1 => plain,
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
