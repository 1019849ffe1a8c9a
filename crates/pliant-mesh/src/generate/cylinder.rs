//! Cylinders: a tube of cloth, a closed can, a rod of tetrahedra.

use nalgebra::Vector3;

use super::check::{Check, GenerateError};
use super::disc::Rings;
use super::turn::{centred, turn};
use crate::{TetMesh, TriMesh};

/// Whether a [`TriMesh::cylinder`] has ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Caps {
    /// A tube.
    #[default]
    Open,
    /// A closed can, its ends made of concentric rings.
    Capped,
}

impl TriMesh {
    /// The surface of an upright cylinder.
    ///
    /// `radius` and `height` in metres; `segments` vertices around, `rings` strips along the height. Vertex
    /// `j * segments + i` is number i around and number j from the bottom; the vertices of the ends follow.
    ///
    /// # Errors
    ///
    /// If there are fewer than three segments or no ring, or far too many, or a length is not positive.
    pub fn cylinder(
        radius: f64,
        height: f64,
        segments: usize,
        rings: usize,
        caps: Caps,
    ) -> Result<Self, GenerateError> {
        let check = Check { shape: "cylinder" };
        check.length("radius", radius)?;
        check.length("height", height)?;
        check.count("segments", segments, 3)?;
        check.count("rings", rings, 1)?;
        check.elements(&[2, segments, rings])?;
        // Rings of a cap about as wide as the segments are long.
        let cap_rings = (segments / 6).max(1);
        if caps == Caps::Capped {
            check.elements(&[2, segments, cap_rings])?;
        }

        let place = |[x, z]: [f64; 2], y: f64| Vector3::new(radius * x, y, -radius * z);
        let mut positions = Vec::new();
        for j in 0..=rings {
            let y = centred(j, rings, height);
            positions.extend((0..segments).map(|i| place(turn(i, segments), y)));
        }
        let mut triangles = Vec::new();
        for j in 0..rings {
            for i in 0..segments {
                let at = |i: usize, j: usize| (j * segments + i % segments) as u32;
                let (p0, p1, p2, p3) = (at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
                triangles.extend([[p0, p1, p2], [p1, p3, p2]]);
            }
        }
        if caps == Caps::Capped {
            let cap = Rings::new(cap_rings, |k| (segments * k / cap_rings).max(3));
            for (y, rim) in [(-0.5 * height, 0), (0.5 * height, rings * segments)] {
                let first = positions.len();
                positions.extend(cap.points().take(cap.rim()).map(|p| place(p, y)));
                let at = |v: u32| {
                    let v = v as usize;
                    (if v < cap.rim() { first + v } else { rim + v - cap.rim() }) as u32
                };
                let outward = |[a, b, c]: [u32; 3]| if rim == 0 { [a, c, b] } else { [a, b, c] };
                triangles.extend(cap.triangles.iter().map(|t| outward(t.map(at))));
            }
        }
        Ok(Self::new(positions, triangles).expect("a cylinder names its own vertices"))
    }
}

impl TetMesh {
    /// An upright rod of tetrahedra.
    ///
    /// `radius` and `height` in metres; the cross-section has `rings` concentric rings of 6, 12, 18, … vertices, the
    /// height `layers` layers. There are 18 `rings`² `layers` tetrahedra.
    ///
    /// # Errors
    ///
    /// If there is no ring or layer, or far too many, or a length is not positive.
    pub fn cylinder(radius: f64, height: f64, rings: usize, layers: usize) -> Result<Self, GenerateError> {
        let check = Check { shape: "cylinder" };
        check.length("radius", radius)?;
        check.length("height", height)?;
        check.count("rings", rings, 1)?;
        check.count("layers", layers, 1)?;
        check.elements(&[18, rings, rings, layers])?;

        let section = Rings::new(rings, |k| 6 * k);
        let mut positions = Vec::with_capacity(section.len() * (layers + 1));
        for layer in 0..=layers {
            let y = centred(layer, layers, height);
            positions.extend(section.points().map(|[x, z]| Vector3::new(radius * x, y, -radius * z)));
        }
        let tets = sweep(&section, layers, layers + 1);
        Ok(Self::new(positions, tets).expect("a cylinder names its own vertices"))
    }
}

/// Tetrahedra between copies of a section: `layers` layers of prisms between `copies` copies, the copy after the last
/// being the first again. The sections' normal points along the sweep.
///
/// A prism over the triangle (a, b, c), a < b < c, has the diagonals ab′, ac′ and bc′ in one layer and a′b, a′c and b′c
/// in the next: neighbouring prisms agree, and the layers do not all twist the same way.
pub(super) fn sweep(section: &Rings, layers: usize, copies: usize) -> Vec<[u32; 4]> {
    let mut tets = Vec::with_capacity(3 * layers * section.triangles.len());
    for layer in 0..layers {
        let this = layer * section.len();
        let next = (layer + 1) % copies * section.len();
        let (near, far) = if layer % 2 == 0 { (this, next) } else { (next, this) };
        for triangle in &section.triangles {
            // Turned so that its smallest corner comes first, the triangle is sorted or needs one exchange, which
            // turns the prism over; so does looking from the far side.
            let [a, b, c] = smallest_first(*triangle);
            let upright = (b < c) == (layer % 2 == 0);
            let sorted = [a, b.min(c), b.max(c)];
            let [a, b, c] = sorted.map(|v| near as u32 + v);
            let [a_far, b_far, c_far] = sorted.map(|v| far as u32 + v);
            for [p, q, r, s] in [[a, b, c, c_far], [a, b, c_far, b_far], [a, b_far, c_far, a_far]] {
                tets.push(if upright { [p, q, r, s] } else { [q, p, r, s] });
            }
        }
    }
    tets
}

fn smallest_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}
