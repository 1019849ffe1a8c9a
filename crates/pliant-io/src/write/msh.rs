//! Gmsh MSH 2.2, text: the version that most programs read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::number::Short;
use crate::{Attribute, Attributes, Location, Mesh};

/// The attributes that are the two tags of an element.
const TAGS: [&str; 2] = ["gmsh:physical", "gmsh:geometrical"];

/// Writes a mesh, every digit of it. Groups become physical groups: of elements where no element is in two,
/// else data of 0 and 1; of vertices by a point element for each. Numbers become data of nodes and elements,
/// left out where they are missing.
pub(crate) fn write(out: &mut dyn Write, mesh: &Mesh, attributes: &Attributes) -> io::Result<()> {
    let physical = Physical::of(mesh, attributes);
    writeln!(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat")?;
    if !physical.names.is_empty() {
        writeln!(out, "$PhysicalNames\n{}", physical.names.len())?;
        for (dimension, tag, name) in &physical.names {
            writeln!(out, "{dimension} {tag} \"{}\"", plain(name))?;
        }
        writeln!(out, "$EndPhysicalNames")?;
    }
    writeln!(out, "$Nodes\n{}", mesh.positions().len())?;
    for (p, number) in mesh.positions().iter().zip(1_u64..) {
        writeln!(out, "{number} {} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    writeln!(out, "$EndNodes\n$Elements\n{}", mesh.element_count() + physical.points.len())?;
    match mesh {
        Mesh::Tri(mesh) => elements(out, mesh.triangles(), 2, &physical.tags)?,
        Mesh::Tet(mesh) => elements(out, mesh.tets(), 4, &physical.tags)?,
    }
    let first = mesh.element_count() as u64 + 1;
    for ((tag, vertex), number) in physical.points.iter().zip(first..) {
        writeln!(out, "{number} 15 2 {tag} {tag} {}", u64::from(*vertex) + 1)?;
    }
    writeln!(out, "$EndElements")?;
    for field in attributes.fields() {
        if !(field.location() == Location::Elements && TAGS.contains(&field.name())) {
            data(out, field, attributes.time)?;
        }
    }
    physical.flags.iter().try_for_each(|field| data(out, field, attributes.time))
}

/// How groups become physical groups.
struct Physical {
    /// The physical group and the entity of every element.
    tags: Vec<[i64; 2]>,
    /// Dimension, number and name.
    names: Vec<(u8, i64, String)>,
    /// Vertices with the number of their physical group.
    points: Vec<(i64, u32)>,
    /// Groups for which there is no room among the tags.
    flags: Vec<Attribute>,
}

impl Physical {
    fn of(mesh: &Mesh, attributes: &Attributes) -> Self {
        let count = mesh.element_count();
        let dimension = if matches!(mesh, Mesh::Tri(_)) { 2 } else { 3 };
        let mut tags = vec![[0, 1]; count];
        for (k, name) in TAGS.into_iter().enumerate() {
            let field = attributes.field(name, Location::Elements).filter(|field| field.components() == 1);
            for (tag, &value) in tags.iter_mut().zip(field.iter().flat_map(|field| field.values())) {
                tag[k] = if value.is_finite() { value as i64 } else { 0 };
            }
        }
        let mut made = Self { tags, names: Vec::new(), points: Vec::new(), flags: Vec::new() };
        let mut next = made.tags.iter().map(|tag| tag[0]).max().unwrap_or(0).max(0);
        let mut sizes: BTreeMap<i64, usize> = BTreeMap::new();
        made.tags.iter().for_each(|tag| *sizes.entry(tag[0]).or_default() += 1);
        let mut named = BTreeSet::new();
        let mut next_point = 0;
        for group in attributes.groups() {
            if group.location() == Location::Vertices {
                next_point += 1;
                made.names.push((0, next_point, group.name().to_owned()));
                made.points.extend(group.members().iter().map(|&vertex| (next_point, vertex)));
                continue;
            }
            let of = |member: &u32| made.tags[*member as usize][0];
            let tag = group.members().first().map_or(0, of);
            let alike = group.members().iter().all(|member| of(member) == tag);
            let all = sizes.get(&tag) == Some(&group.members().len());
            if alike && tag == 0 && !group.members().is_empty() {
                next += 1;
                group.members().iter().for_each(|&member| made.tags[member as usize][0] = next);
                sizes.insert(next, group.members().len());
                named.insert(next);
                made.names.push((dimension, next, group.name().to_owned()));
            } else if alike && all && named.insert(tag) {
                made.names.push((dimension, tag, group.name().to_owned()));
            } else {
                let mut values = vec![0.0; count];
                group.members().iter().for_each(|&member| values[member as usize] = 1.0);
                made.flags.push(Attribute::scalars(group.name(), Location::Elements, values).integers());
            }
        }
        made
    }
}

fn elements<const N: usize>(
    out: &mut dyn Write,
    elements: &[[u32; N]],
    kind: u8,
    tags: &[[i64; 2]],
) -> io::Result<()> {
    for ((element, [physical, entity]), number) in elements.iter().zip(tags).zip(1_u64..) {
        // Two tags, physical and elementary: some programs refuse elements without.
        write!(out, "{number} {kind} 2 {physical} {entity}")?;
        for &vertex in element {
            write!(out, " {}", u64::from(vertex) + 1)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// `$NodeData` or `$ElementData`. Gmsh knows scalars, vectors of three and tensors of nine; others are filled
/// up with zeros.
fn data(out: &mut dyn Write, field: &Attribute, time: Option<f64>) -> io::Result<()> {
    let section = match field.location() {
        Location::Vertices => "NodeData",
        Location::Elements => "ElementData",
    };
    let n = field.components();
    let components = [1, 3, 9].into_iter().find(|&room| room >= n).unwrap_or(n);
    let rows =
        || (1_u64..).zip(field.values().chunks_exact(n)).filter(|(_, row)| row.iter().all(|v| v.is_finite()));
    writeln!(out, "${section}\n1\n\"{}\"\n1\n{}", plain(field.name()), Short(time.unwrap_or(0.0)))?;
    writeln!(out, "3\n0\n{components}\n{}", rows().count())?;
    for (number, row) in rows() {
        write!(out, "{number}")?;
        for value in row {
            write!(out, " {}", Short(*value))?;
        }
        for _ in n..components {
            write!(out, " 0")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "$End{section}")
}

/// A name that can stand in quotes on a line.
fn plain(name: &str) -> String {
    name.replace(['"', '\n', '\r'], "_")
}
