//! Obstacles that vertices miss: smaller than the elements of a body, or thinner than the distance that
//! something moves in a substep.
//!
//! Only vertices collide with an obstacle, at the ends of substeps. One that is narrower than an element fits
//! between them, and one that moves by more than its thickness in a substep, or that something falls on that
//! fast, is on the other side before it was met.

use nalgebra::Vector3;
use pliant_solver::{Float, Keyframe, Motion, Obstacle, Shape};

use super::flight::{Flight, flights};
use super::{Number, Remark, RemarkKind};
use crate::build::Built;
use crate::load::Scene;
use crate::model::{Bounded, Steps};

/// The size of an obstacle from which it is met, as a share of the mean edge of the finest body.
const NARROW: f64 = 0.5;
/// The displacement in a substep that is advised, as a share of the thickness or of an edge.
const ADVISED: f64 = 0.5;

/// The finest body, and how fast bodies get.
struct Bodies {
    /// Mean edge of the finest body, m.
    edge: f64,
    /// The least gap that a body keeps, m.
    radius: f64,
    /// The largest speed at the start or at an arrival, m/s.
    speed: f64,
}

impl Bodies {
    fn of<T: Float>(scene: &Scene, built: &Built<T>) -> Option<Self> {
        let moving = || {
            let bodies = scene.model.bodies.iter().zip(&built.bodies);
            bodies.filter(|(model, _)| model.obstacle != Some(true))
        };
        let edge = moving().filter_map(|(_, body)| body.mean_edge()).fold(f64::INFINITY, f64::min);
        let radius = moving().map(|(model, _)| model.contact_radius.map_or(0.0, Bounded::get));
        let starts = moving().map(|(model, _)| Vector3::from(model.velocity.unwrap_or_default()).norm());
        let duration = f64::from(scene.model.frames) * scene.time_step();
        let flights = flights(scene, built).unwrap_or_default();
        let arrivals = flights.iter().filter_map(Flight::arrival).filter(|(time, _)| *time < duration);
        let speed = starts.chain(arrivals.map(|(_, speed)| speed)).fold(0.0, f64::max);
        edge.is_finite().then(|| Self { edge, radius: radius.fold(f64::INFINITY, f64::min), speed })
    }
}

pub(super) fn obstacles<T: Float>(scene: &Scene, built: &Built<T>) -> Vec<Remark> {
    let Some(bodies) = Bodies::of(scene, built) else { return Vec::new() };
    let substeps = f64::from(built.simulation.settings().substeps);
    let h = scene.time_step() / substeps;
    let end = f64::from(scene.model.frames) * scene.time_step();
    let of = |(i, obstacle): (usize, &Obstacle)| {
        narrow(i, obstacle, &bodies).or_else(|| fast(i, obstacle, &bodies, [substeps, h, end]))
    };
    built.obstacles.iter().enumerate().filter_map(of).collect()
}

fn remark(numbers: Vec<Number>, what: String, remedy: String) -> Remark {
    Remark { kind: RemarkKind::Obstacle, bodies: Vec::new(), part: None, numbers, what, remedy }
}

fn narrow(i: usize, obstacle: &Obstacle, bodies: &Bodies) -> Option<Remark> {
    let size = match &obstacle.shape {
        Shape::HeightField(ground) => {
            let size = ground.bounds().size();
            size.x.min(size.z)
        }
        // Of a plate the edges count as well, but only its faces are met in most scenes.
        shape => {
            let mut size = shape.bounds()?.size();
            size.as_mut_slice().sort_by(f64::total_cmp);
            size.y
        }
    };
    let width = size + 2.0 * bodies.radius;
    (width < NARROW * bodies.edge).then(|| {
        remark(
            vec![
                Number { name: "width", value: width, unit: "m" },
                Number { name: "edge", value: bodies.edge, unit: "m" },
            ],
            format!(
                "obstacle {} is {width:.1e} m wide, and the edges of the finest body are {:.1e} m long: only \
                vertices collide, so it may pass between them",
                i + 1,
                bodies.edge
            ),
            "Use a finer mesh, a larger `contact_radius` or a larger obstacle; or make it a body with \
            `obstacle = true`, whose surface collides with surfaces"
                .to_owned(),
        )
    })
}

fn fast(i: usize, obstacle: &Obstacle, bodies: &Bodies, [substeps, h, end]: [f64; 3]) -> Option<Remark> {
    let own = moved_by(obstacle, h, end);
    let thickness = obstacle.shape.thickness().map(|thickness| thickness + 2.0 * bodies.radius);
    let way = own + bodies.speed * h;
    let (name, limit, moved, what) = match thickness.filter(|thickness| way > *thickness) {
        Some(thickness) => {
            let what = format!(
                "obstacle {} is {thickness:.1e} m thick, and it and the bodies move past each other by {way:.1e} m \
                in a substep: vertices may go through it",
                i + 1
            );
            ("thickness", thickness, way, what)
        }
        None if own > bodies.edge => {
            let what = format!(
                "obstacle {} moves by {:.1} edges of the finest body in a substep, and throws what it meets",
                i + 1,
                own / bodies.edge
            );
            ("edge", bodies.edge, own, what)
        }
        None => return None,
    };
    let wanted = (substeps * moved / limit / ADVISED).ceil();
    let slower = "make the obstacle slower or thicker";
    let remedy = if wanted <= f64::from(Steps::LARGEST) {
        format!("Use {wanted} substeps, or {slower}")
    } else {
        format!("Even the largest number of substeps is not enough: {slower}")
    };
    let numbers = [(name, limit), ("way", moved)].map(|(name, value)| Number { name, value, unit: "m" });
    Some(remark(numbers.to_vec(), what, remedy))
}

/// The farthest that a point of an obstacle moves in a substep of `h`, s, before `end`, s: m.
fn moved_by(obstacle: &Obstacle, h: f64, end: f64) -> f64 {
    let corners = obstacle.shape.bounds().map(|bounds| [bounds.min, bounds.max]);
    let arm =
        |pivot: &Vector3<f64>| corners.map_or(0.0, |[a, b]| (a - pivot).abs().sup(&(b - pivot).abs()).norm());
    match &obstacle.motion {
        Motion::Fixed | Motion::Samples(_) => 0.0,
        Motion::Velocity { linear, angular, pivot } => h * (linear.norm() + angular.norm() * arm(pivot)),
        Motion::Keyframes { pivot, keys } => {
            let piece = |pair: &[Keyframe]| {
                let (a, b) = (&pair[0], &pair[1]);
                let way =
                    (b.translation - a.translation).norm() + (b.rotation - a.rotation).norm() * arm(pivot);
                if a.time < end { way * (h / (b.time - a.time)).min(1.0) } else { 0.0 }
            };
            keys.windows(2).map(piece).fold(0.0, f64::max)
        }
    }
}
