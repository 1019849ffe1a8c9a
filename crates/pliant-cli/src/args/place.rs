//! Paths of files to write.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};

/// The path of a file to write.
pub(super) fn output_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(place_of)
}

/// Where a file goes that is to be at this path. Files are put in their place by renaming, which would put one in the
/// place of a link, a pipe or a device: so links are followed, and the others refused.
fn place_of(path: PathBuf) -> Result<PathBuf, String> {
    let path = if path.is_symlink() { path.canonicalize().unwrap_or(path) } else { path };
    match path.metadata() {
        Ok(there) if !there.is_file() && !there.is_dir() => {
            Err("it is a device or a pipe; name a file, and copy that there".to_owned())
        }
        _ => Ok(path),
    }
}
