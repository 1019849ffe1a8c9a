//! The paths of bodies before they meet anything: pinned bodies stay, the others fly and fall until they
//! reach an obstacle, and end there.
//!
//! Bodies are boxes here, and obstacles stay where they start. Swinging and rolling are ignored.

use nalgebra::Vector3;
use pliant_mesh::Aabb;
use pliant_solver::{Float, Obstacle, Shape};

use crate::build::Built;
use crate::load::Scene;

/// The flight of a body.
pub(super) struct Flight {
    bounds: Aabb,
    velocity: Vector3<f64>,
    gravity: Vector3<f64>,
    /// Whether a pin holds it.
    held: bool,
    /// Time at which an obstacle is reached along gravity, s; infinite if there is none.
    end: f64,
}

/// The flights of all bodies; none if a body has no vertices.
pub(super) fn flights<T: Float>(scene: &Scene, built: &Built<T>) -> Option<Vec<Flight>> {
    let gravity = built.simulation.settings().gravity;
    let of = |(model, body): (&crate::model::BodyModel, &crate::build::BuiltBody)| {
        let bounds = Aabb::of_points(body.mesh.positions())?;
        let velocity = Vector3::from(model.velocity.unwrap_or_default());
        let room = room(&bounds, &gravity, &built.obstacles);
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

    /// Time, s, and speed, m/s, of the arrival at an obstacle; `None` for a body that is held or keeps
    /// falling.
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

/// How far a box can move along gravity before it reaches an obstacle, m; infinite if nothing is below.
fn room(bounds: &Aabb, gravity: &Vector3<f64>, obstacles: &[Obstacle]) -> f64 {
    let axis = gravity.iamax();
    let down = gravity[axis].signum();
    let front = if down < 0.0 { bounds.min[axis] } else { bounds.max[axis] };
    let beside = |min: f64, max: f64, k: usize| bounds.max[k] < min || bounds.min[k] > max;
    let to = |obstacle: &Obstacle| -> Option<f64> {
        let solid = match &obstacle.shape {
            Shape::Plane { normal, offset } => {
                let against = -normal[axis] * down;
                // The corner that arrives first.
                let corner =
                    Vector3::from_fn(|k, _| if normal[k] > 0.0 { bounds.min[k] } else { bounds.max[k] });
                return (against > 0.0).then(|| (corner.dot(normal) - offset) / against);
            }
            Shape::Container { min, max } => {
                let wall = if down < 0.0 { min[axis] } else { max[axis] };
                return Some((wall - front) * down);
            }
            Shape::HeightField(ground) if axis == 1 && down < 0.0 => {
                // Ground has hills and hollows: its height under the middle counts.
                let middle = bounds.centre();
                return ground.height(middle.x, middle.z).map(|height| front - height);
            }
            shape => shape.bounds()?,
        };
        let missed = (0..3).filter(|&k| k != axis).any(|k| beside(solid.min[k], solid.max[k], k));
        let face = if down < 0.0 { solid.max[axis] } else { solid.min[axis] };
        let gap = (face - front) * down;
        // An obstacle behind the box is not in its way.
        (!missed && gap >= 0.0).then_some(gap)
    };
    obstacles.iter().filter_map(to).map(|gap| gap.max(0.0)).fold(f64::INFINITY, f64::min)
}
