//! [`EdgeLengths`]: how long the edges of a mesh are.

use nalgebra::Vector3;

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
    pub(super) fn of(positions: &[Vector3<f64>], edges: &[[u32; 2]]) -> Self {
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
