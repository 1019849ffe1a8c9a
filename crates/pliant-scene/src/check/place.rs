//! Checks of where a mesh is put: its scale, rotation and translation.

use super::number::positive;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::unit::One;
use crate::model::{BodyModel, ScaleModel};

/// Scale, size to fit, rotation, translation, and height to rest on of a body.
pub(crate) fn check_placement(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    match &body.scale {
        Some(ScaleModel::Uniform(scale)) => positive::<One>(&at.key("scale"), "the scale", *scale)?,
        Some(ScaleModel::PerAxis(scale)) if !scale.iter().all(|s| *s > 0.0 && s.is_finite()) => {
            let problem = format!("the scale is {scale:?}");
            return Err(Fault::new(at.key("scale"), problem, "three positive numbers"));
        }
        Some(ScaleModel::PerAxis(scale)) => {
            for (axis, &scale) in scale.iter().enumerate() {
                positive::<One>(&at.key("scale").index(axis), "the scale", scale)?;
            }
        }
        None => {}
    }
    if body.fit.is_some() && body.scale.is_some() {
        let problem = "both `scale` and `fit` say how large the body is";
        return Err(Fault::new(at.key("fit"), problem, "one of them"));
    }
    Ok(())
}
