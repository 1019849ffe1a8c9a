//! The JSON of a glTF file, and access to its values.

use nalgebra::Vector3;
use serde_json::Value;

use super::buffers;
use crate::error::{ImportError, Place};
use crate::source::Source;

/// The JSON of a file, and the binary chunk of a GLB.
pub(super) fn parse<'a>(source: &Source<'a>) -> Result<(Value, Option<&'a [u8]>), ImportError> {
    let (json, chunk) = buffers::split(source)?;
    let root: Value = serde_json::from_slice(json).map_err(|error| {
        // serde_json counts lines from 1; in a GLB they are lines of its JSON chunk.
        let what = error.to_string();
        source.parse_error(Place::Line(error.line()), what.as_bytes(), "well-formed JSON of a glTF file")
    })?;
    if root["asset"]["version"].as_str().is_some_and(|version| version.starts_with('1')) {
        return Err(source.unsupported("a glTF file of version 1", "convert it to glTF 2.0"));
    }
    Ok((root, chunk))
}

/// The list of the root object with that name; empty if there is none.
pub(super) fn list<'a>(root: &'a Value, name: &str) -> &'a [Value] {
    root[name].as_array().map_or(&[], Vec::as_slice)
}

/// A number that names an element of a list.
pub(super) fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// The error for an invalid value in the JSON.
pub(super) fn wrong(source: &Source<'_>, at: &str, found: &Value, expected: &str) -> ImportError {
    let found: String = match found {
        Value::Null => "nothing".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Array(values) => format!("a list of {}", values.len()),
        other => other.to_string().chars().take(40).collect(),
    };
    source.unsupported(format!("{at}, which is {found},"), format!("expected {expected}"))
}

/// A vector of three numbers of a JSON list.
pub(super) fn vector(value: &Value) -> Option<Vector3<f64>> {
    let values = value.as_array().filter(|values| values.len() == 3)?;
    Some(Vector3::new(values[0].as_f64()?, values[1].as_f64()?, values[2].as_f64()?))
}
