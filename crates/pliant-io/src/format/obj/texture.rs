//! [`Texture`]: the texture coordinates of an OBJ file, as an attribute of its vertices.
//!
//! Corners name a position and a texture coordinate each. A vertex whose corners all have the same pair has it; one
//! whose corners differ is on a seam of the texture, where no single pair is right, and has none.

use crate::Location;
use crate::error::{ImportError, Place};
use crate::raw_attributes::{RawAttributes, RawField};
use crate::source::Source;
use crate::text::number;

/// The coordinates `vt`, and which of them the vertices have.
#[derive(Debug, Default)]
pub(super) struct Texture {
    coordinates: Vec<[f64; 2]>,
    /// The coordinate that the first corner of a vertex names, counted from 0; no longer than to the last vertex that
    /// has one.
    of_vertex: Vec<Option<u32>>,
    /// Vertices and the differing coordinates of later corners.
    others: Vec<[u32; 2]>,
}

impl Texture {
    /// Takes a statement `vt`: u, and v and w where they are given.
    pub(super) fn statement<'a>(
        &mut self,
        source: &Source<'_>,
        line: usize,
        words: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), ImportError> {
        let mut pair = [0.0; 2];
        for (value, word) in pair.iter_mut().zip(words) {
            *value = number(word)
                .ok_or_else(|| source.parse_error(Place::Line(line), word, "a texture coordinate"))?;
        }
        self.coordinates.push(pair);
        Ok(())
    }

    /// Takes a corner `v/vt` or `v/vt/vn` of a vertex. A corner without a coordinate, or with an impossible one, is
    /// ignored.
    pub(super) fn corner(&mut self, vertex: u32, word: &[u8]) {
        let given = word.split(|&b| b == b'/').nth(1).and_then(number::<i64>);
        let counted = self.coordinates.len() as i64;
        let from_one = given.map_or(0, |given| if given < 0 { counted + 1 + given } else { given });
        let Some(at) = from_one.checked_sub(1).and_then(|at| u32::try_from(at).ok()) else { return };
        let place = vertex as usize;
        if self.of_vertex.len() <= place {
            self.of_vertex.resize(place + 1, None);
        }
        match self.of_vertex[place] {
            None => self.of_vertex[place] = Some(at),
            Some(known) if known != at => self.others.push([vertex, at]),
            Some(_) => {}
        }
    }

    /// Adds the attribute `uv`, NaN where a vertex has no single pair.
    pub(super) fn finish(
        self,
        source: &Source<'_>,
        vertices: usize,
        attributes: &mut RawAttributes,
    ) -> Result<(), ImportError> {
        if self.coordinates.is_empty() {
            return Ok(());
        }
        attributes.afford(source, 2 * vertices)?;
        let of = |at: u32| self.coordinates.get(at as usize).copied();
        let mut values = vec![[f64::NAN; 2]; vertices];
        for (value, at) in values.iter_mut().zip(&self.of_vertex) {
            *value = at.and_then(of).unwrap_or(*value);
        }
        let mut seams: Vec<u32> = Vec::new();
        for &[vertex, at] in &self.others {
            if let Some(other) = of(at)
                && let Some(value) = values.get(vertex as usize)
                && other != *value
            {
                seams.push(vertex);
            }
        }
        seams.sort_unstable();
        seams.dedup();
        if let Some(&first) = seams.first() {
            attributes.note(format!(
                "{} on a seam of the texture and {} no coordinate of {} own; the first is vertex {first}",
                if seams.len() == 1 {
                    "1 vertex is".to_owned()
                } else {
                    format!("{} vertices are", seams.len())
                },
                if seams.len() == 1 { "has" } else { "have" },
                if seams.len() == 1 { "its" } else { "their" },
            ));
        }
        seams.into_iter().for_each(|vertex| values[vertex as usize] = [f64::NAN; 2]);
        let (name, location) = ("uv".to_owned(), Location::Vertices);
        let values = values.into_flattened();
        attributes.add(source, 0, RawField { name, location, components: 2, integer: false, values })
    }
}
