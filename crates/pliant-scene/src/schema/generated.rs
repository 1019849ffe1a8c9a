//! The schemas derived from the models: what `cargo xtask schema` writes to the files of this crate.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::model::SceneModel;
use crate::stack::StackModel;

/// The schema of scene files.
#[must_use]
pub fn scene() -> String {
    schema_of::<SceneModel>()
}

/// The schema of stack files.
#[must_use]
pub fn stack() -> String {
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
        let schema = super::scene();
        assert!(!schema.contains("\"null\""));
        assert!(schema.contains("\"$ref\": \"#/$defs/SolverModel\""));
    }
}
