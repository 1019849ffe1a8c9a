//! Obstacles.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::Real;
use pliant_mesh::Aabb;
use pliant_solver::{Float, Obstacle, Shape};

use super::motion::rigid_motion;
use super::place::unit;
use super::solid;
use crate::error::{Fault, SceneError};
use crate::field::FieldPath;
use crate::load::Scene;
use crate::model::{Bounded, ObstacleModel};
use crate::source::Source;

impl Scene {
    /// The obstacles alone, as [`build`](Scene::build) makes them: to be added to a simulation that runs.
    ///
    /// ```
    /// use pliant_scene::Scene;
    ///
    /// let text = "[[body]]\nmesh = { ball = { radius = 0.5, shells = 2 } }\nmaterial = \"rubber\"\n";
    /// let mut simulation = Scene::parse(text, ".")?.build::<f32>()?.simulation;
    /// let later = format!("{text}[[obstacle]]\nsphere = {{ centre = [0, -1, 0], radius = 0.2 }}\n");
    /// for obstacle in Scene::parse(&later, ".")?.obstacles()? {
    ///     simulation.add_obstacle(obstacle)?;
    /// }
    /// assert_eq!(simulation.obstacles().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first whose file cannot be read, or does not hold what it should.
    pub fn obstacles(&self) -> Result<Vec<Obstacle>, SceneError> {
        let all = self.model.obstacles.iter().enumerate();
        let at = |number| FieldPath::root().key("obstacle").index(number);
        all.map(|(number, model)| {
            obstacle(&at(number), model, &self.source).map_err(|fault| self.locate(fault))
        })
        .collect()
    }
}

/// The obstacle; the checks have validated its numbers, its files are checked here.
pub(super) fn obstacle(at: &FieldPath, model: &ObstacleModel, source: &Source) -> Result<Obstacle, Fault> {
    let shape = if let Some(plane) = &model.plane {
        let normal = unit(plane.normal);
        Shape::Plane { normal, offset: normal.dot(&Vector3::from(plane.point)) }
    } else if let Some(sphere) = &model.sphere {
        Shape::Sphere { centre: Vector3::from(sphere.centre), radius: sphere.radius.get() }
    } else if let Some(shape) = &model.solid_box {
        let (min, max) = (Vector3::from(shape.min), Vector3::from(shape.max));
        Shape::Box { centre: min * 0.5 + max * 0.5, half_extents: max * 0.5 - min * 0.5 }
    } else if let Some(shape) = &model.container {
        Shape::Container { min: Vector3::from(shape.min), max: Vector3::from(shape.max) }
    } else if let Some(rod) = &model.capsule {
        Shape::Capsule { from: rod.from.into(), to: rod.to.into(), radius: rod.radius.get() }
    } else if let Some(hull) = &model.hull {
        Shape::Hull(Arc::new(solid::hull(&at.key("hull"), hull, source)?))
    } else if let Some(ground) = &model.height_field {
        Shape::HeightField(Arc::new(solid::height_field(&at.key("height_field"), ground, source)?))
    } else if let Some(sdf) = &model.sdf {
        Shape::DistanceGrid(Arc::new(solid::distance_grid(&at.key("sdf"), sdf, source)?))
    } else {
        let height = model.floor.as_ref().map_or(0.0, |floor| floor.height.get());
        Shape::Plane { normal: Vector3::y(), offset: height }
    };
    let mut obstacle = Obstacle::new(shape).restitution(model.restitution.map_or(0.0, Bounded::get));
    if let Some(friction) = model.friction {
        [obstacle.static_friction, obstacle.kinetic_friction] = friction.coefficients();
    }
    Ok(match &model.motion {
        Some(motion) => obstacle.motion(rigid_motion(motion)),
        None => obstacle,
    })
}

/// The largest rounding error of a surface, as a fraction of an edge.
const OFF: f64 = 0.25;

/// Refuses an obstacle so large, or so far away, that the rounding error of its surface is too large for
/// bodies with edges of this length.
pub(super) fn check_size<T: Float>(at: &FieldPath, obstacle: &Obstacle, edge: f64) -> Result<(), Fault> {
    let reach = |bounds: &Aabb| bounds.min.amax().max(bounds.max.amax());
    // The largest number that is subtracted to find a distance.
    let largest = match &obstacle.shape {
        Shape::Plane { offset, .. } => offset.abs(),
        Shape::Sphere { centre, radius } => centre.amax() + radius,
        Shape::Box { centre, half_extents } => centre.amax().max(half_extents.amax()),
        Shape::Capsule { from, to, radius } => from.amax().max(to.amax()) + radius,
        Shape::Hull(hull) => reach(&hull.bounds()),
        Shape::HeightField(ground) => reach(&ground.bounds()),
        Shape::DistanceGrid(solid) => reach(&solid.bounds()),
        // The nearer wall of each axis counts: rounding at a far wall does no harm.
        Shape::Container { min, max } => (0..3).map(|k| min[k].abs().min(max[k].abs())).fold(0.0, f64::max),
    };
    let rounding = <T as Real>::EPSILON * largest;
    if rounding <= OFF * edge {
        return Ok(());
    }
    let problem = format!(
        "the obstacle is so large or so far from the origin that {} rounds its surface by {rounding:.1e} m, \
        and there are edges of {edge:.1e} m on average",
        T::NAME
    );
    let expected = match T::NAME {
        "f32" => "a smaller one nearer to the origin, a floor or a plane, or precision = \"f64\"",
        _ => "a smaller one nearer to the origin, a floor or a plane",
    };
    Err(Fault::new(at.clone(), problem, expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obstacles_are_as_large_as_the_numbers_bear() {
        let at = FieldPath::root().key("obstacle").index(0);
        let ball = |radius: f64| Obstacle::sphere(Vector3::new(0.0, -radius, 0.0), radius);
        assert!(check_size::<f32>(&at, &ball(1e3), 0.05).is_ok());
        let fault = check_size::<f32>(&at, &ball(1e9), 0.05).unwrap_err();
        assert!(fault.problem.contains("by 2.4e2 m"), "{}", fault.problem);
        assert!(check_size::<f64>(&at, &ball(1e9), 0.05).is_ok());
        // A wall far away does no harm to the others.
        let open = Obstacle::container(Vector3::repeat(0.0), Vector3::repeat(1e9));
        assert!(check_size::<f32>(&at, &open, 0.05).is_ok());
    }
}
