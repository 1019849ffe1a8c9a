//! The JSON schema of scene files.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::model::SceneModel;
use crate::stack::StackModel;

/// File name of the schema; scene files point to it in their first line, `#:schema scene.schema.json`.
pub const SCHEMA_FILE: &str = "scene.schema.json";

/// File name of the schema of stack files.
pub const STACK_SCHEMA_FILE: &str = "stack.schema.json";

/// The JSON schema (draft 2020-12) of scene files, indented: editors that know TOML complete, explain and check scenes with it.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&pliant_scene::schema())?;
/// assert_eq!(schema["title"], "Pliant scene");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn schema() -> String {
    schema_of::<SceneModel>()
}

/// The JSON schema (draft 2020-12) of stack files, indented.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&pliant_scene::stack_schema())?;
/// assert_eq!(schema["title"], "Pliant deformer stack");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn stack_schema() -> String {
    schema_of::<StackModel>()
}

fn schema_of<T: JsonSchema>() -> String {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(forget_null));
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut text = serde_json::to_string_pretty(schema.as_value()).expect("a schema is plain JSON");
    text.push('\n');
    text
}

/// Removes null from optional fields. The derived schema allows it because `None` is null in JSON, but TOML
/// has no null.
fn forget_null(schema: &mut Schema) {
    let null = Value::from("null");
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|t| *t != null);
        if let [one] = &types[..] {
            let one = one.clone();
            schema.insert("type".to_owned(), one);
        }
    }
    let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") else { return };
    alternatives.retain(|alternative| alternative.get("type") != Some(&null));
    if let [Value::Object(one)] = &alternatives[..] {
        let one = one.clone();
        schema.remove("anyOf");
        for (key, value) in one {
            if schema.get(&key).is_none() {
                schema.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_is_null() {
        let schema = super::schema();
        assert!(!schema.contains("\"null\""));
        assert!(schema.contains("\"$ref\": \"#/$defs/SolverModel\""));
    }
}
