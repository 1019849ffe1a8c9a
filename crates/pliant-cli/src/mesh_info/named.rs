//! The groups and attributes of a mesh file.

use std::path::Path;

use pliant_io::{Attributes, ImportError, Imported, ReadOptions, read_mesh};
use serde::Serialize;

use super::digits::short;

/// An attribute or a group of a file.
#[derive(Debug, Serialize)]
pub(super) struct Named {
    name: String,
    /// `"vertices"` or `"elements"`.
    of: String,
    /// `"real"`, `"integer"` or `"group"`.
    kind: &'static str,
    /// Number of components; `None` for a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<usize>,
    /// The smallest and the largest finite number.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[f64; 2]>,
    /// Number of values that are missing or infinite.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<usize>,
    /// Number of vertices or elements of a group, or of those that an attribute marks by 1, which makes it a
    /// group too.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
}

/// Reads a file with its attributes; if these are damaged, reads only the mesh and adds a note.
pub(crate) fn read(path: &Path) -> Result<Imported, ImportError> {
    ReadOptions::with_attributes().read(path).or_else(|error| {
        let mut imported = read_mesh(path)?;
        imported.report.notes.push(format!("its attributes cannot be read: {error}"));
        Ok(imported)
    })
}

/// All attributes and groups.
pub(super) fn list(attributes: &Attributes) -> Vec<Named> {
    let fields = attributes.fields().iter().map(|field| {
        let group = field.is_mask().then(|| attributes.group(field.name(), field.location())).flatten();
        Named {
            name: field.name().to_owned(),
            of: field.location().to_string(),
            kind: if field.is_integer() { "integer" } else { "real" },
            components: Some(field.components()),
            range: field.range(),
            missing: Some(field.missing()),
            count: group.map(|group| group.members().len()),
        }
    });
    let groups = attributes.groups().iter().map(|group| Named {
        name: group.name().to_owned(),
        of: group.location().to_string(),
        kind: "group",
        components: None,
        range: None,
        missing: None,
        count: Some(group.members().len()),
    });
    fields.chain(groups).collect()
}

impl Named {
    /// A line.
    pub(super) fn text(&self) -> String {
        let Self { name, of, kind, .. } = self;
        let count = self.count.map(|count| format!("{count} {of}"));
        let Some(components) = self.components else {
            return format!("group       {name:?}: {}", count.unwrap_or_default());
        };
        let vector = if components > 1 { format!(", {components} components") } else { String::new() };
        let range = match self.range {
            Some([low, high]) => format!(", {} to {}", short(low), short(high)),
            None => String::new(),
        };
        let missing = match self.missing {
            Some(missing) if missing > 0 => format!(", {missing} missing"),
            _ => String::new(),
        };
        let group = count.map(|count| format!(", a group of {count}")).unwrap_or_default();
        format!("attribute   {name:?} of {of}: {kind}{vector}{range}{missing}{group}")
    }
}
