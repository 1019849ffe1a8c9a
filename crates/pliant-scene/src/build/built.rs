//! [`BuiltBody`]: a body of a scene as it is simulated and written.

use std::ops::Range;

use pliant_io::Mesh;
use pliant_mesh::{Embedding, RepairReport, TriMesh};

/// A body of a scene, placed, with what its output needs.
#[derive(Debug, Clone)]
pub struct BuiltBody {
    /// Name, unique in the scene and fit for file names.
    pub name: String,
    /// Its particles in the simulation, one for each vertex of `mesh` in the same order.
    pub particles: Range<usize>,
    /// The mesh that is simulated, where it starts, m.
    pub mesh: Mesh,
    /// The mesh without stress, where that is not where it starts.
    pub(crate) rest: Option<Mesh>,
    /// What was repaired in its file, if the scene asked for it: how the numbers of vertices and elements there and here belong together.
    pub repair: Option<RepairReport>,
    /// The fine surface that it carries.
    pub visual: Option<Visual>,
    /// What is worth knowing about the mesh, and about stitches to it, a sentence each.
    pub notes: Vec<String>,
    /// The stiffness of its tetrahedra, where they are of a material.
    pub(crate) elastic: Option<Elastic>,
}

impl BuiltBody {
    /// The mesh without stress, m: that of `rest` in the scene, or else the mesh where it starts.
    #[must_use]
    pub fn rest_mesh(&self) -> &Mesh {
        self.rest.as_ref().unwrap_or(&self.mesh)
    }

    /// The edges of its mesh.
    pub(crate) fn edges(&self) -> Vec<[u32; 2]> {
        match &self.mesh {
            Mesh::Tri(mesh) => mesh.edges(),
            Mesh::Tet(mesh) => mesh.edges(),
        }
    }

    /// Their mean length, m; none if it has none.
    pub(crate) fn mean_edge(&self) -> Option<f64> {
        let (x, edges) = (self.mesh.positions(), self.edges());
        let sum: f64 = edges.iter().map(|&[a, b]| (x[a as usize] - x[b as usize]).norm()).sum();
        (sum > 0.0).then(|| sum / edges.len() as f64)
    }
}

/// The stiffness of the tetrahedra of a body.
#[derive(Debug, Clone)]
pub(crate) struct Elastic {
    /// Young's modulus, Pa.
    pub(crate) young: f64,
    /// Poisson's ratio.
    pub(crate) poisson: f64,
    /// By how much each is stiffer, if they differ.
    pub(crate) factors: Option<Vec<f64>>,
}

/// A fine surface carried by a solid.
#[derive(Debug, Clone)]
pub struct Visual {
    /// The surface where it starts, m.
    pub mesh: TriMesh,
    /// Its vertices in the tetrahedra.
    pub embedding: Embedding,
}
