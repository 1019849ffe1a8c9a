//! Checks of prescribed motions.

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{KeyframeModel, MotionModel, MotionStart, SceneModel};
use crate::suggest::one_of;

/// What moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Some vertices of a body.
    Pin,
    /// A body that is an obstacle.
    Body,
    /// An obstacle of an analytic shape.
    Shape,
}

pub(super) fn check(at: &FieldPath, motion: &MotionModel, of: Of) -> Result<(), Fault> {
    let velocity = motion.velocity.is_some() || motion.spin.is_some();
    let ways: Vec<&'static str> = [
        (if motion.velocity.is_some() { "velocity" } else { "spin" }, velocity),
        ("keyframes", motion.keyframes.is_some()),
        ("cache", motion.cache.is_some()),
        ("animation", motion.animation.is_some()),
        ("joint", motion.joint.is_some()),
    ]
    .into_iter()
    .filter_map(|(key, given)| given.then_some(key))
    .collect();
    let expected = match of {
        Of::Pin => "`velocity` and `spin`, or `keyframes`, `cache` or `joint`",
        Of::Body => "`velocity` and `spin`, or `keyframes`, `cache` or `animation`",
        Of::Shape => "`velocity` and `spin`, or `keyframes`",
    };
    match ways[..] {
        [_] => {}
        [] => return Err(Fault::new(at.clone(), "the motion is not given", expected)),
        [first, second, ..] => {
            let problem = format!("the motion is given twice, by `{first}` and `{second}`");
            return Err(Fault::new(at.key(second), problem, expected));
        }
    }
    if let Some(keyframes) = &motion.keyframes {
        check_keyframes(&at.key("keyframes"), keyframes)?;
    }
    if motion.pivot.is_some() && motion.spin.is_none() && motion.keyframes.is_none() {
        let problem = "`pivot` is the centre of a rotation, but nothing rotates";
        return Err(Fault::new(at.key("pivot"), problem, "it to be left out"));
    }
    check_owner(at, motion, of)?;
    check_samples(at, motion)
}

fn check_keyframes(at: &FieldPath, keyframes: &[KeyframeModel]) -> Result<(), Fault> {
    if keyframes.is_empty() {
        return Err(Fault::new(at.clone(), "there are no keyframes", "at least one keyframe"));
    }
    for (i, key) in keyframes.iter().enumerate() {
        let at = at.index(i);
        let time = key.time.get();
        let before = i.checked_sub(1).map(|i| keyframes[i].time.get());
        if let Some(before) = before.filter(|before| *before >= time) {
            let problem = format!("keyframe {} at {time} s does not follow that at {before} s", i + 1);
            return Err(Fault::new(at.key("time"), problem, "keyframes in order of time"));
        }
    }
    Ok(())
}

/// Whether the motion is one that its owner can have.
fn check_owner(at: &FieldPath, motion: &MotionModel, of: Of) -> Result<(), Fault> {
    let rigid = "`velocity`, `spin` or `keyframes`";
    let (key, problem, expected) = match of {
        Of::Shape if motion.cache.is_some() => {
            ("cache", "a point cache cannot move an obstacle, which is rigid", rigid)
        }
        Of::Shape if motion.animation.is_some() => {
            ("animation", "an animation cannot move an obstacle of a shape, which is rigid", rigid)
        }
        Of::Shape | Of::Body if motion.joint.is_some() => {
            ("joint", "only pins follow the joint of another body", rigid)
        }
        Of::Pin if motion.animation.is_some() => (
            "animation",
            "`animation` moves a body with `obstacle = true`; pins follow a joint of it",
            "`joint = { body = …, name = … }`",
        ),
        _ => return Ok(()),
    };
    Err(Fault::new(at.key(key), problem, expected))
}

/// The stages with which motions begin.
pub(super) fn check_stages(root: &FieldPath, scene: &SceneModel) -> Result<(), Fault> {
    let mut all: Vec<(FieldPath, &MotionModel, bool)> = Vec::new();
    for (i, body) in scene.bodies.iter().enumerate() {
        let at = root.key("body").index(i);
        all.extend(body.motion.iter().map(|motion| (at.key("motion"), motion, true)));
        let pins = body.pins.iter().enumerate();
        all.extend(
            pins.filter_map(|(k, pin)| {
                Some((at.key("pin").index(k).key("motion"), pin.motion.as_ref()?, true))
            }),
        );
    }
    for (i, obstacle) in scene.obstacles.iter().enumerate() {
        let at = root.key("obstacle").index(i).key("motion");
        all.extend(obstacle.motion.iter().map(|motion| (at.clone(), motion, false)));
    }
    for (at, motion, waits) in all {
        let Some(stage) = motion.stage() else { continue };
        let at = at.key("start");
        if !waits {
            let problem = "only pins and bodies with `obstacle = true` begin to move with a stage";
            return Err(Fault::new(at, problem, "keyframes with times, or a body as obstacle"));
        }
        if motion.joint.is_some() {
            let problem = "a pin that follows a joint begins to move when the body of the joint does";
            return Err(Fault::new(at, problem, "it to be left out"));
        }
        let names: Vec<&str> = scene.stages.iter().map(|stage| stage.name.as_str()).collect();
        if !names.contains(&stage) {
            let expected = one_of(stage, &names, "a scene with stages");
            return Err(Fault::new(at, format!("there is no stage {stage:?}"), expected));
        }
    }
    Ok(())
}

/// Whether a motion with the keys of samples has them.
fn check_samples(at: &FieldPath, motion: &MotionModel) -> Result<(), Fault> {
    const SAMPLED: &str = "`cache` and `animation`, of which none is";
    let (cache, samples) = (motion.cache.is_some(), motion.cache.is_some() || motion.animation.is_some());
    let options = [
        ("rate", motion.rate.is_some(), samples, SAMPLED),
        ("start", matches!(motion.start, Some(MotionStart::Time(_))), samples, SAMPLED),
        ("repeat", motion.repeat.is_some(), samples, SAMPLED),
        ("interpolation", motion.interpolation.is_some(), samples, SAMPLED),
        ("space", motion.space.is_some(), cache, "`cache`, which is not"),
        ("lead_in", motion.lead_in.is_some(), cache, "`cache`, which is not"),
    ];
    match options.into_iter().find(|(_, given, applies, _)| *given && !applies) {
        Some((key, .., to)) => {
            let problem = format!("`{key}` applies to {to} given");
            Err(Fault::new(at.key(key), problem, "it to be left out"))
        }
        None => Ok(()),
    }
}
