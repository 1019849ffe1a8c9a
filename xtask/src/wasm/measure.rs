//! The page of the book on the module: its size, and the time of a frame in Node beside native code, a plain
//! JavaScript loop and another engine.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{CRATE, MODULES, Package, Sizes, example, feed, has_node};
use crate::{Outcome, workspace};

const PAGE: &str = "docs/src/performance/browser.md";
/// How often everything is measured, in turn; the least counts.
const ROUNDS: usize = 3;

/// Measures and writes the page. `jolt` is the folder of the package jolt-physics.
pub(super) fn run(package: &Package, sizes: Vec<Sizes>, jolt: Option<&Path>) -> Outcome {
    if !has_node() {
        println!("wasm: nothing is measured, node is not installed");
        return Ok(());
    }
    if jolt.is_none() {
        println!("wasm: jolt-physics is left out: unpack the npm package, and name its folder with --jolt");
    }
    let root = workspace::root();
    let mut scenes: Vec<Row> = Vec::new();
    for round in 0..ROUNDS {
        let native = example("frame-speed")?;
        let mut node = Command::new("node");
        node.arg(root.join(CRATE).join("measure/speed.mjs")).arg(&package.folder).args(jolt);
        let answer = feed(node.stdout(Stdio::piped()), &native)?;
        if !answer.status.success() {
            return Err("the times in Node could not be measured".into());
        }
        let (native, found): (Vec<Value>, Vec<Value>) =
            (serde_json::from_slice(&native)?, serde_json::from_slice(&answer.stdout)?);
        let rows = native.iter().zip(&found).map(|(native, found)| Row::of(native, found));
        if round == 0 {
            scenes = rows.collect();
        } else {
            scenes.iter_mut().zip(rows).for_each(|(best, row)| best.take(&row));
        }
    }
    let version = |folder: &Path| -> Result<String, Box<dyn std::error::Error>> {
        let about: Value = serde_json::from_slice(&fs::read(folder.join("package.json"))?)?;
        Ok(about["version"].as_str().unwrap_or("of an unknown version").to_owned())
    };
    let circumstances = Circumstances {
        sizes,
        compiler: package.compiler.clone(),
        is_small: package.is_small,
        processor: node_says("os.cpus()[0]?.model ?? os.arch()")?,
        node: node_says("process.version")?,
        jolt: jolt.map(version).transpose()?,
    };
    fs::write(root.join(PAGE), page(&circumstances, &scenes))?;
    println!("wasm: {PAGE}");
    if scenes.iter().all(|row| row.is_same) {
        Ok(())
    } else {
        Err("states in Node differ from native ones".into())
    }
}

/// A time, ms, and what the edges are off by then, m, where it is known.
#[derive(Clone, Copy)]
struct Timing {
    ms: f64,
    error: Option<f64>,
}

impl Timing {
    fn of(value: &Value) -> Option<Self> {
        Some(Self { ms: value["ms"].as_f64()?, error: value["error"].as_f64() })
    }
}

/// What was measured of a scene.
struct Row {
    name: String,
    is_same: bool,
    /// Native code, the module, the JavaScript loop, JoltPhysics.js.
    timings: [Option<Timing>; 4],
}

impl Row {
    fn of(native: &Value, found: &Value) -> Self {
        Self {
            name: native["name"].as_str().unwrap_or_default().to_owned(),
            is_same: native["hash"].is_string() && native["hash"] == found["module"]["hash"],
            timings: [native, &found["module"], &found["textbook"], &found["jolt"]].map(Timing::of),
        }
    }

    /// Takes the shorter times of another round.
    fn take(&mut self, other: &Self) {
        self.is_same &= other.is_same;
        for (best, now) in self.timings.iter_mut().zip(other.timings) {
            if let (Some(best), Some(now)) = (best, now) {
                best.ms = best.ms.min(now.ms);
            }
        }
    }
}

/// What the measurements depend on.
struct Circumstances {
    /// Of `MODULES`.
    sizes: Vec<Sizes>,
    compiler: String,
    /// Whether the standard library is compiled with the modules.
    is_small: bool,
    processor: String,
    node: String,
    /// Version of the package jolt-physics, if it was there.
    jolt: Option<String>,
}

/// The text of the page.
fn page(circumstances: &Circumstances, rows: &[Row]) -> String {
    let Circumstances { sizes, compiler, is_small, processor, node, jolt } = circumstances;
    let mut page = "# In a browser

`cargo xtask wasm --measure` writes this page. Both modules have the solver with all kinds of constraints, contact and all methods, in
single precision. `pliant.wasm` also has the reader of scenes, reports, and what pages draw; `core.wasm` takes meshes as arrays ([how to build
and call them](../guide/view.md#in-the-browser-alone)).

## Size

| module | kB | kB by `brotli -q 11` | kB by `gzip -9` |
|---|---:|---:|---:|
"
    .to_owned();
    for ((name, _), Sizes { raw, brotli, gzip }) in MODULES.iter().zip(sizes) {
        let [brotli, gzip] =
            [brotli, gzip].map(|size| size.map_or_else(|| "–".to_owned(), |size| (size / 1000).to_string()));
        let _ = writeln!(page, "| `{name}` | {} | {brotli} | {gzip} |", raw / 1000);
    }
    let library = if *is_small {
        "the standard library compiled with them, for size"
    } else {
        "the standard library as the compiler brings it; compiled with them, for size, it makes them a tenth smaller"
    };
    let _ = write!(
        page,
        "
By {compiler}, {library}. [What they are made of](../design/build-time.md#the-module-for-browsers).

## Time of a frame

{processor}, a machine shared with other work; Node {node}; one thread everywhere. Times are medians of 101 frames of 1/60 s after
the first 20, in ms: the least of {ROUNDS} rounds in which all take turns.

| scene | native | module | same state | JavaScript | JoltPhysics.js |
|---|---:|---:|---|---:|---:|
"
    );
    for Row { name, is_same, timings } in rows {
        let [native, module, book, other] =
            timings.map(|timing| timing.map_or_else(|| "–".to_owned(), |timing| format!("{:.1}", timing.ms)));
        let same = if *is_same { "yes" } else { "**no**" };
        let _ = writeln!(page, "| {name} | {native} | {module} | {same} | {book} | {other} |");
    }
    if let Some([Some(native), Some(module), ..]) = rows.first().map(|row| row.timings) {
        let _ = write!(
            page,
            "
Processors differ more than the two ways do: the same machine on another day, or another one, may take half as long again. For the block the
module takes {:.1} times as long as native code.
",
            module.ms / native.ms
        );
    }
    page.push_str(
        "
How far edges are from their lengths after the last of these frames, root of the mean square, in mm:

| scene | native and module | JavaScript | JoltPhysics.js |
|---|---:|---:|---:|
",
    );
    for Row { name, timings: [_, module, book, other], .. } in
        rows.iter().filter(|row| row.timings[2].is_some())
    {
        let [module, book, other] = [module, book, other].map(|timing| {
            let error = timing.and_then(|timing| timing.error);
            error.map_or_else(|| "–".to_owned(), |error| format!("{:.2}", 1e3 * error))
        });
        let _ = writeln!(page, "| {name} | {module} | {book} | {other} |");
    }
    page.push_str(
        "
The block and the rigid sheet are those of [Speed](../performance.md): gravity, ten substeps, rigid edges, for the block rigid volumes, no
contact. On rigid sheets of this size the JavaScript loop and JoltPhysics.js diverge within twenty frames, so they are
measured on the sheet whose edges give way. There edges are longer in any solution; the numbers only show that the three
simulate the same. The last scene is one of the demo. What differs:

* *Native* is the same scene in a program, in lanes of eight where the processor has AVX2; the module has lanes of four.
  *Same state*: the hashes after the last frame are equal.
* *JavaScript* is the textbook loop in typed arrays: constraints in the order of the mesh, one after the other, and nothing
  else. It has no contact.
",
    );
    if let Some(version) = jolt {
        let _ = write!(
            page,
            "* *JoltPhysics.js* is [jolt-physics](https://www.npmjs.com/package/jolt-physics) {version}, a game engine for rigid bodies that has soft
  bodies by the same method. Mesh, masses, constraints and substeps are the same, without damping. It also looks for contact with
  other bodies, of which there are none, limits velocities, and orders constraints its own way. Its soft bodies do not
  collide with themselves, so the last scene has no counterpart. Its build for one thread is measured, which has no SIMD instructions;
  the build that has them also has threads, and does not start in Node.
"
        );
    } else {
        page.push_str("* *JoltPhysics.js* was left out: the package was not there.\n");
    }
    page
}

/// What Node says when it evaluates an expression.
fn node_says(expression: &str) -> Result<String, std::io::Error> {
    let said = Command::new("node").args(["--print", expression]).output()?;
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(ms: f64, hash: &str, jolt: &Value) -> Row {
        let found = json!({
            "module": { "ms": 2.0 * ms, "hash": hash, "error": 1e-4 },
            "textbook": { "ms": 9.0 * ms, "error": 2e-3 },
            "jolt": jolt,
        });
        Row::of(&json!({ "name": "sheet", "ms": ms, "hash": "ab" }), &found)
    }

    fn circumstances(jolt: Option<&str>) -> Circumstances {
        Circumstances {
            sizes: [(3_000_000, 600_000), (7_000_000, 1_000_000)]
                .map(|(raw, brotli)| Sizes { raw, brotli: Some(brotli), gzip: None })
                .into(),
            compiler: "rustc 1".to_owned(),
            is_small: jolt.is_some(),
            processor: "one".to_owned(),
            node: "v20".to_owned(),
            jolt: jolt.map(str::to_owned),
        }
    }

    #[test]
    fn the_least_of_all_rounds_is_on_the_page() {
        let mut best = row(1.0, "ab", &json!({ "ms": 5.0, "error": 3e-3 }));
        best.take(&row(0.8, "ab", &json!({ "ms": 6.0, "error": 3e-3 })));
        let text = page(&circumstances(Some("1.1.0")), &[best]);
        assert!(text.contains("| sheet | 0.8 | 1.6 | yes | 7.2 | 5.0 |"), "{text}");
        assert!(text.contains("| sheet | 0.10 | 2.00 | 3.00 |"), "{text}");
        assert!(
            text.contains("| `pliant.wasm` | 7000 | 1000 | – |")
                && text.contains("| `core.wasm` | 3000 | 600 | – |")
        );
        assert!(text.contains("By rustc 1, the standard library compiled with them, for size. ["), "{text}");
        assert!(text.contains("jolt-physics) 1.1.0"));
    }

    #[test]
    fn what_was_not_measured_and_what_differs_are_said() {
        let mut best = row(1.0, "ab", &Value::Null);
        best.take(&row(2.0, "cd", &Value::Null));
        let text = page(&circumstances(None), &[best]);
        assert!(text.contains("| sheet | 1.0 | 2.0 | **no** | 9.0 | – |"), "{text}");
        assert!(
            text.contains("was left out") && text.contains("the standard library as the compiler brings it;")
        );
    }
}
