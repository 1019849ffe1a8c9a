//! [`elsewhere`]: the table to which a key belongs that stands in another one.

use serde_json::Value;

use crate::schema::schema;

/// The schema is long, and a module in a page has no room for it.
const KNOWS: bool = !cfg!(target_family = "wasm");

/// Of a key that a table of a scene does not have, whose keys are `known`: the tables that have it, in words. None
/// if there is no such table, or if the table is not one of a scene.
pub(crate) fn elsewhere(key: &str, known: &[&str]) -> Option<String> {
    if !KNOWS {
        return None;
    }
    let schema: Value = serde_json::from_str(schema()).ok()?;
    let is_here = |model: &Value| {
        model["properties"].as_object().is_some_and(|keys| {
            keys.len() == known.len() && known.iter().all(|&known| keys.contains_key(known))
        })
    };
    let definitions = schema["$defs"].as_object()?;
    if !is_here(&schema) && !definitions.values().any(is_here) {
        return None;
    }
    let has = |model: &Value| !is_here(model) && model["properties"].get(key).is_some();
    let mut places = Vec::new();
    if has(&schema) {
        places.push("the scene, above its first table".to_owned());
    }
    for (name, property) in schema["properties"].as_object()? {
        let is_list = property.get("items").is_some();
        let table = if is_list { &property["items"] } else { property };
        let model = table["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
        if model.is_some_and(|model| has(&schema["$defs"][model])) {
            places.push(if is_list { format!("`[[{name}]]`") } else { format!("`[{name}]`") });
        }
    }
    let last = places.pop()?;
    Some(if places.is_empty() { last } else { format!("{} and {last}", places.join(", ")) })
}

#[cfg(test)]
mod tests {
    use crate::Scene;

    fn message(text: &str) -> String {
        Scene::parse(text, ".").unwrap_err().to_string()
    }

    #[test]
    fn a_key_in_a_wrong_table_is_sent_where_it_belongs() {
        let body = "\n[[body]]\nmesh = { grid = { vertices = [3, 3], size = [1.0, 1.0] } }\n";
        let error = message(&format!("[solver]\nprecision = \"f32\"{body}"));
        assert!(error.contains("(it is a key of the scene, above its first table)"), "{error}");
        let error = message(&format!("substeps = 20{body}"));
        assert!(error.contains("(it is a key of `[solver]` and `[[stage]]`)"), "{error}");
        let error = message(&format!("{body}formats = [\"pc2\"]\n"));
        assert!(error.contains("(it is a key of `[output]`)"), "{error}");
    }

    #[test]
    fn a_key_that_no_table_has_is_sent_nowhere() {
        let error = message("[solver]\nzzzzzzz = 1\n");
        assert!(error.contains("unknown field `zzzzzzz`") && !error.contains("it is a key of"), "{error}");
    }
}
