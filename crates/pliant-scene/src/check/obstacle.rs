//! Checks of obstacles.

use super::number::corners;
use super::{motion, solid};
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{FrictionModel, NonNegative, ObstacleModel};

pub(super) fn check(at: &FieldPath, obstacle: &ObstacleModel) -> Result<(), Fault> {
    obstacle.chosen(at, "the shape of the obstacle")?;
    if let Some(shape) = &obstacle.solid_box {
        corners(&at.key("box"), "the box", &shape.min, &shape.max)?;
    }
    if let Some(shape) = &obstacle.container {
        corners(&at.key("container"), "the container", &shape.min, &shape.max)?;
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
