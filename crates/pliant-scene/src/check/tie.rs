//! Checks of stitches and attachments.

use super::{body_name, region};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{AttachmentModel, PerPair, SceneModel, SolidPoisson, StitchModel, StitchTo};
use crate::suggest::one_of;

pub(super) fn check_stitch(at: &FieldPath, stitch: &StitchModel, scene: &SceneModel) -> Result<(), Fault> {
    let [a, b] = check_bodies(at, &stitch.bodies, scene)?;
    if a == b && stitch.same_body != Some(true) {
        let problem = format!("the stitch ties the body {:?} to itself", stitch.bodies[0]);
        return Err(Fault::new(
            at.key("bodies"),
            problem,
            "two bodies, or `same_body = true` if it is meant",
        ));
    }
    check_pairs(at, stitch)?;
    check_parameters(at, stitch)
}

pub(super) fn check_attachment(
    at: &FieldPath,
    attachment: &AttachmentModel,
    scene: &SceneModel,
) -> Result<(), Fault> {
    let [a, b] = check_bodies(at, &attachment.bodies, scene)?;
    if a == b {
        let problem = format!("the attachment ties the body {:?} to itself", attachment.bodies[0]);
        return Err(Fault::new(at.key("bodies"), problem, "two bodies"));
    }
    region::check(&at.key("region"), &attachment.region, "which vertices are held", "the attachment")?;
    Ok(())
}

/// The numbers of the two bodies.
pub(super) fn check_bodies(
    at: &FieldPath,
    names: &[String; 2],
    scene: &SceneModel,
) -> Result<[usize; 2], Fault> {
    let known: Vec<String> = (0..scene.bodies.len()).map(|i| body_name(scene, i)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let find = |i: usize| {
        let name = names[i].as_str();
        known.iter().position(|known| *known == name).ok_or_else(|| {
            let at = at.key("bodies").index(i);
            Fault::new(at, format!("there is no body {name:?}"), one_of(name, &known, "a scene with bodies"))
        })
    };
    Ok([find(0)?, find(1)?])
}

fn check_pairs(at: &FieldPath, stitch: &StitchModel) -> Result<(), Fault> {
    match (&stitch.pairs, stitch.radius) {
        (None, None) => {
            let problem = "which vertices are sewn to what is not given";
            return Err(Fault::new(at.clone(), problem, "one of `radius` and `pairs`"));
        }
        (Some(_), Some(_)) => {
            let problem = "which vertices are sewn to what is given twice, by `radius` and `pairs`";
            return Err(Fault::new(at.key("pairs"), problem, "one of them"));
        }
        (None, Some(_)) => {}
        (Some(pairs), None) => {
            let (length, what) = match stitch.to {
                StitchTo::Vertices => (2, "a vertex and a vertex"),
                StitchTo::Edges => (3, "a vertex and the two ends of an edge"),
                StitchTo::Triangles => (4, "a vertex and the three corners of a triangle"),
            };
            if pairs.is_empty() {
                return Err(Fault::new(at.key("pairs"), "the stitch has no pairs", "at least one pair"));
            }
            if let Some(i) = pairs.iter().position(|pair| pair.len() != length) {
                let problem = format!("pair {i} has {} numbers", pairs[i].len());
                let expected = format!("{length}: {what}");
                return Err(Fault::new(at.key("pairs").index(i), problem, expected));
            }
        }
    }
    let Some(part) = &stitch.region else { return Ok(()) };
    if stitch.pairs.is_some() {
        let problem = "`region` is about the search within `radius`, but the pairs are given";
        return Err(Fault::new(at.key("region"), problem, "it to be left out"));
    }
    region::check(&at.key("region"), part, "which vertices are sewn", "the stitch")
}

fn check_parameters(at: &FieldPath, stitch: &StitchModel) -> Result<(), Fault> {
    let (vertices, edges) = (stitch.to == StitchTo::Vertices, stitch.to == StitchTo::Edges);
    let given = [
        ("stiffness", stitch.stiffness.is_some(), vertices),
        ("rest_length", stitch.rest_length.is_some(), vertices),
        ("keep_distance", stitch.keep_distance.is_some(), vertices),
        ("young", stitch.young.is_some(), !vertices),
        ("poisson", stitch.poisson.is_some(), !vertices),
        ("thickness", stitch.thickness.is_some(), edges),
        ("min_separate_distance", stitch.min_separate_distance.is_some(), !vertices),
    ];
    let to = match stitch.to {
        StitchTo::Vertices => "vertices",
        StitchTo::Edges => "edges",
        StitchTo::Triangles => "triangles",
    };
    if let Some((key, ..)) = given.iter().find(|(_, given, fits)| *given && !fits) {
        let problem = format!("a stitch to {to} has no `{key}`");
        let expected = match stitch.to {
            StitchTo::Vertices => "`stiffness`, and `rest_length` or `keep_distance`",
            StitchTo::Edges => "`young`, `poisson`, `thickness` and `min_separate_distance`",
            StitchTo::Triangles => "`young`, `poisson` and `min_separate_distance`",
        };
        return Err(Fault::new(at.key(key), problem, expected));
    }
    if stitch.keep_distance == Some(true) && stitch.rest_length.is_some() {
        let problem = "both `rest_length` and `keep_distance` say how long the stitches are";
        return Err(Fault::new(at.key("keep_distance"), problem, "one of them"));
    }
    let pairs = stitch.pairs.as_ref().map(Vec::len);
    check_count(at, "stiffness", stitch.stiffness.as_ref(), pairs)?;
    check_count(at, "rest_length", stitch.rest_length.as_ref(), pairs)?;
    check_count(at, "young", stitch.young.as_ref(), pairs)?;
    check_count(at, "thickness", stitch.thickness.as_ref(), pairs)?;
    check_count(at, "min_separate_distance", stitch.min_separate_distance.as_ref(), pairs)?;
    check_count(at, "poisson", stitch.poisson.as_ref(), pairs)?;
    // The tetrahedra to triangles are solids, the triangles to edges are sheets.
    if edges {
        return Ok(());
    }
    let numbers = stitch.poisson.iter().flat_map(PerPair::numbers);
    let mut refused =
        numbers.enumerate().filter_map(|(i, poisson)| Some((i, SolidPoisson::new(poisson).err()?)));
    if let Some((i, error)) = refused.next() {
        let at = at.key("poisson");
        let at = if matches!(stitch.poisson, Some(PerPair::Each(_))) { at.index(i) } else { at };
        let problem = format!("Poisson's ratio of the stitch is {}", error.value);
        return Err(Fault::new(at, problem, error.expected));
    }
    Ok(())
}

/// Whether a list has a number for each of the pairs, if these are given.
fn check_count<Number>(
    at: &FieldPath,
    key: &'static str,
    given: Option<&PerPair<Number>>,
    pairs: Option<usize>,
) -> Result<(), Fault> {
    let Some(PerPair::Each(list)) = given else { return Ok(()) };
    let (problem, expected) = match pairs {
        None => (
            format!("`{key}` is a list, but which pairs there are is only found within the radius"),
            "one number, or a list of `pairs`",
        ),
        Some(pairs) if list.len() != pairs => (
            format!("`{key}` has {} numbers for {pairs} pairs", list.len()),
            "one number, or one for each pair",
        ),
        Some(_) => return Ok(()),
    };
    Err(Fault::new(at.key(key), problem, expected))
}
