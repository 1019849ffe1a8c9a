//! [`columns`]: attributes and groups as arrays, which most formats support.

use std::borrow::Cow;
use std::collections::BTreeSet;

use pliant_mesh::{TetMesh, TriMesh};

use crate::{Attribute, Attributes, Location};

/// The type of the numbers of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// 0 or 1.
    Flags,
    /// Whole, and within 32 bits.
    Short,
    /// Whole.
    Long,
    Real,
}

/// Numbers for every vertex or every element.
pub(super) struct Column<'a> {
    pub(super) name: &'a str,
    pub(super) components: usize,
    pub(super) numbers: Numbers,
    pub(super) values: Cow<'a, [f64]>,
}

/// The attributes at a place, then its groups as flags. A group that has the name of an attribute is left
/// out, and its name is put on the list.
pub(super) fn columns<'a>(
    attributes: &'a Attributes,
    location: Location,
    count: usize,
    left_out: &mut Vec<String>,
) -> Vec<Column<'a>> {
    let mut columns: Vec<Column<'_>> =
        attributes.fields().iter().filter(|field| field.location() == location).map(of_field).collect();
    let mut names: BTreeSet<&str> = columns.iter().map(|column| column.name).collect();
    for group in attributes.groups().iter().filter(|group| group.location() == location) {
        if !names.insert(group.name()) {
            left_out.push(group.name().to_owned());
            continue;
        }
        let mut values = vec![0.0; count];
        group.members().iter().for_each(|&member| values[member as usize] = 1.0);
        let (numbers, values) = (Numbers::Flags, Cow::Owned(values));
        columns.push(Column { name: group.name(), components: 1, numbers, values });
    }
    columns
}

fn of_field(field: &Attribute) -> Column<'_> {
    const LONGEST: f64 = 9_007_199_254_740_992.0;
    let values = field.values();
    let within = |low: f64, high: f64| values.iter().all(|&v| (low..=high).contains(&v) && v.fract() == 0.0);
    let numbers = match field.is_integer() {
        true if field.is_mask() => Numbers::Flags,
        true if within(f64::from(i32::MIN), f64::from(i32::MAX)) => Numbers::Short,
        true if within(-LONGEST, LONGEST) => Numbers::Long,
        _ => Numbers::Real,
    };
    Column { name: field.name(), components: field.components(), numbers, values: Cow::Borrowed(values) }
}

/// The boundary of a solid, with the attributes of its vertices and of the tetrahedra behind its triangles.
pub(super) fn boundary(mesh: &TetMesh, attributes: &Attributes) -> (TriMesh, Attributes) {
    let surface = mesh.surface();
    if attributes.is_empty() {
        return (surface.mesh, Attributes::default());
    }
    let behind = tets_behind(mesh, surface.mesh.triangles(), &surface.vertex_of);
    let vertex_of: Vec<Option<u32>> = surface.vertex_of.iter().copied().map(Some).collect();
    let kept = attributes.carried(&[], &vertex_of, &behind);
    (surface.mesh, kept)
}

/// The tetrahedron behind each triangle of the boundary, whose vertices are numbered by `vertex_of`.
fn tets_behind(mesh: &TetMesh, triangles: &[[u32; 3]], vertex_of: &[u32]) -> Vec<Option<u32>> {
    // They come in the order of the tetrahedra, and no other has all three corners of one.
    let mut tet = 0;
    let mut behind = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let corners = triangle.map(|v| vertex_of[v as usize]);
        while corners.iter().any(|corner| !mesh.tets()[tet].contains(corner)) {
            tet += 1;
        }
        behind.push(Some(tet as u32));
    }
    behind
}

/// The colours of vertices as shares of 0 to 1, if an attribute of such a name holds some: red, green, blue
/// and perhaps opacity.
pub(super) fn colours(attributes: &Attributes) -> Option<&Attribute> {
    let is_colour = |field: &&Attribute| {
        field.location() == Location::Vertices
            && matches!(field.name(), "colour" | "COLOR_0" | "displayColor")
            && matches!(field.components(), 3 | 4)
            && field.values().iter().all(|share| share.is_nan() || (0.0..=1.0).contains(share))
    };
    attributes.fields().iter().find(is_colour)
}

/// A name in which characters that end a word are escaped as `%20` and the like.
pub(super) fn encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte <= b' ' || byte == b'%' || byte == b'"' || byte >= 0x7f {
            out += &format!("%{byte:02X}");
        } else {
            out.push(char::from(byte));
        }
    }
    out
}
