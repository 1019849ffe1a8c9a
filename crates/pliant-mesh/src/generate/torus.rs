//! Tori: a ring-shaped surface and a ring of tetrahedra.

use nalgebra::Vector3;

use super::check::{Check, GenerateError};
use super::cylinder::sweep;
use super::disc::Rings;
use super::turn::turn;
use crate::{TetMesh, TriMesh};

fn check_radii(check: Check, major: f64, minor: f64) -> Result<(), GenerateError> {
    check.length("ring radius", major)?;
    check.length("tube radius", minor)?;
    if minor < major { Ok(()) } else { Err(GenerateError::ThickTorus { major, minor }) }
}

/// The point at the given cosine and sine around the ring and coordinates (outwards, up) within the tube.
fn place(major: f64, minor: f64, [cos, sin]: [f64; 2], [out, up]: [f64; 2]) -> Vector3<f64> {
    let radius = major + minor * out;
    Vector3::new(radius * cos, minor * up, -radius * sin)
}

impl TriMesh {
    /// The surface of a torus that lies flat, about the y axis.
    ///
    /// `major` is the radius of the ring and `minor` that of the tube, in metres; `segments` around the ring, `sides`
    /// around the tube. Vertex `i * sides + j` is number i around the ring and number j around the tube.
    ///
    /// # Errors
    ///
    /// If there are fewer than three segments or sides, or far too many, or the radii are not 0 < `minor` < `major`.
    pub fn torus(major: f64, minor: f64, segments: usize, sides: usize) -> Result<Self, GenerateError> {
        let check = Check { shape: "torus" };
        check_radii(check, major, minor)?;
        check.count("segments", segments, 3)?;
        check.count("sides", sides, 3)?;
        check.elements(&[2, segments, sides])?;

        let mut positions = Vec::with_capacity(segments * sides);
        let mut triangles = Vec::with_capacity(2 * segments * sides);
        for i in 0..segments {
            let around = turn(i, segments);
            for j in 0..sides {
                positions.push(place(major, minor, around, turn(j, sides)));
                let at = |i: usize, j: usize| (i % segments * sides + j % sides) as u32;
                let (p0, p1, p2, p3) = (at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
                triangles.extend([[p0, p1, p2], [p1, p3, p2]]);
            }
        }
        Ok(Self::new(positions, triangles).expect("a torus names its own vertices"))
    }
}

impl TetMesh {
    /// A torus of tetrahedra that lies flat, about the y axis.
    ///
    /// `major` is the radius of the ring and `minor` that of the tube, in metres; `segments` around the ring, and
    /// `rings` concentric rings of 6, 12, 18, … vertices within the tube. There are 18 `rings`² `segments` tetrahedra;
    /// they are best shaped with about 2π `rings` `major` / `minor` segments.
    ///
    /// ```
    /// use pliant_mesh::TetMesh;
    ///
    /// let torus = TetMesh::torus(0.3, 0.1, 36, 2)?;
    /// assert!(torus.inverted().is_empty());
    /// assert!(torus.surface().mesh.hinges().is_closed());
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are fewer than three segments or no ring, or far too many, or the radii are not 0 < `minor` < `major`.
    pub fn torus(major: f64, minor: f64, segments: usize, rings: usize) -> Result<Self, GenerateError> {
        let check = Check { shape: "torus" };
        check_radii(check, major, minor)?;
        check.count("segments", segments, 3)?;
        check.count("rings", rings, 1)?;
        check.elements(&[18, rings, rings, segments])?;

        let section = Rings::new(rings, |k| 6 * k);
        let mut positions = Vec::with_capacity(section.len() * segments);
        for i in 0..segments {
            let around = turn(i, segments);
            // The section is seen against the sweep when outwards comes before up, so it is laid up before outwards.
            positions.extend(section.points().map(|[up, out]| place(major, minor, around, [out, up])));
        }
        let tets = sweep(&section, segments, segments);
        Ok(Self::new(positions, tets).expect("a torus names its own vertices"))
    }
}
