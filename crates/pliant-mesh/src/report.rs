//! What is in a mesh, and what is wrong with it.
//!
//! A report is plain data: counts and sizes, and for each kind of defect the numbers of the offenders, ascending. It judges
//! nothing; what matters depends on what the mesh is for.
//!
//! | defect | what it does in a simulation |
//! |---|---|
//! | inverted or flat tetrahedron | no rest shape: constraints blow up or pull the wrong way |
//! | massless vertex | its elements weigh nothing, so it cannot move |
//! | unreferenced vertex | falls freely, alone |
//! | triangle without area | no normal, no mass, undefined bending |
//! | duplicate element | counts twice: twice the mass and the stiffness |
//! | coincident vertices | a seam: the two sides come apart |
//! | inconsistent orientation | wind and volume of the triangles cancel |
//! | non-manifold edge | no single bending angle |

mod solid;
mod surface;

use nalgebra::Vector3;

use crate::Adjacency;

pub use solid::{TetMeshReport, TetQuality};
pub use surface::TriMeshReport;

/// Lengths of the edges of a mesh, m; zeros without edges.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EdgeLengths {
    /// The shortest.
    pub shortest: f64,
    /// The mean.
    pub mean: f64,
    /// The longest.
    pub longest: f64,
}

impl EdgeLengths {
    fn of(positions: &[Vector3<f64>], edges: &[[u32; 2]]) -> Self {
        if edges.is_empty() {
            return Self::default();
        }
        let lengths = || edges.iter().map(|&[a, b]| (positions[b as usize] - positions[a as usize]).norm());
        Self {
            shortest: lengths().fold(f64::INFINITY, f64::min),
            mean: lengths().sum::<f64>() / edges.len() as f64,
            longest: lengths().fold(0.0, f64::max),
        }
    }
}

/// Elements with the same vertices as an earlier one, each with the first of its kind.
fn duplicate_elements<const N: usize>(elements: &[[u32; N]]) -> Vec<[u32; 2]> {
    let mut sorted: Vec<([u32; N], u32)> = elements
        .iter()
        .zip(0..)
        .map(|(&corners, e)| {
            let mut corners = corners;
            corners.sort_unstable();
            (corners, e)
        })
        .collect();
    sorted.sort_unstable();
    later_with_first(&sorted, |a, b| a.0 == b.0, |entry| entry.1)
}

/// Vertices at exactly the same place as an earlier one, each with the first there.
fn coincident_vertices(positions: &[Vector3<f64>]) -> Vec<[u32; 2]> {
    // Adding zero makes the two zeros one.
    let place = |v: u32| positions[v as usize].map(|c| c + 0.0);
    let mut sorted: Vec<u32> = (0..positions.len() as u32).collect();
    sorted.sort_unstable_by(|&v, &w| {
        let (p, q) = (place(v), place(w));
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)).then(v.cmp(&w))
    });
    later_with_first(&sorted, |&v, &w| place(v) == place(w), |&v| v)
}

/// Of each run of equal entries all but the first, with the first; ascending.
fn later_with_first<T>(
    sorted: &[T],
    equal: impl Fn(&T, &T) -> bool,
    number: impl Fn(&T) -> u32,
) -> Vec<[u32; 2]> {
    let mut pairs: Vec<[u32; 2]> = sorted
        .chunk_by(equal)
        .flat_map(|run| run[1..].iter().map(|later| [number(later), number(&run[0])]))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Vertices without elements.
fn unreferenced(at_vertices: &Adjacency) -> Vec<u32> {
    at_vertices.rows().zip(0..).filter(|(row, _)| row.is_empty()).map(|(_, v)| v).collect()
}

#[cfg(test)]
mod tests;
