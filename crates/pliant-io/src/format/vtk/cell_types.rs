//! The cell types of VTK (`vtkCellType.h`).

use crate::format::cells::{CellType, Kind};

/// The polygon type, which the faces of a `POLYDATA` file have.
pub(crate) const POLYGON: i64 = 7;
/// The triangle strip type.
pub(crate) const STRIP: i64 = 6;

/// The kind of cell that a type number stands for, if it is known.
pub(crate) fn kind(number: i64) -> Option<Kind> {
    use CellType::{
        Hexahedron, Other, Pixel, Polygon, Pyramid, Quad, QuadraticPolygon, Strip, Tet, Triangle, Voxel,
        Wedge,
    };
    Some(match number {
        0 => Kind::straight(Other("empty cell")),
        1 => Kind::straight(Other("vertex")),
        2 => Kind::straight(Other("set of vertices")),
        3 | 21 | 35 | 51 | 60 | 68 | 75 => Kind::straight(Other("line")),
        4 => Kind::straight(Other("polyline")),
        5 => Kind::straight(Triangle),
        STRIP => Kind::straight(Strip),
        POLYGON => Kind::straight(Polygon),
        8 => Kind::straight(Pixel),
        9 => Kind::straight(Quad),
        10 => Kind::straight(Tet),
        11 => Kind::straight(Voxel),
        12 => Kind::straight(Hexahedron),
        13 => Kind::straight(Wedge),
        14 => Kind::straight(Pyramid),
        25 => Kind::curved(Hexahedron, Some(20)),
        29 => Kind::curved(Hexahedron, Some(27)),
        33 => Kind::curved(Hexahedron, Some(24)),
        67 | 72 | 79 => Kind::curved(Hexahedron, None),
        26 => Kind::curved(Wedge, Some(15)),
        31 => Kind::curved(Wedge, Some(12)),
        32 => Kind::curved(Wedge, Some(18)),
        65 | 73 | 80 => Kind::curved(Wedge, None),
        27 => Kind::curved(Pyramid, Some(13)),
        37 => Kind::curved(Pyramid, Some(19)),
        66 | 74 | 81 => Kind::curved(Pyramid, None),
        15 => Kind::straight(Other("pentagonal prism")),
        16 => Kind::straight(Other("hexagonal prism")),
        22 => Kind::curved(Triangle, Some(6)),
        34 => Kind::curved(Triangle, Some(7)),
        69 | 76 => Kind::curved(Triangle, None),
        23 => Kind::curved(Quad, Some(8)),
        28 => Kind::curved(Quad, Some(9)),
        30 => Kind::curved(Quad, Some(6)),
        70 | 77 => Kind::curved(Quad, None),
        24 => Kind::curved(Tet, Some(10)),
        71 | 78 => Kind::curved(Tet, None),
        36 => Kind::curved(QuadraticPolygon, None),
        41 => Kind::straight(Other("convex point set")),
        42 => Kind::straight(Other("polyhedron")),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_and_curved_kinds() {
        assert!(kind(10).unwrap().admits(4) && !kind(10).unwrap().admits(10));
        assert!(kind(24).unwrap().curved && kind(24).unwrap().admits(10));
        assert!(kind(71).unwrap().admits(20));
        assert!(kind(12).unwrap().admits(8) && kind(25).unwrap().admits(20) && !kind(14).unwrap().admits(6));
        assert!(kind(17).is_none() && kind(-1).is_none() && kind(i64::MAX).is_none());
    }
}
