//! [`Patch`]: up to 64 triangles of one body that lie together at rest, in rows of eight.
//!
//! Patches are made once, by halving: the triangles of a body are divided along the axis on which their centres extend
//! farthest, until few enough are left. Neighbours in a surface move alike, so that a patch needs little room in a
//! frame that moves with it, wherever it goes.

use nalgebra::Vector3;
use pliant_kernel::PACK;

use crate::Surface;

/// No particle and no triangle has this number.
pub(crate) const NOBODY: u32 = u32::MAX;
/// Rows in a patch.
pub(crate) const ROWS: usize = 8;

/// Some triangles of one body.
#[derive(Clone)]
pub(crate) struct Patch {
    pub(crate) body: u32,
    /// The triangles of each row, and their corners; [`NOBODY`] in lanes that are empty.
    pub(crate) members: [[u32; PACK]; ROWS],
    pub(crate) corners: [[[u32; PACK]; 3]; ROWS],
    /// Rows that have triangles; their first lanes do.
    pub(crate) rows: usize,
}

impl Patch {
    /// The corners of a row whose empty lanes repeat the first.
    #[inline(always)]
    pub(crate) fn filled(&self, row: usize) -> [[u32; PACK]; 3] {
        let mut corners = self.corners[row];
        for of in &mut corners {
            for lane in 1..PACK {
                if of[lane] == NOBODY {
                    of[lane] = of[0];
                }
            }
        }
        corners
    }

    /// A bit for each lane of a row that has a triangle.
    #[inline(always)]
    pub(crate) fn lanes(&self, row: usize) -> u8 {
        let mut bits = 0;
        for lane in 0..PACK {
            bits |= u8::from(self.members[row][lane] != NOBODY) << lane;
        }
        bits
    }
}

/// Where a triangle is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    pub(crate) patch: u32,
    pub(crate) row: u8,
    pub(crate) lane: u8,
}

/// The patches of a surface.
#[derive(Default)]
pub(crate) struct Patches {
    pub(crate) patches: Vec<Patch>,
    /// For each triangle its place.
    pub(crate) places: Vec<Place>,
}

impl Patches {
    /// Divides a surface whose particles are at these positions, in patches that depend on nothing else.
    pub(crate) fn new(surface: &Surface, positions: impl Fn(u32) -> Vector3<f64>) -> Self {
        let triangles = surface.triangles();
        let centre = |corners: &[u32; 3]| -> Vector3<f64> { corners.iter().map(|&v| positions(v)).sum() };
        let centres: Vec<_> = triangles.iter().map(centre).collect();
        let mut all: Vec<u32> = (0..).take(triangles.len()).collect();
        let mut made = Self { patches: Vec::new(), places: vec![Place::default(); triangles.len()] };
        let body_of = |triangle: &u32| surface.body_at(triangles[*triangle as usize][0]);
        for of_body in all.chunk_by_mut(|a, b| body_of(a) == body_of(b)) {
            let body = body_of(&of_body[0]);
            halve(of_body, PACK * ROWS, &centres, &mut |few| made.add(body, few, triangles, &centres));
        }
        made
    }

    /// Appends a patch.
    fn add(&mut self, body: u32, few: &mut [u32], triangles: &[[u32; 3]], centres: &[Vector3<f64>]) {
        let number = self.patches.len() as u32;
        let mut patch =
            Patch { body, members: [[NOBODY; PACK]; ROWS], corners: [[[NOBODY; PACK]; 3]; ROWS], rows: 0 };
        let places = &mut self.places;
        halve(few, PACK, centres, &mut |row| {
            row.sort_unstable();
            for (lane, &triangle) in row.iter().enumerate() {
                patch.members[patch.rows][lane] = triangle;
                for (corners, &corner) in
                    patch.corners[patch.rows].iter_mut().zip(&triangles[triangle as usize])
                {
                    corners[lane] = corner;
                }
                places[triangle as usize] = Place { patch: number, row: patch.rows as u8, lane: lane as u8 };
            }
            patch.rows += 1;
        });
        self.patches.push(patch);
    }
}

/// Divides triangles until at most `most` are together, as many as possible in each part but the last.
fn halve(triangles: &mut [u32], most: usize, centres: &[Vector3<f64>], part: &mut impl FnMut(&mut [u32])) {
    if triangles.len() <= most {
        return part(triangles);
    }
    let at = |triangle: u32, axis: usize| centres[triangle as usize][axis];
    let extent = |axis: usize| {
        let ends = triangles.iter().map(|&triangle| at(triangle, axis));
        ends.clone().fold(f64::NEG_INFINITY, f64::max) - ends.fold(f64::INFINITY, f64::min)
    };
    let extents = [0, 1, 2].map(extent);
    let axis = if extents[0] >= extents[1] && extents[0] >= extents[2] {
        0
    } else {
        1 + usize::from(extents[2] > extents[1])
    };
    let half = (triangles.len().div_ceil(most) / 2).max(1) * most;
    triangles.select_nth_unstable_by(half, |&a, &b| at(a, axis).total_cmp(&at(b, axis)).then(a.cmp(&b)));
    let (one, other) = triangles.split_at_mut(half);
    halve(one, most, centres, part);
    halve(other, most, centres, part);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::TriMesh;

    #[test]
    fn every_triangle_is_in_one_patch_of_its_body_and_patches_are_full() {
        let sheet = TriMesh::grid([13, 9], [1.2, 0.8]).unwrap();
        let n = sheet.positions().len() as u32;
        let second: Vec<[u32; 3]> = sheet.triangles().iter().take(5).map(|t| t.map(|v| v + n)).collect();
        let surface = Surface::new(2 * n as usize, &[sheet.triangles(), &second]).unwrap();
        let at = |v: u32| sheet.positions()[(v % n) as usize];
        let Patches { patches, places } = Patches::new(&surface, at);
        // 192 triangles are three patches, five are one row of another.
        assert_eq!(patches.iter().map(|patch| patch.rows).collect::<Vec<_>>(), [8, 8, 8, 1]);
        assert_eq!(patches.iter().map(|patch| patch.body).collect::<Vec<_>>(), [0, 0, 0, 1]);
        let lanes: Vec<u8> =
            patches.iter().flat_map(|patch| (0..patch.rows).map(|row| patch.lanes(row))).collect();
        assert!(lanes[..24].iter().all(|&lanes| lanes == 0xff));
        assert_eq!(lanes[24], 0x1f);
        for (triangle, place) in (0..).zip(&places) {
            let (patch, row, lane) =
                (&patches[place.patch as usize], place.row as usize, place.lane as usize);
            assert_eq!(patch.members[row][lane], triangle);
            let corners = patch.corners[row].map(|of| of[lane]);
            assert_eq!(corners, surface.triangles()[triangle as usize]);
        }
        // Each is small: at most two thirds as long as the sheet.
        for patch in &patches[..3] {
            let corners = || patch.corners.iter().flatten().flatten().map(|&v| at(v).x);
            let extent =
                corners().fold(f64::NEG_INFINITY, f64::max) - corners().fold(f64::INFINITY, f64::min);
            assert!(extent <= 0.81, "{extent}");
        }
    }
}
