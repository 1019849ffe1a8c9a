//! The sliders of a stack of deformers.

use pliant_scene::StackFile;
use serde_json::json;
use toml::Value;

use crate::knobs::{Knob, Scale};

/// How many deformers, and how many turns of joints, have sliders.
const MOST: usize = 6;
/// The key of what is seen, which is no key of a stack, as its first name says: 0 for the skin as its skeleton carries it, 1 for what the
/// deformers make of it.
pub(super) const AFTER: &str = "view.after";

/// The sliders of a stack that is seen so far from before to after its deformers.
pub(super) fn of(file: &StackFile, after: f64) -> Vec<Knob> {
    let mut knobs = vec![Knob {
        key: AFTER.to_owned(),
        label: "before – after the deformers".to_owned(),
        unit: "",
        value: json!(after),
        range: unit_interval(),
    }];
    let tree = file.to_table();
    let list =
        |table: &Value, key: &str| table.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let deformers = list(&Value::Table(tree.clone()), "deformer");
    for (i, deformer) in deformers.iter().take(MOST).enumerate() {
        for (kind, key, label, range) in numbers() {
            let Some(value) = deformer.get(kind).and_then(|model| model.get(key)) else { continue };
            let value = match value {
                Value::Integer(whole) => json!(whole),
                Value::Float(number) => json!(number),
                _ => continue,
            };
            let named = deformer.get("name").and_then(Value::as_str).unwrap_or(kind);
            let label = format!("{named}: {label}");
            knobs.push(Knob { key: format!("deformer.{i}.{kind}.{key}"), label, unit: "", value, range });
        }
    }
    let input = tree.get("input").and_then(|input| input.get("chain"));
    let mut turns = Vec::new();
    for (j, joint) in input.map(|chain| list(chain, "joint")).unwrap_or_default().iter().enumerate() {
        let name = joint.get("name").and_then(Value::as_str);
        let name = name.map_or_else(|| format!("joint {}", j + 1), str::to_owned);
        for (k, key) in list(joint, "key").iter().enumerate() {
            let degrees = key.get("rotate").and_then(|rotate| rotate.get("degrees"));
            let Some(degrees) = degrees.and_then(Value::as_float).filter(|turn| *turn != 0.0) else {
                continue;
            };
            let time = key.get("time").and_then(Value::as_float).unwrap_or_default();
            turns.push(Knob {
                key: format!("input.chain.joint.{j}.key.{k}.rotate.degrees"),
                label: format!("{name}: turn at {time} s"),
                unit: "°",
                value: json!(degrees),
                // Neighbouring poses are less than half a turn apart.
                range: Scale::Linear { min: -175.0, max: 175.0, whole: false },
            });
        }
    }
    turns.truncate(MOST);
    knobs.extend(turns);
    knobs
}

fn unit_interval() -> Scale {
    Scale::Linear { min: 0.0, max: 1.0, whole: false }
}

/// The numbers of deformers that are worth a slider: the deformer, its key, what it is, and its range.
fn numbers() -> Vec<(&'static str, &'static str, &'static str, Scale)> {
    let sweeps = || Scale::Log { min: 1.0, max: 200.0, whole: true };
    vec![
        ("relax", "iterations", "iterations", sweeps()),
        ("relax", "push", "push", unit_interval()),
        ("relax", "pull", "pull", unit_interval()),
        ("relax", "area", "area kept", unit_interval()),
        ("relax", "volume", "volume kept", unit_interval()),
        ("smooth", "iterations", "iterations", sweeps()),
        ("smooth", "strength", "strength", unit_interval()),
        ("delta_mush", "iterations", "iterations", sweeps()),
        ("delta_mush", "strength", "strength", unit_interval()),
        ("delta_mush", "detail", "detail", unit_interval()),
        ("jiggle", "damping", "damping", Scale::Linear { min: 0.0, max: 2.0, whole: false }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_scene::stack_templates;

    #[test]
    fn every_knob_of_every_template_has_a_key_that_can_be_set() {
        for template in stack_templates() {
            let file = template.stack().unwrap();
            let knobs = of(&file, 1.0);
            assert_eq!(knobs[0].key, AFTER);
            assert!(knobs.len() > 2 || template.name == "blob", "{}: {}", template.name, knobs.len());
            for knob in &knobs[1..] {
                let (Scale::Linear { max, whole, .. } | Scale::Log { max, whole, .. }) = knob.range else {
                    unreachable!("no words here")
                };
                let value = if whole { json!(max as u64) } else { json!(max) };
                let set = file.with_value(&knob.key, &value);
                assert!(set.is_ok(), "{}: {} = {max}: {}", template.name, knob.key, set.unwrap_err());
            }
        }
    }
}
