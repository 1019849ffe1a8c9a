//! Checks of the deformers.

use super::input::{path, surface};
use super::weights;
use crate::check::region;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::BodyModel;
use crate::stack::model::{
    CollideModel, ColliderModel, DeformerModel, JiggleModel, RelaxModel, SmoothModel, StackModel,
};

pub(super) fn check(at: &FieldPath, deformer: &DeformerModel, stack: &StackModel) -> Result<(), Fault> {
    let kind = deformer.chosen(at, "what the deformer does")?;
    if deformer.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
        return Err(Fault::new(at.key("name"), "the name of the deformer is empty", "a name, or none"));
    }
    if let Some(model) = &deformer.weights {
        weights::check(&at.key("weights"), model, stack)?;
    }
    let at = at.key(kind);
    if deformer.skinning.is_some() && !stack.has_skeleton() {
        let problem = "the input is skinned already, and has no skeleton";
        return Err(Fault::new(
            at,
            problem,
            "no `skinning`, or an input with joints: `character` or `chain`",
        ));
    }
    if let Some(model) = &deformer.collide {
        collide(&at, model, stack)?;
    }
    if let Some(model) = &deformer.relax {
        relax(&at, model, stack)?;
    }
    if let Some(model) = &deformer.smooth {
        smooth(&at, model, stack)?;
    }
    if let Some(model) = &deformer.jiggle {
        jiggle(&at, model, stack)?;
    }
    Ok(())
}

fn collide(at: &FieldPath, model: &CollideModel, stack: &StackModel) -> Result<(), Fault> {
    if model.colliders.is_empty() {
        return Err(Fault::new(
            at.key("collider"),
            "there is nothing to collide with",
            "at least one collider",
        ));
    }
    for (i, model) in model.colliders.iter().enumerate() {
        collider(&at.key("collider").index(i), model, stack)?;
    }
    Ok(())
}

fn collider(at: &FieldPath, model: &ColliderModel, stack: &StackModel) -> Result<(), Fault> {
    surface(&at.key("mesh"), &model.mesh)?;
    if let Some(candidates) = &model.candidates {
        region::check(
            &at.key("candidates"),
            candidates,
            "which vertices can meet the collider",
            "the collider",
        )?;
    }
    if model.joint.is_some() && !stack.has_skeleton() {
        return Err(Fault::new(
            at.key("joint"),
            "the input has no joints",
            "it to be left out, or a `cache`",
        ));
    }
    if let Some(cache) = &model.cache {
        path(&at.key("cache"), cache)?;
        if model.joint.is_some() {
            let problem = "both `joint` and `cache` say how the collider moves";
            return Err(Fault::new(at.key("cache"), problem, "one of them"));
        }
    }
    Ok(())
}

impl ColliderModel {
    /// A body that is placed as the collider is.
    pub(in crate::stack) fn placed(&self) -> BodyModel {
        BodyModel {
            scale: self.scale,
            rotate: self.rotate.clone(),
            translate: self.translate,
            ..BodyModel::default()
        }
    }
}

fn relax(at: &FieldPath, model: &RelaxModel, stack: &StackModel) -> Result<(), Fault> {
    if let Some(model) = &model.lightness {
        weights::check(&at.key("lightness"), model, stack)?;
    }
    if model.restore_smoothing.is_some() && model.restore.get() == 0.0 {
        let problem = "`restore_smoothing` applies to `restore`, which is not given";
        return Err(Fault::new(at.key("restore_smoothing"), problem, "it to be left out"));
    }
    Ok(())
}

fn smooth(at: &FieldPath, model: &SmoothModel, stack: &StackModel) -> Result<(), Fault> {
    model.mobility.as_ref().map_or(Ok(()), |model| weights::check(&at.key("mobility"), model, stack))
}

fn jiggle(at: &FieldPath, model: &JiggleModel, stack: &StackModel) -> Result<(), Fault> {
    if let Some(vary) = &model.vary {
        let at = at.key("vary");
        weights::check(&at.key("weights"), &vary.weights, stack)?;
        if vary.frequency.is_none() && vary.damping.is_none() {
            return Err(Fault::new(at, "`vary` changes nothing", "a `frequency` or a `damping`, or both"));
        }
    }
    if model.published.is_some() {
        for (key, given) in [
            ("frequency", model.frequency.is_some()),
            ("damping", model.damping.is_some()),
            ("vary", model.vary.is_some()),
        ] {
            if given {
                let problem = format!("`{key}` applies to springs, but the jiggle is `published`");
                return Err(Fault::new(at.key(key), problem, "it to be left out"));
            }
        }
    }
    Ok(())
}
