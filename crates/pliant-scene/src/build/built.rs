//! [`BuiltBody`]: a body of a scene as it is simulated and written.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::{Embedding, Refinement, RepairReport, TriMesh};

/// A placed body of a scene, with the data that its output needs.
#[derive(Debug, Clone)]
pub struct BuiltBody {
    /// Name, unique in the scene and valid in file names.
    pub name: String,
    /// Its particles in the simulation, one for each vertex of `mesh` in the same order.
    pub particles: Range<usize>,
    /// The simulated mesh at the start, m.
    pub mesh: Mesh,
    /// The mesh without stress, if it differs from the mesh at the start.
    pub(crate) rest: Option<Mesh>,
    /// The repairs of its file, if the scene asked for them. They map the numbers of vertices and elements of
    /// the file to those of `mesh`.
    pub repair: Option<RepairReport>,
    /// The fine surface that it carries.
    pub visual: Option<Visual>,
    /// Remarks on the mesh and on stitches to it, one sentence each.
    pub notes: Vec<String>,
    /// The stiffness of its tetrahedra, if they have a material.
    pub(crate) elastic: Option<Elastic>,
}

impl BuiltBody {
    /// The mesh without stress, m: that of `rest` in the scene, or else the mesh at the start.
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

    /// The mean length of its edges, m; `None` if it has no edges.
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
    /// The factor of the stiffness of each tetrahedron, if they differ.
    pub(crate) factors: Option<Vec<f64>>,
}

/// A fine surface carried by a body.
#[derive(Debug, Clone)]
pub struct Visual {
    /// The surface at the start, m.
    pub mesh: TriMesh,
    /// What its vertices are bound to.
    pub binding: Binding,
}

/// How the vertices of a fine surface follow the simulated ones.
#[derive(Debug, Clone, PartialEq)]
pub enum Binding {
    /// They have places in the tetrahedra of a solid.
    Tetrahedra(Embedding),
    /// They are those of the subdivided triangles of a cloth.
    Triangles(Refinement),
}

impl Binding {
    /// The vertices where those of the simulated mesh are at `coarse`, m.
    ///
    /// # Panics
    ///
    /// If `coarse` is not as long as the mesh's vertices.
    #[must_use]
    pub fn apply(&self, coarse: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        match self {
            Self::Tetrahedra(embedding) => embedding.apply(coarse),
            Self::Triangles(refinement) => refinement.apply(coarse),
        }
    }

    /// Interpolates a quantity from its values at the simulated vertices, in any unit. Outside of tetrahedra it is
    /// extrapolated.
    ///
    /// # Panics
    ///
    /// If `coarse` is not as long as the mesh's vertices.
    #[must_use]
    pub fn interpolate(&self, coarse: &[f64]) -> Vec<f64> {
        match self {
            Self::Tetrahedra(embedding) => embedding.interpolate(coarse),
            Self::Triangles(refinement) => refinement.interpolate(coarse),
        }
    }

    /// The simulated vertex that carries most of a vertex.
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn carrier(&self, vertex: usize) -> u32 {
        match self {
            Self::Tetrahedra(embedding) => {
                let all = embedding.vertices()[vertex].iter().zip(&embedding.weights()[vertex]);
                all.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(&v, _)| v)
            }
            Self::Triangles(refinement) => {
                let all = refinement.place(vertex).iter();
                all.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |&(v, _)| v)
            }
        }
    }
}
