//! Selects the pieces of a mesh that are kept.

use nalgebra::Vector3;

use super::compact::Parts;
use super::report::Action;
use crate::Components;

/// Which connected pieces a repair keeps. The size of a piece is the area of its triangles or the volume of
/// its tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Keep {
    /// The largest one; of equals the first.
    Largest,
    /// Those of at least this share of the whole mesh, 0 to 1.
    Share(f64),
}

/// Elements that are connected by vertices, with their total area or volume.
pub(super) struct Pieces {
    pub(super) components: Components,
    pub(super) sizes: Vec<f64>,
}

impl Pieces {
    pub(super) fn of<const N: usize>(
        positions: &[Vector3<f64>],
        elements: &[[u32; N]],
        size: impl Fn(&[Vector3<f64>; N]) -> f64,
    ) -> Self {
        let components = Components::of_elements(positions.len(), elements);
        let mut sizes = vec![0.0; components.count()];
        for (corners, &piece) in elements.iter().zip(components.of_element()) {
            sizes[piece as usize] += size(&corners.map(|v| positions[v as usize])).abs();
        }
        Self { components, sizes }
    }

    /// The largest piece, of equals (but for rounding) the first; zero without any.
    fn largest(&self) -> usize {
        let larger = |p: usize, best: usize| self.sizes[p] > (1.0 + 1e-9) * self.sizes[best];
        (1..self.sizes.len()).fold(0, |best, p| if larger(p, best) { p } else { best })
    }

    /// The first elements of all pieces but the largest, ascending.
    pub(super) fn beside_the_largest(&self) -> Vec<u32> {
        let largest = self.largest();
        let mut next = 0;
        let mut firsts = Vec::new();
        for (element, &piece) in (0_u32..).zip(self.components.of_element()) {
            // Pieces are numbered in the order of their first elements.
            if piece == next {
                next += 1;
                if piece as usize != largest {
                    firsts.push(element);
                }
            }
        }
        firsts
    }
}

/// Drops the pieces that are not to be kept, with their vertices.
pub(super) fn keep<const N: usize>(
    parts: &mut Parts<N>,
    which: Keep,
    size: impl Fn(&[Vector3<f64>; N]) -> f64,
) {
    let pieces = Pieces::of(&parts.positions, &parts.elements, size);
    let largest = pieces.largest();
    let whole: f64 = pieces.sizes.iter().sum();
    let is_kept = |piece: usize| match which {
        Keep::Largest => piece == largest,
        Keep::Share(share) => pieces.sizes[piece] >= share * whole,
    };
    let of_element = pieces.components.of_element();
    let bad: Vec<usize> = (0..of_element.len()).filter(|&e| !is_kept(of_element[e] as usize)).collect();
    parts.drop_numbered(Action::DropPieces, &bad);
    let gone: Vec<u32> = (0_u32..)
        .zip(pieces.components.of_vertex())
        .filter(|(_, piece)| piece.is_some_and(|piece| !is_kept(piece as usize)))
        .map(|(v, _)| v)
        .collect();
    parts.remove_vertices(&gone);
}

/// Area of a triangle, m².
pub(super) fn triangle_area([a, b, c]: &[Vector3<f64>; 3]) -> f64 {
    0.5 * (b - a).cross(&(c - a)).norm()
}
