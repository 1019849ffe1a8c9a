//! [`Source`]: the bytes of a file with the name to put into errors.

use std::path::Path;

use crate::attributes::AttributeError;
use crate::error::{ImportError, Place};
use crate::quote::{clause, quote};

/// A file in memory.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Where it came from, for formats of several files; none for bytes from elsewhere.
    pub(crate) path: Option<&'a Path>,
    /// Name for messages.
    pub(crate) name: &'a str,
    /// The whole content.
    pub(crate) bytes: &'a [u8],
    /// Whether attributes are wanted beside the mesh.
    pub(crate) attributes: bool,
}

impl<'a> Source<'a> {
    /// Bytes in memory, of which only the mesh is wanted.
    #[cfg(test)]
    pub(crate) fn of(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { path: None, name, bytes, attributes: false }
    }
}

impl Source<'_> {
    /// The file does not follow its format; `found` is quoted and shortened.
    pub(crate) fn parse_error(&self, place: Place, found: &[u8], expected: impl Into<String>) -> ImportError {
        ImportError::Parse {
            file: self.name.to_owned(),
            place,
            found: quote(found),
            expected: clause(expected),
        }
    }

    /// The file ends where something should follow.
    pub(crate) fn truncated(&self, place: Place, expected: impl Into<String>) -> ImportError {
        ImportError::Truncated { file: self.name.to_owned(), place, expected: clause(expected) }
    }

    /// The file holds something that is not supported.
    pub(crate) fn unsupported(&self, what: impl Into<String>, instead: impl Into<String>) -> ImportError {
        ImportError::Unsupported { file: self.name.to_owned(), what: clause(what), instead: clause(instead) }
    }

    /// An element refers to vertex `index` as the file counts, starting from `first`.
    pub(crate) fn index_error(&self, place: Place, index: i64, first: i64, vertices: usize) -> ImportError {
        ImportError::IndexOutOfRange { file: self.name.to_owned(), place, index, first, vertices }
    }

    /// An element names vertex `index`, as the file counts, twice.
    pub(crate) fn repeated(&self, place: Place, element: &'static str, index: i64) -> ImportError {
        ImportError::RepeatedVertex { file: self.name.to_owned(), place, element, index }
    }

    /// An attribute or a group does not fit the mesh.
    pub(crate) fn attribute(&self, source: AttributeError) -> ImportError {
        ImportError::Attribute { file: self.name.to_owned(), source }
    }

    /// A coordinate is not finite.
    pub(crate) fn non_finite(&self, place: Place, value: f64) -> ImportError {
        ImportError::NonFinite { file: self.name.to_owned(), place, value }
    }
}
