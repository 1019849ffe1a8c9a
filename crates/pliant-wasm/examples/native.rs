//! Hashes of scenes in native code, frame by frame, as JSON: what `cargo xtask wasm --check` compares with.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::time::Instant;

use pliant_scene::Template;
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
        let toml = scene.to_toml();
        let mut show = Show::of_scene(scene)?;
        let mut hashes = vec![format!("{:016x}", show.state_hash())];
        let begun = Instant::now();
        for _ in 0..FRAMES {
            show.step()?;
            hashes.push(format!("{:016x}", show.state_hash()));
        }
        let ms = 1e3 * begun.elapsed().as_secs_f64() / FRAMES as f64;
        let name = format!("{name} {with}");
        all.push(json!({ "name": name.trim_end(), "toml": toml, "hashes": hashes, "ms": ms }));
    }
    println!("{}", serde_json::Value::from(all));
    Ok(())
}
