//! The element types of Gmsh (`GmshDefines.h` of its sources).

use crate::format::cells::{CellType, Kind};

/// A type of element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    pub(super) kind: Kind,
    /// Number of nodes.
    pub(super) nodes: usize,
}

/// The element type of that number, if it is known. Left out are polygons and polyhedra, elements of order 0, and the
/// incomplete elements whose numbers of nodes changed between versions of Gmsh.
pub(super) fn element(number: i64) -> Option<Element> {
    use CellType::{Other, Quad, Tet, Triangle};
    const LINE: CellType = Other("line");
    const POINT: CellType = Other("vertex");
    const HEX: CellType = CellType::Hexahedron;
    const WEDGE: CellType = CellType::Wedge;
    const PYRAMID: CellType = CellType::Pyramid;
    // Groups that Gmsh numbers in a row; the array holds the numbers of nodes.
    let (first, cell_type, nodes): (i64, CellType, &[usize]) = match number {
        1 => (1, LINE, &[2]),
        2 => (2, Triangle, &[3]),
        3 => (3, Quad, &[4]),
        4 => (4, Tet, &[4]),
        5 => (5, HEX, &[8]),
        6 => (6, WEDGE, &[6]),
        7 => (7, PYRAMID, &[5]),
        8 => (8, LINE, &[3]),
        9 => (9, Triangle, &[6]),
        10 => (10, Quad, &[9]),
        11 => (11, Tet, &[10]),
        12 => (12, HEX, &[27]),
        13 => (13, WEDGE, &[18]),
        14 => (14, PYRAMID, &[14]),
        15 => (15, POINT, &[1]),
        16 => (16, Quad, &[8]),
        17 => (17, HEX, &[20]),
        18 => (18, WEDGE, &[15]),
        19 => (19, PYRAMID, &[13]),
        20..=25 => (20, Triangle, &[9, 10, 12, 15, 15, 21]),
        26..=28 => (26, LINE, &[4, 5, 6]),
        29..=32 => (29, Tet, &[20, 35, 56, 22]),
        36..=41 => (36, Quad, &[16, 25, 36, 12, 16, 20]),
        42..=46 => (42, Triangle, &[28, 36, 45, 55, 66]),
        47..=51 => (47, Quad, &[49, 64, 81, 100, 121]),
        52..=56 => (52, Triangle, &[18, 21, 24, 27, 30]),
        57..=61 => (57, Quad, &[24, 28, 32, 36, 40]),
        62..=66 => (62, LINE, &[7, 8, 9, 10, 11]),
        71..=75 => (71, Tet, &[84, 120, 165, 220, 286]),
        90..=91 => (90, WEDGE, &[40, 75]),
        92..=98 => (92, HEX, &[64, 125, 216, 343, 512, 729, 1000]),
        106..=110 => (106, WEDGE, &[126, 196, 288, 405, 550]),
        118..=124 => (118, PYRAMID, &[30, 55, 91, 140, 204, 285, 385]),
        _ => return None,
    };
    let nodes = nodes[usize::try_from(number - first).ok()?];
    let corners = match cell_type {
        Triangle => 3,
        Quad | Tet => 4,
        PYRAMID => 5,
        WEDGE => 6,
        HEX => 8,
        _ => nodes,
    };
    let kind =
        if nodes == corners { Kind::straight(cell_type) } else { Kind::curved(cell_type, Some(nodes)) };
    Some(Element { kind, nodes })
}

/// The most nodes that an element has.
pub(super) const MOST_NODES: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_nodes_follow_from_the_order_of_the_element() {
        let nodes = |number| element(number).unwrap().nodes;
        // Complete elements of order p: line p + 1, triangle (p+1)(p+2)/2, quad (p+1)², tet (p+1)(p+2)(p+3)/6.
        for (p, line, triangle, quad, tet) in [
            (1, 1, 2, 3, 4),
            (2, 8, 9, 10, 11),
            (3, 26, 21, 36, 29),
            (4, 27, 23, 37, 30),
            (5, 28, 25, 38, 31),
        ] {
            assert_eq!(nodes(line), p + 1);
            assert_eq!(nodes(triangle), (p + 1) * (p + 2) / 2);
            assert_eq!(nodes(quad), (p + 1) * (p + 1));
            assert_eq!(nodes(tet), (p + 1) * (p + 2) * (p + 3) / 6);
        }
        for (step, p) in (6..=10).enumerate() {
            let step = step as i64;
            assert_eq!(nodes(42 + step), (p + 1) * (p + 2) / 2);
            assert_eq!(nodes(47 + step), (p + 1) * (p + 1));
            assert_eq!(nodes(71 + step), (p + 1) * (p + 2) * (p + 3) / 6);
            assert_eq!(nodes(62 + step), p + 1);
        }
        for (step, p) in (3..=9).enumerate() {
            let step = step as i64;
            assert_eq!(nodes(92 + step), (p + 1) * (p + 1) * (p + 1));
            assert_eq!(nodes(118 + step), (p + 1) * (p + 2) * (2 * p + 3) / 6);
        }
    }

    #[test]
    fn every_known_element_fits_its_kind() {
        for number in 0..200 {
            let Some(element) = element(number) else { continue };
            assert!(element.nodes >= 1 && element.nodes <= MOST_NODES, "{number}");
            assert!(element.kind.admits(element.nodes), "{number}");
        }
        assert!(element(-1).is_none() && element(0).is_none() && element(i64::MAX).is_none());
    }
}
