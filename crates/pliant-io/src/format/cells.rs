//! [`Cells`]: the cells of a volume-mesh format, sorted into those that a simulation uses and those that it leaves out.

use crate::error::{ImportError, Place};
use crate::format::split::{Solid, Split};
use crate::raw::RawMesh;
use crate::source::Source;

/// How a cell is read. The corners always stand first among its vertices, in all formats read here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellType {
    /// A tetrahedron of 4 corners.
    Tet,
    /// A triangle of 3 corners.
    Triangle,
    /// A quadrilateral of 4 corners in cyclic order.
    Quad,
    /// A quadrilateral of 4 corners in the order of a raster.
    Pixel,
    /// A polygon of all its vertices.
    Polygon,
    /// A polygon of the first half of its vertices; the others lie on its edges.
    QuadraticPolygon,
    /// A strip of triangles.
    Strip,
    /// A hexahedron: 4 corners in cyclic order, and the 4 across from them in the same order.
    Hexahedron,
    /// A hexahedron with the corners in the order of a raster.
    Voxel,
    /// A wedge: 3 corners, and the 3 across from them in the same order.
    Wedge,
    /// A pyramid: 4 corners of the base in cyclic order, and the apex.
    Pyramid,
    /// Counted under this name and left out.
    Other(&'static str),
}

/// A kind of cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    /// How it is read.
    pub(crate) cell_type: CellType,
    /// Number of vertices, where the kind determines it.
    pub(crate) vertices: Option<usize>,
    /// Whether there are vertices beside the corners.
    pub(crate) curved: bool,
}

impl CellType {
    /// Number of corners, where the type determines it.
    const fn corners(self) -> Option<usize> {
        match self {
            Self::Triangle => Some(3),
            Self::Tet | Self::Quad | Self::Pixel => Some(4),
            Self::Pyramid => Some(5),
            Self::Wedge => Some(6),
            Self::Hexahedron | Self::Voxel => Some(8),
            Self::Polygon | Self::QuadraticPolygon | Self::Strip | Self::Other(_) => None,
        }
    }
}

impl Kind {
    /// A kind whose vertices are its corners.
    pub(crate) const fn straight(cell_type: CellType) -> Self {
        Self { cell_type, vertices: cell_type.corners(), curved: false }
    }

    /// A kind with vertices on edges, faces or inside; their number is given if the kind determines it.
    pub(crate) const fn curved(cell_type: CellType, vertices: Option<usize>) -> Self {
        Self { cell_type, vertices, curved: true }
    }

    /// Whether this many vertices can make a cell of this kind.
    pub(crate) fn admits(self, vertices: usize) -> bool {
        self.vertices.map_or(vertices >= self.fewest(), |exact| vertices == exact)
    }

    /// The number of vertices that the kind has, in words.
    pub(crate) fn expected(self) -> String {
        match self.vertices {
            Some(exact) => format!("{exact} vertices"),
            None => format!("{} vertices or more", self.fewest()),
        }
    }

    fn fewest(self) -> usize {
        match self.cell_type {
            CellType::Polygon | CellType::Strip => 3,
            CellType::QuadraticPolygon => 6,
            cell_type => cell_type.corners().unwrap_or(0),
        }
    }
}

/// Takes cells one by one and makes the arrays from them.
pub(crate) struct Cells<'a> {
    source: Source<'a>,
    /// What has been made so far. A reader adds the positions itself.
    pub(crate) raw: RawMesh,
    curved_tets: usize,
    curved_faces: usize,
    strips: usize,
    seams: usize,
    split: Split,
}

impl<'a> Cells<'a> {
    /// Nothing yet.
    pub(crate) fn new(source: Source<'a>) -> Self {
        Self {
            source,
            raw: RawMesh::new(&source),
            curved_tets: 0,
            curved_faces: 0,
            strips: 0,
            seams: 0,
            split: Split::default(),
        }
    }

    /// The file that is read.
    pub(crate) fn source(&self) -> Source<'a> {
        self.source
    }

    /// Adds a cell of a number of vertices that its kind admits; `place` is called only for errors, and `number`
    /// returns the number of a vertex in the file.
    pub(crate) fn push(
        &mut self,
        kind: Kind,
        vertices: &[u32],
        number: impl Fn(u32) -> i64,
        place: impl Fn() -> Place,
    ) -> Result<(), ImportError> {
        self.push_cell(kind, vertices, number, place)?;
        self.raw.end_cell();
        Ok(())
    }

    fn push_cell(
        &mut self,
        kind: Kind,
        vertices: &[u32],
        number: impl Fn(u32) -> i64,
        place: impl Fn() -> Place,
    ) -> Result<(), ImportError> {
        let corners = match kind.cell_type {
            CellType::Tet | CellType::Quad | CellType::Pixel => &vertices[..4],
            CellType::Triangle => &vertices[..3],
            CellType::QuadraticPolygon => &vertices[..vertices.len() / 2],
            CellType::Polygon | CellType::Strip => vertices,
            CellType::Hexahedron | CellType::Voxel | CellType::Wedge | CellType::Pyramid => {
                return self.push_polyhedron(kind, vertices, number, place);
            }
            CellType::Other(name) => {
                let corners = match name {
                    "line" => &vertices[..vertices.len().min(2)],
                    "vertex" | "set of vertices" | "polyline" | "marked vertex" => vertices,
                    _ => &[],
                };
                self.raw.note_corners(corners);
                self.raw.skip(name, 1);
                return Ok(());
            }
        };
        if kind.cell_type == CellType::Strip {
            self.push_strip(corners);
            return Ok(());
        }
        match (kind.cell_type, corners) {
            (CellType::Tet, &[a, b, c, d]) => {
                if let Some(twice) = repeated(corners) {
                    return Err(self.source.repeated(place(), "tetrahedron", number(twice)));
                }
                self.raw.tets.push([a, b, c, d]);
                self.curved_tets += usize::from(kind.curved);
            }
            (CellType::Pixel, &[a, b, c, d]) => self.raw.push_face(&[a, b, d, c]),
            _ => {
                self.raw.push_face(corners);
                self.curved_faces += usize::from(kind.curved);
            }
        }
        Ok(())
    }

    fn push_polyhedron(
        &mut self,
        kind: Kind,
        vertices: &[u32],
        number: impl Fn(u32) -> i64,
        place: impl Fn() -> Place,
    ) -> Result<(), ImportError> {
        let name = match kind.cell_type {
            CellType::Wedge => "wedge",
            CellType::Pyramid => "pyramid",
            _ => "hexahedron",
        };
        let solid = match (kind.cell_type, vertices) {
            (CellType::Voxel, &[a, b, c, d, e, f, g, h, ..]) => Solid::Hexahedron([a, b, d, c, e, f, h, g]),
            (CellType::Wedge, &[a, b, c, d, e, f, ..]) => Solid::Wedge([a, b, c, d, e, f]),
            (CellType::Pyramid, &[a, b, c, d, e, ..]) => Solid::Pyramid([a, b, c, d, e]),
            (_, &[a, b, c, d, e, f, g, h, ..]) => Solid::Hexahedron([a, b, c, d, e, f, g, h]),
            _ => unreachable!("the kind admits as many vertices as it has corners"),
        };
        if self.split.push(&solid, &mut self.raw.tets) {
            self.curved_tets += usize::from(kind.curved);
            Ok(())
        } else {
            let twice = repeated(vertices).unwrap_or(vertices[0]);
            Err(self.source.repeated(place(), name, number(twice)))
        }
    }

    /// The triangles of a strip alternate in orientation: every other one has its first two corners
    /// exchanged. Those that name a vertex twice only join pieces of a strip and are left out.
    fn push_strip(&mut self, vertices: &[u32]) {
        self.strips += 1;
        for (i, corners) in vertices.windows(3).enumerate() {
            if repeated(corners).is_some() {
                self.seams += 1;
            } else if i % 2 == 0 {
                self.raw.triangles.push([corners[0], corners[1], corners[2]]);
            } else {
                self.raw.triangles.push([corners[1], corners[0], corners[2]]);
            }
        }
    }

    /// The arrays, with notes on what was simplified.
    pub(crate) fn finish(self) -> RawMesh {
        let mut raw = self.raw;
        self.split.finish(&mut raw);
        let notes = [
            (self.curved_tets, "higher-order solid cells were reduced to their corners"),
            (self.curved_faces, "higher-order triangles and quadrilaterals were reduced to their corners"),
            (self.strips, "triangle strips were split into triangles"),
            (self.seams, "triangles of strips only join pieces (a vertex twice) and were left out"),
        ];
        for (count, what) in notes.into_iter().filter(|&(count, _)| count > 0) {
            raw.notes.push(format!("{count} {what}"));
        }
        raw
    }
}

/// A vertex that occurs twice in the list.
fn repeated(corners: &[u32]) -> Option<u32> {
    // Triangles, quadrilaterals and tetrahedra are compared pair by pair; a polygon may be of any size.
    const FEW: usize = 8;
    if corners.len() <= FEW {
        return corners.iter().enumerate().find(|&(i, c)| corners[..i].contains(c)).map(|(_, &c)| c);
    }
    let mut sorted = corners.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> Cells<'static> {
        Cells::new(Source::of("a", b""))
    }

    fn push(cells: &mut Cells<'_>, kind: Kind, vertices: &[u32]) -> Result<(), ImportError> {
        assert!(kind.admits(vertices.len()));
        cells.push(kind, vertices, i64::from, || Place::Line(7))
    }

    #[test]
    fn every_shape_becomes_what_it_should() {
        let mut cells = cells();
        push(&mut cells, Kind::straight(CellType::Triangle), &[0, 1, 2]).unwrap();
        push(&mut cells, Kind::straight(CellType::Quad), &[0, 1, 2, 3]).unwrap();
        push(&mut cells, Kind::straight(CellType::Pixel), &[0, 1, 3, 2]).unwrap();
        push(&mut cells, Kind::straight(CellType::Strip), &[0, 1, 2, 3, 3, 4]).unwrap();
        push(&mut cells, Kind::curved(CellType::QuadraticPolygon, None), &[0, 1, 2, 7, 8, 9]).unwrap();
        push(&mut cells, Kind::curved(CellType::Tet, Some(10)), &[3, 2, 1, 0, 4, 5, 6, 7, 8, 9]).unwrap();
        push(&mut cells, Kind::straight(CellType::Other("line")), &[1, 1]).unwrap();
        let raw = cells.finish();
        let quad = [[0, 1, 2], [0, 2, 3]];
        let expected =
            [vec![[0, 1, 2]], quad.to_vec(), quad.to_vec(), vec![[0, 1, 2], [2, 1, 3]], vec![[0, 1, 2]]];
        assert_eq!(raw.triangles, expected.concat());
        assert_eq!(raw.tets, [[3, 2, 1, 0]]);
        assert_eq!(raw.polygon_count(), 2);
        assert_eq!(raw.skipped["line"], 1);
        assert_eq!(raw.notes.len(), 4, "{:?}", raw.notes);
    }

    #[test]
    fn a_repeated_corner_is_an_error_and_a_repeated_middle_is_not() {
        let mut cells = cells();
        let error = push(&mut cells, Kind::straight(CellType::Tet), &[5, 1, 2, 5]).unwrap_err();
        assert_eq!(error.to_string(), "a, line 7: the tetrahedron names vertex 5 twice; remove the element");
        push(&mut cells, Kind::curved(CellType::Triangle, Some(6)), &[5, 1, 2, 5, 5, 5]).unwrap();
        push(&mut cells, Kind::straight(CellType::Pyramid), &[0, 1, 1, 0, 2]).unwrap_err();
        // Only these faces are lost.
        push(&mut cells, Kind::straight(CellType::Triangle), &[5, 1, 5]).unwrap();
        push(&mut cells, Kind::straight(CellType::Quad), &[5, 1, 2, 2]).unwrap();
        push(&mut cells, Kind::straight(CellType::Pixel), &[5, 1, 1, 2]).unwrap();
        let raw = cells.finish();
        assert_eq!(raw.triangles, [[5, 1, 2], [5, 1, 2], [5, 1, 2], [5, 2, 1]]);
        assert_eq!((raw.skipped["face that names a vertex twice"], raw.faces_shortened), (1, 1));
    }

    #[test]
    fn kinds_know_how_many_vertices_they_have() {
        assert!(!Kind::straight(CellType::Tet).admits(5));
        assert!(Kind::curved(CellType::Tet, None).admits(35));
        assert!(!Kind::curved(CellType::Tet, None).admits(3));
        assert!(!Kind::straight(CellType::Polygon).admits(2));
        assert!(Kind::straight(CellType::Other("vertex")).admits(0));
    }
}
