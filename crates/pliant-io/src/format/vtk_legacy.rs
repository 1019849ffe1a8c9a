//! Legacy VTK files, versions 1.0 to 5.1, text and binary (big-endian): unstructured grids and polygonal data.
//!
//! Three lines give version, title and `ASCII` or `BINARY`; then come keywords with their numbers. The mesh ends where
//! the first `CELL_DATA` or `POINT_DATA` begins. Source: VTK user's guide, "VTK file formats".

use nalgebra::Vector3;

use crate::error::ImportError;
use crate::format::cells::Cells;
use crate::format::cursor::{Cursor, found_other};
use crate::format::vtk::cell_list::{CellList, Origin, Points, add_cells};
use crate::format::vtk::cell_types::{POLYGON, STRIP};
use crate::format::vtk::legacy_numbers::Numbers;
use crate::raw::RawMesh;
use crate::source::Source;
use crate::text::{number, words};

/// Reads a legacy VTK file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::within(*source, 0..source.bytes.len());
    cursor.seek(if source.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 });
    let mut file = Numbers { cursor, binary: false };
    file.header()?;
    let dataset = file.dataset()?;
    let mut cells = Cells::new(*source);
    let mut lists: Vec<(i64, CellList<'_>)> = Vec::new();
    let mut grid: Option<CellList<'_>> = None;
    let mut types: Option<(Vec<i64>, Origin<'_>)> = None;
    let mut points_seen = false;
    let missing = loop {
        let word = file.cursor.word();
        let at = file.cursor.pos() - word.len();
        let once = |seen: bool| match seen {
            false => Ok(()),
            true => Err(file.cursor.unexpected(at, word, "this keyword only once")),
        };
        match (dataset, word.to_ascii_uppercase().as_slice()) {
            // The data of points and cells comes after the mesh.
            (_, b"" | b"POINT_DATA" | b"CELL_DATA") => {
                let cursor = file.cursor.clone();
                file.cursor.seek(at);
                break move |what: &str| Err(cursor.unexpected(at, word, what));
            }
            (_, b"POINTS") => {
                once(points_seen)?;
                cells.raw.positions = file.points()?;
                points_seen = true;
            }
            (_, b"METADATA") => file.metadata(),
            (_, b"FIELD") => {
                let wanted = source.attributes;
                let time = file.field(wanted)?.into_iter().find(|array| is_time(&array.name, &array.values));
                if let (Some(time), Some(attributes)) = (time, &mut cells.raw.attributes) {
                    attributes.time = time.values.first().copied();
                }
            }
            (Dataset::Grid, b"CELLS") => {
                once(grid.is_some())?;
                grid = Some(file.cell_list()?);
            }
            (Dataset::Grid, b"CELL_TYPES") => {
                once(types.is_some())?;
                types = Some(file.cell_types()?);
            }
            (Dataset::Poly, b"VERTICES") => lists.push((1, file.cell_list()?)),
            (Dataset::Poly, b"LINES") => lists.push((4, file.cell_list()?)),
            (Dataset::Poly, b"POLYGONS") => lists.push((POLYGON, file.cell_list()?)),
            (Dataset::Poly, b"TRIANGLE_STRIPS") => lists.push((STRIP, file.cell_list()?)),
            _ => return Err(file.cursor.unexpected(at, word, dataset.keywords())),
        }
    };
    if !points_seen {
        return missing("POINTS before the end of the mesh");
    }
    let points = Points { before: 0, count: cells.raw.positions.len() };
    let mut all: usize = grid.as_ref().map_or(0, |list| list.ends.len());
    for (i, (number, list)) in lists.iter().enumerate() {
        let place = |cell: usize| list.origin.place(cell);
        if let Some(attributes) = &mut cells.raw.attributes {
            // Data count the cells in the order of their kinds, wherever these stand in the file.
            let before =
                lists.iter().enumerate().filter(|(k, (other, _))| (rank(*other), *k) < (rank(*number), i));
            attributes.go_to_cell(before.map(|(_, (_, list))| list.ends.len()).sum());
        }
        all += list.ends.len();
        add_cells(&mut cells, list, points, |_| *number, place)?;
    }
    match (grid, types) {
        (Some(list), Some((types, origin))) => {
            if types.len() != list.ends.len() {
                let found = format!("{} cell types", types.len());
                let expected = format!("as many as there are cells, {}", list.ends.len());
                return Err(found_other(source, origin.place(0), found, expected));
            }
            add_cells(&mut cells, &list, points, |cell| types[cell], |cell| origin.place(cell))?;
        }
        (Some(list), None) if !list.ends.is_empty() => {
            return missing("CELL_TYPES before the end of the mesh");
        }
        (None, Some(_)) => return missing("CELLS before the end of the mesh"),
        _ => {}
    }
    let mut raw = cells.finish();
    if let Some(attributes) = &mut raw.attributes {
        attributes.go_to_cell(all);
        for field in file.data(raw.positions.len(), all)? {
            attributes.add(source, 0, field)?;
        }
    }
    Ok(raw)
}

/// The place of a kind of cell in the order of VTK: vertices, lines, polygons, strips.
fn rank(number: i64) -> i64 {
    if number == STRIP { POLYGON + 1 } else { number }
}

/// Whether an array that belongs to no point or cell is the time of the file.
pub(crate) fn is_time(name: &str, values: &[f64]) -> bool {
    matches!(name, "TimeValue" | "TIME") && values.len() == 1 && values[0].is_finite()
}

/// The datasets that hold a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dataset {
    Grid,
    Poly,
}

impl Dataset {
    fn keywords(self) -> &'static str {
        match self {
            Self::Grid => "one of POINTS, CELLS, CELL_TYPES, FIELD, METADATA, CELL_DATA and POINT_DATA",
            Self::Poly => {
                "one of POINTS, VERTICES, LINES, POLYGONS, TRIANGLE_STRIPS, FIELD, METADATA, CELL_DATA and POINT_DATA"
            }
        }
    }
}

impl Numbers<'_> {
    fn header(&mut self) -> Result<(), ImportError> {
        let cursor = &mut self.cursor;
        cursor.skip_space();
        let at = cursor.pos();
        let first = cursor.line().trim_ascii();
        let said: Vec<Vec<u8>> = words(first).map(<[u8]>::to_ascii_lowercase).collect();
        let version = match said.as_slice() {
            [hash, vtk, file, version, value]
                if [hash.as_slice(), vtk, file, version] == [&b"#"[..], b"vtk", b"datafile", b"version"] =>
            {
                number::<f64>(value).filter(|value| (0.0..100.0).contains(value))
            }
            _ => None,
        };
        match version {
            None => {
                return Err(cursor.unexpected(
                    at,
                    first,
                    "\"# vtk DataFile Version\" and a number up to 5.1",
                ));
            }
            Some(version) if version >= 6.0 => {
                return Err(cursor.source().unsupported(
                    format!("legacy VTK version {version}"),
                    "save it again as version 5.1 or older, or as .vtu",
                ));
            }
            Some(_) => {}
        }
        cursor.line();
        let mode = cursor.word();
        self.binary = match mode.to_ascii_uppercase().as_slice() {
            b"ASCII" => false,
            b"BINARY" => {
                cursor.count_bytes();
                true
            }
            _ => return Err(cursor.unexpected(cursor.pos() - mode.len(), mode, "ASCII or BINARY")),
        };
        Ok(())
    }

    fn dataset(&mut self) -> Result<Dataset, ImportError> {
        let cursor = &mut self.cursor;
        let word = cursor.word();
        if !word.eq_ignore_ascii_case(b"DATASET") {
            return Err(cursor.unexpected(cursor.pos() - word.len(), word, "DATASET"));
        }
        let kind = cursor.word();
        let name = kind.to_ascii_uppercase();
        match name.as_slice() {
            b"UNSTRUCTURED_GRID" => Ok(Dataset::Grid),
            b"POLYDATA" => Ok(Dataset::Poly),
            b"STRUCTURED_POINTS" | b"STRUCTURED_GRID" | b"RECTILINEAR_GRID" | b"FIELD" => {
                Err(cursor.source().unsupported(
                    format!("a VTK dataset of kind {}", name.escape_ascii()),
                    "convert it to an unstructured grid of tetrahedra or to polygonal data",
                ))
            }
            _ => {
                let expected = "UNSTRUCTURED_GRID or POLYDATA";
                Err(cursor.unexpected(cursor.pos() - kind.len(), kind, expected))
            }
        }
    }

    /// `POINTS n type`.
    fn points(&mut self) -> Result<Vec<Vector3<f64>>, ImportError> {
        let (count, at) = self.count("the number of points")?;
        let scalar = self.scalar()?;
        let origin = self.begin(scalar, "POINTS")?;
        self.room((count.saturating_mul(3), at), scalar, "coordinates")?;
        let mut positions = Vec::with_capacity(count);
        if !self.binary {
            let what = "a coordinate";
            for _ in 0..count {
                let cursor = &mut self.cursor;
                positions.push(Vector3::new(
                    cursor.finite(what)?,
                    cursor.finite(what)?,
                    cursor.finite(what)?,
                ));
            }
            return Ok(positions);
        }
        let width = scalar.width();
        let bytes = self.cursor.take(3 * count * width, "the coordinates")?;
        for (index, bytes) in bytes.chunks_exact(3 * width).enumerate() {
            let position =
                Vector3::from_fn(|axis, _| scalar.real(&bytes[axis * width..(axis + 1) * width], true));
            if let Some(axis) = position.iter().position(|c| !c.is_finite()) {
                return Err(self.cursor.source().non_finite(origin.place(3 * index + axis), position[axis]));
            }
            positions.push(position);
        }
        Ok(positions)
    }
}
