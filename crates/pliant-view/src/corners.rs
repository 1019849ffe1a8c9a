//! [`Corners`]: the vertices of a mesh for the page.

use nalgebra::Vector3;

use crate::prop::Prop;

/// Cosine of the angle between the normals of a triangle and of a vertex beyond which the triangle is left
/// out of the vertex normal: 40°, less than half a right angle.
const SHARP: f64 = 0.766;

/// The vertices of the page: those that triangles have, ascending, and after them copies for corners at sharp
/// edges. The page takes the normal of a vertex from its triangles; the copies keep sharp edges sharp.
#[derive(Debug, Clone)]
pub struct Corners {
    /// The vertex of the mesh that each is a copy of.
    pub vertex_of: Vec<u32>,
    /// The triangles, by these vertices.
    pub triangles: Vec<[u32; 3]>,
}

impl Corners {
    /// Those of a surface that is drawn in addition to the bodies.
    #[must_use]
    pub fn of_prop(prop: &Prop) -> Self {
        Self::of(&prop.positions, &prop.triangles, prop.look.is_stone())
    }

    /// Those of some triangles; on a solid, corners at sharp edges are copied.
    #[must_use]
    pub fn of(positions: &[Vector3<f64>], triangles: &[[u32; 3]], is_solid: bool) -> Self {
        let mut vertex_of: Vec<u32> = triangles.iter().flatten().copied().collect();
        vertex_of.sort_unstable();
        vertex_of.dedup();
        let mut number_of = vec![0_u32; positions.len()];
        for (number, &v) in (0_u32..).zip(&vertex_of) {
            number_of[v as usize] = number;
        }
        let mut numbered: Vec<[u32; 3]> =
            triangles.iter().map(|t| t.map(|v| number_of[v as usize])).collect();
        if is_solid {
            let area = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|v| positions[v as usize]);
                (b - a).cross(&(c - a))
            };
            let mut mean = vec![Vector3::zeros(); positions.len()];
            for t in triangles {
                t.iter().for_each(|&v| mean[v as usize] += area(t));
            }
            for (t, numbered) in triangles.iter().zip(&mut numbered) {
                let normal = area(t);
                for (&v, number) in t.iter().zip(numbered) {
                    let mean = mean[v as usize];
                    if normal.dot(&mean) < SHARP * normal.norm() * mean.norm() {
                        *number = u32::try_from(vertex_of.len()).unwrap_or(*number);
                        vertex_of.push(v);
                    }
                }
            }
        }
        Self { vertex_of, triangles: numbered }
    }

    /// Their positions, for these positions of the mesh.
    pub fn places(&self, positions: &[Vector3<f64>]) -> impl Iterator<Item = [f32; 3]> {
        self.vertex_of.iter().map(|&v| single(&positions[v as usize]))
    }
}

/// A position in single precision.
#[allow(clippy::cast_possible_truncation, reason = "a picture needs no more digits")]
#[must_use]
pub fn single(p: &Vector3<f64>) -> [f32; 3] {
    [p.x as f32, p.y as f32, p.z as f32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::{Split, TetMesh, TriMesh};

    #[test]
    fn edges_of_a_box_stay_sharp_and_a_ball_stays_round() {
        let block = TetMesh::block([3, 3, 3], [1.0; 3], Split::Kuhn).unwrap();
        let shape = block.surface().mesh;
        let corners = Corners::of(shape.positions(), shape.triangles(), true);
        assert_eq!(corners.triangles.len(), shape.triangles().len());
        // Triangles that share a vertex lie in one face, and triangles of one face share vertices.
        let mut normals: Vec<Vec<Vector3<f64>>> = vec![Vec::new(); corners.vertex_of.len()];
        for (numbered, t) in corners.triangles.iter().zip(shape.triangles()) {
            let [a, b, c] = t.map(|v| shape.positions()[v as usize]);
            for (&number, &v) in numbered.iter().zip(t) {
                assert_eq!(corners.vertex_of[number as usize], v);
                normals[number as usize].push((b - a).cross(&(c - a)).normalize());
            }
        }
        assert!(normals.iter().flat_map(|all| all.windows(2)).all(|two| (two[0] - two[1]).norm() < 1e-9));
        assert!(normals.iter().filter(|all| all.len() > 1).count() >= 6 * 4);
        let cloth = Corners::of(shape.positions(), shape.triangles(), false);
        assert_eq!(cloth.vertex_of.len(), shape.positions().len());
        let ball = TriMesh::icosphere(1.0, 4).unwrap();
        let corners = Corners::of(ball.positions(), ball.triangles(), true);
        assert_eq!(corners.triangles, ball.triangles());
    }
}
