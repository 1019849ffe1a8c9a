//! [`Split`]: splits hexahedra, wedges and pyramids into tetrahedra that fit together.
//!
//! The corner with the smallest number is joined to the faces that do not hold it, each quadrilateral among
//! them cut from its own smallest corner. So every quadrilateral is cut along the diagonal from its smallest
//! corner, whichever cell it is seen from, and the tetrahedra of neighbours share their faces. Source:
//! Dompierre, Labbé, Vallet and Camarero (1999), *How to subdivide pyramids, prisms, and hexahedra into
//! tetrahedra*. A hexahedron gives six tetrahedra, a wedge three, a pyramid two; corners that coincide, as in
//! hexahedra collapsed to wedges, give fewer.

use pliant_mesh::tet_volume;

use crate::raw::RawMesh;

/// A cell by its corners, in the order that Gmsh, MEDIT and Abaqus share.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Solid {
    Hexahedron([u32; 8]),
    Wedge([u32; 6]),
    Pyramid([u32; 5]),
}

impl Solid {
    /// The corners, and the faces counter-clockwise from outside; a triangle ends with its last corner twice.
    fn parts(&self) -> (&[u32], &'static [[usize; 4]]) {
        match self {
            Self::Hexahedron(corners) => (
                corners,
                &[[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]],
            ),
            Self::Wedge(corners) => {
                (corners, &[[0, 2, 1, 1], [3, 4, 5, 5], [0, 1, 4, 3], [1, 2, 5, 4], [2, 0, 3, 5]])
            }
            Self::Pyramid(corners) => {
                (corners, &[[0, 3, 2, 1], [0, 1, 4, 4], [1, 2, 4, 4], [2, 3, 4, 4], [3, 0, 4, 4]])
            }
        }
    }
}

/// Splits cells and keeps count of them.
#[derive(Debug, Default)]
pub(crate) struct Split {
    hexahedra: usize,
    wedges: usize,
    pyramids: usize,
    /// Where the tetrahedra of each cell begin, with their number.
    runs: Vec<(usize, u8)>,
}

impl Split {
    /// Adds the tetrahedra of a cell; false if its corners coincide so that no tetrahedron is left.
    pub(crate) fn push(&mut self, solid: &Solid, tets: &mut Vec<[u32; 4]>) -> bool {
        let start = tets.len();
        let (corners, faces) = solid.parts();
        let apex = corners.iter().fold(u32::MAX, |least, &corner| least.min(corner));
        for face in faces {
            let mut quad = face.map(|k| corners[k]);
            if quad.contains(&apex) {
                continue;
            }
            let least = (0..4).min_by_key(|&k| quad[k]).unwrap_or(0);
            quad.rotate_left(least);
            let [a, b, c, d] = quad;
            for [p, q, r] in [[a, b, c], [a, c, d]] {
                if p != q && q != r && r != p {
                    tets.push([apex, p, q, r]);
                }
            }
        }
        let count = tets.len() - start;
        if count == 0 {
            return false;
        }
        match solid {
            Solid::Hexahedron(_) => self.hexahedra += 1,
            Solid::Wedge(_) => self.wedges += 1,
            Solid::Pyramid(_) => self.pyramids += 1,
        }
        self.runs.push((start, count as u8));
        true
    }

    /// Turns the cells that are numbered inside out, which for wedges depends on the program that wrote them
    /// (VTK counts the first triangle the other way round), and writes the notes.
    pub(crate) fn finish(&self, raw: &mut RawMesh) {
        let mut turned = 0;
        for &(start, count) in &self.runs {
            let tets = &mut raw.tets[start..start + usize::from(count)];
            let volume: f64 = tets
                .iter()
                .filter_map(|tet| {
                    let [a, b, c, d] = tet.map(|v| raw.positions.get(v as usize).copied());
                    Some(tet_volume(&[a?, b?, c?, d?]))
                })
                .sum();
            if volume < 0.0 {
                turned += 1;
                for tet in tets {
                    tet.swap(2, 3);
                }
            }
        }
        for (count, what) in [
            (self.hexahedra, "hexahedra were split into six tetrahedra each"),
            (self.wedges, "wedges were split into three tetrahedra each"),
            (self.pyramids, "pyramids were split into two tetrahedra each"),
            (turned, "split cells are numbered inside out in the file and were turned"),
        ] {
            if count > 0 {
                raw.notes.push(format!("{count} {what}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use pliant_mesh::TetMesh;
    use proptest::prelude::*;

    use super::*;

    /// The corners of 2 × 1 × 1 unit cubes, and the centre of the right one.
    fn vertices() -> Vec<Vector3<f64>> {
        let corner = |i: i32| Vector3::new(f64::from(i % 3), f64::from(i / 3 % 2), f64::from(i / 6));
        (0..12).map(corner).chain([Vector3::new(1.5, 0.5, 0.5)]).collect()
    }

    const LEFT: [u32; 8] = [0, 1, 4, 3, 6, 7, 10, 9];
    const RIGHT: [u32; 8] = [1, 2, 5, 4, 7, 8, 11, 10];

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn neighbours_fit_under_every_numbering(order in Just((0..13_u32).collect::<Vec<_>>()).prop_shuffle(), way in 0..3) {
            let named = |corners: &[u32; 8]| corners.map(|v| order[v as usize]);
            let (mut split, mut raw) = (Split::default(), RawMesh::default());
            raw.positions = vec![Vector3::zeros(); 13];
            for (i, position) in vertices().into_iter().enumerate() {
                raw.positions[order[i] as usize] = position;
            }
            let [a, b, c, d, e, f, g, h] = named(&RIGHT);
            let right: Vec<Solid> = match way {
                0 => vec![Solid::Hexahedron([a, b, c, d, e, f, g, h])],
                // Two wedges with axes along z, one of them numbered inside out.
                1 => vec![Solid::Wedge([a, b, d, e, f, h]), Solid::Wedge([f, g, h, b, c, d])],
                // Six pyramids around the centre, some of them numbered inside out.
                _ => [[a, b, c, d], [e, f, g, h], [a, b, f, e], [b, c, g, f], [c, d, h, g], [d, a, e, h]]
                    .map(|[p, q, r, s]| Solid::Pyramid([p, q, r, s, order[12]]))
                    .to_vec(),
            };
            for solid in [Solid::Hexahedron(named(&LEFT))].iter().chain(&right) {
                prop_assert!(split.push(solid, &mut raw.tets));
            }
            split.finish(&mut raw);
            let mesh = TetMesh::new(raw.positions, raw.tets).unwrap();
            prop_assert!(mesh.inverted().is_empty());
            prop_assert!((mesh.volume() - 2.0).abs() < 1e-12);
            // A box of 2 × 1 × 1 has 10 unit squares of surface: no inner face is left open.
            prop_assert_eq!(mesh.boundary_triangles().len(), 20);
            prop_assert!((mesh.surface().mesh.area() - 10.0).abs() < 1e-12);
        }
    }

    #[test]
    fn collapsed_hexahedra_give_fewer_and_flat_ones_none() {
        let (mut split, mut tets) = (Split::default(), Vec::new());
        assert!(split.push(&Solid::Hexahedron([0, 1, 2, 2, 3, 4, 5, 5]), &mut tets));
        assert_eq!(tets.len(), 3);
        assert!(!split.push(&Solid::Pyramid([0, 1, 1, 0, 2]), &mut tets));
        assert_eq!(tets.len(), 3);
    }
}
