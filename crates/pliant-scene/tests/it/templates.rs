//! Every template checks, builds and runs; the schema knows all their keys.

use pliant_scene::model::Count;
use pliant_scene::{Template, schema, templates};

#[test]
fn every_template_runs() {
    for template in templates() {
        let mut scene = template.scene().unwrap_or_else(|error| panic!("{}: {error}", template.name));
        assert_eq!(scene.name(), template.name);
        // Two substeps are enough to see that it runs.
        scene.model.solver.substeps = Count::new(2).ok();
        let mut built = scene.build::<f32>().unwrap_or_else(|error| panic!("{}: {error}", template.name));
        let dt = scene.time_step();
        let report = built.simulation.step(dt).unwrap_or_else(|error| panic!("{}: {error}", template.name));
        assert!(report.energy.total().is_finite());
        assert!(scene.model.frames.get() >= 60, "{} is too short to be looked at", template.name);
    }
}

#[test]
fn templates_are_named_and_point_to_the_schema() {
    for template in templates() {
        assert_eq!(Template::named(template.name), Some(template));
        assert!(template.text().starts_with("#:schema scene.schema.json\n# "), "{}", template.name);
        assert!(!template.about.is_empty());
    }
    assert_eq!(Template::default_scene().name, "default");
    assert_eq!(Template::named("nothing"), None);
}

/// A small part of JSON schema validation: that every key of the templates is one of the schema's properties,
/// and is explained there.
#[test]
fn the_schema_explains_every_key() {
    let schema: serde_json::Value = serde_json::from_str(schema()).unwrap();
    for template in templates() {
        let scene: toml::Value = toml::from_str(&template.text()).unwrap();
        known(&schema, &schema, &scene, template.name);
    }
}

fn known(root: &serde_json::Value, schema: &serde_json::Value, value: &toml::Value, at: &str) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let at = format!("{at}.{key}");
                let property =
                    properties(root, schema, key).unwrap_or_else(|| panic!("{at} is not in the schema"));
                let explained = property.get("description").is_some()
                    || resolve(root, property).iter().any(|s| s.get("description").is_some());
                assert!(explained, "{at} is not explained");
                known(root, property, value, &at);
            }
        }
        toml::Value::Array(items) => {
            let candidates = resolve(root, schema);
            if let Some(items_schema) = candidates.iter().find_map(|s| s.get("items")) {
                for item in items {
                    known(root, items_schema, item, at);
                }
            }
        }
        _ => {}
    }
}

/// The property `key` of a schema or of one of its alternatives.
fn properties<'a>(
    root: &'a serde_json::Value,
    schema: &'a serde_json::Value,
    key: &str,
) -> Option<&'a serde_json::Value> {
    resolve(root, schema).into_iter().find_map(|s| s.get("properties")?.get(key))
}

/// The schema, the schemas that it refers to, and its alternatives.
fn resolve<'a>(root: &'a serde_json::Value, schema: &'a serde_json::Value) -> Vec<&'a serde_json::Value> {
    let mut all = vec![schema];
    let mut next = 0;
    while let Some(&schema) = all.get(next) {
        next += 1;
        if let Some(name) = schema.get("$ref").and_then(|r| r.as_str()) {
            all.push(root.pointer(name.trim_start_matches('#')).expect("references resolve"));
        }
        for alternatives in ["anyOf", "oneOf", "allOf"] {
            all.extend(schema.get(alternatives).and_then(|a| a.as_array()).into_iter().flatten());
        }
    }
    all
}
