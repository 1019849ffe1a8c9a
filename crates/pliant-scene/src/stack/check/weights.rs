//! Checks of weights.

use super::input::path;
use crate::check::region;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::stack::model::{StackModel, WeightsModel};

pub(super) fn check(at: &FieldPath, weights: &WeightsModel, stack: &StackModel) -> Result<(), Fault> {
    let chosen = weights.chosen(at, "where the weights come from")?;
    let by_distance = matches!(chosen, "near" | "along" | "ramp");
    if weights.shape.is_some() && !by_distance {
        let problem =
            format!("`shape` applies to `near`, `along` and `ramp`, but the weights come from `{chosen}`");
        return Err(Fault::new(at.key("shape"), problem, "it to be left out"));
    }
    if let Some(file) = &weights.file {
        path(&at.key("file"), file)?;
    }
    if weights.attribute.is_some() && stack.input.character.is_none() {
        let problem = "attributes are those of a glTF character, and the input is not one";
        return Err(Fault::new(at.key("attribute"), problem, "`file`, or weights by place"));
    }
    if let Some(joints) = &weights.joints {
        let at = at.key("joints");
        if !stack.has_skeleton() {
            return Err(Fault::new(at, "the input has no joints", "weights by file or by place"));
        }
        if joints.is_empty() {
            return Err(Fault::new(at, "no joint is named", "at least one name"));
        }
    }
    if let Some(near) = &weights.near {
        let at = at.key("near");
        distances(&at, near.inner.get(), near.outer.get())?;
    }
    if let Some(along) = &weights.along {
        let at = at.key("along");
        region::check(&at.key("from"), &along.from, "where distances begin", "the falloff")?;
        distances(&at, along.inner.get(), along.outer.get())?;
    }
    if let Some(ramp) = &weights.ramp {
        let at = at.key("ramp");
        if ramp.from == ramp.to {
            return Err(Fault::new(at.key("to"), "the ramp has no length", "two different points"));
        }
    }
    Ok(())
}

fn distances(at: &FieldPath, inner: f64, outer: f64) -> Result<(), Fault> {
    if inner > outer {
        let problem = format!("the inner distance {inner:?} is beyond the outer {outer:?}");
        return Err(Fault::new(at.key("inner"), problem, "at most `outer`, m"));
    }
    Ok(())
}
