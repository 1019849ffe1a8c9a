//! Where bodies go before they meet anything: pinned ones stay, the others fly and fall until an obstacle is under them, and end there.
//!
//! Bodies are boxes here, and obstacles stand where they start. A sheet swings and a ball rolls; this sees neither.

use nalgebra::Vector3;
use pliant_mesh::Aabb;
use pliant_solver::Float;

use crate::build::Built;
use crate::load::Scene;
use crate::model::ObstacleModel;

/// The flight of a body.
pub(super) struct Flight {
    bounds: Aabb,
    velocity: Vector3<f64>,
    gravity: Vector3<f64>,
    /// Whether a pin holds it.
    held: bool,
    /// When an obstacle is reached along gravity, s: infinite where none is.
    end: f64,
}

/// The flights of all bodies; none if a body has no vertices.
pub(super) fn flights<T: Float>(scene: &Scene, built: &Built<T>) -> Option<Vec<Flight>> {
    let gravity = built.simulation.settings().gravity;
    let of = |(model, body): (&crate::model::BodyModel, &crate::build::BuiltBody)| {
        let bounds = Aabb::of_points(body.mesh.positions())?;
        let velocity = Vector3::from(model.velocity.unwrap_or_default());
        let room = room(&bounds, &gravity, &scene.model.obstacles);
        let end = end(&velocity, &gravity, room);
        Some(Flight {
            bounds,
            velocity,
            gravity,
            held: !model.pins.is_empty() || model.obstacle == Some(true),
            end,
        })
    };
    scene.model.bodies.iter().zip(&built.bodies).map(of).collect()
}

impl Flight {
    /// The box at a time, s.
    pub(super) fn at(&self, time: f64) -> Aabb {
        if self.held {
            return self.bounds;
        }
        let time = time.min(self.end);
        let path = self.velocity * time + self.gravity * (0.5 * time * time);
        Aabb { min: self.bounds.min + path, max: self.bounds.max + path }
    }

    /// Time, s, and speed, m/s, of the arrival at an obstacle; none for a body that is held or falls on.
    pub(super) fn arrival(&self) -> Option<(f64, f64)> {
        let speed = (self.velocity + self.gravity * self.end).norm();
        (!self.held && self.end.is_finite()).then_some((self.end, speed))
    }
}

/// The time of a fall over some height from an initial velocity, s.
fn end(velocity: &Vector3<f64>, gravity: &Vector3<f64>, room: f64) -> f64 {
    let g = gravity.norm();
    if g <= 0.0 || !room.is_finite() {
        return f64::INFINITY;
    }
    let down = velocity.dot(gravity) / g;
    ((down * down + 2.0 * g * room).sqrt() - down) / g
}

/// How far a box can go along gravity until it is at an obstacle, m: infinite where nothing is below.
fn room(bounds: &Aabb, gravity: &Vector3<f64>, obstacles: &[ObstacleModel]) -> f64 {
    let axis = gravity.iamax();
    let down = gravity[axis].signum();
    let front = if down < 0.0 { bounds.min[axis] } else { bounds.max[axis] };
    let beside = |min: f64, max: f64, k: usize| bounds.max[k] < min || bounds.min[k] > max;
    let to = |obstacle: &ObstacleModel| -> Option<f64> {
        if let Some(plane) = &obstacle.plane {
            let (normal, point) = (Vector3::from(plane.normal), Vector3::from(plane.point));
            let against = -normal[axis] * down;
            // The corner that arrives first.
            let corner = Vector3::from_fn(|k, _| if normal[k] > 0.0 { bounds.min[k] } else { bounds.max[k] });
            return (against > 0.0).then(|| (corner - point).dot(&normal) / against);
        }
        let (min, max) = if let Some(ball) = &obstacle.sphere {
            let centre = Vector3::from(ball.centre);
            (centre.add_scalar(-ball.radius), centre.add_scalar(ball.radius))
        } else if let Some(solid) = &obstacle.solid_box {
            (Vector3::from(solid.min), Vector3::from(solid.max))
        } else if let Some(walls) = &obstacle.container {
            let wall = if down < 0.0 { walls.min[axis] } else { walls.max[axis] };
            return Some((wall - front) * down);
        } else {
            let height = obstacle.floor.as_ref().map_or(0.0, |floor| floor.height);
            return (axis == 1 && down < 0.0).then_some(front - height);
        };
        let missed = (0..3).filter(|&k| k != axis).any(|k| beside(min[k], max[k], k));
        let face = if down < 0.0 { max[axis] } else { min[axis] };
        let gap = (face - front) * down;
        // What is behind is not in the way.
        (!missed && gap >= 0.0).then_some(gap)
    };
    obstacles.iter().filter_map(to).map(|gap| gap.max(0.0)).fold(f64::INFINITY, f64::min)
}
