//! Hashes of scenes in native code, frame by frame, as JSON: what `cargo xtask wasm --check` compares with. The widest lanes of the
//! processor are compared with portable ones here.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::time::Instant;

use pliant_scene::{Scene, Template};
use pliant_view::Show;
use serde_json::json;

/// All kinds of bodies, contact with obstacles and with each other, the implicit step, the choice of methods.
const SCENES: [(&str, &str); 11] = [
    ("default", ""),
    ("cloth", ""),
    ("soft-body", ""),
    ("drape", ""),
    ("pile", ""),
    ("garment", ""),
    ("balloon", ""),
    ("cantilever", ""),
    ("chain", ""),
    ("twist", "newton"),
    ("corners", "auto"),
];
const FRAMES: usize = 120;

/// The state hashes of a scene before the first frame and after each.
fn hashes(scene: Scene) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut show = Show::of_scene(scene)?;
    // Built together with what has the feature `f64`, scenes whose substeps are too short for `f32` run in `f64`.
    let precision = show.stage()["about"]["precision"].clone();
    if precision != "f32" {
        return Err(format!(
            "a scene runs in {precision}, which the module does not have: build this example alone"
        )
        .into());
    }
    let mut hashes = vec![format!("{:016x}", show.state_hash())];
    for _ in 0..FRAMES {
        show.step()?;
        hashes.push(format!("{:016x}", show.state_hash()));
    }
    Ok(hashes)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One thread, as the module has; the hashes do not depend on it.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let mut all = Vec::new();
    for (name, with) in SCENES {
        let mut scene = Template::named(name).ok_or(name)?.scene()?;
        match with {
            "" => {}
            method => scene = scene.with_value("solver.method", &json!(method))?,
        }
        // The module has single precision only.
        let scene = scene.with_value("precision", &json!("f32"))?;
        let name = format!("{name} {with}").trim_end().to_owned();
        let portable = hashes(scene.clone().with_value("solver.lanes", &json!("portable"))?)?;
        let toml = scene.to_toml();
        let begun = Instant::now();
        let hashes = hashes(scene)?;
        let ms = 1e3 * begun.elapsed().as_secs_f64() / FRAMES as f64;
        if hashes != portable {
            return Err(format!("{name}: states differ between the widest lanes and portable ones").into());
        }
        all.push(json!({ "name": name, "toml": toml, "hashes": hashes, "ms": ms }));
    }
    println!("{}", serde_json::Value::from(all));
    Ok(())
}
