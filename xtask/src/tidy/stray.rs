//! Only files of known kinds, and none that is too large for a repository.

use super::tree::{File, MAX_BYTES};
use super::{Finding, Tree};

/// Kinds that may lie anywhere.
const SOURCES: [&str; 10] = ["rs", "md", "toml", "json", "sh", "svg", "png", "gif", "css", "lock"];

/// Kinds that belong to a test, an example or a bench.
const FIXTURES: [&str; 26] = [
    "obj",
    "ply",
    "stl",
    "off",
    "msh",
    "node",
    "ele",
    "face",
    "vtk",
    "vtu",
    "pvd",
    "pc2",
    "mdd",
    "usda",
    "glb",
    "mesh",
    "inp",
    "t",
    "csv",
    "txt",
    "bin",
    "proptest-regressions",
    "py",
    "ttf",
    "html",
    "js",
];

/// Folders in which fixtures belong.
const FIXTURE_FOLDERS: [&str; 7] =
    ["tests", "examples", "benches", "fixtures", "assets", "proptest-regressions", "scenes"];

/// The sources of the Python package and of what is built on it, and kinds that belong there alone.
const PYTHON: ([&str; 2], [&str; 3]) =
    (["crates/pliant-python/python/", "integrations/"], ["py", "pyi", "typed"]);

/// The solver for browsers, and the kinds of its interface.
const BROWSER: (&str, [&str; 3]) = ("crates/pliant-wasm/", ["js", "mjs", "ts"]);

/// Names without an extension.
const NAMES: [&str; 5] = ["LICENSE-MIT", "LICENSE-APACHE", ".gitignore", ".gitattributes", "run"];

/// Files that editors and desktops leave behind.
const LITTER: [&str; 8] = ["~", ".bak", ".orig", ".rej", ".swp", ".swo", ".DS_Store", "Thumbs.db"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files() {
        let mut report = |what: String| findings.push(Finding::new(&file.path, 1, what));
        if LITTER.iter().any(|ending| file.path.ends_with(ending)) {
            report("left behind by an editor or a merge: remove it".to_owned());
        } else if !is_known(file) {
            report("unknown kind of file: remove it, or add its kind to xtask/src/tidy/stray.rs".to_owned());
        }
        if file.bytes > MAX_BYTES {
            report(format!(
                "{} KiB, more than 1 MiB: generate it instead, or make it smaller",
                file.bytes >> 10
            ));
        }
    }
    findings
}

fn is_known(file: &File) -> bool {
    let in_fixture_folder = || file.folder().split('/').any(|part| FIXTURE_FOLDERS.contains(&part));
    match file.extension() {
        Some(extension) if SOURCES.contains(&extension) => true,
        Some(extension) if PYTHON.1.contains(&extension) => {
            PYTHON.0.iter().any(|folder| file.path.starts_with(folder)) || in_fixture_folder()
        }
        Some(extension) if BROWSER.1.contains(&extension) && file.path.starts_with(BROWSER.0) => true,
        Some(extension) if FIXTURES.contains(&extension) => in_fixture_folder(),
        _ => NAMES.contains(&file.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_litter_unknown_kinds_and_misplaced_fixtures() {
        let tree = Tree::of(&[
            ("src/lib.rs", ""),
            ("LICENSE-MIT", ""),
            ("tests/cube.obj", ""),
            ("cube.obj", ""),
            ("crates/pliant-python/python/pliant/scene.py", ""),
            ("integrations/blender/build.py", ""),
            ("src/scene.py", ""),
            ("src/lib.rs.orig", ""),
            ("core.1234", ""),
            ("notes", ""),
        ]);
        let found: Vec<_> = check(&tree).into_iter().map(|f| f.path).collect();
        assert_eq!(found, ["core.1234", "cube.obj", "notes", "src/lib.rs.orig", "src/scene.py"]);
    }

    #[test]
    fn finds_the_large_file() {
        let large = "x".repeat(MAX_BYTES as usize + 1);
        assert_eq!(check(&Tree::of(&[("a.json", &large), ("b.json", "{}")])).len(), 1);
    }
}
