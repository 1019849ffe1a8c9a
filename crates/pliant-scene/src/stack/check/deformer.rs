//! Checks of the deformers.

use super::input::{path, surface};
use super::weights;
use crate::check::number::{in_range, not_negative, positive, share};
use crate::check::place::check_placement;
use crate::check::region;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::BodyModel;
use crate::model::unit::{Metre, One, PerSecond, RadianPerSecond, Second};
use crate::stack::model::{
    CollideModel, ColliderModel, DeformerModel, DeltaMushModel, JiggleModel, RelaxModel, SmoothModel,
    StackModel,
};

/// The most iterations of anything.
const MOST: u32 = 1000;

pub(super) fn check(at: &FieldPath, deformer: &DeformerModel, stack: &StackModel) -> Result<(), Fault> {
    let kind = deformer.chosen(at, "what the deformer does")?;
    if deformer.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
        return Err(Fault::new(at.key("name"), "the name of the deformer is empty", "a name, or none"));
    }
    if let Some(envelope) = deformer.envelope {
        share(&at.key("envelope"), "the envelope", envelope)?;
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
    if let Some(model) = &deformer.delta_mush {
        delta_mush(&at, model)?;
    }
    if let Some(model) = &deformer.jiggle {
        jiggle(&at, model, stack)?;
    }
    Ok(())
}

fn iterations(at: &FieldPath, number: u32) -> Result<(), Fault> {
    in_range(at, "the number of iterations", number, 0, MOST)
}

fn collide(at: &FieldPath, model: &CollideModel, stack: &StackModel) -> Result<(), Fault> {
    positive::<Metre>(&at.key("reach"), "the reach", model.reach)?;
    not_negative::<Metre>(&at.key("clearance"), "the clearance", model.clearance)?;
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
    check_placement(at, &model.placed())?;
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
    iterations(&at.key("iterations"), model.iterations)?;
    for (key, what, value) in [
        ("push", "the push", model.push),
        ("pull", "the pull", model.pull),
        ("area", "the share of area", model.area),
        ("volume", "the share of volume", model.volume),
        ("restore", "the share of detail", model.restore),
    ] {
        share(&at.key(key), what, value)?;
    }
    if let Some(model) = &model.lightness {
        weights::check(&at.key("lightness"), model, stack)?;
    }
    if let Some(steps) = model.neighbours {
        in_range(&at.key("neighbours"), "the number of edges to neighbours", steps, 2, 16)?;
    }
    if let Some(radius) = model.near {
        positive::<Metre>(&at.key("near"), "the distance of neighbours", radius)?;
    }
    if let Some(smoothing) = model.restore_smoothing {
        let at = at.key("restore_smoothing");
        iterations(&at, smoothing)?;
        if model.restore == 0.0 {
            let problem = "`restore_smoothing` applies to `restore`, which is not given";
            return Err(Fault::new(at, problem, "it to be left out"));
        }
    }
    Ok(())
}

fn smooth(at: &FieldPath, model: &SmoothModel, stack: &StackModel) -> Result<(), Fault> {
    iterations(&at.key("iterations"), model.iterations)?;
    share(&at.key("strength"), "the strength", model.strength)?;
    model.mobility.as_ref().map_or(Ok(()), |model| weights::check(&at.key("mobility"), model, stack))
}

fn delta_mush(at: &FieldPath, model: &DeltaMushModel) -> Result<(), Fault> {
    iterations(&at.key("iterations"), model.iterations)?;
    share(&at.key("strength"), "the strength", model.strength)?;
    share(&at.key("detail"), "the share of detail", model.detail)
}

fn jiggle(at: &FieldPath, model: &JiggleModel, stack: &StackModel) -> Result<(), Fault> {
    let spring = |at: &FieldPath, frequency: Option<f64>, damping: Option<f64>| {
        if let Some(frequency) = frequency {
            positive::<RadianPerSecond>(&at.key("frequency"), "the frequency", frequency)?;
        }
        damping
            .map_or(Ok(()), |damping| not_negative::<One>(&at.key("damping"), "the damping ratio", damping))
    };
    spring(at, model.frequency, model.damping)?;
    if let Some(vary) = &model.vary {
        let at = at.key("vary");
        weights::check(&at.key("weights"), &vary.weights, stack)?;
        spring(&at, vary.frequency, vary.damping)?;
        if vary.frequency.is_none() && vary.damping.is_none() {
            return Err(Fault::new(at, "`vary` changes nothing", "a `frequency` or a `damping`, or both"));
        }
    }
    if let Some(published) = &model.published {
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
        let at = at.key("published");
        share(&at.key("damping"), "the damping", published.damping)?;
        not_negative::<PerSecond>(&at.key("stiffness"), "the stiffness", published.stiffness)?;
        not_negative::<Second>(&at.key("step"), "the step", published.step)?;
    }
    if let Some(limit) = model.max_stretch {
        not_negative::<Metre>(&at.key("max_stretch"), "the largest stretch", limit)?;
    }
    Ok(())
}
