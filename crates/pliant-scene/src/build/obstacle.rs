//! Obstacles.

use nalgebra::Vector3;
use pliant_solver::{Obstacle, Shape};

use super::motion::rigid_motion;
use super::place::unit;
use crate::model::{FrictionModel, ObstacleModel};

/// The obstacle; checked before.
pub(super) fn obstacle(model: &ObstacleModel) -> Obstacle {
    let shape = if let Some(plane) = &model.plane {
        let normal = unit(&plane.normal);
        Shape::Plane { normal, offset: normal.dot(&Vector3::from(plane.point)) }
    } else if let Some(sphere) = &model.sphere {
        Shape::Sphere { centre: Vector3::from(sphere.centre), radius: sphere.radius }
    } else if let Some(shape) = &model.solid_box {
        let (min, max) = (Vector3::from(shape.min), Vector3::from(shape.max));
        Shape::Box { centre: min * 0.5 + max * 0.5, half_extents: max * 0.5 - min * 0.5 }
    } else if let Some(shape) = &model.container {
        Shape::Container { min: Vector3::from(shape.min), max: Vector3::from(shape.max) }
    } else {
        let height = model.floor.as_ref().map_or(0.0, |floor| floor.height);
        Shape::Plane { normal: Vector3::y(), offset: height }
    };
    let mut obstacle = Obstacle::new(shape).restitution(model.restitution.unwrap_or(0.0));
    match model.friction {
        Some(FrictionModel::Both(coefficient)) => obstacle = obstacle.friction(coefficient),
        Some(FrictionModel::Separate(pair)) => {
            obstacle.static_friction = pair.sticking;
            obstacle.kinetic_friction = pair.sliding;
        }
        None => {}
    }
    match &model.motion {
        Some(motion) => obstacle.motion(rigid_motion(motion)),
        None => obstacle,
    }
}
