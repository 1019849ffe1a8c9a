//! [`Builder`]: the arrays that are read.

use nalgebra::Vector3;

use super::columns::Columns;
use super::element_kind::ElementKind;
use super::header::{Element, Header};
use crate::error::{ImportError, Place};
use crate::raw::RawMesh;
use crate::source::Source;

/// Builds the arrays for both ways of reading.
pub(super) struct Builder<'s> {
    source: &'s Source<'s>,
    vertices: usize,
    pub(super) raw: RawMesh,
    pub(super) columns: Columns,
    corners: Vec<u32>,
    strips: usize,
    joins: usize,
}

impl<'s> Builder<'s> {
    pub(super) fn new(source: &'s Source<'s>, header: &Header<'_>) -> Result<Self, ImportError> {
        let vertices = header.elements.iter().find(|e| e.name == b"vertex").map_or(0, |e| e.count);
        if u32::try_from(vertices).is_err() {
            return Err(ImportError::TooLarge {
                file: source.name.to_owned(),
                what: "vertices",
                count: vertices as u64,
                limit: u64::from(u32::MAX),
            });
        }
        let (raw, columns) = (RawMesh::new(source), Columns::default());
        Ok(Self { source, vertices, raw, columns, corners: Vec::new(), strips: 0, joins: 0 })
    }

    /// Elements of a kind begin.
    pub(super) fn begin(&mut self, element: &Element<'_>, element_kind: ElementKind) {
        self.columns.begin(&mut self.raw, element, element_kind);
    }

    /// Elements of a kind are complete.
    pub(super) fn end(&mut self) -> Result<(), ImportError> {
        self.columns.end(self.source, &mut self.raw)
    }

    pub(super) fn vertex(
        &mut self,
        place: impl Fn() -> Place,
        position: Vector3<f64>,
    ) -> Result<(), ImportError> {
        if let Some(&value) = position.iter().find(|c| !c.is_finite()) {
            return Err(self.source.non_finite(place(), value));
        }
        self.raw.positions.push(position);
        Ok(())
    }

    /// A corner of the current polygon or strip. `index` is −1 at the joints of strips.
    pub(super) fn corner(
        &mut self,
        place: impl Fn() -> Place,
        element_kind: ElementKind,
        index: i64,
    ) -> Result<(), ImportError> {
        match u32::try_from(index) {
            Ok(corner) if (corner as usize) < self.vertices => self.corners.push(corner),
            Err(_) if index == -1 && matches!(element_kind, ElementKind::Strips(_)) => self.end_strip(),
            _ => return Err(self.source.index_error(place(), index, 0, self.vertices)),
        }
        Ok(())
    }

    /// The current polygon or strip is complete.
    pub(super) fn end_list(&mut self, element_kind: ElementKind) {
        match element_kind {
            ElementKind::Strips(_) => self.end_strip(),
            _ if self.corners.len() < 3 => self.raw.skip("face of fewer than three corners", 1),
            _ => self.raw.push_face(&self.corners),
        }
        self.corners.clear();
        self.raw.end_cell();
    }

    /// The triangles of a strip alternate in orientation: every other one has its first two corners
    /// exchanged. Those that name a vertex twice only join pieces.
    fn end_strip(&mut self) {
        for (i, corners) in self.corners.windows(3).enumerate() {
            let [a, b, c] = [corners[0], corners[1], corners[2]];
            if a == b || b == c || c == a {
                self.joins += 1;
            } else {
                self.raw.triangles.push(if i % 2 == 0 { [a, b, c] } else { [b, a, c] });
            }
        }
        self.strips += usize::from(!self.corners.is_empty());
        self.corners.clear();
    }

    pub(super) fn finish(mut self) -> RawMesh {
        if self.strips > 0 {
            self.raw.notes.push(format!("{} triangle strips were split into triangles", self.strips));
        }
        if self.joins > 0 {
            self.raw.notes.push(format!(
                "{} triangles of strips only join pieces (a vertex twice) and were left out",
                self.joins
            ));
        }
        self.raw
    }
}
