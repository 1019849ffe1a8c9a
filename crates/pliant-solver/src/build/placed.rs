//! [`Placed`]: a body and the particles that it became.

use std::borrow::Cow;
use std::ops::Range;

use pliant_mesh::{Hinges, unique_edges};

use crate::coarse::rigid::{RigidBody, vertex_normals};
use crate::describe::body::Body;
use crate::describe::body_shape::BodyShape;
use crate::describe::elasticity::Elasticity;
use crate::describe::material::Continuum;
use crate::describe::pin::{Pin, Selection};
use crate::error::BuildError;
use crate::error::body::{BodyError, BodyPart, BodyProblem};
use crate::error::pin::PinError;
use crate::set::guard::GuardedTet;

/// A body and the particles that it became.
pub(crate) struct Placed<'a> {
    /// Its number, in the order in which bodies were added.
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) body: &'a Body,
    pub(crate) particles: Range<usize>,
    /// Inverse masses of its vertices when nothing pins them, 1/kg.
    pub(crate) inverse_masses: Vec<f64>,
}

impl Placed<'_> {
    /// Number of the first particle; all numbers were checked to fit.
    #[allow(clippy::cast_possible_truncation, reason = "the number of particles was checked")]
    pub(crate) fn first(&self) -> u32 {
        self.particles.start as u32
    }

    /// Elements in the numbering of the particles. An owned list is not copied.
    pub(crate) fn shift<'a, const N: usize>(
        &self,
        elements: impl Into<Cow<'a, [[u32; N]]>>,
    ) -> Vec<[u32; N]> {
        let mut elements = elements.into().into_owned();
        let first = self.first();
        if first > 0 {
            elements.iter_mut().flatten().for_each(|v| *v += first);
        }
        elements
    }

    /// The pin in the numbering of the particles.
    pub(crate) fn place_pin(&self, pin: usize, spec: &Pin) -> Result<Pin, BuildError> {
        let positions = self.body.initial();
        let vertices = spec.resolve(positions);
        if let Some(problem) = spec.problem(&vertices, positions) {
            return Err(PinError { body: Some(self.number), name: self.name.clone(), pin, problem }.into());
        }
        let first = self.first();
        let selection = Selection::Vertices(vertices.into_iter().map(|v| v + first).collect());
        Ok(Pin { selection, ..spec.clone() })
    }

    /// The triangles of the surface, in the numbering of the mesh: all of cloth, the boundary of a solid.
    pub(crate) fn surface(&self) -> Vec<[u32; 3]> {
        self.body.shape.surface()
    }

    /// Half of the distance that the surface keeps from others, m.
    pub(crate) fn contact_radius(&self) -> Result<f64, BuildError> {
        let given = self.body.contact_radius;
        if given > 0.0 {
            return Ok(given);
        }
        let (edges, x) = match &self.body.skin {
            Some(skin) => (unique_edges(skin.triangles()), skin.positions()),
            None => (self.surface_edges(), self.body.positions()),
        };
        let length: f64 = edges.iter().map(|&[a, b]| (x[b as usize] - x[a as usize]).norm()).sum();
        let mean = length / edges.len().max(1) as f64;
        if mean > 0.0 { Ok(0.1 * mean) } else { Err(self.fault(BodyPart::Collision, BodyProblem::NoExtent)) }
    }

    /// The edges of the surface, in the numbering of the mesh.
    pub(crate) fn surface_edges(&self) -> Vec<[u32; 2]> {
        unique_edges(&self.surface())
    }

    /// The vertices of the surface, ascending, in the numbering of the mesh.
    pub(crate) fn surface_vertices(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.surface().into_iter().flatten().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Tetrahedra of a law whose energy does not detect inversion, as particles, with their volumes at rest, m³.
    pub(crate) fn silent_tets(&self) -> Vec<([u32; 4], f64)> {
        match (&self.body.shape, &self.body.continuum) {
            (BodyShape::Solid(mesh, _), Some(continuum))
                if !continuum.knows_inversion() && self.body.volume.is_none() =>
            {
                let volumes = (0..mesh.tets().len()).map(|t| mesh.tet_volume(t));
                self.shift(mesh.tets()).into_iter().zip(volumes).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Tetrahedra that the guard keeps open, as particles, except those that are flat at rest. Rigid edges
    /// together with volumes need no guard: they leave an element no other shape.
    pub(crate) fn guarded_tets(&self) -> impl Iterator<Item = GuardedTet> + '_ {
        let stiff_frame = self.has_rigid_edges() && self.body.volume_or_default().is_some();
        let mesh = match &self.body.shape {
            BodyShape::Solid(mesh, _) if !stiff_frame => Some(mesh),
            BodyShape::Solid(..) | BodyShape::Cloth(..) => None,
        };
        let softens = self.body.continuum.as_ref().is_some_and(Continuum::softens);
        mesh.into_iter().flat_map(move |mesh| {
            (0..mesh.tets().len()).filter_map(move |t| {
                let vertices = mesh.tets()[t].map(|v| v + self.first());
                GuardedTet::new(vertices, &mesh.corners(t), softens)
            })
        })
    }

    /// Whether its edges keep their lengths.
    fn has_rigid_edges(&self) -> bool {
        self.body.stretch_or_default() == Some(Elasticity::default())
    }

    /// The data of the body for coarse levels, if its edges keep their lengths.
    pub(crate) fn rigid(&self) -> Option<RigidBody> {
        self.has_rigid_edges().then(|| RigidBody {
            first: self.first(),
            rest: self.body.positions().to_vec(),
            edges: self.body.edges(),
            normals: match &self.body.shape {
                BodyShape::Cloth(mesh, _) => Some(vertex_normals(mesh.positions(), mesh.triangles())),
                BodyShape::Solid(..) => None,
            },
        })
    }

    pub(crate) fn hinges(&self) -> Option<Hinges> {
        match &self.body.shape {
            BodyShape::Cloth(mesh, _) => Some(mesh.hinges()),
            BodyShape::Solid(..) => None,
        }
    }

    /// An error of the body.
    pub(crate) fn fault(&self, part: BodyPart, problem: impl Into<BodyProblem>) -> BuildError {
        let (body, name) = (self.number, self.name.clone());
        BodyError { body, name, part, problem: problem.into() }.into()
    }
}
