//! VTK XML files: unstructured grids (`.vtu`) and polygonal data (`.vtp`).
//!
//! Arrays may be text, base64 between their tags, or appended behind all tags as base64 or bytes; the latter
//! three also in zlib, LZ4 or LZMA compression. A mesh may come in several pieces with points of their own,
//! which are put one behind the other. Source: VTK file formats, "XML file formats".

use std::borrow::Cow;

use nalgebra::Vector3;
use quick_xml::escape::unescape;

use crate::error::{ImportError, Place};
use crate::format::cells::Cells;
use crate::format::cursor::{Cursor, found_other};
use crate::format::vtk::cell_list::{CellList, Origin, Points, add_cells};
use crate::format::vtk::cell_types::{POLYGON, STRIP};
use crate::format::vtk::scalar::Scalar;
use crate::format::vtk::xml_data::{Decoder, Values};
use crate::format::vtk::xml_tree::{Array, Piece, Section, Tree};
use crate::format::vtk_legacy::is_time;
use crate::location::Location;
use crate::raw::RawMesh;
use crate::raw_attributes::RawField;
use crate::source::Source;

/// Reads a VTK XML file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let tree = Tree::read(source)?;
    let mut reading =
        Reading { source: *source, decoder: Decoder::new(*source, &tree), cells: Cells::new(*source) };
    for piece in &tree.pieces {
        let first_cell = reading.cells.raw.attributes.as_ref().map_or(0, |attributes| attributes.cells());
        let points = reading.points(piece)?;
        if tree.dataset == "PolyData" {
            for (section, number) in [
                (Section::Verts, 1),
                (Section::Lines, 4),
                (Section::Polys, POLYGON),
                (Section::Strips, STRIP),
            ] {
                reading.faces(piece, points, section, number)?;
            }
        } else {
            reading.grid(piece, points)?;
        }
        reading.data(piece, points, first_cell)?;
    }
    reading.field_data(&tree)?;
    if tree.pieces.len() > 1 {
        let note = format!(
            "{} pieces were put one behind the other; points that they share are doubled",
            tree.pieces.len()
        );
        reading.cells.raw.notes.push(note);
    }
    Ok(reading.cells.finish())
}

/// The state of reading.
struct Reading<'a> {
    source: Source<'a>,
    decoder: Decoder<'a>,
    cells: Cells<'a>,
}

impl<'a> Reading<'a> {
    /// Adds the points of a piece.
    fn points(&mut self, piece: &Piece) -> Result<Points, ImportError> {
        let before = self.cells.raw.positions.len();
        let Some(array) = piece.arrays.iter().find(|array| array.section == Section::Points) else {
            if piece.points == 0 {
                return Ok(Points { before, count: 0 });
            }
            return Err(self.missing(piece, "Points"));
        };
        let place = self.decoder.place(array);
        if let Some(components) = array.components.filter(|&components| components != 3) {
            let found = format!("points of {components} components");
            return Err(found_other(&self.source, place, found, "3 components"));
        }
        let positions = &mut self.cells.raw.positions;
        match self.decoder.values(array)? {
            Values::Text(mut cursor) => {
                let what = "a coordinate";
                while !at_end(&mut cursor) {
                    positions.push(Vector3::new(
                        cursor.finite(what)?,
                        cursor.finite(what)?,
                        cursor.finite(what)?,
                    ));
                }
            }
            Values::Bytes { bytes, scalar, big_endian } => {
                let width = scalar.width();
                let points = bytes.chunks_exact(3 * width);
                if !points.remainder().is_empty() {
                    let found = format!("{} bytes of coordinates", bytes.len());
                    let expected = format!("a multiple of the {} bytes of a point", 3 * width);
                    return Err(found_other(&self.source, place, found, expected));
                }
                positions.reserve(points.len());
                for bytes in points {
                    let position = Vector3::from_fn(|axis, _| {
                        scalar.real(&bytes[axis * width..(axis + 1) * width], big_endian)
                    });
                    if let Some(&value) = position.iter().find(|c| !c.is_finite()) {
                        return Err(self.source.non_finite(Place::Vertex(positions.len()), value));
                    }
                    positions.push(position);
                }
            }
        }
        let count = positions.len() - before;
        if count as u64 != piece.points {
            let found = format!("{count} points");
            let expected = format!("{}, as NumberOfPoints of the piece says", piece.points);
            return Err(found_other(&self.source, place, found, expected));
        }
        Ok(Points { before, count })
    }

    /// The cells of a piece of an unstructured grid.
    fn grid(&mut self, piece: &Piece, points: Points) -> Result<(), ImportError> {
        let find = |name: &str| piece.arrays.iter().find(|a| a.section == Section::Cells && a.name == name);
        let (connectivity, offsets, types) = (find("connectivity"), find("offsets"), find("types"));
        let (Some(connectivity), Some(offsets), Some(types)) = (connectivity, offsets, types) else {
            if piece.cells == 0 {
                return Ok(());
            }
            return Err(self.missing(piece, "connectivity, offsets and types in Cells"));
        };
        let list = self.list(connectivity, offsets)?;
        let (numbers, origin) = self.integers(types)?;
        for (array, count) in [(offsets, list.ends.len()), (types, numbers.len())] {
            if count as u64 != piece.cells {
                let found = format!("{count} numbers (array {:?})", array.name);
                let expected = format!("{}, as NumberOfCells of the piece says", piece.cells);
                return Err(found_other(&self.source, self.decoder.place(array), found, expected));
            }
        }
        add_cells(&mut self.cells, &list, points, |cell| numbers[cell], |cell| origin.place(cell))
    }

    /// The faces of one sort of a piece of polygonal data.
    fn faces(
        &mut self,
        piece: &Piece,
        points: Points,
        section: Section,
        number: i64,
    ) -> Result<(), ImportError> {
        let find = |name: &str| piece.arrays.iter().find(|a| a.section == section && a.name == name);
        match (find("connectivity"), find("offsets")) {
            (Some(connectivity), Some(offsets)) => {
                let list = self.list(connectivity, offsets)?;
                let place = self.decoder.place(connectivity);
                add_cells(&mut self.cells, &list, points, |_| number, |_| place)
            }
            (None, None) => Ok(()),
            _ => Err(self.missing(piece, "both connectivity and offsets")),
        }
    }

    /// The data of the points and cells of a piece, if that is wanted.
    fn data(&mut self, piece: &Piece, points: Points, first_cell: usize) -> Result<(), ImportError> {
        let Some(cells) = self.cells.raw.attributes.as_ref().map(|a| a.cells() - first_cell) else {
            return Ok(());
        };
        for array in &piece.arrays {
            let Some(attributes) = &self.cells.raw.attributes else { continue };
            let (location, first, count) = match array.section {
                Section::PointData => (Location::Vertices, points.before, points.count),
                Section::CellData => (Location::Elements, first_cell, cells),
                _ => continue,
            };
            let components = usize::try_from(array.components.unwrap_or(1)).unwrap_or(usize::MAX);
            if components == 0 {
                continue;
            }
            attributes.afford(&self.source, components.saturating_mul(count))?;
            let values = self.reals(array)?;
            if components.checked_mul(count) != Some(values.len()) {
                let found = format!("{} numbers of the attribute {:?}", values.len(), array.name);
                let expected = format!("{components} for each of {count} {location}");
                return Err(found_other(&self.source, self.decoder.place(array), found, expected));
            }
            let name = unescape(&array.name).map_or_else(|_| array.name.clone(), Cow::into_owned);
            let integer = array.scalar.is_integer();
            if let Some(attributes) = &mut self.cells.raw.attributes {
                let field = RawField { name, location, components, integer, values };
                attributes.add(&self.source, first, field)?;
            }
        }
        Ok(())
    }

    /// The data of the whole file: its time.
    fn field_data(&mut self, tree: &Tree) -> Result<(), ImportError> {
        for array in
            tree.field_data.iter().filter(|array| matches!(array.name.as_str(), "TimeValue" | "TIME"))
        {
            let values = self.reals(array)?;
            if let Some(attributes) =
                self.cells.raw.attributes.as_mut().filter(|_| is_time(&array.name, &values))
            {
                attributes.time = values.first().copied();
            }
        }
        if let Some(attributes) = &mut self.cells.raw.attributes {
            for name in &tree.left_out {
                attributes.note(format!("the attribute {name:?} is not a number and was left out"));
            }
        }
        Ok(())
    }

    /// Numbers of any type.
    fn reals(&mut self, array: &Array) -> Result<Vec<f64>, ImportError> {
        match self.decoder.values(array)? {
            Values::Text(mut cursor) => {
                let what = format!("a number of the attribute {:?}", array.name);
                let mut numbers = Vec::new();
                while !at_end(&mut cursor) {
                    numbers.push(cursor.number(&what)?);
                }
                Ok(numbers)
            }
            Values::Bytes { bytes, scalar, big_endian } => {
                let numbers = bytes.chunks_exact(scalar.width());
                if !numbers.remainder().is_empty() {
                    return Err(self.broken(array, &bytes, scalar));
                }
                Ok(numbers.map(|bytes| scalar.real(bytes, big_endian)).collect())
            }
        }
    }

    /// The error for an array whose bytes end within a number.
    fn broken(&self, array: &Array, bytes: &[u8], scalar: Scalar) -> ImportError {
        let found = format!("{} bytes (array {:?})", bytes.len(), array.name);
        let expected = format!("a multiple of the {} bytes of a number", scalar.width());
        found_other(&self.source, self.decoder.place(array), found, expected)
    }

    fn missing(&self, piece: &Piece, what: &str) -> ImportError {
        let place = Cursor::within(self.source, 0..self.source.bytes.len()).place_of(piece.at);
        found_other(&self.source, place, "a piece without it", format!("DataArray of {what}"))
    }

    fn list(&mut self, connectivity: &Array, offsets: &Array) -> Result<CellList<'a>, ImportError> {
        let (vertices, origin) = self.integers(connectivity)?;
        let (numbers, offsets_origin) = self.integers(offsets)?;
        let mut ends = Vec::with_capacity(numbers.len());
        let mut last = 0;
        for (cell, &number) in numbers.iter().enumerate() {
            let least = if cell + 1 == numbers.len() { vertices.len() } else { last };
            match usize::try_from(number).ok().filter(|end| (least..=vertices.len()).contains(end)) {
                Some(end) => {
                    ends.push(end);
                    last = end;
                }
                None => {
                    let found = format!("{number} as the end of cell {cell}");
                    let expected = format!("{least} to {} (the size of connectivity)", vertices.len());
                    return Err(found_other(&self.source, offsets_origin.place(cell), found, expected));
                }
            }
        }
        Ok(CellList { vertices, ends, origin, sizes_between: false })
    }

    fn integers(&mut self, array: &Array) -> Result<(Vec<i64>, Origin<'a>), ImportError> {
        let place = self.decoder.place(array);
        if !array.scalar.is_integer() {
            let found = format!("floating-point numbers (array {:?})", array.name);
            return Err(found_other(&self.source, place, found, "an integer type"));
        }
        match self.decoder.values(array)? {
            Values::Text(cursor) => {
                let mut words = cursor.clone();
                let mut numbers = Vec::new();
                while !at_end(&mut words) {
                    numbers.push(words.number("an integer")?);
                }
                Ok((numbers, Origin::Text(cursor)))
            }
            Values::Bytes { bytes, scalar, big_endian } => {
                let numbers = bytes.chunks_exact(scalar.width());
                if !numbers.remainder().is_empty() {
                    return Err(self.broken(array, &bytes, scalar));
                }
                let numbers = numbers.map(|bytes| scalar.integer(bytes, big_endian)).collect();
                Ok((numbers, Origin::Encoded(place)))
            }
        }
    }
}

/// Whether only white space is left.
fn at_end(cursor: &mut Cursor<'_>) -> bool {
    cursor.skip_space();
    cursor.rest().is_empty()
}
