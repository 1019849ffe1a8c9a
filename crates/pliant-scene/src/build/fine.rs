//! [`FineSurfaces`]: where the surfaces of a scene are drawn, and whether they cross there.
//!
//! The smooth surface of a cloth leaves its triangles by about an eighth of the square of an edge times the curvature, so
//! that two layers which lie on each other may cross where their triangles do not. Then the vertices of what crosses are
//! drawn in the triangles themselves, and their neighbours half-way, until nothing crosses but what crosses in the
//! simulation too: at worst all of it is flat. Crossings are found by the exact count that certificates use.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::{Adjacency, Surface, TriMesh};
use pliant_solver::{Body, Compliance, Meetings, Simulation};

use super::collide::collide;
use super::seam_ties::{self, Sewn};
use super::{Binding, BuiltBody};
use crate::model::{BodyModel, Bounded, SceneModel};

/// The surfaces of the bodies of a scene as they are drawn: fine ones where they have some.
#[derive(Debug)]
pub struct FineSurfaces {
    bodies: Vec<Drawn>,
    /// The drawn surfaces of the bodies that collide, if a fine cloth is among them.
    meetings: Option<Meetings>,
    /// For each body the edges of its drawn surface along which it is sewn.
    seams: Vec<Vec<[u32; 2]>>,
}

/// What is drawn of a body.
#[derive(Debug)]
struct Drawn {
    /// Its particles in the simulation.
    particles: Range<usize>,
    surface: Shape,
    /// Its points in the numbering of the meetings.
    points: Range<usize>,
}

#[derive(Debug)]
enum Shape {
    /// Neither fine, nor met by anything that is.
    Other,
    Simulated,
    Boundary(Surface),
    /// The fine surface, and for cloth the neighbours of every vertex.
    Fine(Box<Binding>, Option<Adjacency>),
}

/// Where the surfaces of a scene are drawn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FinePlaces {
    /// For every body the vertices of its fine surface, m; none if it has none.
    pub surfaces: Vec<Option<Vec<Vector3<f64>>>>,
    /// Number of edges and triangles of the drawn surfaces of bodies that collide which cross; none if no cloth with a
    /// fine surface collides, or a position is not finite.
    pub intersections: Option<usize>,
    /// Vertices of fine cloth that are drawn in its triangles because the smooth surface would cross there.
    pub flattened: usize,
}

/// The contact radius of a body that has none of its own, as a share of the mean length of its edges.
const THICKNESS: f64 = 0.1;
/// A vertex on the smooth surface, half-way, and in the triangle.
const SMOOTH: u8 = 2;
const HALF: u8 = 1;
const FLAT: u8 = 0;

impl FineSurfaces {
    /// Those of the bodies of a scene; the remark says why crossings are not counted.
    pub(super) fn of(model: &SceneModel, bodies: &[BuiltBody], seams: &[Sewn]) -> (Self, Option<String>) {
        let is_fine = |(body, model): (&BuiltBody, &BodyModel)| {
            model.meets().is_some()
                && matches!(&body.visual, Some(visual) if matches!(visual.binding, Binding::Triangles(_)))
        };
        let is_counted = bodies.iter().zip(&model.bodies).any(is_fine);
        let mut drawn = Vec::with_capacity(bodies.len());
        let mut next = 0;
        for body in bodies {
            let (surface, len) = match (&body.visual, &body.mesh) {
                (Some(visual), _) => {
                    let len = visual.mesh.positions().len();
                    let around =
                        matches!(visual.binding, Binding::Triangles(_)).then(|| visual.mesh.neighbours());
                    (Shape::Fine(Box::new(visual.binding.clone()), around), len)
                }
                (None, _) if !is_counted => (Shape::Other, 0),
                (None, Mesh::Tri(mesh)) => (Shape::Simulated, mesh.positions().len()),
                (None, Mesh::Tet(mesh)) => {
                    let surface = mesh.surface();
                    let len = surface.vertex_of.len();
                    (Shape::Boundary(surface), len)
                }
            };
            drawn.push(Drawn { particles: body.particles.clone(), surface, points: next..next + len });
            next += len;
        }
        let lines = seam_ties::lines(seams, bodies);
        if !is_counted {
            return (Self { bodies: drawn, meetings: None, seams: lines }, None);
        }
        let mut builder = Simulation::builder();
        for ((body, drawn), of_scene) in bodies.iter().zip(&drawn).zip(&model.bodies) {
            let mesh: TriMesh = match (&body.visual, &drawn.surface, &body.mesh) {
                (Some(visual), ..) => visual.mesh.clone(),
                (_, Shape::Boundary(surface), _) => surface.mesh.clone(),
                (_, _, Mesh::Tri(mesh)) => mesh.clone(),
                (_, _, Mesh::Tet(_)) => unreachable!("a solid is drawn by its boundary"),
            };
            let cloth = Body::cloth(mesh).name(body.name.clone()).stretch(Compliance::new(1.0));
            let radius = of_scene
                .contact_radius
                .map_or_else(|| THICKNESS * body.mean_edge().unwrap_or_default(), Bounded::get);
            builder = builder.body(collide(of_scene, model, cloth.contact_radius(radius)));
        }
        for stitch in seam_ties::all(seams, bodies) {
            builder = builder.stitch(stitch);
        }
        match builder.meetings() {
            Ok(meetings) => (Self { bodies: drawn, meetings, seams: lines }, None),
            Err(error) => {
                let remark =
                    format!("crossings of its fine surface are neither counted nor avoided: {error}");
                (Self { bodies: drawn, meetings: None, seams: lines }, Some(remark))
            }
        }
    }

    /// Whether there is a fine surface.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.bodies.iter().any(|body| matches!(body.surface, Shape::Fine(..)))
    }

    /// Whether crossings are counted.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.meetings.is_some()
    }

    /// The edges of the drawn surface of a body along which its vertices are sewn to others.
    #[must_use]
    pub fn seams(&self, body: usize) -> &[[u32; 2]] {
        self.seams.get(body).map_or(&[], Vec::as_slice)
    }

    /// The drawn surfaces of the bodies that collide and the points of every body in them, in order; none if crossings
    /// are not [counted](Self::is_counted).
    #[must_use]
    pub fn into_meetings(self) -> Option<(Meetings, Vec<Range<usize>>)> {
        let points = self.bodies.into_iter().map(|body| body.points).collect();
        self.meetings.map(|meetings| (meetings, points))
    }

    /// The surfaces where all particles of the simulation are at `positions`, m.
    ///
    /// # Panics
    ///
    /// If there are fewer positions than particles.
    #[must_use]
    pub fn place(&self, positions: &[Vector3<f64>]) -> FinePlaces {
        let mut all: Vec<Vector3<f64>> = Vec::new();
        for body in &self.bodies {
            let x = &positions[body.particles.clone()];
            match &body.surface {
                Shape::Other => {}
                Shape::Simulated => all.extend(x),
                Shape::Boundary(surface) => all.extend(surface.gather(x)),
                Shape::Fine(binding, _) => all.extend(binding.apply(x)),
            }
        }
        let (intersections, flattened) = self.part(positions, &mut all);
        let of_body =
            |body: &Drawn| matches!(body.surface, Shape::Fine(..)).then(|| all[body.points.clone()].to_vec());
        FinePlaces { surfaces: self.bodies.iter().map(of_body).collect(), intersections, flattened }
    }

    /// Draws flat what crosses, and counts what still does; also the vertices that are flat.
    fn part(&self, positions: &[Vector3<f64>], all: &mut [Vector3<f64>]) -> (Option<usize>, usize) {
        let Some(meetings) = &self.meetings else { return (None, 0) };
        let smooth = all.to_vec();
        let mut levels = vec![SMOOTH; all.len()];
        loop {
            let Ok(crossings) = meetings.crossings(all) else { return (None, 0) };
            let surface = meetings.surface();
            let mut crossed: Vec<u32> = Vec::with_capacity(5 * crossings.len());
            for crossing in &crossings {
                crossed.extend(surface.edges()[crossing.edge as usize]);
                crossed.extend(surface.triangles()[crossing.triangle as usize]);
            }
            crossed.sort_unstable();
            crossed.dedup();
            let mut changed = false;
            for body in &self.bodies {
                let Shape::Fine(binding, Some(around)) = &body.surface else { continue };
                let Binding::Triangles(refinement) = &**binding else { continue };
                let first = body.points.start;
                let mine = crossed.iter().map(|&v| v as usize).filter(|v| body.points.contains(v));
                let mut lowered = false;
                for v in mine.filter(|&v| levels[v] > FLAT).collect::<Vec<_>>() {
                    levels[v] = FLAT;
                    for &q in around.row(v - first) {
                        let level = &mut levels[first + q as usize];
                        *level = (*level).min(HALF);
                    }
                    lowered = true;
                }
                if lowered {
                    changed = true;
                    let flat = refinement.flat(&positions[body.particles.clone()]);
                    for (v, flat) in body.points.clone().zip(flat) {
                        match levels[v] {
                            SMOOTH => {}
                            HALF => all[v] = 0.5 * (smooth[v] + flat),
                            _ => all[v] = flat,
                        }
                    }
                }
            }
            if !changed {
                return (Some(crossings.len()), levels.iter().filter(|&&level| level == FLAT).count());
            }
        }
    }
}

#[cfg(test)]
mod tests;
