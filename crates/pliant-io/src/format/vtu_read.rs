//! VTU files.

use crate::error::ImportError;
use crate::raw::RawMesh;
use crate::source::Source;

/// Reads a VTU file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    Err(source.unsupported("VTU", "convert it first"))
}
