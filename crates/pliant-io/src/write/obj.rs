//! Wavefront OBJ.

use std::io::{self, Write};

use nalgebra::Vector3;

use super::columns::colours;
use super::number::Short;
use crate::{Attribute, Attributes, Location};

/// Writes a surface, every digit of it.
pub(crate) fn write(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
) -> io::Result<()> {
    write_with(out, positions, triangles, &Attributes::default())
}

/// Writes a surface, every digit of it, with a normal at every vertex.
pub(crate) fn write_with_normals(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    normals: &[Vector3<f64>],
    triangles: &[[u32; 3]],
) -> io::Result<()> {
    for (kind, vectors) in [("v", positions), ("vn", normals)] {
        for v in vectors {
            writeln!(out, "{kind} {} {} {}", Short(v.x), Short(v.y), Short(v.z))?;
        }
    }
    for corners in triangles {
        let [a, b, c] = corners.map(|v| u64::from(v) + 1);
        writeln!(out, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    Ok(())
}

/// Writes a surface, every digit of it, with the groups of its triangles and the colours of its vertices.
pub(crate) fn write_with(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    attributes: &Attributes,
) -> io::Result<()> {
    let colours = colours(attributes).filter(|field| field.missing() == 0);
    let components = colours.map_or(1, Attribute::components);
    let mut shares = colours.iter().flat_map(|field| field.values().chunks_exact(components));
    for p in positions {
        write!(out, "v {} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
        match shares.next() {
            Some(colour) => writeln!(out, " {} {} {}", Short(colour[0]), Short(colour[1]), Short(colour[2]))?,
            None => writeln!(out)?,
        }
    }
    let groups: Vec<_> = attributes.groups().iter().filter(|g| g.location() == Location::Elements).collect();
    // The groups of each triangle, by the triangles.
    let mut members: Vec<(u32, usize)> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        members.extend(group.members().iter().map(|&member| (member, number)));
    }
    members.sort_unstable();
    let mut rest = members.as_slice();
    let mut open: &[(u32, usize)] = &[];
    for (&[a, b, c], number) in triangles.iter().zip(0_u32..) {
        let count = rest.iter().take_while(|(member, _)| *member == number).count();
        let (here, after) = rest.split_at(count);
        rest = after;
        if !here.iter().map(|(_, group)| group).eq(open.iter().map(|(_, group)| group)) {
            let names = here.iter().map(|&(_, group)| groups[group].name().replace(char::is_whitespace, "_"));
            let names: Vec<String> = names.collect();
            writeln!(out, "g {}", if names.is_empty() { "default".to_owned() } else { names.join(" ") })?;
            open = here;
        }
        writeln!(out, "f {} {} {}", u64::from(a) + 1, u64::from(b) + 1, u64::from(c) + 1)?;
    }
    Ok(())
}
