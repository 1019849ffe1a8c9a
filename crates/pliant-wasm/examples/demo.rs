//! Writes the page of demos: `demo MODULE.wasm OUTPUT.html`. `cargo xtask demo` builds the module and runs this.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::GzEncoder};
use pliant_render::Size;
use pliant_scene::StackFile;
use pliant_view::page;
use serde_json::{Value, json};

/// Titles and scenes, in their order.
const SCENES: [(&str, &str, &str); 6] = [
    ("Flag", "flag", include_str!("../demo/flag.toml")),
    ("Folds", "folds", include_str!("../demo/folds.toml")),
    ("Bowl", "bowl", include_str!("../demo/bowl.toml")),
    ("Dancer", "dancer", include_str!("../demo/dancer.toml")),
    ("Skin", "skin", include_str!("../demo/skin.toml")),
    ("Duel", "duel", include_str!("../demo/duel.toml")),
];
/// The frame of the first scene that the page shows until the solver has loaded, and for good where it cannot.
const STILL: usize = 90;
const SENTENCE: &str = "This browser cannot run the demo: here is a picture of it. The solver is a WebAssembly module \
                        with 128-bit SIMD, which browsers have had since 2023.";
/// How many frames have a native hash.
const FRAMES: usize = 240;
const SOURCE: &str = include_str!("../demo/demo.js");
const WORKER: [&str; 2] = [include_str!("../demo/duel.js"), include_str!("../demo/worker.js")];
const PLIANT: &str = include_str!("../pkg/pliant.js");
/// A tube that is twisted, and relaxed.
const SKIN_IN_PYTHON: &str = "\
import numpy as np
import pliant
from pliant.deform import relax, skin

rest = pliant.TriMesh.cylinder(0.12, 1.4, 44, 66, capped=True)
share = np.clip(rest.positions[:, 1] / 0.45 + 0.5, 0.0, 1.0)  # of the second of two joints
joints, weights = np.tile([0, 1], (len(share), 1)), np.stack([1.0 - share, share], axis=1)
for degrees in range(0, 131, 10):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = [[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1]]
    twisted = skin(rest.positions, joints, weights, [np.eye(4), turn])  # or a frame of any program
    relaxed = relax(rest, twisted, iterations=30, push=0.12, pull=0.6)
";
/// The page may load nothing; it compiles its own module, in a worker of its own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; img-src data:";

/// The lines that make a scene elsewhere.
fn of_scene(name: &str, native: &[String]) -> Value {
    let (frames, last) = (native.len() - 1, &native[native.len() - 1]);
    let rust = format!(
        "use pliant::scene::Scene;\n\nlet scene = Scene::load(\"{name}.toml\")?;\nlet mut sim = scene.build::<f32>()?.simulation;\nfor _ in 0..{frames} {{\n    sim.advance(1.0 / 60.0)?;\n}}\nassert_eq!(sim.state_hash(), 0x{last});\n"
    );
    let python = format!(
        "import pliant\n\nsim = pliant.Scene(\"{name}.toml\").build()\nsim.advance({frames})\nassert sim.state_hash == 0x{last}\n"
    );
    let shell = format!(
        "pliant view {name}.toml   # the same, in your own program\npliant run {name}.toml    # to files for ParaView and Blender\n"
    );
    json!({ "Shell": shell, "Python": python, "Rust": rust })
}

/// The lines that make a skin elsewhere.
fn of_skin(name: &str, native: &[String]) -> Value {
    let (frames, last) = (native.len(), &native[native.len() - 1]);
    let rust = format!(
        "use pliant::scene::StackFile;\nuse pliant::solver::position_hash;\n\nlet mut skin = StackFile::load(\"{name}.toml\")?.build()?;\nlet mut positions = Vec::new();\nfor frame in 0..{frames} {{\n    (positions, _) = skin.frame(frame)?;\n}}\nassert_eq!(position_hash(&positions), 0x{last});\n"
    );
    let python = SKIN_IN_PYTHON;
    let shell = format!(
        "pliant view {name}.toml     # the same, in your own program\npliant deform {name}.toml   # to files for ParaView and Blender\n"
    );
    json!({ "Shell": shell, "Python": python, "Rust": rust })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(module), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("expected the module and the page to write".into());
    };
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&std::fs::read(module)?)?;
    let module = STANDARD.encode(packed.finish()?);
    let (mut scenes, mut still) = (Vec::new(), None);
    for (title, name, toml) in SCENES {
        let mut shown = pliant_view::open("scene", toml, Path::new("."))?;
        let mut native = vec![format!("{:016x}", shown.state_hash())];
        // A skin begins again after its last frame.
        let is_skin = StackFile::is_meant(toml);
        let most =
            shown.stage()["frames"].as_u64().filter(|_| is_skin).map_or(FRAMES, |frames| frames as usize - 1);
        for frame in 1..=FRAMES.min(most) {
            shown.step()?;
            if frame == STILL && still.is_none() {
                still = Some(shown.still(Size::new(960, 640)?)?.draw()?.to_png()?);
            }
            native.push(format!("{:016x}", shown.state_hash()));
        }
        let samples = if is_skin { of_skin(name, &native) } else { of_scene(name, &native) };
        scenes.push(json!({
            "title": title, "toml": toml, "native": native,
            "samples": samples,
        }));
    }
    let text = |value: &str| serde_json::Value::from(value).to_string().replace("</", "<\\/");
    let worker = PLIANT.replace("export class", "class") + &WORKER.concat();
    let source = format!(
        "const SCENES = {};\nconst WORKER = {};\nconst MODULE = \"{module}\";\n{SOURCE}",
        serde_json::Value::from(scenes).to_string().replace("</", "<\\/"),
        text(&worker)
    );
    std::fs::write(output, page::live("Pliant", POLICY, &source, &page::still(still.as_deref(), SENTENCE)))?;
    Ok(())
}
