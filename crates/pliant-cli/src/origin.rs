//! The scene of a run, from its copy in the folder of the run.

use std::fs;
use std::path::Path;

use pliant_scene::{Scene, SceneError};
use serde::Deserialize;

/// The place of the scene, from `run.json`.
#[derive(Deserialize)]
struct Told {
    scene_file: String,
}

/// The scene of which the folder of a run holds this copy. Relative paths start from the original scene,
/// unless the file there has changed.
pub(crate) fn scene_of(folder: &Path, original: &str, copy: &str) -> Result<Scene, SceneError> {
    let original = Path::new(original);
    if fs::read_to_string(original).is_ok_and(|text| text == copy) {
        return Scene::load(original);
    }
    Scene::parse_named(&folder.join("scene.toml").display().to_string(), copy, folder)
}

/// The scene of a run that may still be in progress; `None` if the folder holds no copy of it.
pub(crate) fn scene_of_run(folder: &Path) -> Option<Result<Scene, SceneError>> {
    let path = folder.join("scene.toml");
    if !path.is_file() {
        return None;
    }
    let told = fs::read_to_string(folder.join("run.json")).ok();
    let told = told.and_then(|text| serde_json::from_str::<Told>(&text).ok());
    Some(match (told, fs::read_to_string(&path)) {
        (Some(told), Ok(copy)) => scene_of(folder, &told.scene_file, &copy),
        _ => Scene::load(&path),
    })
}
