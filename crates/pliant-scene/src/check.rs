//! The checks of a scene that need no mesh: every number, every choice, every name.
//!
//! They run in the order of the file's tables and stop at the first fault, which carries the path of the field.

pub(crate) mod body;
mod collide;
mod hold;
mod material;
mod motion;
pub(crate) mod number;
mod obstacle;
mod output;
pub(crate) mod region;
mod solid;
mod solver;
mod tie;

use std::collections::BTreeMap;

use pliant_solver::Requirement;

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::SceneModel;

use number::{in_range, positive};

/// The longest name of a scene or body, in characters.
pub(crate) const LONGEST_NAME: usize = 80;

/// Whether a character may stand in a name that becomes part of a file name.
pub(crate) fn fits_file_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}

/// Checks a scene.
pub(crate) fn check(model: &SceneModel) -> Result<(), Fault> {
    let root = FieldPath::root();
    if let Some(name) = &model.name {
        check_name(&root.key("name"), "scene", name)?;
    }
    in_range(&root.key("frames"), "the number of frames", model.frames, 1, 1_000_000)?;
    positive(&root.key("frame_rate"), "the frame rate", model.frame_rate, "1/s")?;
    for (i, text) in model.require.iter().enumerate() {
        text.parse::<Requirement>().map_err(|error| {
            Fault::new(root.key("require").index(i), error.to_string(), "a bound on a quantity")
        })?;
    }
    solver::check(&root.key("solver"), &model.solver)?;
    if model.bodies.is_empty() {
        return Err(Fault::new(root, "there is no body to simulate", "at least one `[[body]]`"));
    }
    for (i, body) in model.bodies.iter().enumerate() {
        body::check(&root.key("body").index(i), body)?;
    }
    collide::check_groups(model)?;
    check_names_differ(model)?;
    for (i, obstacle) in model.obstacles.iter().enumerate() {
        obstacle::check(&root.key("obstacle").index(i), obstacle)?;
    }
    for (i, stitch) in model.stitches.iter().enumerate() {
        tie::check_stitch(&root.key("stitch").index(i), stitch, model)?;
    }
    for (i, attachment) in model.attachments.iter().enumerate() {
        tie::check_attachment(&root.key("attachment").index(i), attachment, model)?;
    }
    for (i, contact) in model.contacts.iter().enumerate() {
        collide::check_contact(&root.key("contact").index(i), contact, model)?;
    }
    output::check(&root.key("output"), &model.output, &model.bodies)
}

/// The name of body `i`, given or made up.
pub(crate) fn body_name(model: &SceneModel, i: usize) -> String {
    model.bodies[i].name.clone().unwrap_or_else(|| format!("body-{}", i + 1))
}

pub(crate) fn check_name(at: &FieldPath, what: &str, name: &str) -> Result<(), Fault> {
    let expected = "letters, digits, `-` and `_`, at most 80";
    if name.is_empty() {
        return Err(Fault::new(at.clone(), format!("the name of the {what} is empty"), expected));
    }
    if let Some(c) = name.chars().find(|&c| !fits_file_name(c)) {
        return Err(Fault::new(
            at.clone(),
            format!("the name of the {what} has the character {c:?}"),
            expected,
        ));
    }
    if name.starts_with('.') || name.chars().count() > LONGEST_NAME {
        return Err(Fault::new(
            at.clone(),
            format!("the name of the {what} cannot be a file name"),
            expected,
        ));
    }
    Ok(())
}

/// Names become file names, so they must differ even where upper and lower case are the same.
fn check_names_differ(model: &SceneModel) -> Result<(), Fault> {
    let mut earlier = BTreeMap::new();
    for i in 0..model.bodies.len() {
        if let Some(first) = earlier.insert(body_name(model, i).to_lowercase(), i) {
            let at = FieldPath::root().key("body").index(i).key("name");
            let problem =
                format!("body {} has the name of body {}, {:?}", i + 1, first + 1, body_name(model, i));
            return Err(Fault::new(at, problem, "a name of its own for every body"));
        }
    }
    Ok(())
}
