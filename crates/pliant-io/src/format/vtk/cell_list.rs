//! [`CellList`]: cells as VTK stores them, and their conversion to triangles and tetrahedra.

use crate::error::{ImportError, Place};
use crate::format::cells::{CellType, Cells, Kind};
use crate::format::cursor::{Cursor, found_other};

use super::cell_types::kind;

/// Where in the file the numbers of an array stand, for errors.
#[derive(Clone)]
pub(crate) enum Origin<'a> {
    /// Words of a text that begins here.
    Text(Cursor<'a>),
    /// Numbers of `width` bytes from `start` on.
    Bytes { start: usize, width: usize },
    /// Encoded or compressed data of an array that is declared here.
    Encoded(Place),
}

impl Origin<'_> {
    /// Where number `index` of the array stands.
    pub(crate) fn place(&self, index: usize) -> Place {
        match self {
            Self::Text(cursor) => {
                let mut cursor = cursor.clone();
                for _ in 0..=index {
                    cursor.word();
                }
                cursor.place_of(cursor.pos())
            }
            Self::Bytes { start, width } => Place::Byte(start + index * width),
            Self::Encoded(place) => *place,
        }
    }
}

/// Cells, each a row of vertices.
pub(crate) struct CellList<'a> {
    /// The vertices of all cells as the file has them, one cell behind the other.
    pub(crate) vertices: Vec<i64>,
    /// Where each cell ends in `vertices`.
    pub(crate) ends: Vec<usize>,
    /// Where the vertices stand in the file.
    pub(crate) origin: Origin<'a>,
    /// Whether the number of vertices of each cell stands before them there.
    pub(crate) sizes_between: bool,
}

impl CellList<'_> {
    /// The range of `vertices` of a cell.
    fn range(&self, cell: usize) -> std::ops::Range<usize> {
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] };
        start..self.ends[cell]
    }

    /// Where vertex number `index` of the list, which belongs to `cell`, stands in the file.
    fn place(&self, cell: usize, index: usize) -> Place {
        self.origin.place(if self.sizes_between { index + cell + 1 } else { index })
    }
}

/// The points to which the vertices of a list refer.
#[derive(Clone, Copy)]
pub(crate) struct Points {
    /// Number of points of earlier pieces, which come before.
    pub(crate) before: usize,
    /// Number of points that the list can refer to.
    pub(crate) count: usize,
}

/// Adds the cells of a list; `type_of` gives the type number of a cell and `type_place` where that stands.
pub(crate) fn add_cells(
    cells: &mut Cells<'_>,
    list: &CellList<'_>,
    points: Points,
    type_of: impl Fn(usize) -> i64,
    type_place: impl Fn(usize) -> Place,
) -> Result<(), ImportError> {
    let source = cells.source();
    if u32::try_from(points.before + points.count).is_err() {
        return Err(ImportError::TooLarge {
            file: source.name.to_owned(),
            what: "points",
            count: (points.before + points.count) as u64,
            limit: u64::from(u32::MAX),
        });
    }
    let mut vertices = Vec::new();
    for cell in 0..list.ends.len() {
        let range = list.range(cell);
        vertices.clear();
        for index in range.clone() {
            let vertex = list.vertices[index];
            match usize::try_from(vertex).ok().filter(|&vertex| vertex < points.count) {
                Some(vertex) => vertices.push((points.before + vertex) as u32),
                None => {
                    return Err(source.index_error(list.place(cell, index), vertex, 0, points.count));
                }
            }
        }
        let number = type_of(cell);
        let Some(kind) = kind(number) else {
            if !(0..=255).contains(&number) {
                let expected = "the number of a cell type, 0 to 255";
                return Err(found_other(&source, type_place(cell), number.to_string(), expected));
            }
            cells.raw.skip(&format!("cell of VTK type {number}"), 1);
            cells.raw.end_cells(1);
            continue;
        };
        if !kind.admits(vertices.len()) {
            let found = format!("a cell of type {number} with {} vertices", vertices.len());
            return Err(found_other(&source, list.place(cell, range.start), found, kind.expected()));
        }
        // Encoded arrays have no place of their own for each cell; the number of the element is more useful.
        let next = match (&list.origin, kind) {
            (Origin::Encoded(_), Kind { cell_type: CellType::Tet, .. }) => {
                Some(Place::Tet(cells.raw.tets.len()))
            }
            (Origin::Encoded(_), _) => Some(Place::Triangle(cells.raw.triangles.len())),
            _ => None,
        };
        let place = || next.unwrap_or_else(|| list.place(cell, range.start));
        cells.push(kind, &vertices, |v| i64::from(v) - points.before as i64, place)?;
    }
    Ok(())
}
