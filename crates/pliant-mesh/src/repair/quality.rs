//! [`QualityHistogram`]: the numbers of tetrahedra by the quality of their shapes.

use serde::Serialize;

use crate::{TetMesh, min_dihedral, radius_ratio};

/// Numbers of tetrahedra by their shape.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct QualityHistogram {
    /// By the smallest angle between two faces, [`min_dihedral`]: 0° to 10°, 10° to 20° … 70° to 80°.
    pub min_dihedral: [usize; 8],
    /// By [`radius_ratio`]: 0 to 0.1, 0.1 to 0.2 … 0.9 to 1.
    pub radius_ratio: [usize; 10],
}

impl QualityHistogram {
    /// The histogram of a mesh.
    #[must_use]
    pub fn of(mesh: &TetMesh) -> Self {
        let mut histogram = Self { min_dihedral: [0; 8], radius_ratio: [0; 10] };
        for t in 0..mesh.tets().len() {
            let corners = mesh.corners(t);
            let angle = min_dihedral(&corners).to_degrees() / 10.0;
            histogram.min_dihedral[(angle as usize).min(7)] += 1;
            histogram.radius_ratio[((10.0 * radius_ratio(&corners)) as usize).min(9)] += 1;
        }
        histogram
    }
}
