//! [`shared`]: the reference data beside this repository, which some checkouts do not have.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The file or folder `path` of the reference data, for the tests of this workspace.
///
/// The data lie in the folder that `PLIANT_SHARED` names, by default `../shared`. A relative folder starts at the
/// workspace root, wherever the
/// test runs. If `path` is absent, the test returns early and counts as skipped: a line reports this on
/// standard error, even for tests that pass, and is added to the file that `PLIANT_SKIPPED` names, whose
/// lines `cargo xtask ci` counts.
#[doc(hidden)]
#[must_use]
pub fn shared(path: &str) -> Option<PathBuf> {
    let wanted = folder(std::env::var_os("PLIANT_SHARED")).join(path);
    let found = wanted.exists();
    if !found {
        skip(&wanted);
    }
    found.then_some(wanted)
}

/// Reports that the running test is skipped because a file is absent.
fn skip(wanted: &Path) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let line = format!("skipped: {test}: {} is absent (PLIANT_SHARED)\n", wanted.display());
    // Not `eprintln!`, whose output is hidden for tests that pass. A line that cannot be written is not a
    // failure of the test.
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(list) = std::env::var_os("PLIANT_SKIPPED") {
        let file = OpenOptions::new().create(true).append(true).open(list);
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }
}

/// The folder of the reference data, given the value of `PLIANT_SHARED`.
fn folder(named: Option<OsString>) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(named.unwrap_or_else(|| "../shared".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_folders_start_at_the_workspace_root() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        assert_eq!(folder(None), root.join("../shared"));
        assert_eq!(folder(Some("data".into())), root.join("data"));
        assert!(root.join("Cargo.lock").is_file());
        if cfg!(unix) {
            assert_eq!(folder(Some("/data".into())), Path::new("/data"));
        }
    }
}
