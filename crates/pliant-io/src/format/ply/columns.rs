//! [`Columns`]: the properties of vertices and faces that are not the mesh, kept as attributes.

use super::element_kind::ElementKind;
use super::header::{Element, Scalar};
use crate::error::ImportError;
use crate::location::Location;
use crate::raw::RawMesh;
use crate::raw_attributes::RawField;
use crate::source::Source;

/// The numbers of the current element, a column for each property that is kept.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Which column each property of the element has.
    slots: Vec<Option<usize>>,
    fields: Vec<RawField>,
    /// The first cell of the element.
    first: usize,
}

impl Columns {
    /// The columns of an element; none if attributes are not wanted.
    pub(super) fn begin(&mut self, raw: &mut RawMesh, element: &Element<'_>, element_kind: ElementKind) {
        self.slots.clear();
        self.fields.clear();
        let Some(attributes) = &mut raw.attributes else { return };
        self.first = attributes.cells();
        let (location, own): (_, &[usize]) = match &element_kind {
            ElementKind::Vertex(axes) => (Location::Vertices, axes),
            ElementKind::Face(list) | ElementKind::Strips(list) => {
                (Location::Elements, std::slice::from_ref(list))
            }
            ElementKind::Other => return,
        };
        for (p, property) in element.properties.iter().enumerate() {
            let name = String::from_utf8_lossy(property.name).into_owned();
            let kept = property.list.is_none() && !own.contains(&p);
            self.slots.push(kept.then_some(self.fields.len()));
            if kept {
                let integer = !matches!(property.value, Scalar::F32 | Scalar::F64);
                self.fields.push(RawField::scalars(name, location, integer, Vec::new()));
            } else if !own.contains(&p) {
                attributes
                    .note(format!("the list {name:?} was left out: attributes are single numbers here"));
            }
        }
    }

    /// Whether no property of the element is kept.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Takes the number of a property.
    #[inline]
    pub(super) fn push(&mut self, property: usize, value: f64) {
        if let Some(slot) = self.slots.get(property).copied().flatten() {
            self.fields[slot].values.push(value);
        }
    }

    /// The element is complete.
    pub(super) fn end(&mut self, source: &Source<'_>, raw: &mut RawMesh) -> Result<(), ImportError> {
        let Some(attributes) = &mut raw.attributes else { return Ok(()) };
        for field in self.fields.drain(..) {
            let first = if field.location == Location::Vertices { 0 } else { self.first };
            attributes.add(source, first, field)?;
        }
        Ok(())
    }
}
