//! Checks of the collision settings of a body.

use super::obstacle::check_friction;
use super::{motion, tie};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::unit::Metre;
use crate::model::{BodyModel, CollideBodyModel, ContactModel, Positive, SceneModel};

/// The most groups that can be distinguished; one of them is for bodies that name none.
const MOST_GROUPS: usize = 32;

pub(super) fn check(at: &FieldPath, body: &BodyModel) -> Result<(), Fault> {
    let is_obstacle = body.obstacle == Some(true);
    if let Some(motion) = &body.motion {
        if !is_obstacle {
            let problem =
                "`motion` moves an obstacle, but the body is not an obstacle; pins have motions of their own";
            return Err(Fault::new(at.key("motion"), problem, "`obstacle = true`, or a `pin` with a motion"));
        }
        motion::check(&at.key("motion"), motion, motion::Of::Body)?;
    }
    if body.shrink.is_some() && !is_obstacle {
        let problem = "`shrink` is for obstacles, which nothing deforms, but the body is not an obstacle";
        return Err(Fault::new(at.key("shrink"), problem, "`obstacle = true`, or it to be left out"));
    }
    if is_obstacle {
        let table = body.collide.as_ref().map(CollideBodyModel::table);
        if table == Some(None) {
            let problem = "the body is an obstacle and does not collide: nothing would ever meet it";
            return Err(Fault::new(
                at.key("collide"),
                problem,
                "`collide = true`, or the body to be left out",
            ));
        }
        if !body.pins.is_empty() {
            let problem = "all vertices of an obstacle are held: it needs no pins";
            return Err(Fault::new(at.key("pin"), problem, "`motion` beside `obstacle = true`"));
        }
    }
    let Some(table) = body.collide.as_ref().and_then(CollideBodyModel::table) else { return Ok(()) };
    if let Some(radius) = body.contact_radius {
        Positive::<Metre>::new(radius.get()).map_err(|error| {
            let problem = format!("the contact radius of a body that collides is {}", error.value);
            Fault::new(at.key("contact_radius"), problem, error.expected)
        })?;
    }
    check_friction(&at.key("collide").key("friction"), table.friction)
}

/// The contact settings of a pair of bodies.
pub(super) fn check_contact(at: &FieldPath, contact: &ContactModel, scene: &SceneModel) -> Result<(), Fault> {
    for (k, body) in tie::check_bodies(at, &contact.bodies, scene)?.into_iter().enumerate() {
        if scene.bodies[body].meets().is_none() {
            let problem = format!("the body {:?} does not collide", contact.bodies[k]);
            return Err(Fault::new(
                at.key("bodies").index(k),
                problem,
                "a body with `collide`, or an obstacle",
            ));
        }
    }
    let ContactModel { friction, restitution, compliance, .. } = *contact;
    if friction.is_none() && restitution.is_none() && compliance.is_none() {
        let problem = "no contact setting of the two bodies is given";
        return Err(Fault::new(at.clone(), problem, "one of `friction`, `restitution` and `compliance`"));
    }
    check_friction(&at.key("friction"), friction)
}

/// The groups of all bodies.
pub(super) fn check_groups(scene: &SceneModel) -> Result<(), Fault> {
    let known = scene.groups();
    let names = |body: &BodyModel, group: &str| match &body.collide {
        Some(CollideBodyModel::Table(table)) => table.groups.iter().any(|known| known == group),
        _ => false,
    };
    if let Some(group) = known.get(MOST_GROUPS)
        && let Some(i) = scene.bodies.iter().position(|body| names(body, group))
    {
        let at = FieldPath::root().key("body").index(i).key("collide").key("groups");
        return Err(Fault::new(
            at,
            format!("group {group:?} is one too many"),
            "at most 31 groups in a scene",
        ));
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        let Some(CollideBodyModel::Table(table)) = &body.collide else { continue };
        let unknown =
            table.hits.iter().flatten().enumerate().find(|(_, group)| !known.contains(&group.as_str()));
        if let Some((k, group)) = unknown {
            let at = FieldPath::root().key("body").index(i).key("collide").key("hits").index(k);
            let groups: Vec<_> = known[1..].iter().map(|known| format!("{known:?}")).collect();
            let expected = match groups[..] {
                [] => "a group that some body has among its `groups`; no body has any".to_owned(),
                _ => format!("one of {}", groups.join(", ")),
            };
            return Err(Fault::new(at, format!("no body is in a group {group:?}"), expected));
        }
    }
    Ok(())
}
