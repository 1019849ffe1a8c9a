//! Checks of where a mesh is put.

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::BodyModel;

/// Scale and size to fit, of which a body has one at most.
pub(super) fn check_placement(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    if body.fit.is_some() && body.scale.is_some() {
        let problem = "both `scale` and `fit` say how large the body is";
        return Err(Fault::new(at.key("fit"), problem, "one of them"));
    }
    Ok(())
}
