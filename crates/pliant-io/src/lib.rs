//! Mesh files in, animation caches out.
#![forbid(unsafe_code)]

mod error;
mod finish;
mod format;
mod point_cache;
mod raw;
mod read;
mod report;
mod source;
mod text;
mod write;

pub use error::{ImportError, Place};
pub use format::Format;
pub use point_cache::PointCache;
pub use read::{read_mesh, read_mesh_bytes};
pub use report::{ImportReport, Imported, Mesh};
pub use write::{
    ExportError, Field, FieldValues, Frame, FrameWriter, Location, MeshSequence, Pc2Options, Pc2Writer,
    Precision, VtuEncoding, VtuOptions, VtuSeries, write_mesh,
};
