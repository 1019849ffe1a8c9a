//! The entry: from a path to a mesh and its report.

use std::fs;
use std::path::Path;

use crate::error::ImportError;
use crate::finish::finish;
use crate::format::{Format, without_mark};
use crate::report::Imported;
use crate::source::Source;

/// Reads a mesh file, of whatever known format it is.
///
/// # Errors
///
/// Whatever keeps the file from being a mesh: see [`ImportError`].
pub fn read_mesh(path: impl AsRef<Path>) -> Result<Imported, ImportError> {
    let path = path.as_ref();
    let bytes = load(path)?;
    let name = path.display().to_string();
    let source = Source { path: Some(path), name: &name, bytes: without_mark(&bytes) };
    let named = Format::from_path(path);
    let format = Format::from_content(&bytes)
        .or(named)
        .ok_or_else(|| ImportError::UnknownFormat { file: name.clone() })?;
    let raw = format.read(&source)?;
    let mut imported = finish(&source, format, raw)?;
    if let Some(named) = named.filter(|&named| named != format) {
        imported.report.notes.push(format!("the name says {named}, the content is {format}"));
    }
    Ok(imported)
}

/// The whole content of a file, if it is one.
pub(crate) fn load(path: &Path) -> Result<Vec<u8>, ImportError> {
    let io_error = |source| ImportError::Io { path: path.to_owned(), source };
    // Asked before opening: opening a pipe would wait for somebody to write.
    let meta = fs::metadata(path).map_err(io_error)?;
    if meta.is_dir() {
        return Err(ImportError::NotAFile { path: path.to_owned(), what: "a directory" });
    }
    if !meta.is_file() {
        return Err(ImportError::NotAFile { path: path.to_owned(), what: "a device or a pipe" });
    }
    fs::read(path).map_err(io_error)
}

/// Reads a mesh from bytes in memory; `name` is what errors and the report call it.
///
/// # Errors
///
/// As [`read_mesh`].
pub fn read_mesh_bytes(format: Format, bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let source = Source { path: None, name, bytes: without_mark(bytes) };
    let raw = format.read(&source)?;
    finish(&source, format, raw)
}
