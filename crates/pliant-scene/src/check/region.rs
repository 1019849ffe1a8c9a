//! Checks of regions.

use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{GroupModel, RegionModel};

/// Checks a region; `what` is the subject of "… is not given", and `who` names the owner.
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
            let problem = format!("`relative` applies to positions, but {who} selects vertices by number");
            return Err(Fault::new(at.key("relative"), problem, "it to be left out"));
        }
    }
    if let Some(group) = &region.group {
        if region.relative.is_some() {
            let problem =
                format!("`relative` applies to positions, but {who} selects by the name of a group");
            return Err(Fault::new(at.key("relative"), problem, "it to be left out"));
        }
        check_group(&at.key("group"), group)?;
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
    Ok(())
}

fn check_group(at: &FieldPath, group: &GroupModel) -> Result<(), Fault> {
    let table = match group {
        GroupModel::Name(name) if name.is_empty() => {
            return Err(Fault::new(at.clone(), "the name of the group is empty", "the name of a group"));
        }
        GroupModel::Name(_) => return Ok(()),
        GroupModel::Table(table) => table,
    };
    for (key, value) in [("equals", table.equals), ("min", table.min), ("max", table.max)] {
        if value.is_some_and(f64::is_nan) {
            return Err(Fault::new(at.key(key), format!("`{key}` is not a number"), "a number"));
        }
    }
    match (table.equals, table.min, table.max) {
        (None, Some(min), Some(max)) if min > max => {
            let problem = format!("the numbers reach from {min} to {max}");
            Err(Fault::new(at.key("max"), problem, "`max` not less than `min`"))
        }
        (Some(_), None, None) | (None, Some(_), _) | (None, _, Some(_)) => Ok(()),
        _ => {
            let problem = format!("the numbers of {:?} are not given, or given twice", table.attribute);
            Err(Fault::new(at.clone(), problem, "`equals`, or `min`, `max` or both"))
        }
    }
}
