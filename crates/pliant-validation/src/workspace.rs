//! The location of the workspace, and of the reference data beside it.

use std::path::{Path, PathBuf};

/// The folder of the root `Cargo.toml`, wherever the command was started from.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the crate lies two folders below the workspace root").to_path_buf()
}

/// The folder of reference data beside the repository, where there is one: `PLIANT_SHARED`, else `../shared`,
/// seen from the workspace root.
pub(crate) fn shared() -> Option<PathBuf> {
    let named = std::env::var_os("PLIANT_SHARED").unwrap_or_else(|| "../shared".into());
    let folder = root().join(named);
    folder.is_dir().then_some(folder)
}
