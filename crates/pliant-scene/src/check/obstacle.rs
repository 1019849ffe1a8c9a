//! Checks of obstacles.

use super::number::{corners, direction, finite, not_negative, positive, share, vector};
use super::{motion, solid};
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{FrictionModel, ObstacleModel};

pub(super) fn check(at: &FieldPath, obstacle: &ObstacleModel) -> Result<(), Fault> {
    obstacle.chosen(at, "the shape of the obstacle")?;
    if let Some(floor) = &obstacle.floor {
        finite(&at.key("floor").key("height"), "the height of the floor", floor.height, "m")?;
    }
    if let Some(plane) = &obstacle.plane {
        let at = at.key("plane");
        vector(&at.key("point"), "the point of the plane", &plane.point, "m")?;
        direction(&at.key("normal"), "the normal of the plane", &plane.normal)?;
    }
    if let Some(sphere) = &obstacle.sphere {
        let at = at.key("sphere");
        vector(&at.key("centre"), "the centre", &sphere.centre, "m")?;
        positive(&at.key("radius"), "the radius", sphere.radius, "m")?;
    }
    if let Some(shape) = &obstacle.solid_box {
        corners(&at.key("box"), "the box", &shape.min, &shape.max)?;
    }
    if let Some(shape) = &obstacle.container {
        corners(&at.key("container"), "the container", &shape.min, &shape.max)?;
    }
    if let Some(capsule) = &obstacle.capsule {
        let at = at.key("capsule");
        vector(&at.key("from"), "an end of the capsule", &capsule.from, "m")?;
        vector(&at.key("to"), "an end of the capsule", &capsule.to, "m")?;
        positive(&at.key("radius"), "the radius", capsule.radius, "m")?;
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
    if let Some(restitution) = obstacle.restitution {
        share(&at.key("restitution"), "the restitution", restitution)?;
    }
    match &obstacle.motion {
        Some(m) => motion::check(&at.key("motion"), m, motion::Of::Shape),
        None => Ok(()),
    }
}

/// Coefficients of friction.
pub(super) fn check_friction(at: &FieldPath, friction: Option<FrictionModel>) -> Result<(), Fault> {
    match friction {
        Some(FrictionModel::Both(coefficient)) => {
            not_negative(at, "the coefficient of friction", coefficient, "")?;
        }
        Some(FrictionModel::Separate(pair)) => {
            not_negative(&at.key("kinetic"), "the kinetic coefficient of friction", pair.sliding, "")?;
            not_negative(&at.key("static"), "the static coefficient of friction", pair.sticking, "")?;
            if pair.sticking < pair.sliding {
                let problem = format!(
                    "the static coefficient of friction {} is less than the kinetic one",
                    pair.sticking
                );
                return Err(Fault::new(at.key("static"), problem, format!("at least {}", pair.sliding)));
            }
        }
        None => {}
    }
    Ok(())
}
