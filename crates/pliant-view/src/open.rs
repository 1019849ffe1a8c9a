//! [`open`]: a text that is shown, whichever kind it is.

use std::path::Path;

use pliant_scene::{Scene, SceneError, StackFile};

use crate::exhibit::Exhibit;
use crate::show::Show;
use crate::skin::Skin;

/// Opens a text: a scene, or a stack of deformers. `name` is its name in errors; relative paths in it start from `base`.
///
/// ```
/// let sheet = "[[body]]\nmesh = { grid = { vertices = [5, 5], size = [1, 1] } }\nmaterial = \"cotton\"\n";
/// let mut shown = pliant_view::open("sheet", sheet, ".".as_ref())?;
/// shown.step()?;
/// assert_eq!(shown.stage()["bodies"][0]["vertices"], 25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If it is neither, or cannot be built.
pub fn open(name: &str, text: &str, base: &Path) -> Result<Box<dyn Exhibit>, SceneError> {
    if StackFile::is_meant(text) {
        return Ok(Box::new(Skin::of_stack(StackFile::parse_named(name, text, base)?)?));
    }
    Ok(Box::new(Show::of_scene(Scene::parse_named(name, text, base)?)?))
}
