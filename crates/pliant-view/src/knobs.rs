//! [`Knob`]: a key of a scene as a slider.

use pliant_scene::Scene;
use pliant_scene::model::{Bounded, MethodModel, SceneModel, Vector, WindModel};
use serde::Serialize;
use serde_json::{Value, json};

/// How many bodies have sliders for their materials.
const BODIES: usize = 6;

/// A key of the scene that the page shows as a slider or a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Knob {
    /// The key.
    pub(crate) key: String,
    /// What it is, for people.
    pub(crate) label: String,
    pub(crate) unit: &'static str,
    pub(crate) value: Value,
    #[serde(flatten)]
    pub(crate) range: Scale,
}

/// The values that a knob may have.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "scale", rename_all = "lowercase")]
pub(crate) enum Scale {
    /// Numbers, evenly.
    Linear { min: f64, max: f64, whole: bool },
    /// Numbers, by their logarithms.
    Log { min: f64, max: f64, whole: bool },
    /// One of some words.
    Words { words: Vec<&'static str> },
}

/// The key of the speed of the wind, which is no key of a scene: it sets the length of `solver.wind.velocity`.
pub(crate) const WIND: &str = "wind";

/// The key of gravity along y.
pub(crate) const GRAVITY: &str = "solver.gravity.1";

/// The gravity of a scene where no stage has another, m/s².
pub(crate) fn gravity_of(scene: &Scene) -> [f64; 3] {
    scene.settings().gravity.into()
}

/// The knobs of a scene.
pub(crate) fn of(scene: &Scene, substeps: u32) -> Vec<Knob> {
    let solver = &scene.model.solver;
    let number = |key: &str, label: &str, unit: &'static str, value: f64, range: Scale| Knob {
        key: key.to_owned(),
        label: label.to_owned(),
        unit,
        value: json!(value),
        range,
    };
    let linear = |min: f64, max: f64| Scale::Linear { min, max, whole: false };
    let most = f64::from(substeps.saturating_mul(4)).max(100.0);
    let gravity = gravity_of(scene)[1];
    let wind = solver.wind.as_ref().map_or(0.0, |wind| length(&wind.velocity.get()));
    let mut knobs = vec![
        Knob {
            value: json!(substeps),
            ..number(
                "solver.substeps",
                "substeps",
                "a frame",
                0.0,
                Scale::Log { min: 1.0, max: most, whole: true },
            )
        },
        number(GRAVITY, "gravity", "m/s²", gravity, linear(gravity.min(-20.0), gravity.max(10.0))),
        number(WIND, "wind", "m/s", wind, linear(0.0, (2.0 * wind).max(15.0))),
        number(
            "solver.damping",
            "damping",
            "1/s",
            solver.damping.map_or(0.0, Bounded::get),
            linear(0.0, 10.0),
        ),
        number("solver.drag", "drag", "1/s", solver.drag.map_or(0.0, Bounded::get), linear(0.0, 10.0)),
    ];
    let methods = ["sweeps", "coarse", "newton", "auto"];
    let method = match solver.method.unwrap_or(MethodModel::Sweeps) {
        MethodModel::Sweeps => methods[0],
        MethodModel::Coarse => methods[1],
        MethodModel::Newton => methods[2],
        MethodModel::Auto => methods[3],
    };
    knobs.push(Knob {
        value: json!(method),
        ..number("solver.method", "method", "", 0.0, Scale::Words { words: methods.to_vec() })
    });
    if matches!(solver.method, Some(MethodModel::Newton | MethodModel::Auto)) {
        let range = Scale::Log { min: 1e-5, max: 0.3, whole: false };
        knobs.push(number(
            "solver.accuracy",
            "accuracy",
            "",
            solver.accuracy.map_or(0.01, Bounded::get),
            range,
        ));
    }
    let tree = scene.to_table();
    let bodies = tree.get("body").and_then(toml::Value::as_array);
    for (body, drawn) in bodies.into_iter().flatten().take(BODIES).enumerate() {
        let name = drawn.get("name").and_then(toml::Value::as_str);
        let of_body = name.map_or_else(|| format!("body {}", body + 1), str::to_owned);
        for (path, label, unit) in MATERIALS {
            let place = path.iter().try_fold(drawn, |here, key| here.get(key));
            let found = place.and_then(toml::Value::as_float);
            let Some(value) = found.filter(|value| *value > 0.0) else { continue };
            let key = format!("body.{body}.{}", path.join("."));
            let range = Scale::Log { min: value * 1e-3, max: value * 1e3, whole: false };
            knobs.push(number(&key, &format!("{of_body}: {label}"), unit, value, range));
        }
    }
    knobs
}

/// The numbers of a material that are worth a slider.
const MATERIALS: [(&[&str], &str, &str); 13] = [
    (&["edges", "compliance"], "compliance of edges", "m/N"),
    (&["edges", "stiffness"], "stiffness of edges", "N/m"),
    (&["bending", "modulus"], "bending", "N·m"),
    (&["bending", "compliance"], "compliance of bending", "rad²/J"),
    (&["bending", "stiffness"], "stiffness of bending", "J/rad²"),
    (&["volumes", "bulk_modulus"], "bulk modulus", "Pa"),
    (&["volumes", "compliance"], "compliance of volumes", "m³/Pa"),
    (&["volumes", "stiffness"], "stiffness of volumes", "Pa/m³"),
    (&["material", "young"], "Young's modulus", "Pa"),
    (&["material", "bending"], "bending", "N·m"),
    (&["pressure", "gauge"], "pressure", "Pa"),
    (&["pressure", "value"], "pressure", "Pa"),
    (&["damping_time"], "damping time", "s"),
];

/// The wind of a scene at another speed, m/s: along its direction, or from the left and the front.
pub(crate) fn wind_at(model: &SceneModel, speed: f64) -> Value {
    let present = model.solver.wind.clone();
    let wind = present.unwrap_or_else(|| WindModel::of_velocity(Vector::default()));
    let present = wind.velocity.get();
    let along = length(&present);
    let way = if along > 0.0 { present.map(|c| c / along) } else { [0.8, 0.0, 0.6] };
    let velocity = way.map(|c| c * speed);
    json!({ "velocity": velocity, "density": wind.density, "drag": wind.drag, "lift": wind.lift })
}

fn length(v: &[f64; 3]) -> f64 {
    v.iter().map(|c| c * c).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_scene::templates;

    #[test]
    fn every_knob_of_every_template_has_a_key_that_can_be_set() {
        for template in templates() {
            let scene = template.scene().unwrap();
            let knobs = of(&scene, 10);
            assert!(knobs.len() >= 6, "{}", template.name);
            for knob in knobs.iter().filter(|knob| ![WIND, GRAVITY].contains(&knob.key.as_str())) {
                let (Scale::Linear { max, whole, .. } | Scale::Log { max, whole, .. }) = knob.range else {
                    continue;
                };
                // As a page writes it.
                let value = if whole { json!(max as u64) } else { json!(max) };
                let set = scene.with_value(&knob.key, &value);
                assert!(set.is_ok(), "{}: {} = {max}: {}", template.name, knob.key, set.unwrap_err());
            }
        }
    }

    #[test]
    fn gravity_is_that_of_no_stage() {
        let scene = |text: &str| Scene::parse(text, ".").unwrap();
        let body = "[[body]]\nmesh = { grid = { vertices = [3, 3], size = [1, 1] } }\nedges = \"rigid\"\n";
        let sewn = scene(&format!("[[stage]]\nname = \"sew\"\ngravity = [0, 0, 0]\n{body}"));
        assert_eq!(gravity_of(&sewn), [0.0, -9.81, 0.0]);
        let book = pliant_scene::Template::named("book-cloth").unwrap().scene().unwrap();
        assert_eq!(gravity_of(&book), [0.0, -9.8, 0.0]);
    }

    #[test]
    fn wind_keeps_its_direction() {
        let scene = pliant_scene::Template::named("cloth").unwrap().scene().unwrap();
        let wind = wind_at(&scene.model, 4.0);
        let there: Vec<f64> =
            wind["velocity"].as_array().unwrap().iter().map(|c| c.as_f64().unwrap()).collect();
        assert!(
            (there[2] / there[0] - 1.7).abs() < 1e-12
                && (length(&[there[0], there[1], there[2]]) - 4.0).abs() < 1e-12
        );
    }
}
