//! Scenes that are built and run for a few frames.

use pliant_scene::{Built, Scene};
use tempfile::TempDir;

pub(crate) fn build(text: &str, base: &TempDir) -> Result<Built<f64>, String> {
    Scene::parse(text, base.path()).and_then(|scene| scene.build()).map_err(|error| error.to_string())
}

/// The state after a few frames.
pub(crate) fn hash(text: &str, base: &TempDir) -> u64 {
    let mut built = build(text, base).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for _ in 0..3 {
        built.simulation.step(1.0 / 60.0).unwrap();
    }
    built.simulation.state_hash()
}
