//! `cargo xtask wasm`: the solver for browsers and Node, and whether its bits are those of native code.
//!
//! Toolchains differ in how they have the standard library of `wasm32-unknown-unknown`: compiled, or as
//! sources. Of the compilers that the machine has, the first that has either is taken; `PLIANT_WASM_RUSTC`
//! names another.

mod measure;

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::{Outcome, workspace};

/// Builds the solver for browsers and Node into target/wasm/pkg; with --check compares hashes of scenes with
/// native code, in Node and Chromium.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Compare the hashes of scenes in Node and in Chromium with those of native code, frame by frame
    #[arg(long)]
    check: bool,
    /// Measure the size, and the time of a frame in Node beside native code, and write docs/src/performance/browser.md
    #[arg(long)]
    measure: bool,
    /// Folder of the npm package jolt-physics, unpacked, to be measured as well
    #[arg(long, value_name = "FOLDER", requires = "measure")]
    jolt: Option<PathBuf>,
}

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm";
pub(crate) const CRATE: &str = "crates/pliant-wasm";
/// Said where there is no compiler for it.
const MISSING: &str = "no compiler here has the standard library of wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown), or its sources";

/// A compiler, and what it needs for the target.
struct Toolchain {
    rustc: PathBuf,
    builds_std: bool,
    linker: Option<PathBuf>,
}

/// The modules of the package, and the features of the crate that make them.
const MODULES: [(&str, &str); 2] = [("core.wasm", "core"), ("pliant.wasm", "scenes")];

pub(crate) fn run(args: &Args) -> Outcome {
    let Some(package) = build()? else { return Ok(()) };
    let mut sizes = Vec::new();
    for (name, _) in MODULES {
        let wasm = package.folder.join(name);
        let size = Sizes::of(&wasm)?;
        println!("wasm: {} ({})", wasm.display(), size.told());
        sizes.push(size);
    }
    if args.check {
        compare(&package.folder)?;
    }
    if args.measure { measure::run(&package, sizes, args.jolt.as_deref()) } else { Ok(()) }
}

/// What was built.
pub(crate) struct Package {
    pub(crate) folder: PathBuf,
    /// The compiler, as it names itself.
    compiler: String,
    /// Whether the standard library was compiled with it, for size.
    is_small: bool,
}

/// Builds the package; `None` if it was skipped.
pub(crate) fn build() -> Result<Option<Package>, Box<dyn std::error::Error>> {
    let Some(toolchain) = find() else {
        println!("wasm: skipped, {MISSING}");
        return Ok(None);
    };
    let root = workspace::root();
    let place = root.join("target/wasm");
    let package = place.join("pkg");
    fs::create_dir_all(&package)?;
    for entry in fs::read_dir(root.join(CRATE).join("pkg"))? {
        let path = entry?.path();
        if let Some(name) = path.file_name() {
            fs::copy(&path, package.join(name))?;
        }
    }
    for (name, features) in MODULES {
        compile(&toolchain, &place, features)?;
        fs::copy(place.join(TARGET).join(PROFILE).join("pliant_wasm.wasm"), package.join(name))?;
    }
    let compiler = told(&toolchain.rustc, &["--version"]).unwrap_or_default();
    // Without the hash and the date of its sources.
    let compiler = compiler.split(" (").next().unwrap_or_default().to_owned();
    Ok(Some(Package { folder: package, compiler, is_small: toolchain.builds_std }))
}

/// Compiles the crate with some features, into a folder of its own.
fn compile(toolchain: &Toolchain, place: &Path, features: &str) -> Outcome {
    let mut cargo = workspace::cargo();
    cargo.args([
        "rustc",
        "--profile",
        PROFILE,
        "--package",
        "pliant-wasm",
        "--lib",
        "--crate-type",
        "cdylib",
    ]);
    cargo.args(["--target", TARGET, "--no-default-features", "--features", features]);
    cargo.arg("--target-dir").arg(place).env("RUSTC", &toolchain.rustc);
    cargo.env("RUSTFLAGS", "-C target-feature=+simd128");
    if let Some(linker) = &toolchain.linker {
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    if toolchain.builds_std {
        // Sources of the library belong to their compiler, which then takes the flags.
        cargo.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "build-std=std,panic_abort"]);
        // Sorts are a tenth as long, and frames with contact, which sort, take as long as before.
        cargo.args(["-Z", "build-std-features=optimize_for_size"]);
        // Nobody reads what a panic says, so it is left out.
        cargo.env("CARGO_PROFILE_WASM_PANIC", "immediate-abort").args(["-Z", "panic-immediate-abort"]);
    }
    succeed(cargo.args(["--", "-C", "link-arg=--strip-all"]))
}

fn find() -> Option<Toolchain> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path =
        |name: &str| std::env::split_paths(&path).map(|folder| folder.join(name)).collect::<Vec<_>>();
    let named = std::env::var_os("PLIANT_WASM_RUSTC").map(PathBuf::from);
    let compilers = named.into_iter().chain([PathBuf::from("rustc")]).chain(in_path("rustc"));
    for rustc in compilers {
        let Some(library) = told(&rustc, &["--print", "target-libdir", "--target", TARGET]) else { continue };
        let files = fs::read_dir(library).into_iter().flatten().flatten();
        let is_there =
            files.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"));
        let Some(sysroot) = told(&rustc, &["--print", "sysroot"]).map(PathBuf::from) else { continue };
        let builds_std = !is_there && sysroot.join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file();
        if !is_there && !builds_std {
            continue;
        }
        let host = told(&rustc, &["-vV"])?
            .lines()
            .find_map(|line| line.strip_prefix("host: ").map(str::to_owned))?;
        let own = sysroot.join("lib/rustlib").join(host).join("bin/rust-lld");
        let linker =
            if own.is_file() { None } else { in_path("wasm-ld").into_iter().find(|file| file.is_file()) };
        if own.is_file() || linker.is_some() {
            return Some(Toolchain { rustc, builds_std, linker });
        }
    }
    None
}

/// What a compiler prints.
fn told(rustc: &Path, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(rustc).args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim_end().to_owned())
}

/// Bytes of the module, and of what a server sends of it by either compression where its program is there.
struct Sizes {
    raw: u64,
    brotli: Option<usize>,
    gzip: Option<usize>,
}

impl Sizes {
    fn of(wasm: &Path) -> Result<Self, std::io::Error> {
        let packed = |program: &str, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).arg(wasm).stderr(Stdio::null()).output();
            output.ok().filter(|output| output.status.success()).map(|output| output.stdout.len())
        };
        Ok(Self {
            raw: fs::metadata(wasm)?.len(),
            brotli: packed("brotli", &["--quality=11", "--stdout"]),
            gzip: packed("gzip", &["-9", "-c"]),
        })
    }

    /// The sizes in words.
    fn told(&self) -> String {
        let ways = [(self.brotli, "brotli -q 11"), (self.gzip, "gzip -9")];
        let packed = ways.into_iter().filter_map(|(size, way)| Some(format!("{} kB by {way}", size? / 1000)));
        let all: Vec<String> = std::iter::once(format!("{} kB", self.raw / 1000)).chain(packed).collect();
        all.join(", ")
    }
}

/// Compares hashes of every frame of scenes with those of native code, in Node and in Chromium.
fn compare(package: &Path) -> Outcome {
    if !has_node() {
        println!("wasm: the comparison is skipped, node is not installed");
        return Ok(());
    }
    let script = workspace::root().join(CRATE).join("check/hashes.mjs");
    let mut is_equal = true;
    for (module, class, native) in [("core", "World", "core-native"), ("pliant", "Pliant", "native")] {
        let native = example(native)?;
        let node = feed(Command::new("node").arg(&script).arg(package).args([module, class]), &native)?;
        is_equal &= node.status.success();
    }
    if is_equal { Ok(()) } else { Err("hashes differ from native ones".into()) }
}

pub(crate) fn has_node() -> bool {
    Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// What an example of the crate prints, in native code.
fn example(name: &str) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut cargo = workspace::cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "pliant-wasm", "--example", name]);
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if output.status.success() { Ok(output.stdout) } else { Err(format!("the example {name} failed").into()) }
}

/// Runs a program that reads some bytes.
fn feed(command: &mut Command, bytes: &[u8]) -> Result<Output, Box<dyn std::error::Error>> {
    let mut program = command.stdin(Stdio::piped()).spawn()?;
    program.stdin.take().ok_or("the program has no input")?.write_all(bytes)?;
    Ok(program.wait_with_output()?)
}

fn succeed(command: &mut Command) -> Outcome {
    let status = command.status()?;
    let program: OsString = command.get_program().to_owned();
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", program.display()).into()) }
}
