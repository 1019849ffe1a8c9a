//! Colliders: where they stand, and how they move.

use std::sync::Arc;

use nalgebra::Point3;
use pliant_deform::{Animation, Collide, CollideSettings, Collider, Meetings};
use pliant_io::Mesh;

use super::input::{cache_of, sample};
use super::parts::Parts;
use super::surface::surface;
use super::weights::node_named;
use crate::build::held::Held;
use crate::build::place::Placement;
use crate::build::region;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::stack::model::{CollideModel, ColliderModel, Meet};

pub(super) fn collide(at: &FieldPath, model: &CollideModel, parts: &Parts<'_>) -> Result<Collide, Fault> {
    let settings = CollideSettings {
        reach: model.reach.get(),
        clearance: model.clearance.get(),
        meetings: match model.meetings {
            Meet::FromInside => Meetings::FromInside,
            Meet::Any => Meetings::Any,
        },
    };
    let mut colliders = Vec::new();
    for (i, model) in model.colliders.iter().enumerate() {
        colliders.push(collider(&at.key("collider").index(i), model, parts)?);
    }
    Collide::new(parts.mesh, colliders, settings)
        .map_err(|error| Fault::new(at.clone(), error.to_string(), ""))
}

fn collider(at: &FieldPath, model: &ColliderModel, parts: &Parts<'_>) -> Result<Collider, Fault> {
    let mesh = surface(&at.key("mesh"), &model.mesh, parts.source)?;
    let placement = Placement::new(&model.placed(), mesh.positions());
    let placed = match placement.apply(at, Mesh::Tri(mesh))? {
        Mesh::Tri(mesh) => mesh,
        Mesh::Tet(_) => unreachable!("a placed surface stays a surface"),
    };
    let animation = match (&model.joint, &model.cache) {
        (Some(joint), _) => Some(carried(&at.key("joint"), joint, placed.positions(), parts)?),
        (None, Some(path)) => {
            let at = at.key("cache");
            let cache = cache_of(&at, path, placed.positions().len(), parts.source)?;
            let (found, frames) = (cache.sample_count(), parts.times.len());
            if found < frames {
                let problem = format!("{} has {found} frames, but the stack has {frames}", path.display());
                return Err(Fault::new(at, problem, "a cache of the collider with as many frames"));
            }
            let times = Arc::clone(&parts.times);
            let follow: Animation = Box::new(move |time, positions| {
                let frame = times.binary_search_by(|t| t.total_cmp(&time)).unwrap_or_else(|next| next);
                let now = sample(&cache, frame.min(cache.sample_count() - 1), 1.0);
                let now = placement.points(&now);
                positions.copy_from_slice(&now);
            });
            Some(follow)
        }
        (None, None) => None,
    };
    let mut collider =
        if model.pusher == Some(true) { Collider::pusher(placed) } else { Collider::new(placed) };
    if let Some(candidates) = &model.candidates {
        let held = Held::plain("mesh", &parts.held);
        let list = region::vertices(&at.key("candidates"), candidates, &held, "the collider")?;
        collider = collider.candidates(list);
    }
    Ok(match animation {
        Some(animation) => collider.animated(animation),
        None => collider,
    })
}

/// Carries positions as a joint moves from its place at rest.
fn carried(
    at: &FieldPath,
    joint: &str,
    positions: &[nalgebra::Vector3<f64>],
    parts: &Parts<'_>,
) -> Result<Animation, Fault> {
    let node = node_named(at, joint, parts)?;
    let rig = parts.rig.expect("a joint was found");
    let (skeleton, clip, rest) = (rig.skeleton.clone(), rig.clip.clone(), positions.to_vec());
    let from = skeleton.world(&skeleton.rest())[node].try_inverse().ok_or_else(|| {
        let problem = format!("the rest transform of the joint {joint:?} cannot be inverted");
        Fault::new(at.clone(), problem, "a joint without a scale of zero")
    })?;
    Ok(Box::new(move |time, positions| {
        let to = skeleton.world(&clip.sample(time, &skeleton))[node] * from;
        for (x, rest) in positions.iter_mut().zip(&rest) {
            *x = to.transform_point(&Point3::from(*rest)).coords;
        }
    }))
}
