//! Checks of obstacles.

use super::motion;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::unit::Metre;
use crate::model::{FrictionModel, NonNegative, ObstacleModel, Vector};

pub(super) fn check(at: &FieldPath, obstacle: &ObstacleModel) -> Result<(), Fault> {
    obstacle.chosen(at, "the shape of the obstacle")?;
    if let Some(shape) = &obstacle.solid_box {
        corners(&at.key("box"), "the box", shape.min, shape.max)?;
    }
    if let Some(shape) = &obstacle.container {
        corners(&at.key("container"), "the container", shape.min, shape.max)?;
    }
    if let Some(hull) = &obstacle.hull {
        hull.chosen(&at.key("hull"), "what the hull is around")?;
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

/// Two opposite corners of a box of positive size.
fn corners(at: &FieldPath, what: &str, min: Vector<Metre>, max: Vector<Metre>) -> Result<(), Fault> {
    let (min, max) = (min.get(), max.get());
    let Some(k) = (0..3).find(|&k| min[k] >= max[k]) else { return Ok(()) };
    let axis = ["x", "y", "z"][k];
    let problem = format!("{what} reaches from {:?} to {:?} along {axis}", min[k], max[k]);
    Err(Fault::new(at.key("max"), problem, "`max` greater than `min` along every axis"))
}
