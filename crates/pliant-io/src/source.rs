//! [`Source`]: the bytes of a file with the name to put into errors.

use std::path::Path;

use crate::AttributeError;
use crate::error::{ImportError, Place};

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
    /// Bytes from anywhere, of which only the mesh is wanted.
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

    /// The file holds something that is not read here.
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

/// A text that comes from the file, such as a name, or what another crate says of it, for the middle of a sentence.
pub(crate) fn shown(text: &str) -> String {
    cut(text, 160)
}

/// A part of the sentence of an error, which may hold names of the file.
pub(crate) fn clause(text: impl Into<String>) -> String {
    const MOST: usize = 400;
    let text = text.into();
    if text.len() <= MOST && !text.contains(char::is_control) { text } else { cut(&text, MOST) }
}

/// Cuts a text after `most` characters and escapes control characters, so that no file writes to a terminal what it likes.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    let mut out = String::new();
    for (i, character) in text.chars().enumerate() {
        match character {
            _ if i == most => {
                out.push('…');
                break;
            }
            _ if character.is_control() => out.extend(character.escape_default()),
            _ => out.push(character),
        }
    }
    out
}

/// The bytes in quotes, escaped and cut after 40.
pub(crate) fn quote(found: &[u8]) -> String {
    const MOST: usize = 40;
    if found.is_empty() {
        return "nothing".to_owned();
    }
    let cut = &found[..found.len().min(MOST)];
    let dots = if found.len() > MOST { "…" } else { "" };
    format!("\"{}{dots}\"", cut.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_file_is_cut_and_escaped() {
        let source = Source::of("a.vtu", b"");
        let error = source.unsupported("the compression \u{1b}[2J", "x".repeat(9000)).to_string();
        assert!(error.starts_with("a.vtu: the compression \\u{1b}[2J cannot be read; xxx"), "{error}");
        assert!(error.len() < 500 && error.ends_with('…'), "{error}");
        let plain = source.truncated(Place::Line(1), "a café").to_string();
        assert!(plain.contains("expected a café; is it complete?"), "{plain}");
        assert_eq!(shown(&"ä".repeat(160)), "ä".repeat(160));
    }
}
