//! The remainder of a tetrahedron of the lattice when the outside is cut off.
//!
//! Its corners are inside (+), on the surface (0) or outside (−), and an edge from inside to outside has a
//! cut point. What is inside is a tetrahedron, or a pyramid or prism that is divided further. Neighbours have
//! to divide the quadrilaterals on their common faces alike (Labelle & Shewchuk 2007, section 3.2): the
//! diagonal that ends in the cut point of a long edge is taken; if both cut edges are short, the diagonal
//! that begins at the corner from which the outer one has an even number of greater coordinates (the *parity
//! rule*). The two inner corners are then the ends of a long edge and differ in one coordinate, so that
//! exactly one of them is even; and the two such faces of a tetrahedron are divided in opposite ways, which
//! keeps the slivers out.

/// A vertex of a piece: a corner of the tetrahedron, or the cut point of the edge between two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    /// A corner.
    Corner(usize),
    /// The cut point of an edge, the corner inside first.
    Cut(usize, usize),
}

use Node::{Corner, Cut};

/// Where a corner is: 1 inside, 0 on the surface, −1 outside.
pub(super) type Signs = [i8; 4];

/// The tetrahedra within the surface, positive if the lattice tetrahedron with corners at these doubled
/// coordinates is. Its edges (0, 1) and (2, 3) are the long ones.
pub(super) fn pieces(signs: Signs, at: &[[i32; 3]; 4], mut emit: impl FnMut([Node; 4])) {
    let (mut inner, mut outer, mut on) = ([0; 4], [0; 4], [0; 4]);
    let (mut p, mut n, mut z) = (0, 0, 0);
    for (i, &sign) in signs.iter().enumerate() {
        let (list, count) = match sign {
            1 => (&mut inner, &mut p),
            0 => (&mut on, &mut z),
            _ => (&mut outer, &mut n),
        };
        list[*count] = i;
        *count += 1;
    }
    let mut emit = |nodes: [Node; 4]| emit(oriented(nodes));
    // Whether the diagonal of the face of two inner corners and an outer one begins at the first of them.
    let begins_at = |a: usize, b: usize, outer: usize| {
        if is_long(a, outer) {
            false
        } else if is_long(b, outer) {
            true
        } else {
            (0..3).filter(|&k| at[outer][k] > at[a][k]).count() % 2 == 0
        }
    };
    match (p, n) {
        (0, _) => {}
        (_, 0) => emit([0, 1, 2, 3].map(Corner)),
        (1, _) => {
            let a = inner[0];
            emit([0, 1, 2, 3].map(|i| if signs[i] < 0 { Cut(a, i) } else { Corner(i) }));
        }
        (2, 1) => {
            // A pyramid over a quadrilateral.
            let ([mut a, mut b], c, apex) = ([inner[0], inner[1]], outer[0], Corner(on[0]));
            if !begins_at(a, b, c) {
                (a, b) = (b, a);
            }
            emit([Corner(a), Corner(b), Cut(b, c), apex]);
            emit([Corner(a), Cut(b, c), Cut(a, c), apex]);
        }
        (2, _) => {
            // A prism between the triangles at both inner corners; one diagonal begins at each of these.
            let ([a, b], [mut c, mut d]) = ([inner[0], inner[1]], [outer[0], outer[1]]);
            if !begins_at(a, b, c) {
                (c, d) = (d, c);
            }
            debug_assert!(
                begins_at(a, b, c) && !begins_at(a, b, d),
                "the rules divide both faces in opposite ways"
            );
            let bottom = [Cut(a, d), Corner(a), Cut(a, c)];
            prism(bottom, [Cut(b, d), Corner(b), Cut(b, c)]).into_iter().for_each(&mut emit);
        }
        _ => {
            // A prism over the inner face. In every pair of its corners one begins the diagonal, without a circle: the
            // far end of the outer corner's long edge begins none.
            let o = outer[0];
            let begun = |a: usize| (0..3).filter(|&k| inner[k] != a && begins_at(a, inner[k], o)).count();
            let mut order = [inner[0], inner[1], inner[2]];
            order.sort_by_key(|&a| 2 - begun(a));
            prism(order.map(Corner), order.map(|a| Cut(a, o))).into_iter().for_each(&mut emit);
        }
    }
}

/// A prism between two triangles, whose diagonals begin at a corner of the bottom and end at a later one of the top.
fn prism([a, b, c]: [Node; 3], [a_up, b_up, c_up]: [Node; 3]) -> [[Node; 4]; 3] {
    [[a, b, c, c_up], [a, b, b_up, c_up], [a, a_up, b_up, c_up]]
}

fn is_long(i: usize, j: usize) -> bool {
    matches!((i.min(j), i.max(j)), (0, 1) | (2, 3))
}

/// The piece with its corners in such an order that it has a positive volume in a positive tetrahedron whose
/// cut points are the middles of its edges.
fn oriented([a, b, c, d]: [Node; 4]) -> [Node; 4] {
    const CORNERS: [[i32; 3]; 4] = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]];
    let place = |node: Node| match node {
        Corner(i) => CORNERS[i],
        Cut(i, j) => [0, 1, 2].map(|k| (CORNERS[i][k] + CORNERS[j][k]) / 2),
    };
    let origin = place(a);
    let from = |node: Node| {
        let p = place(node);
        [0, 1, 2].map(|k| p[k] - origin[k])
    };
    let (u, v, w) = (from(b), from(c), from(d));
    let volume = u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
        + u[2] * (v[0] * w[1] - v[1] * w[0]);
    if volume < 0 { [a, b, d, c] } else { [a, b, c, d] }
}
