//! Writes the page of demos: `demo MODULE.wasm OUTPUT.html`. `cargo xtask demo` builds the module and runs this.

use std::io::Write as _;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::GzEncoder};
use pliant_render::Size;
use pliant_scene::Scene;
use pliant_view::{Show, page};
use serde_json::json;

/// Titles and scenes, in their order.
const SCENES: [(&str, &str, &str); 6] = [
    ("Flag", "flag", include_str!("../demo/flag.toml")),
    ("Folds", "folds", include_str!("../demo/folds.toml")),
    ("Bowl", "bowl", include_str!("../demo/bowl.toml")),
    ("Dancer", "dancer", include_str!("../demo/dancer.toml")),
    ("Twist", "twist", include_str!("../demo/twist.toml")),
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
/// The page may load nothing; it compiles its own module, in a worker of its own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; img-src data:";

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
        let mut show = Show::of_scene(Scene::parse_named("scene", toml, ".")?)?;
        let mut native = vec![format!("{:016x}", show.state_hash())];
        for frame in 1..=FRAMES {
            show.step()?;
            if frame == STILL && still.is_none() {
                still = Some(show.picture(Size::new(960, 640)?)?.to_png()?);
            }
            native.push(format!("{:016x}", show.state_hash()));
        }
        let rust = format!(
            "use pliant::scene::Scene;\n\nlet scene = Scene::load(\"{name}.toml\")?;\nlet mut sim = scene.build::<f32>()?.simulation;\nfor _ in 0..{FRAMES} {{\n    sim.advance(1.0 / 60.0)?;\n}}\nassert_eq!(sim.state_hash(), 0x{});\n",
            native[FRAMES]
        );
        let python = format!(
            "import pliant\n\nsim = pliant.Scene(\"{name}.toml\").build()\nsim.advance({FRAMES})\nassert sim.state_hash == 0x{}\n",
            native[FRAMES]
        );
        let shell = format!(
            "pliant view {name}.toml   # the same, in your own program\npliant run {name}.toml    # to files for ParaView and Blender\n"
        );
        scenes.push(json!({
            "title": title, "toml": toml, "native": native,
            "samples": { "Shell": shell, "Python": python, "Rust": rust },
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
