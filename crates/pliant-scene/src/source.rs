//! [`Source`]: the text of a scene, and the places of its fields in it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_io::Mesh;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Fault, Invalid, SceneError, SourceSpan};
use crate::field::{FieldPath, Segment};

/// Where a scene came from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Source {
    /// Name for messages.
    pub(crate) name: String,
    /// The text; empty for a scene made by a program.
    pub(crate) text: Arc<str>,
    /// Directory that relative paths start from.
    pub(crate) base: PathBuf,
    /// Meshes that the program has, by the paths that stand for them in the scene.
    pub(crate) meshes: Arc<BTreeMap<PathBuf, Mesh>>,
}

impl Source {
    /// `path`, relative to the directory of the scene.
    pub(crate) fn resolve(&self, path: &Path) -> PathBuf {
        self.base.join(path)
    }

    /// Adds the place in the text to a fault.
    pub(crate) fn locate(&self, fault: Fault) -> SceneError {
        let span = span_of(&self.text, &fault.field);
        let place = span.map(|span| SourceSpan::of(&self.text, span));
        SceneError::Invalid(Box::new(Invalid {
            field: Some(fault.field),
            element: fault.element,
            ..Invalid::new(&self.name, &self.text, place, &fault.problem, &fault.expected)
        }))
    }
}

/// The bytes of the field in the text: of its value or, for a table with a header, of the header. A field
/// that is not there has the place of the innermost table around it that is.
///
/// Parses the text again: this is for the one error that ends a run.
fn span_of(text: &str, field: &FieldPath) -> Option<Range<usize>> {
    let document = DeTable::parse(text).ok()?;
    let mut found = None;
    let mut rest = field.segments();
    let mut here: &DeTable<'_> = document.get_ref();
    // Walks from table to table; arrays are stepped through on the way.
    while let Some((Segment::Key(key), after)) = rest.split_first() {
        let Some((name, value)) = here.iter().find(|(name, _)| name.get_ref() == key) else { return found };
        let mut value: &Spanned<DeValue<'_>> = value;
        found = Some(whole(name, value));
        rest = after;
        while let (Some((Segment::Index(index), after)), DeValue::Array(items)) =
            (rest.split_first(), value.get_ref())
        {
            let Some(item) = items.get(*index) else { return found };
            value = item;
            found = Some(value.span());
            rest = after;
        }
        match value.get_ref() {
            DeValue::Table(table) => here = table,
            _ => return found,
        }
    }
    found
}

/// The field whose value has these bytes of the text.
///
/// Parses the text again, as [`span_of`] does.
pub(crate) fn field_at(text: &str, span: &Range<usize>) -> Option<FieldPath> {
    fn within(value: &DeValue<'_>, at: &FieldPath, span: &Range<usize>) -> Option<FieldPath> {
        let inner = |value: &Spanned<DeValue<'_>>, at: FieldPath| {
            if value.span() == *span { Some(at) } else { within(value.get_ref(), &at, span) }
        };
        match value {
            DeValue::Table(table) => {
                table.iter().find_map(|(name, value)| inner(value, at.key_read(name.get_ref())))
            }
            DeValue::Array(items) => {
                items.iter().enumerate().find_map(|(index, item)| inner(item, at.index(index)))
            }
            _ => None,
        }
    }
    let document = DeTable::parse(text).ok()?;
    document.get_ref().iter().find_map(|(name, value)| {
        let at = FieldPath::root().key_read(name.get_ref());
        if value.span() == *span { Some(at) } else { within(value.get_ref(), &at, span) }
    })
}

/// The place of the value, or of the key for a table made by dotted keys or headers, whose own place may be
/// empty.
fn whole(name: &Spanned<impl Sized>, value: &Spanned<DeValue<'_>>) -> Range<usize> {
    let span = value.span();
    if span.is_empty() { name.span() } else { span }
}
