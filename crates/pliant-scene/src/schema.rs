//! The JSON schema of scene files.

use schemars::schema_for;

use crate::model::SceneModel;

/// File name of the schema; scene files point to it in their first line, `#:schema scene.schema.json`.
pub const SCHEMA_FILE: &str = "scene.schema.json";

/// The JSON schema (draft 2020-12) of scene files, indented: editors that know TOML complete, explain and check scenes with it.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&pliant_scene::schema())?;
/// assert_eq!(schema["title"], "Pliant scene");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn schema() -> String {
    let schema = schema_for!(SceneModel);
    let mut text = serde_json::to_string_pretty(schema.as_value()).expect("a schema is plain JSON");
    text.push('\n');
    text
}
