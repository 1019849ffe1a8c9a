//! The checks of a scene that need no mesh: every choice, every name, and numbers that depend on others. The
//! bounds of single numbers are in their types.
//!
//! They run in the order of the file's tables and stop at the first fault, which carries the path of the field.

pub(crate) mod body;
mod collide;
mod hold;
mod material;
mod motion;
mod name;
mod obstacle;
mod output;
mod place;
pub(crate) mod region;
mod seam;
mod solver;
mod stage;
mod tie;

use pliant_solver::Requirement;

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::SceneModel;

use name::check_names_differ;
pub(crate) use name::{LONGEST_NAME, body_name, check_name, fits_file_name};
pub(crate) use seam::seam_name;

/// Checks a scene.
pub(crate) fn check(model: &SceneModel) -> Result<(), Fault> {
    let root = FieldPath::root();
    if let Some(name) = &model.name {
        check_name(&root.key("name"), "scene", name)?;
    }
    for (i, text) in model.require.iter().enumerate() {
        text.parse::<Requirement>().map_err(|error| {
            Fault::new(root.key("require").index(i), error.to_string(), "a bound on a quantity")
        })?;
    }
    solver::check(&root.key("solver"), &model.solver)?;
    stage::check(&root, model)?;
    if model.bodies.is_empty() {
        return Err(Fault::new(root, "there is no body to simulate", "at least one `[[body]]`"));
    }
    for (i, body) in model.bodies.iter().enumerate() {
        body::check(&root.key("body").index(i), body)?;
    }
    motion::check_stages(&root, model)?;
    collide::check_groups(model)?;
    check_names_differ(model)?;
    for (i, obstacle) in model.obstacles.iter().enumerate() {
        obstacle::check(&root.key("obstacle").index(i), obstacle)?;
    }
    for (i, stitch) in model.stitches.iter().enumerate() {
        tie::check_stitch(&root.key("stitch").index(i), stitch, model)?;
    }
    for i in 0..model.seams.len() {
        seam::check(&root.key("seam").index(i), i, model)?;
    }
    for (i, attachment) in model.attachments.iter().enumerate() {
        tie::check_attachment(&root.key("attachment").index(i), attachment, model)?;
    }
    for (i, contact) in model.contacts.iter().enumerate() {
        collide::check_contact(&root.key("contact").index(i), contact, model)?;
    }
    output::check(&root.key("output"), &model.output, &model.bodies)
}
