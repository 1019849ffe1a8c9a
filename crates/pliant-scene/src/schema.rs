//! The JSON schemas of scene and stack files.
//!
//! They are files of this crate, written from the models by [`generated`], which only builds with the feature
//! `schemars` have: to derive schemas takes the compiler longer than to read them.

#[cfg(feature = "schemars")]
pub mod generated;

/// File name of the schema; scene files point to it in their first line, `#:schema scene.schema.json`.
pub const SCHEMA_FILE: &str = "scene.schema.json";

/// File name of the schema of stack files.
pub const STACK_SCHEMA_FILE: &str = "stack.schema.json";

/// The JSON schema (draft 2020-12) of scene files, indented: editors that know TOML complete, explain and
/// check scenes with it.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(pliant_scene::schema())?;
/// assert_eq!(schema["title"], "Pliant scene");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn schema() -> &'static str {
    include_str!("../schema/scene.schema.json")
}

/// The JSON schema (draft 2020-12) of stack files, indented.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(pliant_scene::stack_schema())?;
/// assert_eq!(schema["title"], "Pliant deformer stack");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn stack_schema() -> &'static str {
    include_str!("../schema/stack.schema.json")
}
