//! The location of the workspace, and its metadata by `cargo`.

use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand};

/// The folder of the root `Cargo.toml`, wherever the command was started from.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask lies one folder below the workspace root").to_path_buf()
}

/// The cargo that started this program, so that a toolchain chosen with `cargo +name xtask` stays chosen.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The folder of reference data beside the repository, where there is one: `PLIANT_SHARED`, else `../shared`,
/// seen from the workspace root.
pub(crate) fn shared() -> Option<PathBuf> {
    let named = std::env::var_os("PLIANT_SHARED").unwrap_or_else(|| "../shared".into());
    let folder = root().join(named);
    folder.is_dir().then_some(folder)
}

/// `cargo metadata` of the workspace. Without a network the packages of other platforms may be missing from the
/// cache; then the graph of this platform is used.
pub(crate) fn metadata() -> Result<Metadata, cargo_metadata::Error> {
    let mut command = MetadataCommand::new();
    command.current_dir(root());
    command.exec().or_else(|error| {
        let host = host_triple().ok_or(error)?;
        command.other_options(vec!["--filter-platform".to_owned(), host]).exec()
    })
}

/// The platform that this toolchain runs on.
pub(crate) fn host_triple() -> Option<String> {
    let output = Command::new("rustc").arg("-vV").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}
