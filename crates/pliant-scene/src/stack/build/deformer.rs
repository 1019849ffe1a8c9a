//! Builds a deformer from its model.

use pliant_deform::{
    BindError, Blending, DeltaMush, DeltaMushSettings, Extra, Jiggle, JiggleSettings, LaplacianWeights,
    Layer, Preserve, Relax, RelaxSettings, Response, Restore, Skinning, Smooth, SmoothSettings, Spring,
    Sweep, VertexWeights,
};

use super::collide::collide;
use super::parts::Parts;
use super::rig::Rig;
use super::weights::weights;
use crate::choice::Choice;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{Bounded, Count};
use crate::stack::model::{
    Blend, DeformerModel, DeltaMushModel, JiggleModel, Neighbours, RelaxModel, SkinningModel, SmoothModel,
    Sweeps,
};

/// A deformer with its name, envelope and weights.
pub(super) fn layer(
    at: &FieldPath,
    model: &DeformerModel,
    parts: &Parts<'_>,
) -> Result<(Layer, String), Fault> {
    let kind = model.chosen(at, "what the deformer does")?;
    let inner = at.key(kind);
    let refused = |error: BindError| Fault::new(inner.clone(), error.to_string(), "");
    let layer = if let Some(model) = &model.skinning {
        Layer::new(skinning(parts.rig.expect("the checks let only a skeleton be skinned"), model))
    } else if let Some(model) = &model.collide {
        Layer::new(collide(&inner, model, parts)?)
    } else if let Some(model) = &model.relax {
        let settings = relax(&inner, model, parts)?;
        Layer::new(Relax::welded(parts.mesh, &parts.weld, settings).map_err(refused)?)
    } else if let Some(model) = &model.smooth {
        let settings = smooth(&inner, model, parts)?;
        Layer::new(Smooth::welded(parts.mesh, &parts.weld, settings).map_err(refused)?)
    } else if let Some(model) = &model.delta_mush {
        Layer::new(DeltaMush::new(parts.mesh, delta_mush(model)).map_err(refused)?)
    } else {
        let model = model.jiggle.as_ref().expect("the checks let exactly one deformer be given");
        let settings = jiggle(&inner, model, parts)?;
        Layer::new(Jiggle::of_mesh(parts.mesh, settings).map_err(refused)?)
    };
    let name = model.name.clone().unwrap_or_else(|| kind.replace('_', " "));
    let mut layer = layer.named(&name).envelope(model.envelope.map_or(1.0, Bounded::get));
    if let Some(model) = &model.weights {
        layer = layer.weights(weights(&at.key("weights"), model, parts)?);
    }
    Ok((layer, name))
}

pub(super) fn skinning(rig: &Rig, model: &SkinningModel) -> Skinning {
    let blending = match model.blend {
        Blend::Linear => Blending::Linear,
        Blend::DualQuaternion => Blending::DualQuaternion,
    };
    Skinning::animated(rig.skin.clone(), rig.skeleton.clone(), rig.clip.clone(), blending)
        .expect("skin and clip were made for this skeleton")
}

fn relax(at: &FieldPath, model: &RelaxModel, parts: &Parts<'_>) -> Result<RelaxSettings, Fault> {
    let mut extra = Vec::new();
    extra.extend(model.across_faces.then_some(Extra::AcrossFaces));
    extra.extend(model.neighbours.map(|steps| Extra::Neighbours { steps: steps.get() }));
    extra.extend(model.near.map(|radius| Extra::Near { radius: radius.get() }));
    Ok(RelaxSettings {
        iterations: model.iterations.get(),
        push: model.push.get(),
        pull: model.pull.get(),
        sweep: match model.sweep {
            Sweeps::Coloured => Sweep::Coloured,
            Sweeps::Sequential => Sweep::Sequential,
            Sweeps::JacobiMean => Sweep::JacobiMean,
        },
        weights: match &model.lightness {
            Some(model) => VertexWeights::InverseMass(weights(&at.key("lightness"), model, parts)?),
            None => VertexWeights::Equal,
        },
        pin_borders: model.pin_borders,
        extra,
        preserve: Preserve { area: model.area.get(), volume: model.volume.get() },
        restore: (model.restore.get() > 0.0).then(|| Restore {
            strength: model.restore.get(),
            smoothing: model.restore_smoothing.map_or(10, Count::get),
        }),
    })
}

fn smooth(at: &FieldPath, model: &SmoothModel, parts: &Parts<'_>) -> Result<SmoothSettings, Fault> {
    let mobility = model.mobility.as_ref();
    Ok(SmoothSettings {
        iterations: model.iterations.get(),
        strength: model.strength.get(),
        weights: mobility.map(|model| weights(&at.key("mobility"), model, parts)).transpose()?,
        neighbours: laplacian(model.neighbours),
        pin_borders: model.pin_borders,
        ..SmoothSettings::default()
    })
}

fn delta_mush(model: &DeltaMushModel) -> DeltaMushSettings {
    DeltaMushSettings {
        smoothing: model.iterations.get(),
        strength: model.strength.get(),
        detail: model.detail.get(),
        neighbours: laplacian(model.neighbours),
    }
}

fn laplacian(neighbours: Neighbours) -> LaplacianWeights {
    match neighbours {
        Neighbours::Uniform => LaplacianWeights::Uniform,
        Neighbours::Cotangent => LaplacianWeights::Cotangent,
    }
}

fn jiggle(at: &FieldPath, model: &JiggleModel, parts: &Parts<'_>) -> Result<JiggleSettings, Fault> {
    let usual = Spring::default();
    let base = Spring {
        frequency: model.frequency.map_or(usual.frequency, Bounded::get),
        damping: model.damping.map_or(usual.damping, Bounded::get),
    };
    let response = if let Some(published) = &model.published {
        let (damping, stiffness, step) =
            (published.damping.get(), published.stiffness.get(), published.step.get());
        Response::Published { damping, stiffness, step }
    } else if let Some(vary) = &model.vary {
        let there = Spring {
            frequency: vary.frequency.map_or(base.frequency, Bounded::get),
            damping: vary.damping.map_or(base.damping, Bounded::get),
        };
        let between = |from: f64, to: f64, w: f64| from * (1.0 - w) + to * w;
        let weights = weights(&at.key("vary").key("weights"), &vary.weights, parts)?;
        let spring = |w: f64| Spring {
            frequency: between(base.frequency, there.frequency, w),
            damping: between(base.damping, there.damping, w),
        };
        Response::Springs(weights.into_iter().map(spring).collect())
    } else {
        Response::Spring(base)
    };
    Ok(JiggleSettings { response, max_stretch: model.max_stretch.map(Bounded::get) })
}
