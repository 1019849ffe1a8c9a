//! PLY, the polygon file format of Stanford: text or binary of either byte order.
//!
//! Source: Greg Turk, *The PLY Polygon File Format* (1994). The header declares elements with properties of
//! any number type; read here are `x`, `y`, `z` of the vertices, the index list of the faces and that of
//! triangle strips (−1 begins a new strip), and as attributes all other properties of these that are not
//! lists. The crate `ply-rs-bw` was not used because it allocates a list for each face, looks properties up
//! by name in each element, and trusts a header's number of elements without properties, which cost a file
//! nothing.

use crate::error::ImportError;
use crate::raw::RawMesh;
use crate::source::Source;

use builder::Builder;
use header::Encoding;

mod binary;
mod builder;
mod columns;
mod element_kind;
mod header;
mod text;

/// Reads a PLY file.
pub(crate) fn read(source: &Source<'_>) -> Result<RawMesh, ImportError> {
    let header = header::read(source)?;
    let mut builder = Builder::new(source, &header)?;
    match header.encoding {
        Encoding::Text => text::read(source, &header, &mut builder)?,
        Encoding::Little => binary::read::<binary::Little>(source, &header, &mut builder)?,
        Encoding::Big => binary::read::<binary::Big>(source, &header, &mut builder)?,
    }
    Ok(builder.finish())
}

#[cfg(test)]
mod tests;
