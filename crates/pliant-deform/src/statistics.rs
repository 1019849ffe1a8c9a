//! The effect of a deformer on a mesh: strain of the edges and enclosed volume.
//!
//! The strain of an edge is (L − L₀)/L₀ with its rest length L₀; edges without a rest length do not count.

use nalgebra::Vector3;
use pliant_mesh::{TriMesh, enclosed_volume};

use crate::weld::Weld;

/// Strain over all edges.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EdgeStrain {
    /// Root of the mean square.
    pub rms: f64,
    /// Largest magnitude.
    pub max: f64,
    /// The edge that has it, smaller vertex first; none without edges.
    pub at: Option<[u32; 2]>,
}

/// The state of a mesh in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Statistics {
    /// Strain of the edges.
    pub strain: EdgeStrain,
    /// Enclosed volume, m³; none for an open mesh.
    pub volume: Option<f64>,
}

/// A rest mesh against which positions are measured. Vertices in one place count as welded.
///
/// ```
/// use pliant_deform::Measured;
/// use pliant_mesh::TriMesh;
///
/// let ball = TriMesh::icosphere(1.0, 2)?;
/// let twice: Vec<_> = ball.positions().iter().map(|p| p * 2.0).collect();
/// let measured = Measured::new(&ball);
/// let (rest, now) = (measured.statistics(ball.positions()), measured.statistics(&twice));
/// assert!((now.strain.rms - 1.0).abs() < 1e-12);
/// assert!((now.volume.unwrap() / rest.volume.unwrap() - 8.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Measured {
    vertices: usize,
    edges: Vec<[u32; 2]>,
    rest: Vec<f64>,
    /// Triangles, where they enclose a volume.
    closed: Option<Vec<[u32; 3]>>,
}

impl Measured {
    /// Takes the rest lengths of a mesh.
    #[must_use]
    pub fn new(rest: &TriMesh) -> Self {
        let weld = Weld::by_position(rest.positions());
        let welded = weld.mesh(rest);
        // Back to the vertices of the caller, so that positions need no welding.
        let vertex = |p: u32| weld.first_vertices()[p as usize];
        let edges: Vec<[u32; 2]> = welded.edges().iter().map(|e| e.map(vertex)).collect();
        let lengths = edges.iter().map(|&e| length(rest.positions(), e)).collect();
        let closed = (welded.hinges().is_closed() && !welded.triangles().is_empty())
            .then(|| welded.triangles().iter().map(|t| t.map(vertex)).collect());
        Self { vertices: rest.positions().len(), edges, rest: lengths, closed }
    }

    /// Measures positions, m, one per vertex of the rest mesh.
    ///
    /// # Panics
    ///
    /// If there are not as many positions as the rest mesh has.
    #[must_use]
    pub fn statistics(&self, positions: &[Vector3<f64>]) -> Statistics {
        assert_eq!(positions.len(), self.vertices, "one position per vertex of the rest mesh");
        Statistics {
            strain: edge_strain(positions, &self.edges, &self.rest),
            volume: self.closed.as_ref().map(|triangles| enclosed_volume(positions, triangles)),
        }
    }
}

fn length(positions: &[Vector3<f64>], [a, b]: [u32; 2]) -> f64 {
    (positions[a as usize] - positions[b as usize]).norm()
}

/// Strain of some edges with the rest lengths `rest`, m.
///
/// # Panics
///
/// If an edge names a vertex that does not exist.
#[must_use]
pub fn edge_strain(positions: &[Vector3<f64>], edges: &[[u32; 2]], rest: &[f64]) -> EdgeStrain {
    let mut strain = EdgeStrain::default();
    let (mut sum, mut count) = (0.0, 0_usize);
    for (&edge, &rest) in edges.iter().zip(rest) {
        if rest > 0.0 {
            let is = length(positions, edge) / rest - 1.0;
            sum += is * is;
            count += 1;
            if is.abs() > strain.max || strain.at.is_none() {
                (strain.max, strain.at) = (is.abs(), Some(edge));
            }
        }
    }
    strain.rms = (sum / count.max(1) as f64).sqrt();
    strain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_edge_is_named_and_points_do_not_count() {
        let x = [Vector3::zeros(), Vector3::x() * 1.5, Vector3::y() * 0.2];
        let strain = edge_strain(&x, &[[0, 1], [0, 2], [1, 2]], &[1.0, 1.0, 0.0]);
        assert_eq!((strain.max, strain.at), (0.8, Some([0, 2])));
        assert!((strain.rms - (0.5_f64 * (0.25 + 0.64)).sqrt()).abs() < 1e-15);
        assert_eq!(edge_strain(&x, &[], &[]), EdgeStrain::default());
    }

    #[test]
    fn volume_is_that_of_closed_meshes_only() {
        let sheet = TriMesh::grid([3, 3], [1.0, 1.0]).unwrap();
        assert_eq!(Measured::new(&sheet).statistics(sheet.positions()).volume, None);
        let ball = TriMesh::icosphere(1.0, 2).unwrap();
        let far: Vec<_> = ball.positions().iter().map(|p| p.add_scalar(1e6)).collect();
        let volume = Measured::new(&ball).statistics(&far).volume.unwrap();
        assert!((volume - ball.enclosed_volume()).abs() < 1e-8);
    }
}
