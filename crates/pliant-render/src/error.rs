//! Errors of pictures.

use std::path::PathBuf;

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A picture without pixels, or of more than [`Size::MAX_SIDE`](crate::Size::MAX_SIDE) a side.
    #[error("a picture of {width} × {height} pixels cannot be drawn: each side must be 1 to {max}")]
    Size {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The most on a side.
        max: u32,
    },
    /// An element names a vertex that does not exist.
    #[error("drawable {drawable}: element {element} refers to vertex {vertex}, but there are {vertices}")]
    Index {
        /// Which drawable of the drawing, from 0.
        drawable: usize,
        /// Which triangle or line of it, from 0.
        element: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many positions there are.
        vertices: usize,
    },
    /// A field with another number of values than there are vertices or triangles.
    #[error("drawable {drawable}: a field of {values} values over {expected} {over}")]
    Field {
        /// Which drawable of the drawing, from 0.
        drawable: usize,
        /// How many values it brings.
        values: usize,
        /// How many it should bring.
        expected: usize,
        /// What the values belong to: "vertices" or "elements".
        over: &'static str,
    },
    /// A setting that is not a number, or outside its range.
    #[error("{name} is {value}: it must be {expected}")]
    Setting {
        /// Which setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The values that it may have.
        expected: &'static str,
    },
    /// A picture of another size than the first one of the animation or sheet.
    #[error("a picture of {found:?} pixels among pictures of {expected:?} pixels")]
    Mixed {
        /// Width and height of this picture.
        found: (u32, u32),
        /// Width and height of the first one.
        expected: (u32, u32),
    },
    /// An animation or a sheet without pictures.
    #[error("there is no frame to write")]
    Empty,
    /// A file that could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A picture that could not be encoded or decoded.
    #[error("{format}: {reason}")]
    Codec {
        /// The kind of file.
        format: &'static str,
        /// The message of its encoder or decoder.
        reason: String,
    },
    /// A picture that differs from its reference.
    #[error("the picture differs from {}: {reason}", file.display())]
    Golden {
        /// The reference picture.
        file: PathBuf,
        /// How they differ.
        reason: String,
    },
    /// A plot that could not be drawn.
    #[error("plot: {0}")]
    Plot(String),
}

/// Refuses a setting that is not finite or not in the range.
pub(crate) fn check(
    name: &'static str,
    value: f64,
    range: std::ops::RangeInclusive<f64>,
    expected: &'static str,
) -> Result<(), RenderError> {
    if range.contains(&value) { Ok(()) } else { Err(RenderError::Setting { name, value, expected }) }
}
