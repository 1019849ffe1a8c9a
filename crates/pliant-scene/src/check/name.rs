//! Names, which become parts of the names of files.

use std::collections::BTreeMap;

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::SceneModel;

/// The longest name of a scene or body, in characters.
pub(crate) const LONGEST_NAME: usize = 80;

/// Whether a character may stand in a name that becomes part of a file name.
pub(crate) fn fits_file_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
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
pub(super) fn check_names_differ(model: &SceneModel) -> Result<(), Fault> {
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
