//! [`load`]: the bytes of a file.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::error::ImportError;
use crate::progress::Reading;

/// Whether there are files: a module that a page runs has none, and leaves out all that reads them.
pub(crate) const HAS_FILES: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// How much of a file is loaded at once where a caller shows progress.
const PART: u64 = 4 << 20;

/// The whole content of a file, if it is one.
pub(crate) fn load(path: &Path) -> Result<Vec<u8>, ImportError> {
    let io_error = |source| ImportError::Io { path: path.to_owned(), source };
    // Checked before opening: opening a pipe would wait for a writer.
    let meta = fs::metadata(path).map_err(io_error)?;
    if meta.is_dir() {
        return Err(ImportError::NotAFile { path: path.to_owned(), what: "a directory" });
    }
    if !meta.is_file() {
        return Err(ImportError::NotAFile { path: path.to_owned(), what: "a device or a pipe" });
    }
    let Some(reading) = Reading::watching() else { return fs::read(path).map_err(io_error) };
    reading.begin(meta.len());
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0));
    let mut file = fs::File::open(path).map_err(io_error)?;
    // In parts, so that progress is visible.
    while file.by_ref().take(PART).read_to_end(&mut bytes).map_err(io_error)? > 0 {
        reading.set_loaded(bytes.len() as u64);
    }
    Ok(bytes)
}
