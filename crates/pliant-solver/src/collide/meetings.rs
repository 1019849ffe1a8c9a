//! [`Meetings`]: what touches and what crosses, for programs that have positions and no simulation.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use nalgebra::Vector3;
use pliant_contact::{
    Crossing, CrossingCounter, CrossingError, DetectError, Detector, Mask, Paths, Rules, Surface, Ties,
    vertex_triangle,
};

use super::collider::Collider;
use super::crossed::that_count;
use super::meeting::{Meeting, extended};
use super::skin::Carried;
use crate::error::BuildError;

/// The surfaces of bodies that may meet, and the rules by which they do: those of a simulation of the same bodies.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Collide, Compliance, Simulation};
///
/// let sheet = |height| {
///     let mesh = TriMesh::grid([4, 4], [0.2, 0.2]).unwrap().translated([0.0, height, 0.0]).unwrap();
///     Body::cloth(mesh).stretch(Compliance::new(1e-6)).contact_radius(0.002).collide(Collide::new())
/// };
/// let builder = Simulation::builder().body(sheet(0.0)).body(sheet(0.1));
/// let meetings = builder.meetings()?.expect("both collide");
///
/// // The upper sheet comes down to one and a half times the distance of 4 mm that the two keep.
/// let mut x: Vec<_> = [0.0, 0.006]
///     .into_iter()
///     .flat_map(|y| (0..16).map(move |i| [0.05 * f64::from(i % 4), y, 0.05 * f64::from(i / 4)].into()))
///     .collect();
/// assert!(meetings.nearness(&x)?.iter().all(|near| (near - 0.5).abs() < 1e-9));
/// assert_eq!(meetings.crossings(&x)?, []);
/// // A corner of it goes through the other one.
/// x[16].y = -0.001;
/// assert!(!meetings.crossings(&x)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Meetings {
    surface: Surface,
    colliders: Vec<Collider>,
    radii: Vec<f64>,
    masks: Vec<Mask>,
    ties: Ties,
    /// Of particles, and behind them of vertices of skins.
    rest: Vec<Vector3<f64>>,
    skins: Vec<Carried>,
    counter: Mutex<CrossingCounter>,
}

impl Meetings {
    pub(crate) fn new(meeting: Meeting) -> Result<Self, BuildError> {
        let surface = meeting.surface()?;
        let Meeting { colliders, rest, skins, ties, .. } = meeting;
        let radii = colliders.iter().map(|body| body.radius).collect();
        let masks = colliders.iter().map(Collider::mask).collect();
        Ok(Self {
            surface,
            radii,
            masks,
            ties: Ties::new(&ties),
            rest,
            skins,
            colliders,
            counter: Mutex::default(),
        })
    }

    /// The triangles of the bodies that collide, in the order in which they were given, over the particles of
    /// all bodies and, behind them, the vertices of their [skins](crate::Body::skin).
    #[must_use]
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The positions of all particles, m, and behind them those of the vertices of skins.
    fn extended<'a>(&self, positions: &'a [Vector3<f64>]) -> Cow<'a, [Vector3<f64>]> {
        // A wrong number of positions is an error of what follows.
        extended(positions, if positions.len() == self.particles() { &self.skins } else { &[] })
    }

    /// The points of the surface of a body by its name, ascending, none if no such body collides. Those of a
    /// body that collides by its boundary are particles; those of a [skin](crate::Body::skin) are numbered
    /// from [`particles`](Self::particles) on.
    #[must_use]
    pub fn points_of(&self, body: &str) -> Vec<u32> {
        let place = self.colliders.iter().position(|collider| collider.name == body);
        let is_of = |v: &u32| place.is_some_and(|place| self.surface.body_at(*v) as usize == place);
        self.surface.vertices().iter().copied().filter(is_of).collect()
    }

    /// Whether a body collides by a [skin](crate::Body::skin).
    #[must_use]
    pub fn is_skin(&self, body: &str) -> bool {
        let collider = self.colliders.iter().find(|collider| collider.name == body);
        collider.is_some_and(|collider| collider.first >= self.particles())
    }

    /// The name of the body of a point of the surface; none if there is no such point.
    #[must_use]
    pub fn body_of(&self, point: u32) -> Option<&str> {
        self.surface.body_of(point).map(|body| self.colliders[body as usize].name.as_str())
    }

    /// Number of particles of all bodies.
    #[must_use]
    pub fn particles(&self) -> usize {
        self.rest.len() - self.skins.len()
    }

    /// The edges that cross triangles, of bodies that meet and where nothing is sewn together: what
    /// [`Tally::intersections`](crate::Tally::intersections) counts, at these positions of all particles, m,
    /// with or without those of the vertices of skins behind them.
    ///
    /// # Errors
    ///
    /// [`CrossingError`] for a wrong number of positions and for those that are not finite.
    pub fn crossings(&self, positions: &[Vector3<f64>]) -> Result<Vec<Crossing>, CrossingError> {
        let mut counter = self.counter.lock().unwrap_or_else(PoisonError::into_inner);
        let found = counter.find(&self.surface, &self.extended(positions))?;
        Ok(that_count(found, &self.surface, &self.colliders, &self.ties))
    }

    /// How near every particle is to the nearest triangle that it may meet, at these positions of all
    /// particles, m: 1 at the distance that the two keep, which is the sum of their contact radii, and below;
    /// 0 at twice that distance and beyond; linear between. NaN for particles of which no body that collides
    /// has a triangle.
    ///
    /// Vertices of [skins](crate::Body::skin) follow the particles.
    ///
    /// What rests nearer than twice that distance to another part of its own body is always near it, and does
    /// not count.
    ///
    /// # Errors
    ///
    /// [`DetectError`] for a wrong number of positions and for those that are not finite.
    pub fn nearness(&self, positions: &[Vector3<f64>]) -> Result<Vec<f64>, DetectError> {
        let positions = &*self.extended(positions);
        let steps = vec![Vector3::zeros(); self.rest.len()];
        let paths = Paths { positions, steps: &steps, rest: Some(&self.rest), halts: None, may_turn: false };
        // As far beyond the distance that two bodies keep as that is at most; edges have no say.
        let slack = 2.0 * self.radii.iter().copied().fold(0.0, f64::max);
        let (radii, masks, ties) = (&self.radii, &self.masks, &self.ties);
        let rules =
            Rules { radii, slack, horizon: 1, edge_share: 0.0, edge_leeway: 0.0, masks, held: &[], ties };
        let mut detector = Detector::default();
        detector.detect(&self.surface, &paths, &rules)?;
        let mut nearness = vec![f64::NAN; self.rest.len()];
        for &v in self.surface.vertices() {
            nearness[v as usize] = 0.0;
        }
        for pair in detector.vertex_triangle() {
            let [a, b] = [pair.points[0], pair.points[1]].map(|v| self.surface.body_at(v) as usize);
            let whole = self.radii[a] + self.radii[b];
            let [p, corners @ ..] = pair.points.map(|v| self.rest[v as usize]);
            let rests_near = || vertex_triangle(&p, &corners).distance() < 2.0 * whole;
            if whole > 0.0 && !(a == b && rests_near()) {
                let near = (2.0 - pair.distance / whole).clamp(0.0, 1.0);
                let known = &mut nearness[pair.points[0] as usize];
                *known = known.max(near);
            }
        }
        Ok(nearness)
    }
}

#[cfg(test)]
mod tests {
    use pliant_constraints::stitch::VertexVertexStitch;
    use pliant_mesh::TriMesh;

    use super::*;
    use crate::{Body, Collide, Compliance, Pairs, Simulation, SimulationBuilder, Stitch};

    /// A level sheet of 0.3 m with edges of 0.1 m.
    fn sheet(name: &str, height: f64) -> Body {
        let mesh = TriMesh::grid([4, 4], [0.3, 0.3]).unwrap().translated([0.0, height, 0.0]).unwrap();
        Body::cloth(mesh).name(name).stretch(Compliance::new(1e-6)).contact_radius(0.005)
    }

    /// Where they start.
    fn start(builder: &SimulationBuilder) -> Vec<Vector3<f64>> {
        let simulation: Simulation<f64> = builder.clone().build_as().unwrap();
        simulation.positions()
    }

    #[test]
    fn only_those_that_meet_are_near_or_cross() {
        let alone = Collide::new().in_groups(2).hits(2);
        for (other, near) in [(Collide::new(), 0.8), (alone, 0.0)] {
            let builder = Simulation::builder()
                .body(sheet("a", 0.0).collide(Collide::new()))
                .body(sheet("ghost", 0.001))
                .body(sheet("b", 0.012).collide(other));
            let mut x = start(&builder);
            let meetings = builder.meetings().unwrap().unwrap();
            let found = meetings.nearness(&x).unwrap();
            assert!(found[..16].iter().chain(&found[32..]).all(|value| (value - near).abs() < 1e-9));
            assert!(
                found[16..32].iter().all(|value| value.is_nan()),
                "what does not collide is near to nothing"
            );
            x[32].y = -0.01;
            assert_eq!(meetings.crossings(&x).unwrap().is_empty(), near == 0.0);
        }
        assert!(Simulation::builder().body(sheet("ghost", 0.0)).meetings().unwrap().is_none());
    }

    #[test]
    fn what_is_sewn_may_cross_and_a_thick_sheet_is_not_near_itself() {
        let builder = || {
            Simulation::builder()
                .body(sheet("a", 0.0).collide(Collide::new()).contact_radius(0.08))
                .body(sheet("b", 0.4).collide(Collide::new()))
        };
        let x = start(&builder());
        let meetings = builder().meetings().unwrap().unwrap();
        assert_eq!(meetings.nearness(&x).unwrap(), vec![0.0; 32]);

        let mut crossed = x;
        crossed[16] = Vector3::new(0.0, -0.05, 0.0);
        let count = |builder: SimulationBuilder| {
            builder.meetings().unwrap().unwrap().crossings(&crossed).unwrap().len()
        };
        let all: Vec<_> = (0..16).flat_map(|a| (0..16).map(move |b| [a, b])).collect();
        let stitch = Stitch::vertices("a", "b", Pairs::listed(all), [VertexVertexStitch::default()]);
        let sewn = builder().stitch(stitch);
        assert!(count(builder()) > 0);
        assert_eq!(count(sewn), 0);
    }
}
