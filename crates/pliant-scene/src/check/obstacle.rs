//! Checks of obstacles.

use super::number::{corners, direction, vector};
use super::{motion, solid};
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::unit::Metre;
use crate::model::{FrictionModel, NonNegative, ObstacleModel};

pub(super) fn check(at: &FieldPath, obstacle: &ObstacleModel) -> Result<(), Fault> {
    obstacle.chosen(at, "the shape of the obstacle")?;
    if let Some(plane) = &obstacle.plane {
        let at = at.key("plane");
        vector::<Metre>(&at.key("point"), "the point of the plane", &plane.point)?;
        direction(&at.key("normal"), "the normal of the plane", &plane.normal)?;
    }
    if let Some(sphere) = &obstacle.sphere {
        let at = at.key("sphere");
        vector::<Metre>(&at.key("centre"), "the centre", &sphere.centre)?;
    }
    if let Some(shape) = &obstacle.solid_box {
        corners(&at.key("box"), "the box", &shape.min, &shape.max)?;
    }
    if let Some(shape) = &obstacle.container {
        corners(&at.key("container"), "the container", &shape.min, &shape.max)?;
    }
    if let Some(capsule) = &obstacle.capsule {
        let at = at.key("capsule");
        vector::<Metre>(&at.key("from"), "an end of the capsule", &capsule.from)?;
        vector::<Metre>(&at.key("to"), "an end of the capsule", &capsule.to)?;
    }
    if let Some(hull) = &obstacle.hull {
        solid::hull(&at.key("hull"), hull)?;
    }
    if let Some(ground) = &obstacle.height_field {
        solid::height_field(&at.key("height_field"), ground)?;
    }
    if let Some(sdf) = &obstacle.sdf {
        solid::sdf(&at.key("sdf"), sdf)?;
    }
    check_friction(&at.key("friction"), obstacle.friction)?;
    match &obstacle.motion {
        Some(m) => motion::check(&at.key("motion"), m, motion::Of::Shape),
        None => Ok(()),
    }
}

/// Coefficients of friction.
pub(super) fn check_friction(at: &FieldPath, friction: Option<FrictionModel>) -> Result<(), Fault> {
    let Some(FrictionModel::Separate(pair)) = friction else { return Ok(()) };
    let [sticking, sliding] = [pair.sticking, pair.sliding].map(NonNegative::get);
    if sticking < sliding {
        let problem = format!("the static coefficient of friction {sticking} is less than the kinetic one");
        return Err(Fault::new(at.key("static"), problem, format!("at least {sliding}")));
    }
    Ok(())
}
