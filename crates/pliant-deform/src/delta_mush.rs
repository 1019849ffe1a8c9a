//! [`DeltaMush`]: smoothing that puts the detail of the rest mesh back.
//!
//! The rest mesh is smoothed, and what that takes away is kept, for every vertex, in the frame that normal
//! and one edge of the smooth mesh span. A deformed mesh is smoothed alike, which takes away folds and
//! detail, and the detail is put back in the frames as they are now. Source: Mancewicz, Derksen, Rijpkema &
//! Wilson, "Delta Mush: smoothing deformations while preserving detail" (2014).
//!
//! A rigid motion is reproduced exactly. *Hazard.* A vertex without neighbours, or in a place that smoothing
//! has crushed to a line, has no frame; its detail is then put back as it stands at rest.

use nalgebra::{Matrix3, Vector3};
use pliant_mesh::{Adjacency, TriMesh};

use crate::deformer::{Deformer, FrameTime, check_positions};
use crate::error::{BindError, DeformError, check_share};
use crate::laplacian::{Laplacian, LaplacianWeights};
use crate::normals::{direction, vertex_normals};
use crate::smooth::{SmoothSettings, Smoothing};
use crate::weld::Weld;

/// How to separate detail from shape, and how much of it to put back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeltaMushSettings {
    /// Iterations of smoothing.
    pub smoothing: u32,
    /// Share of the way to the mean of its neighbours that a vertex goes in an iteration, in [0, 1].
    pub strength: f64,
    /// Share of the detail that is put back, in [0, 1].
    pub detail: f64,
    /// How neighbours count.
    pub neighbours: LaplacianWeights,
}

impl Default for DeltaMushSettings {
    /// Ten iterations half-way, all detail back, uniform neighbours.
    fn default() -> Self {
        Self { smoothing: 10, strength: 0.5, detail: 1.0, neighbours: LaplacianWeights::Uniform }
    }
}

/// The delta mush deformer.
///
/// ```
/// use pliant_deform::{DeltaMush, DeltaMushSettings, Deformer, FrameTime};
/// use pliant_mesh::TriMesh;
///
/// let ball = TriMesh::icosphere(1.0, 4)?;
/// let mut mush = DeltaMush::new(&ball, DeltaMushSettings::default())?;
/// let mut x = ball.positions().to_vec();
/// x[7] *= 1.5; // a spike that the rest mesh has not
/// mush.deform(&FrameTime::default(), &mut x)?;
/// assert!(x[7].norm() < 1.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct DeltaMush {
    weld: Weld,
    detail: Detail,
}

impl DeltaMush {
    /// Takes the detail of a rest mesh; vertices in one place are welded.
    ///
    /// # Errors
    ///
    /// If a share is not in [0, 1].
    pub fn new(rest: &TriMesh, settings: DeltaMushSettings) -> Result<Self, BindError> {
        check_share("the strength of smoothing", settings.strength)?;
        check_share("the share of detail", settings.detail)?;
        let weld = Weld::by_position(rest.positions());
        let detail = Detail::with(&weld.mesh(rest), settings);
        Ok(Self { weld, detail })
    }
}

impl Deformer for DeltaMush {
    fn kind(&self) -> &'static str {
        "delta mush"
    }

    fn vertex_count(&self) -> Option<usize> {
        Some(self.weld.vertex_count())
    }

    fn deform(&mut self, _frame: &FrameTime, positions: &mut [Vector3<f64>]) -> Result<(), DeformError> {
        check_positions(positions, self.weld.vertex_count())?;
        let detail = &mut self.detail;
        self.weld.with_points(positions, |points| detail.restore(points));
        Ok(())
    }
}

/// The detail of a mesh, beyond its smoothed shape.
#[derive(Debug, Clone)]
pub(crate) struct Detail {
    smoothing: Smoothing,
    triangles: Vec<[u32; 3]>,
    around: Adjacency,
    /// The neighbour towards which the tangent of a vertex points.
    tangent_to: Vec<Option<u32>>,
    /// Detail in the frame of the vertex, m.
    local: Vec<Vector3<f64>>,
    /// The frames of the smoothed rest mesh, for vertices that lose theirs.
    rest_frames: Vec<Matrix3<f64>>,
}

impl Detail {
    pub(crate) fn new(rest: &TriMesh, smoothing: u32) -> Self {
        Self::with(rest, DeltaMushSettings { smoothing, ..DeltaMushSettings::default() })
    }

    fn with(rest: &TriMesh, settings: DeltaMushSettings) -> Self {
        let laplacian = Laplacian::of_mesh(rest, settings.neighbours);
        let smooth = SmoothSettings { iterations: settings.smoothing, ..SmoothSettings::default() };
        let count = rest.positions().len();
        let mut smoothing = Smoothing::new(laplacian, vec![settings.strength; count], &smooth);
        let mut smoothed = rest.positions().to_vec();
        smoothing.run(&mut smoothed);

        let around = rest.triangles_at_vertices();
        let normals = vertex_normals(&smoothed, rest.triangles(), &around);
        let neighbours = rest.neighbours();
        // The neighbour that is farthest along the surface gives the steadiest tangent.
        let tangent_to = (0..count)
            .map(|v| {
                let along = |n: u32| tangent(&smoothed, &normals[v], v, n).norm_squared();
                neighbours.row(v).iter().copied().reduce(|a, b| if along(b) > along(a) { b } else { a })
            })
            .collect();
        let mut detail = Self {
            smoothing,
            triangles: rest.triangles().to_vec(),
            around,
            tangent_to,
            local: Vec::new(),
            rest_frames: vec![Matrix3::identity(); count],
        };
        detail.rest_frames = detail.frames(&smoothed);
        detail.local = (0..count)
            .map(|v| detail.rest_frames[v].tr_mul(&(rest.positions()[v] - smoothed[v])) * settings.detail)
            .collect();
        detail
    }

    /// Smooths positions and puts the detail back.
    pub(crate) fn restore(&mut self, x: &mut [Vector3<f64>]) {
        self.smoothing.run(x);
        let frames = self.frames(x);
        for ((x, frame), local) in x.iter_mut().zip(&frames).zip(&self.local) {
            *x += frame * local;
        }
    }

    /// Tangent, bitangent and normal of every vertex as columns.
    fn frames(&self, x: &[Vector3<f64>]) -> Vec<Matrix3<f64>> {
        let normals = vertex_normals(x, &self.triangles, &self.around);
        let frame = |(v, normal): (usize, &Vector3<f64>)| {
            let to = self.tangent_to[v]?;
            let along = direction(&tangent(x, normal, v, to));
            let nothing = Vector3::zeros();
            (*normal != nothing && along != nothing)
                .then(|| Matrix3::from_columns(&[along, normal.cross(&along), *normal]))
        };
        normals.iter().enumerate().map(|n| frame(n).unwrap_or(self.rest_frames[n.0])).collect()
    }
}

/// The part of an edge that is at right angles to the normal.
fn tangent(x: &[Vector3<f64>], normal: &Vector3<f64>, from: usize, to: u32) -> Vector3<f64> {
    let edge = x[to as usize] - x[from];
    let along = edge - normal * normal.dot(&edge);
    // Once more: what cancels in the first subtraction would tilt a short tangent.
    along - normal * normal.dot(&along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ball_with_bumps() -> TriMesh {
        let ball = TriMesh::icosphere(1.0, 3).unwrap();
        let bumpy =
            ball.positions().iter().map(|p| p * (1.0 + 0.1 * libm::sin(9.0 * p.x + 4.0 * p.y))).collect();
        ball.with_positions(bumpy).unwrap()
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(32))]
        #[test]
        fn a_rigid_motion_comes_out_as_it_went_in(motion in pliant_testkit::rigid_motion(5.0), cotangent in any::<bool>()) {
            let mesh = ball_with_bumps();
            let neighbours = if cotangent { LaplacianWeights::Cotangent } else { LaplacianWeights::Uniform };
            let settings = DeltaMushSettings { neighbours, ..DeltaMushSettings::default() };
            let mut mush = DeltaMush::new(&mesh, settings).unwrap();
            let moved: Vec<_> = mesh.positions().iter().map(|p| motion.apply(p)).collect();
            let mut x = moved.clone();
            mush.deform(&FrameTime::default(), &mut x).unwrap();
            prop_assert!(x.iter().zip(&moved).all(|(a, b)| (a - b).norm() < 1e-12));
        }
    }

    #[test]
    fn crushed_and_isolated_vertices_stay_finite() {
        let mesh = TriMesh::new(
            vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z() * 9.0],
            vec![[0, 1, 2]],
        )
        .unwrap();
        let mut mush = DeltaMush::new(&mesh, DeltaMushSettings::default()).unwrap();
        let mut x = vec![Vector3::repeat(2.0); 4];
        mush.deform(&FrameTime::default(), &mut x).unwrap();
        assert!(x.iter().all(|x| x.iter().all(|c| c.is_finite())));
        assert_eq!(x[3], Vector3::repeat(2.0));
    }
}
