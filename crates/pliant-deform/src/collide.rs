//! [`Collide`]: vertices inside another mesh leave it along their normals.
//!
//! From every vertex a ray of bounded length runs along the vertex normal, and the vertex moves to the
//! farthest point where it meets a collision mesh: skin comes out over the muscle that has grown through it.
//! A *pusher* does the opposite; its rays run against the normals, and the skin gives way inwards, as before
//! a finger. Normals are computed again between the two, and after them. Source: *Game Physics Pearls*
//! (2010), ch. 13.
//!
//! As published every meeting counts, and a limb that merely comes within reach catches the skin. The default
//! therefore checks the nearest meeting first: only where the ray comes *out* of the collider there is the
//! vertex inside. *Hazard.* Between one frame and the next a vertex may find another surface and jump: relax
//! and smooth after this deformer.

use nalgebra::Vector3;
use pliant_mesh::{Adjacency, TriMesh};
use rayon::prelude::*;

use crate::bvh::Bvh;
use crate::deformer::{Deformer, FrameTime, check_positions};
use crate::error::{BindError, DeformError, check_length};
use crate::normals::vertex_normals;
use crate::weld::Weld;

/// Moves the vertices of a collider: it is handed the time, s, and the positions, m, to be replaced.
pub type Animation = Box<dyn FnMut(f64, &mut [Vector3<f64>]) + Send>;

/// Which meetings of a ray and a collider count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Meetings {
    /// Those of vertices inside the collider: the ray's nearest meeting is one where it comes out. The
    /// collider should be closed, or a sheet that faces where the skin should be.
    #[default]
    FromInside,
    /// All, as published.
    Any,
}

/// A mesh that the skin must not be inside of.
pub struct Collider {
    mesh: TriMesh,
    pushes_in: bool,
    candidates: Option<Vec<u32>>,
    animation: Option<Animation>,
}

impl Collider {
    /// A mesh at rest over which the skin lies: it comes out along its normals.
    #[must_use]
    pub fn new(mesh: TriMesh) -> Self {
        Self { mesh, pushes_in: false, candidates: None, animation: None }
    }

    /// A mesh at rest that presses on the skin from outside: the skin gives way against its normals.
    #[must_use]
    pub fn pusher(mesh: TriMesh) -> Self {
        Self { pushes_in: true, ..Self::new(mesh) }
    }

    /// Only these vertices of the skin can meet it; all others are not tested.
    #[must_use]
    pub fn candidates(mut self, vertices: Vec<u32>) -> Self {
        self.candidates = Some(vertices);
        self
    }

    /// A collider that moves.
    #[must_use]
    pub fn animated(mut self, animation: Animation) -> Self {
        self.animation = Some(animation);
        self
    }
}

/// How to collide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CollideSettings {
    /// Length of the rays, m: how deep a vertex may be and still be found.
    pub reach: f64,
    /// Distance that vertices keep from the surface they were moved to, m.
    pub clearance: f64,
    /// Which meetings count.
    pub meetings: Meetings,
}

/// A collider with its precomputed data.
struct Prepared {
    bvh: Bvh,
    positions: Vec<Vector3<f64>>,
    /// Points that can meet it, ascending.
    candidates: Option<Vec<u32>>,
    pushes_in: bool,
    animation: Option<Animation>,
}

/// The collision deformer.
///
/// ```
/// use pliant_deform::{Collide, CollideSettings, Collider, Deformer, FrameTime, Meetings};
/// use pliant_mesh::TriMesh;
///
/// // A bulge of radius 1.05 m grows through a skin of radius 1 m.
/// let skin = TriMesh::icosphere(1.0, 8)?;
/// let muscle = Collider::new(TriMesh::icosphere(1.05, 8)?);
/// let settings = CollideSettings { reach: 0.2, clearance: 0.0, meetings: Meetings::FromInside };
/// let mut collide = Collide::new(&skin, vec![muscle], settings)?;
///
/// let mut x = skin.positions().to_vec();
/// collide.deform(&FrameTime::default(), &mut x)?;
/// assert!(x.iter().all(|p| p.norm() > 1.03));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Collide {
    weld: Weld,
    triangles: Vec<[u32; 3]>,
    around: Adjacency,
    colliders: Vec<Prepared>,
    settings: CollideSettings,
    normals: Vec<Vector3<f64>>,
}

/// Share of the reach within which going in and coming out are the same meeting.
const GRAZE: f64 = 1e-9;

/// Points that a thread takes at a time; rays cost more than sums.
const RAYS: usize = 256;

impl Collide {
    /// Lets a skin collide. Vertices in one place are welded.
    ///
    /// # Errors
    ///
    /// If the reach or the clearance is negative or not finite, or a candidate is not a vertex.
    pub fn new(
        skin: &TriMesh,
        colliders: Vec<Collider>,
        settings: CollideSettings,
    ) -> Result<Self, BindError> {
        check_length("the reach of rays", settings.reach)?;
        check_length("the clearance", settings.clearance)?;
        let weld = Weld::by_position(skin.positions());
        let points = weld.mesh(skin);
        let prepare = |collider: Collider| {
            let candidates = collider.candidates.map(|list| points_of(&list, &weld)).transpose()?;
            Ok(Prepared {
                bvh: Bvh::new(&collider.mesh),
                positions: collider.mesh.positions().to_vec(),
                candidates,
                pushes_in: collider.pushes_in,
                animation: collider.animation,
            })
        };
        let colliders = colliders.into_iter().map(prepare).collect::<Result<_, BindError>>()?;
        let around = points.triangles_at_vertices();
        let normals = vertex_normals(points.positions(), points.triangles(), &around);
        Ok(Self { triangles: points.triangles().to_vec(), around, colliders, settings, normals, weld })
    }

    /// The normals of the vertices after the last frame; see [`vertex_normals`].
    #[must_use]
    pub fn normals(&self) -> Vec<Vector3<f64>> {
        (0..self.weld.vertex_count()).map(|v| self.normals[self.weld.point_of(v) as usize]).collect()
    }

    /// Moves the colliders to a time, s.
    fn advance(&mut self, time: f64) -> Result<(), DeformError> {
        for collider in &mut self.colliders {
            if let Some(animation) = &mut collider.animation {
                animation(time, &mut collider.positions);
                let lost = collider.positions.iter().position(|p| !p.iter().all(|x| x.is_finite()));
                if let Some(vertex) = lost {
                    return Err(DeformError::NonFinite { what: "a collider".to_owned(), vertex });
                }
                collider.bvh.refit(&collider.positions);
            }
        }
        Ok(())
    }

    /// Moves points out of the colliders that push outwards, or inwards.
    fn push(&self, x: &mut [Vector3<f64>], normals: &[Vector3<f64>], inwards: bool) {
        let settings = self.settings;
        let mut farthest = vec![0.0_f64; x.len()];
        let direction = |point: usize| if inwards { -normals[point] } else { normals[point] };
        for collider in self.colliders.iter().filter(|c| c.pushes_in == inwards) {
            let bvh = &collider.bvh;
            let look = |point: usize| depth(bvh, &x[point], &direction(point), settings);
            match &collider.candidates {
                None => farthest
                    .par_iter_mut()
                    .with_min_len(RAYS)
                    .enumerate()
                    .for_each(|(point, far)| *far = far.max(look(point))),
                Some(points) => {
                    let found: Vec<f64> =
                        points.par_iter().with_min_len(RAYS).map(|&p| look(p as usize)).collect();
                    for (&point, depth) in points.iter().zip(found) {
                        let far = &mut farthest[point as usize];
                        *far = far.max(depth);
                    }
                }
            }
        }
        for (point, (x, far)) in x.iter_mut().zip(farthest).enumerate() {
            if far > 0.0 {
                *x += direction(point) * (far + settings.clearance);
            }
        }
    }
}

impl Deformer for Collide {
    fn kind(&self) -> &'static str {
        "collide"
    }

    fn vertex_count(&self) -> Option<usize> {
        Some(self.weld.vertex_count())
    }

    fn deform(&mut self, frame: &FrameTime, positions: &mut [Vector3<f64>]) -> Result<(), DeformError> {
        check_positions(positions, self.weld.vertex_count())?;
        self.advance(frame.time)?;
        let normals = self.weld.with_points(positions, |points| {
            let mut normals = vertex_normals(points, &self.triangles, &self.around);
            for inwards in [false, true] {
                if self.colliders.iter().any(|c| c.pushes_in == inwards) {
                    self.push(points, &normals, inwards);
                    normals = vertex_normals(points, &self.triangles, &self.around);
                }
            }
            normals
        });
        self.normals = normals;
        Ok(())
    }
}

/// How far a point has to go in a direction; 0 where it is free.
fn depth(bvh: &Bvh, from: &Vector3<f64>, direction: &Vector3<f64>, settings: CollideSettings) -> f64 {
    // A point without a normal has nowhere to go.
    if *direction == Vector3::zeros() {
        return 0.0;
    }
    let (mut entry, mut exit, mut farthest) = (f64::INFINITY, f64::INFINITY, 0.0_f64);
    bvh.visit(from, direction, settings.reach, |hit| {
        farthest = farthest.max(hit.distance);
        let nearest = if hit.exits { &mut exit } else { &mut entry };
        *nearest = nearest.min(hit.distance);
    });
    // A ray that only grazes an edge goes in and comes out there at once.
    let inside = exit < entry - GRAZE * settings.reach;
    match settings.meetings {
        Meetings::Any => farthest,
        Meetings::FromInside if inside => farthest,
        Meetings::FromInside => 0.0,
    }
}

/// The points behind some vertices, each once, ascending.
fn points_of(vertices: &[u32], weld: &Weld) -> Result<Vec<u32>, BindError> {
    let count = weld.vertex_count();
    let mut points = Vec::with_capacity(vertices.len());
    for (index, &vertex) in vertices.iter().enumerate() {
        if vertex as usize >= count {
            return Err(BindError::NoVertex { what: "candidate", index, vertex, vertices: count });
        }
        points.push(weld.point_of(vertex as usize));
    }
    points.sort_unstable();
    points.dedup();
    Ok(points)
}
