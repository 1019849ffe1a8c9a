//! [`SceneError`]: what is wrong with a scene, and where.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use pliant_io::cut;
use pliant_solver::Element;

use crate::field::FieldPath;

/// A scene that cannot be read or built. Its text is one paragraph: where, what, and what was expected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The file cannot be read at all.
    #[error("cannot read the {what} {}: {reason}", path.display())]
    Read {
        /// What it should be: a scene, or a stack of deformers.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// The scene is invalid.
    #[error("{0}")]
    Invalid(Box<Invalid>),
}

/// An error in a scene.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Invalid {
    /// Name of the file, for messages.
    pub file: String,
    /// The whole text of the file; empty for a scene that was not read from text.
    pub text: Arc<str>,
    /// The field; `None` if the text is not TOML.
    pub field: Option<FieldPath>,
    /// The element of a body's mesh that it is about, if any; [`field`](Self::field) is then within the body.
    pub element: Option<Element>,
    /// Its place in the text, if it is there.
    pub place: Option<SourceSpan>,
    /// What is wrong. Quotations from the file are shortened and have no control characters, here and in
    /// `expected`.
    pub problem: String,
    /// What was expected; may be empty.
    pub expected: String,
}

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpan {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Bytes of the text.
    pub span: Range<usize>,
}

impl SourceSpan {
    /// The place of some bytes of a text.
    #[must_use]
    pub fn of(text: &str, span: Range<usize>) -> Self {
        let start = floor_char_boundary(text, span.start.min(text.len()));
        let end = floor_char_boundary(text, span.end.min(text.len())).max(start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            span: start..end,
        }
    }
}

fn floor_char_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl Invalid {
    /// An error in the text of a file; its sentences may quote the text.
    pub(crate) fn new(
        file: &str,
        text: &Arc<str>,
        place: Option<SourceSpan>,
        problem: &str,
        expected: &str,
    ) -> Self {
        /// Long enough for all sentences without their quotations, and for the names of all fields of a
        /// table.
        const MOST: (usize, usize) = (400, 1500);
        Self {
            file: cut(file, usize::MAX),
            text: Arc::clone(text),
            field: None,
            element: None,
            place,
            problem: cut(problem, MOST.0),
            expected: cut(expected, MOST.1),
        }
    }

    /// The offending piece of the text: its first line, shortened.
    #[must_use]
    pub(crate) fn offending_text(&self) -> Option<String> {
        const MOST: usize = 60;
        let span = self.place.as_ref()?.span.clone();
        let first_line = self.text.get(span)?.lines().next()?.trim();
        if first_line.is_empty() {
            return None;
        }
        Some(cut(first_line, MOST))
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(place) = &self.place {
            write!(f, ":{}:{}", place.line, place.column)?;
        }
        write!(f, ": {}", self.problem)?;
        if !self.expected.is_empty() {
            write!(f, "; expected {}", self.expected)?;
        }
        match (&self.field, self.offending_text()) {
            (Some(field), Some(text)) => write!(f, " (at {field}: `{text}`)"),
            (Some(field), None) if !field.segments().is_empty() => write!(f, " (at {field})"),
            (None, Some(text)) => write!(f, " (at `{text}`)"),
            (_, None) => Ok(()),
        }
    }
}

/// An error of a field, before the place of the field in the text is known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(crate) field: FieldPath,
    /// The element of a mesh that it is about.
    pub(crate) element: Option<Element>,
    pub(crate) problem: String,
    pub(crate) expected: String,
}

impl Fault {
    pub(crate) fn new(field: FieldPath, problem: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { field, element: None, problem: problem.into(), expected: expected.into() }
    }

    /// Names the element that it is about.
    pub(crate) fn at_element(self, element: Option<Element>) -> Self {
        Self { element, ..self }
    }
}
