//! A ball of well-shaped tetrahedra.
//!
//! The icosahedron is twenty nearly regular tetrahedra around its centre. Each is divided into n³ parts by planes
//! parallel to its faces, which leaves tetrahedra and octahedra; an octahedron is cut into four along its shortest
//! diagonal. Every shell of the lattice is then projected from an icosahedron to a sphere. Neighbours agree on their
//! common faces, the boundary is an icosphere, and no element is far from regular at any resolution.

use nalgebra::Vector3;

use super::check::{Check, GenerateError};
use super::icosahedron::{FACES, Icosahedron, steps};
use crate::{TetMesh, tet_volume};

impl TetMesh {
    /// A ball about the origin.
    ///
    /// `radius` in metres; `shells` concentric shells, so that edges are about `radius / shells` long. There are
    /// 20 `shells`³ tetrahedra. Vertex 0 is the centre; shells follow from the inside out, the boundary last.
    ///
    /// ```
    /// use pliant_mesh::TetMesh;
    ///
    /// let ball = TetMesh::ball(0.5, 4)?;
    /// assert_eq!(ball.tets().len(), 1280);
    /// let surface = ball.surface();
    /// assert!(surface.mesh.positions().iter().all(|p| (p.norm() - 0.5).abs() < 1e-15));
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no shell, or there are far too many, or the radius is not positive.
    pub fn ball(radius: f64, shells: usize) -> Result<Self, GenerateError> {
        let check = Check { shape: "ball" };
        check.length("radius", radius)?;
        check.count("shells", shells, 1)?;
        check.elements(&[20, shells, shells, shells])?;

        let icosahedron = Icosahedron::new();
        let mut positions = vec![Vector3::zeros()];
        let mut starts = vec![0];
        for shell in 1..=shells {
            starts.push(positions.len());
            let r = radius * (shell as f64 / shells as f64);
            positions.reserve(Icosahedron::vertex_count(shell));
            positions.extend(icosahedron.points(shell).iter().map(|p| p * r));
        }

        let mut tets = Vec::with_capacity(20 * shells * shells * shells);
        for face in 0..FACES.len() {
            // A lattice point is so many steps away from the centre towards each corner of the face.
            let vertex = |s: [usize; 3]| match s.iter().sum() {
                0 => 0,
                shell => starts[shell] as u32 + icosahedron.vertex(face, s, shell),
            };
            for base in 0..shells {
                for s in steps(base) {
                    cell(s, shells - base, &positions, vertex, &mut tets);
                }
            }
        }
        Ok(Self::new(positions, tets).expect("a ball names its own vertices"))
    }
}

/// Adds the tetrahedra of the lattice cell at `s`, with `room` steps left outwards: a parallelepiped, which
/// the outermost shells cut off.
fn cell(
    s: [usize; 3],
    room: usize,
    positions: &[Vector3<f64>],
    vertex: impl Fn([usize; 3]) -> u32,
    tets: &mut Vec<[u32; 4]>,
) {
    // Corners of the parallelepiped as steps towards the three corners of the face.
    let corner = |a: usize, b: usize, c: usize| vertex([s[0] + a, s[1] + b, s[2] + c]);
    let distance = |[p, q]: [u32; 2]| (positions[p as usize] - positions[q as usize]).norm();
    let mut push = |tet: [u32; 4]| {
        let inside_out = tet_volume(&tet.map(|v| positions[v as usize])) < 0.0;
        tets.push(if inside_out { [tet[1], tet[0], tet[2], tet[3]] } else { tet });
    };

    let (x, y, z) = (corner(1, 0, 0), corner(0, 1, 0), corner(0, 0, 1));
    push([corner(0, 0, 0), x, y, z]);
    if room < 2 {
        return;
    }
    let (xy, yz, zx) = (corner(1, 1, 0), corner(0, 1, 1), corner(1, 0, 1));
    // Each diagonal of the octahedron with the four other vertices around it.
    let mut cut = ([x, yz], [y, xy, zx, z]);
    for other in [([y, zx], [z, yz, xy, x]), ([z, xy], [x, zx, yz, y])] {
        // With a tolerance: diagonals that are equal to within rounding are equally good.
        if distance(other.0) < distance(cut.0) * (1.0 - 1e-9) {
            cut = other;
        }
    }
    let ([p, q], ring) = cut;
    for k in 0..4 {
        push([p, q, ring[k], ring[(k + 1) % 4]]);
    }
    if room >= 3 {
        push([xy, yz, zx, corner(1, 1, 1)]);
    }
}
