//! Spheres: by latitude and longitude, and from an icosahedron.

use nalgebra::Vector3;

use super::check::{Check, GenerateError};
use super::icosahedron::{FACES, Icosahedron, steps};
use super::turn::turn;
use crate::TriMesh;

impl TriMesh {
    /// A sphere of meridians and parallels with its poles above and below.
    ///
    /// `radius` in metres; `segments` around, `rings` strips from pole to pole. Triangles get thin at the poles: for
    /// simulation prefer [`icosphere`](Self::icosphere). Vertex 0 is the lower pole, the last one the upper.
    ///
    /// # Errors
    ///
    /// If there are fewer than three segments or two rings, or far too many, or the radius is not positive.
    pub fn uv_sphere(radius: f64, segments: usize, rings: usize) -> Result<Self, GenerateError> {
        let check = Check { shape: "sphere" };
        check.length("radius", radius)?;
        check.count("segments", segments, 3)?;
        check.count("rings", rings, 2)?;
        check.elements(&[2, segments, rings])?;

        let mut positions = vec![Vector3::new(0.0, -radius, 0.0)];
        for j in 1..rings {
            let [cos, sin] = turn(j, 2 * rings);
            for i in 0..segments {
                let [x, z] = turn(i, segments);
                positions.push(Vector3::new(sin * x, -cos, -sin * z) * radius);
            }
        }
        positions.push(Vector3::new(0.0, radius, 0.0));

        let last = positions.len() as u32 - 1;
        let at = |i: usize, j: usize| (1 + (j - 1) * segments + i % segments) as u32;
        let mut triangles = Vec::with_capacity(2 * segments * (rings - 1));
        triangles.extend((0..segments).map(|i| [0, at(i + 1, 1), at(i, 1)]));
        for j in 1..rings - 1 {
            for i in 0..segments {
                let (p0, p1, p2, p3) = (at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
                triangles.extend([[p0, p1, p2], [p1, p3, p2]]);
            }
        }
        triangles.extend((0..segments).map(|i| [at(i, rings - 1), at(i + 1, rings - 1), last]));
        Ok(Self::new(positions, triangles).expect("a sphere names its own vertices"))
    }

    /// A sphere of nearly equal triangles: an icosahedron with its edges divided into `frequency` parts.
    ///
    /// `radius` in metres. There are 20 `frequency`² triangles; k midpoint subdivisions of the icosahedron are the
    /// frequency 2ᵏ.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    ///
    /// let sphere = TriMesh::icosphere(0.5, 8)?;
    /// assert_eq!(sphere.triangles().len(), 1280);
    /// assert!(sphere.positions().iter().all(|p| (p.norm() - 0.5).abs() < 1e-15));
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the frequency is zero or far too large, or the radius is not positive.
    pub fn icosphere(radius: f64, frequency: usize) -> Result<Self, GenerateError> {
        let check = Check { shape: "sphere" };
        check.length("radius", radius)?;
        check.count("parts of an edge", frequency, 1)?;
        check.elements(&[20, frequency, frequency])?;

        let icosahedron = Icosahedron::new();
        let positions = icosahedron.points(frequency).iter().map(|p| p * radius).collect();
        let mut triangles = Vec::with_capacity(20 * frequency * frequency);
        for face in 0..FACES.len() {
            let vertex = |s: [usize; 3]| icosahedron.vertex(face, s, frequency);
            for [a, b, c] in steps(frequency - 1) {
                triangles.push([vertex([a + 1, b, c]), vertex([a, b + 1, c]), vertex([a, b, c + 1])]);
                // The triangle that points the other way, where there is still room for it.
                if c > 0 {
                    let [a, b, c] = [a, b, c - 1];
                    triangles.push([[a, b + 1, c + 1], [a + 1, b, c + 1], [a + 1, b + 1, c]].map(vertex));
                }
            }
        }
        Ok(Self::new(positions, triangles).expect("a sphere names its own vertices"))
    }
}
