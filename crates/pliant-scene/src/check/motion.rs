//! Checks of prescribed motions.

use super::number::{direction, finite, positive, vector};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{KeyframeModel, MotionModel};

/// What moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Pin,
    Obstacle,
}

pub(super) fn check(at: &FieldPath, motion: &MotionModel, of: Of) -> Result<(), Fault> {
    let velocity = motion.velocity.is_some() || motion.spin.is_some();
    let ways: Vec<&'static str> = [
        (if motion.velocity.is_some() { "velocity" } else { "spin" }, velocity),
        ("keyframes", motion.keyframes.is_some()),
        ("cache", motion.cache.is_some()),
    ]
    .into_iter()
    .filter_map(|(key, given)| given.then_some(key))
    .collect();
    let expected = "`velocity` and `spin`, or `keyframes`, or (for pins) `cache`";
    match ways[..] {
        [_] => {}
        [] => return Err(Fault::new(at.clone(), "the motion is not given", expected)),
        [first, second, ..] => {
            let problem = format!("the motion is given twice, by `{first}` and `{second}`");
            return Err(Fault::new(at.key(second), problem, expected));
        }
    }
    if let Some(velocity) = &motion.velocity {
        vector(&at.key("velocity"), "the velocity", velocity, "m/s")?;
    }
    if let Some(spin) = &motion.spin {
        let at = at.key("spin");
        direction(&at.key("axis"), "the axis", &spin.axis)?;
        finite(&at.key("degrees_per_second"), "the angular velocity", spin.degrees_per_second, "degrees/s")?;
    }
    if let Some(keyframes) = &motion.keyframes {
        check_keyframes(&at.key("keyframes"), keyframes)?;
    }
    if let Some(pivot) = &motion.pivot {
        vector(&at.key("pivot"), "the pivot", pivot, "m")?;
        if motion.cache.is_some() || (motion.spin.is_none() && motion.keyframes.is_none()) {
            let problem = "`pivot` is the centre of a rotation, but nothing rotates";
            return Err(Fault::new(at.key("pivot"), problem, "it to be left out"));
        }
    }
    check_cache(at, motion, of)
}

fn check_keyframes(at: &FieldPath, keyframes: &[KeyframeModel]) -> Result<(), Fault> {
    if keyframes.is_empty() {
        return Err(Fault::new(at.clone(), "there are no keyframes", "at least one keyframe"));
    }
    for (i, key) in keyframes.iter().enumerate() {
        let at = at.index(i);
        finite(&at.key("time"), "the time", key.time, "s")?;
        if i > 0 && keyframes[i - 1].time >= key.time {
            let problem = format!(
                "keyframe {} at {} s does not follow that at {} s",
                i + 1,
                key.time,
                keyframes[i - 1].time
            );
            return Err(Fault::new(at.key("time"), problem, "keyframes in order of time"));
        }
        if let Some(translate) = &key.translate {
            vector(&at.key("translate"), "the displacement", translate, "m")?;
        }
        if let Some(rotate) = &key.rotate {
            let at = at.key("rotate");
            direction(&at.key("axis"), "the axis", &rotate.axis)?;
            finite(&at.key("degrees"), "the angle", rotate.degrees, "degrees")?;
        }
    }
    Ok(())
}

fn check_cache(at: &FieldPath, motion: &MotionModel, of: Of) -> Result<(), Fault> {
    if motion.cache.is_some() {
        if of == Of::Obstacle {
            let problem = "a point cache cannot move an obstacle, which is rigid";
            return Err(Fault::new(at.key("cache"), problem, "`velocity`, `spin` or `keyframes`"));
        }
        if let Some(rate) = motion.rate {
            positive(&at.key("rate"), "the rate of the samples", rate, "1/s")?;
        }
        if let Some(start) = motion.start {
            finite(&at.key("start"), "the time of the first sample", start, "s")?;
        }
        return Ok(());
    }
    let options = [
        ("rate", motion.rate.is_some()),
        ("start", motion.start.is_some()),
        ("space", motion.space.is_some()),
    ];
    match options.into_iter().find(|(_, given)| *given) {
        Some((key, _)) => {
            let problem = format!("`{key}` applies to `cache`, which is not given");
            Err(Fault::new(at.key(key), problem, "it to be left out"))
        }
        None => Ok(()),
    }
}
