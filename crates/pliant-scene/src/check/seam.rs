//! Checks of seams.

use super::body_name;
use super::name::check_name;
use super::region;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{SceneModel, SeamModel, SeamPairs};
use crate::suggest::one_of;

/// The name of a seam in reports.
pub(crate) fn seam_name(scene: &SceneModel, number: usize) -> String {
    scene.seams[number].name.clone().unwrap_or_else(|| format!("seam-{}", number + 1))
}

pub(super) fn check(at: &FieldPath, number: usize, scene: &SceneModel) -> Result<(), Fault> {
    let seam = &scene.seams[number];
    if let Some(name) = &seam.name {
        check_name(&at.key("name"), "seam", name)?;
    }
    let name = seam_name(scene, number);
    if let Some(first) = (0..number).find(|&other| seam_name(scene, other) == name) {
        let problem = format!("the seams {first} and {number} (from 0) are both called {name:?}");
        let at = if seam.name.is_some() { at.key("name") } else { at.clone() };
        return Err(Fault::new(at, problem, "another `name` for one of them"));
    }
    check_bodies(&at.key("bodies"), seam, scene)?;
    if seam.weld == Some(true) && seam.close_time.is_some_and(|time| time.get() > 0.0) {
        let problem = "the seam is welded, and so closed from the start, but has a `close_time`";
        return Err(Fault::new(at.key("close_time"), problem, "one of `close_time` and `weld`"));
    }
    match (&seam.pairs, &seam.borders) {
        (None, None) => {
            let problem = "which vertices are sewn to what is not given";
            return Err(Fault::new(at.clone(), problem, "one of `pairs` and `borders`"));
        }
        (Some(_), Some(_)) => {
            let problem = "which vertices are sewn to what is given twice, by `pairs` and `borders`";
            return Err(Fault::new(at.key("borders"), problem, "one of them"));
        }
        (Some(SeamPairs::Listed(pairs)), None) if pairs.is_empty() => {
            return Err(Fault::new(at.key("pairs"), "the seam has no pairs", "at least one pair"));
        }
        (Some(_), None) => {}
        (None, Some(borders)) => {
            for (k, border) in borders.iter().enumerate() {
                let at = at.key("borders").index(k);
                region::check(&at, border, "which part of the border is sewn", "the seam")?;
            }
        }
    }
    Ok(())
}

fn check_bodies(at: &FieldPath, seam: &SeamModel, scene: &SceneModel) -> Result<(), Fault> {
    if !(1..=2).contains(&seam.bodies.len()) {
        let problem = format!("the seam is of {} bodies", seam.bodies.len());
        return Err(Fault::new(at.clone(), problem, "the name of one body, or of two"));
    }
    let known: Vec<String> = (0..scene.bodies.len()).map(|i| body_name(scene, i)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    for (k, name) in seam.bodies.iter().enumerate() {
        if !known.contains(&name.as_str()) {
            let expected = one_of(name, &known, "a scene with bodies");
            return Err(Fault::new(at.index(k), format!("there is no body {name:?}"), expected));
        }
    }
    Ok(())
}
