//! Files that appear completely or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use tempfile::NamedTempFile;

use crate::error::RunError;

/// Writes a file in one step, in place of an existing one.
///
/// # Errors
/// If it cannot be written; an existing file is then unchanged.
pub fn write_whole(path: &Path, text: &str) -> Result<(), RunError> {
    let mut file = visible_file(folder_of(path)).map_err(RunError::io(path))?;
    file.write_all(text.as_bytes()).map_err(RunError::io(path))?;
    file.persist(path).map(drop).map_err(|error| RunError::io(path)(error.error))
}

/// A temporary file with the usual permissions; those of `tempfile` are private by default.
///
/// # Errors
/// If the folder cannot be written to.
pub fn visible_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pliant.").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// The folder that a file is in; `.` for a bare name.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path of a file of a run, from its name with slashes.
pub(crate) fn from_slashes(name: &str) -> PathBuf {
    name.split('/').collect()
}

/// The time since a moment, ms.
pub(crate) fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}
