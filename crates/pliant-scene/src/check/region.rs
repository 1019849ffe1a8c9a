//! Checks of regions.

use super::number::{direction, positive, vector};
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::RegionModel;

/// Checks a region; `what` it is for in "… is not said", and `who` has it.
pub(crate) fn check(at: &FieldPath, region: &RegionModel, what: &str, who: &str) -> Result<(), Fault> {
    region.chosen(at, what)?;
    if let Some(vertices) = &region.vertices {
        if vertices.is_empty() {
            let at = at.key("vertices");
            return Err(Fault::new(
                at,
                format!("{who} selects nothing: its list of vertices is empty"),
                "at least one number",
            ));
        }
        if region.relative.is_some() {
            let problem = format!("`relative` is about positions, but {who} selects vertices by number");
            return Err(Fault::new(at.key("relative"), problem, "it to be left out"));
        }
    }
    if let Some(select) = &region.within_box {
        let at = at.key("box");
        for k in 0..3 {
            // Not `min > max`, which NaN would pass.
            if !matches!(
                select.min[k].partial_cmp(&select.max[k]),
                Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal)
            ) {
                let axis = ["x", "y", "z"][k];
                let problem =
                    format!("the box reaches from {:?} to {:?} along {axis}", select.min[k], select.max[k]);
                return Err(Fault::new(at.key("max"), problem, "`max` not less than `min` along any axis"));
            }
        }
    }
    if let Some(select) = &region.half_space {
        let at = at.key("half_space");
        vector(&at.key("point"), "the point of the plane", &select.point, "")?;
        direction(&at.key("normal"), "the normal of the plane", &select.normal)?;
    }
    if let Some(select) = &region.sphere {
        let at = at.key("sphere");
        vector(&at.key("centre"), "the centre", &select.centre, "")?;
        positive(&at.key("radius"), "the radius", select.radius, "")?;
    }
    Ok(())
}
