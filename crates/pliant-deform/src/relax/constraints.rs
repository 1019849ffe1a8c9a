//! [`EdgeConstraints`]: which pairs of vertices keep their distance.

use nalgebra::Vector3;
use pliant_mesh::{Adjacency, TriMesh, vertex_vertex_pairs};

use crate::error::{BindError, check_length};

/// Pairs of vertices that keep their distance, in addition to the ends of the mesh's own edges.
///
/// The mesh's own edges alone served best in the source's trials; these make a skin stiffer against bending and shear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extra {
    /// The two vertices across every edge that has two triangles.
    AcrossFaces,
    /// All vertices within so many edges along the mesh.
    Neighbours {
        /// The most edges between the two, at least 2.
        steps: u32,
    },
    /// All vertices within a straight distance in the rest mesh.
    Near {
        /// The distance, m.
        radius: f64,
    },
}

/// The most pairs that a list of constraints may have.
const MOST: usize = 1 << 25;

/// Pairs of vertices with their rest lengths.
///
/// ```
/// use pliant_deform::{EdgeConstraints, Extra};
/// use pliant_mesh::TriMesh;
///
/// let sheet = TriMesh::grid([10, 10], [1.0, 1.0])?;
/// let edges = EdgeConstraints::of_mesh(&sheet, &[])?;
/// let stiffer = EdgeConstraints::of_mesh(&sheet, &[Extra::AcrossFaces])?;
/// assert_eq!((edges.pairs().len(), stiffer.pairs().len()), (261, 261 + 225));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeConstraints {
    vertices: usize,
    pairs: Vec<[u32; 2]>,
    rest: Vec<f64>,
}

impl EdgeConstraints {
    /// Takes pairs and rest lengths, m, as they are; the order is that of a sequential sweep.
    ///
    /// # Errors
    ///
    /// If there is not one rest length per pair, a pair names a missing vertex or one vertex twice, or a rest
    /// length is negative or not finite.
    pub fn new(vertices: usize, pairs: Vec<[u32; 2]>, rest: Vec<f64>) -> Result<Self, BindError> {
        if rest.len() != pairs.len() {
            return Err(BindError::Count {
                what: "rest lengths of edges",
                found: rest.len(),
                vertices: pairs.len(),
            });
        }
        for (edge, (&pair, &rest)) in pairs.iter().zip(&rest).enumerate() {
            for vertex in pair {
                if vertex as usize >= vertices {
                    return Err(BindError::NoVertex { what: "edge", index: edge, vertex, vertices });
                }
            }
            if pair[0] == pair[1] {
                return Err(BindError::Loop { edge, vertex: pair[0] });
            }
            if !(rest >= 0.0 && rest.is_finite()) {
                return Err(BindError::RestLength { edge, rest });
            }
        }
        Ok(Self { vertices, pairs, rest })
    }

    /// The edges of a mesh in the order of [`TriMesh::edges`], then the extra pairs, each pair once; rest
    /// lengths as in the mesh.
    ///
    /// # Errors
    ///
    /// If the step count or radius for extra pairs is not valid, or the pairs are far too many.
    pub fn of_mesh(mesh: &TriMesh, extra: &[Extra]) -> Result<Self, BindError> {
        let mut pairs = mesh.edges();
        let own = pairs.len();
        for &extra in extra {
            let more = match extra {
                Extra::AcrossFaces => across_faces(mesh),
                Extra::Neighbours { steps } => within_steps(mesh, steps)?,
                Extra::Near { radius } => within_radius(mesh.positions(), radius)?,
            };
            pairs.extend(more);
        }
        if !extra.is_empty() {
            keep_first(&mut pairs, own);
        }
        let x = mesh.positions();
        let rest = pairs.iter().map(|&[a, b]| (x[a as usize] - x[b as usize]).norm()).collect();
        Ok(Self { vertices: mesh.positions().len(), pairs, rest })
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// The pairs.
    #[must_use]
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// Their rest lengths, m.
    #[must_use]
    pub fn rest_lengths(&self) -> &[f64] {
        &self.rest
    }
}

/// Drops pairs after the first `own` that have come before; those after them are put in ascending order.
fn keep_first(pairs: &mut Vec<[u32; 2]>, own: usize) {
    let mut known = pairs[..own].to_vec();
    known.sort_unstable();
    let mut more = pairs.split_off(own);
    more.sort_unstable();
    more.dedup();
    more.retain(|pair| known.binary_search(pair).is_err());
    pairs.append(&mut more);
}

fn across_faces(mesh: &TriMesh) -> Vec<[u32; 2]> {
    let pairs = mesh.hinges().opposite_pairs();
    pairs.into_iter().filter(|[a, b]| a != b).map(|[a, b]| [a.min(b), a.max(b)]).collect()
}

fn within_steps(mesh: &TriMesh, steps: u32) -> Result<Vec<[u32; 2]>, BindError> {
    if steps < 2 {
        let range = "at least 2 (1 are the mesh's own edges)";
        return Err(BindError::Number { what: "the number of steps", value: f64::from(steps), range });
    }
    let neighbours: Adjacency = mesh.neighbours();
    let mut pairs = Vec::new();
    let mut seen = vec![u32::MAX; neighbours.len()];
    let (mut front, mut next) = (Vec::new(), Vec::new());
    for start in 0..neighbours.len() as u32 {
        seen[start as usize] = start;
        front.clear();
        front.push(start);
        for _ in 0..steps {
            next.clear();
            for &v in &front {
                for &other in neighbours.row(v as usize) {
                    if std::mem::replace(&mut seen[other as usize], start) != start {
                        next.push(other);
                    }
                }
            }
            pairs.extend(next.iter().filter(|&&other| other > start).map(|&other| [start, other]));
            if pairs.len() > MOST {
                return Err(BindError::TooMany { what: "neighbours by steps", most: MOST });
            }
            std::mem::swap(&mut front, &mut next);
        }
    }
    Ok(pairs)
}

fn within_radius(positions: &[Vector3<f64>], radius: f64) -> Result<Vec<[u32; 2]>, BindError> {
    check_length("the radius of near neighbours", radius)?;
    let pairs = vertex_vertex_pairs(positions, positions, radius)?;
    Ok(pairs.iter().filter(|p| p.vertex < p.element).map(|p| [p.vertex, p.element]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> TriMesh {
        TriMesh::grid([6, 5], [1.0, 0.8]).unwrap()
    }

    /// Edges between two vertices along the mesh, by repeated widening.
    fn steps_between(mesh: &TriMesh, a: u32, b: u32) -> u32 {
        let neighbours = mesh.neighbours();
        let mut reached = vec![false; mesh.positions().len()];
        reached[a as usize] = true;
        for step in 0.. {
            if reached[b as usize] {
                return step;
            }
            let now = reached.clone();
            for v in (0..now.len()).filter(|&v| now[v]) {
                neighbours.row(v).iter().for_each(|&n| reached[n as usize] = true);
            }
        }
        unreachable!("the sheet is connected")
    }

    #[test]
    fn neighbours_are_those_within_the_steps() {
        let mesh = sheet();
        let found = EdgeConstraints::of_mesh(&mesh, &[Extra::Neighbours { steps: 3 }]).unwrap();
        let n = mesh.positions().len() as u32;
        for a in 0..n {
            for b in a + 1..n {
                let count = found.pairs().iter().filter(|&&p| p == [a, b]).count();
                assert_eq!(count, usize::from(steps_between(&mesh, a, b) <= 3), "{a} {b}");
            }
        }
        assert_eq!(found.pairs()[..mesh.edges().len()], mesh.edges());
    }

    #[test]
    fn near_ones_are_those_within_the_radius() {
        let mesh = sheet();
        let x = mesh.positions();
        let found = EdgeConstraints::of_mesh(&mesh, &[Extra::Near { radius: 0.41 }]).unwrap();
        for a in 0..x.len() {
            for b in a + 1..x.len() {
                let near = (x[a] - x[b]).norm() <= 0.41 || mesh.edges().contains(&[a as u32, b as u32]);
                assert_eq!(found.pairs().contains(&[a as u32, b as u32]), near, "{a} {b}");
            }
        }
    }

    #[test]
    fn bad_lists_are_refused() {
        let new = |pairs: &[[u32; 2]], rest: &[f64]| EdgeConstraints::new(2, pairs.to_vec(), rest.to_vec());
        assert!(new(&[[0, 1]], &[0.0]).is_ok());
        assert!(matches!(new(&[[0, 1]], &[]), Err(BindError::Count { .. })));
        assert!(matches!(new(&[[0, 2]], &[1.0]), Err(BindError::NoVertex { vertex: 2, .. })));
        assert!(matches!(new(&[[1, 1]], &[1.0]), Err(BindError::Loop { edge: 0, vertex: 1 })));
        assert!(matches!(new(&[[0, 1]], &[f64::NAN]), Err(BindError::RestLength { .. })));
        for extra in [Extra::Neighbours { steps: 1 }, Extra::Near { radius: -1.0 }] {
            assert!(matches!(EdgeConstraints::of_mesh(&sheet(), &[extra]), Err(BindError::Number { .. })));
        }
    }
}
