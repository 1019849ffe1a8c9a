//! legacy VTK files.

use crate::error::ImportError;
use crate::raw::RawMesh;
use crate::source::Source;

/// Reads a legacy VTK file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    Err(source.unsupported("legacy VTK", "convert it first"))
}
