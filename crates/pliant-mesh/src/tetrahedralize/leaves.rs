//! The background: which tetrahedra of the lattice there are, all alike or larger far inside.
//!
//! In the graded form cubes far inside are joined, eight to one and again, into the leaves of an octree in
//! which neighbours differ by at most one level, also across edges and corners. Between two leaves of one
//! size there are four tetrahedra to a face, each halved where finer leaves halve the edge; between a leaf
//! and a larger one, pyramids on the smaller one's face, to both centres, are halved by the diagonal that
//! ends in the middle of the larger face (Labelle & Shewchuk 2007, section 4). Centres and corners of joined
//! cubes are corners of the lattice. Only cubes whose neighbours are all uncut are joined, so that the
//! surface cuts only the uniform lattice.

use super::lattice::Lattice;

/// The leaves that the cubes belong to.
pub(super) struct Leaves<'a> {
    lattice: &'a Lattice,
    /// The level of the leaf of each cube; none where all are single cubes.
    levels: Option<Vec<u8>>,
}

impl<'a> Leaves<'a> {
    /// Every cube by itself.
    pub(super) fn uniform(lattice: &'a Lattice) -> Self {
        Self { lattice, levels: None }
    }

    /// Cubes far inside joined, as the signs of the lattice's points allow.
    pub(super) fn graded(lattice: &'a Lattice, signs: &[i8]) -> Self {
        let cells = lattice.cells;
        let mut leaves = Self { lattice, levels: None };
        let mut levels = vec![0; cells.map(|n| n as usize).iter().product()];
        let inside: Vec<bool> = leaves.cubes().map(|cube| leaves.is_inside(cube, signs)).collect();
        let is_free = |cube: [i32; 3]| around(cube).all(|near| leaves.index(near).is_some_and(|i| inside[i]));

        let longest = cells.into_iter().max().unwrap_or(0);
        for level in 1_u8.. {
            let size = 1 << level;
            if size > longest {
                break;
            }
            // The octants of this size that may be joined: from what the level below has become, all at once.
            let counts = cells.map(|n| n / size);
            let mut joined = Vec::new();
            for first in boxes([0; 3], counts).map(|o| o.map(|c| c * size)) {
                let whole = |first: [i32; 3]| {
                    let cubes = boxes([0; 3], [2; 3]).map(|c| [0, 1, 2].map(|k| first[k] + c[k] * size / 2));
                    cubes.into_iter().all(|c| leaves.index(c).is_some_and(|i| levels[i] == level - 1))
                };
                let fits = if level == 1 {
                    boxes(first, first.map(|c| c + 2)).all(is_free)
                } else {
                    around([0; 3]).all(|step| whole([0, 1, 2].map(|k| first[k] + step[k] * size)))
                };
                if fits {
                    joined.push(first);
                }
            }
            if joined.is_empty() {
                break;
            }
            for first in joined {
                for cube in boxes(first, first.map(|c| c + size)) {
                    if let Some(i) = leaves.index(cube) {
                        levels[i] = level;
                    }
                }
            }
        }
        leaves.levels = Some(levels);
        leaves
    }

    fn cubes(&self) -> impl Iterator<Item = [i32; 3]> + use<> {
        boxes([0; 3], self.lattice.cells)
    }

    fn index(&self, cube: [i32; 3]) -> Option<usize> {
        let [nx, ny, _] = self.lattice.cells;
        let inside = (0..3).all(|k| 0 <= cube[k] && cube[k] < self.lattice.cells[k]);
        inside.then(|| (cube[0] + nx * (cube[1] + ny * cube[2])) as usize)
    }

    /// Whether the centre and the corners of a cube are inside, and neither on the surface nor moved.
    fn is_inside(&self, cube: [i32; 3], signs: &[i8]) -> bool {
        let sign = |at| signs[self.lattice.number_unchecked(at) as usize];
        sign(cube.map(|c| 2 * c + 1)) == 1
            && boxes(cube, cube.map(|c| c + 2)).all(|corner| sign(corner.map(|c| 2 * c)) == 1)
    }

    /// The size of the leaf of a cube, in cubes; nothing outside of the grid.
    fn size(&self, cube: [i32; 3]) -> Option<i32> {
        let index = self.index(cube)?;
        Some(self.levels.as_ref().map_or(1, |levels| 1 << levels[index]))
    }

    /// Calls `visit` with every tetrahedron of the background: the numbers of its corners and their doubled
    /// coordinates. Those of single cubes have their long edges first and last.
    pub(super) fn each_tet(&self, mut visit: impl FnMut([u32; 4], &[[i32; 3]; 4])) {
        let mut visit = |at: [[i32; 3]; 4]| visit(at.map(|at| self.lattice.number_unchecked(at)), &at);
        for cube in self.cubes() {
            let size = self.size(cube).expect("a cube of the grid");
            if cube.iter().any(|c| c % size != 0) {
                continue;
            }
            for axis in 0..3 {
                for ahead in [true, false] {
                    let mut next = cube;
                    next[axis] += if ahead { size } else { -1 };
                    match self.size(next) {
                        Some(other) if other == size && ahead => {
                            self.between_equals(cube, axis, size, &mut visit);
                        }
                        Some(other) if other > size => {
                            pyramids(
                                cube,
                                axis,
                                ahead,
                                size,
                                next.map(|c| c - c.rem_euclid(other)),
                                &mut visit,
                            );
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// The tetrahedra around the face between a leaf and the next one of its size.
    fn between_equals(&self, first: [i32; 3], axis: usize, size: i32, visit: &mut impl FnMut([[i32; 3]; 4])) {
        // As around single cubes, scaled about the first corner.
        let scaled = |at: [i32; 3]| [0, 1, 2].map(|k| 2 * first[k] + at[k] * size);
        for tet in Lattice::tets_of_face([1; 3], axis) {
            let [a, b, p, q] = tet.map(scaled);
            if size > 1 && self.is_halved(p, q, size) {
                let middle = [0, 1, 2].map(|k| (p[k] + q[k]) / 2);
                visit([a, b, p, middle]);
                visit([a, b, middle, q]);
            } else {
                visit([a, b, p, q]);
            }
        }
    }

    /// Whether a finer leaf touches the edge between two corners of leaves of a size.
    fn is_halved(&self, p: [i32; 3], q: [i32; 3], size: i32) -> bool {
        // The four cubes around the middle of the edge, of the four leaves there.
        let axis = (0..3).find(|&k| p[k] != q[k]).expect("an edge has a direction");
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        [[0, 0], [0, -1], [-1, 0], [-1, -1]].iter().any(|[a, b]| {
            let mut cube = [0; 3];
            cube[axis] = p[axis].min(q[axis]) / 2;
            cube[u] = p[u] / 2 + a;
            cube[v] = p[v] / 2 + b;
            self.size(cube).is_some_and(|other| other < size)
        })
    }
}

/// The halved pyramids on a face of a leaf towards a larger one, whose first cube is given: to the centre of
/// the leaf, and to that of the larger.
fn pyramids(
    first: [i32; 3],
    axis: usize,
    ahead: bool,
    size: i32,
    larger: [i32; 3],
    visit: &mut impl FnMut([[i32; 3]; 4]),
) {
    let centre = first.map(|c| 2 * c + size);
    let larger_centre = larger.map(|c| 2 * c + 2 * size);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |a: i32, b: i32| {
        let mut at = first.map(|c| 2 * c);
        at[axis] += if ahead { 2 * size } else { 0 };
        at[u] += 2 * size * a;
        at[v] += 2 * size * b;
        at
    };
    let ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
    // The middle of the larger face is the corner that has the larger centre's coordinates across.
    let middle = (0..4)
        .find(|&k| ring[k][u] == larger_centre[u] && ring[k][v] == larger_centre[v])
        .expect("a quarter of a face has a corner in its middle");
    let [m, next, opposite, last] = [0, 1, 2, 3].map(|k| ring[(middle + k) % 4]);
    for [p, q] in [[next, opposite], [opposite, last]] {
        // The ring turns left about the axis, so that m, p, q do when seen from the side that the axis points to.
        let (before, after) = if ahead { (centre, larger_centre) } else { (larger_centre, centre) };
        visit([before, m, p, q]);
        visit([after, p, m, q]);
    }
}

/// The cubes of a box from its first to before its last, x fastest.
fn boxes(first: [i32; 3], last: [i32; 3]) -> impl Iterator<Item = [i32; 3]> {
    (first[2]..last[2])
        .flat_map(move |k| (first[1]..last[1]).flat_map(move |j| (first[0]..last[0]).map(move |i| [i, j, k])))
}

/// A cube and the 26 around it.
fn around(cube: [i32; 3]) -> impl Iterator<Item = [i32; 3]> {
    boxes(cube.map(|c| c - 1), cube.map(|c| c + 2))
}
