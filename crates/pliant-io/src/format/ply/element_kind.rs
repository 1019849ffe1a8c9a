//! [`ElementKind`]: the use of an element.

use super::header::{Element, Property};
use crate::error::{ImportError, Place};
use crate::source::Source;

/// The use of an element.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ElementKind {
    /// A vertex; which of its properties are x, y and z.
    Vertex([usize; 3]),
    /// A polygon; which of its properties is the list of vertices.
    Face(usize),
    /// Strips of triangles; which of the properties is the list of vertices.
    Strips(usize),
    /// Not used.
    Other,
}

impl ElementKind {
    pub(super) fn of(source: &Source<'_>, element: &Element<'_>) -> Result<Self, ImportError> {
        let find = |names: &[&str], list: bool| {
            let is_wanted =
                |p: &Property<'_>| p.list.is_some() == list && names.iter().any(|n| n.as_bytes() == p.name);
            element.properties.iter().position(is_wanted).ok_or_else(|| {
                let kind = if list { "list property" } else { "property" };
                source.parse_error(
                    Place::Line(element.line),
                    &[b"element ", element.name].concat(),
                    format!("a {kind} named {} below it", names.join(" or ")),
                )
            })
        };
        match element.name {
            b"vertex" => Ok(Self::Vertex([find(&["x"], false)?, find(&["y"], false)?, find(&["z"], false)?])),
            b"face" | b"tristrips" if element.count == 0 => Ok(Self::Other),
            b"face" => Ok(Self::Face(find(&["vertex_indices", "vertex_index"], true)?)),
            b"tristrips" => Ok(Self::Strips(find(&["vertex_indices", "vertex_index"], true)?)),
            _ => Ok(Self::Other),
        }
    }
}
