//! The body-centred cubic lattice: the corners and the centres of a grid of cubes.
//!
//! Every point has fourteen neighbours: six of its own kind at the side of a cube (*long* edges), and eight
//! of the other kind at √3/2 of it (*short* edges). Two neighbouring centres and an edge of the face between
//! them make a tetrahedron; all are alike, with dihedral angles of 60° and 90°, twelve to a cube, and they
//! fill space.
//!
//! Points have *doubled* coordinates: all even for corners, all odd for centres. A point's number counts the corners
//! first, then the centres, x fastest.

use nalgebra::Vector3;

/// Marks the place of nothing.
pub(super) const NONE: u32 = u32::MAX;

/// Half of the neighbours, in doubled coordinates; the others are opposite. The first three are long.
pub(super) const DIRECTIONS: [[i32; 3]; 7] =
    [[2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 1], [-1, 1, 1], [1, -1, 1], [-1, -1, 1]];

/// Number of long directions among [`DIRECTIONS`].
pub(super) const LONG: usize = 3;

/// Length of an edge in one of [`DIRECTIONS`], in sides of a cube.
pub(super) fn length(direction: usize) -> f64 {
    // √3/2.
    if direction < LONG { 1.0 } else { 0.866_025_403_784_438_6 }
}

/// A grid of cubes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lattice {
    /// The corner of the grid with the least coordinates, m.
    pub(super) origin: Vector3<f64>,
    /// Side of a cube, m.
    pub(super) side: f64,
    /// Number of cubes along each axis.
    pub(super) cells: [i32; 3],
}

impl Lattice {
    /// Number of corners.
    fn corners(&self) -> u32 {
        self.cells.map(|n| n as u32 + 1).iter().product()
    }

    /// Number of points.
    pub(super) fn points(&self) -> u32 {
        self.corners() + self.cells.map(|n| n as u32).iter().product::<u32>()
    }

    /// The number of the point at doubled coordinates, if the grid has it.
    pub(super) fn number(&self, at: [i32; 3]) -> Option<u32> {
        let inside = (0..3).all(|k| 0 <= at[k] && at[k] <= 2 * self.cells[k]);
        inside.then(|| self.number_unchecked(at))
    }

    /// The number of the point at doubled coordinates that the grid has.
    pub(super) fn number_unchecked(&self, at: [i32; 3]) -> u32 {
        let odd = at[0] & 1;
        let [i, j, k] = at.map(|c| (c >> 1) as u32);
        let [nx, ny, _] = self.cells.map(|n| (n + 1 - odd) as u32);
        let first = if odd == 1 { self.corners() } else { 0 };
        first + i + nx * (j + ny * k)
    }

    /// The doubled coordinates of a point.
    pub(super) fn coordinates(&self, number: u32) -> [i32; 3] {
        let corners = self.corners();
        let odd = u32::from(number >= corners);
        let place = number - odd * corners;
        let [nx, ny, _] = self.cells.map(|n| n as u32 + 1 - odd);
        [place % nx, place / nx % ny, place / (nx * ny)].map(|c| (2 * c + odd) as i32)
    }

    /// Where a point is, m.
    pub(super) fn position(&self, at: [i32; 3]) -> Vector3<f64> {
        self.origin + Vector3::from(at.map(f64::from)) * (0.5 * self.side)
    }

    /// The neighbours of a point that the grid has, with the place in [`DIRECTIONS`] of the edge between them
    /// and whether it begins at the point.
    pub(super) fn neighbours(&self, at: [i32; 3]) -> impl Iterator<Item = (u32, usize, bool)> + '_ {
        (0..2 * DIRECTIONS.len()).filter_map(move |k| {
            let (direction, ahead) = (k % DIRECTIONS.len(), k < DIRECTIONS.len());
            let sign = if ahead { 1 } else { -1 };
            let d = DIRECTIONS[direction];
            let number = self.number([0, 1, 2].map(|i| at[i] + sign * d[i]))?;
            Some((number, direction, ahead))
        })
    }

    /// The doubled coordinates of the corners of each tetrahedron around the face between a cube and the next one along
    /// an axis: the two centres, then an edge of the face, with a positive volume. The centre of the cube is given.
    pub(super) fn tets_of_face(centre: [i32; 3], axis: usize) -> [[[i32; 3]; 4]; 4] {
        let step = |at: [i32; 3], axis: usize, by: i32| {
            let mut moved = at;
            moved[axis] += by;
            moved
        };
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let middle = step(centre, axis, 1);
        let ring = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(|[a, b]| step(step(middle, u, a), v, b));
        [0, 1, 2, 3].map(|k| [centre, step(centre, axis, 2), ring[k], ring[(k + 1) % 4]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::min_dihedral;

    #[test]
    fn numbers_and_coordinates_belong_together() {
        let lattice = Lattice { origin: Vector3::zeros(), side: 1.0, cells: [3, 4, 5] };
        assert_eq!(lattice.points(), 4 * 5 * 6 + 3 * 4 * 5);
        for number in 0..lattice.points() {
            assert_eq!(lattice.number(lattice.coordinates(number)), Some(number));
        }
        assert_eq!(lattice.number([7, 1, 1]), None);
        assert_eq!(lattice.number([-1, 1, 1]), None);
    }

    #[test]
    fn every_tetrahedron_is_the_same_and_positive() {
        let lattice = Lattice { origin: Vector3::zeros(), side: 1.0, cells: [3, 3, 3] };
        for axis in 0..3 {
            for tet in Lattice::tets_of_face([3, 3, 3], axis) {
                let [a, b, c, d] = tet.map(|at| lattice.position(at));
                assert!(((b - a).cross(&(c - a)).dot(&(d - a)) - 0.5).abs() < 1e-15);
                assert!((min_dihedral(&[a, b, c, d]).to_degrees() - 60.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn an_inner_point_has_fourteen_neighbours() {
        let lattice = Lattice { origin: Vector3::zeros(), side: 2.0, cells: [3, 3, 3] };
        for at in [[3, 3, 3], [2, 4, 2]] {
            let lengths: Vec<f64> = lattice
                .neighbours(at)
                .map(|(n, _, _)| (lattice.position(lattice.coordinates(n)) - lattice.position(at)).norm())
                .collect();
            assert_eq!(lengths.iter().filter(|l| **l == 2.0).count(), 6);
            assert_eq!(lengths.iter().filter(|l| (**l - 3.0_f64.sqrt()).abs() < 1e-15).count(), 8);
        }
    }
}
