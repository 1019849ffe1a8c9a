//! Gmsh MSH files.

use crate::error::ImportError;
use crate::raw::RawMesh;
use crate::source::Source;

/// Reads a Gmsh MSH file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    Err(source.unsupported("Gmsh MSH", "convert it first"))
}
