//! [`Tensors`]: lists of numbers in a file of the safetensors format.
//!
//! Eight bytes with the length n of a header, little-endian; n bytes of JSON that names every list with its
//! type, shape and place; the numbers. Programs in many languages read it: `safetensors.numpy.load_file` in
//! Python. Source: <https://github.com/huggingface/safetensors>, "Format". Only `F64` is written and read
//! here.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

const METADATA: &str = "__metadata__";

/// Named lists of numbers, with metadata.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Tensors {
    /// Texts by name.
    pub(crate) metadata: BTreeMap<String, String>,
    /// The lists, each with its shape.
    pub(crate) lists: BTreeMap<String, (Vec<usize>, Vec<f64>)>,
}

impl Tensors {
    pub(crate) fn add(&mut self, name: &str, shape: &[usize], values: Vec<f64>) {
        self.lists.insert(name.to_owned(), (shape.to_vec(), values));
    }

    /// Writes the file.
    pub(crate) fn write(&self, mut out: impl Write) -> io::Result<()> {
        let mut header = Map::new();
        header.insert(METADATA.to_owned(), json!(self.metadata));
        let mut start = 0;
        for (name, (shape, values)) in &self.lists {
            let end = start + 8 * values.len();
            header.insert(
                name.clone(),
                json!({ "dtype": "F64", "shape": shape, "data_offsets": [start, end] }),
            );
            start = end;
        }
        let mut text = Value::Object(header).to_string();
        // Numbers begin at a multiple of eight.
        while !text.len().is_multiple_of(8) {
            text.push(' ');
        }
        out.write_all(&(text.len() as u64).to_le_bytes())?;
        out.write_all(text.as_bytes())?;
        for (_, values) in self.lists.values() {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            out.write_all(&bytes)?;
        }
        out.flush()
    }

    /// Reads a file; the error says what is wrong with it.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        Self::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or("it is shorter than its first number")?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok();
        let (header, data) = length
            .and_then(|length| rest.split_at_checked(length))
            .ok_or("its header is longer than the file")?;
        let header: Map<String, Value> = serde_json::from_slice(header)
            .map_err(|error| format!("its header is not a JSON object: {error}"))?;
        let mut tensors = Self::default();
        for (name, entry) in header {
            if name == METADATA {
                tensors.metadata = serde_json::from_value(entry)
                    .map_err(|error| format!("its metadata are not texts: {error}"))?;
                continue;
            }
            let list = list(&entry, data).ok_or_else(|| {
                format!("the list `{name}` has no place in the file, is not of F64, or not of its own shape")
            })?;
            tensors.lists.insert(name, list);
        }
        Ok(tensors)
    }
}

/// A list by its entry in the header.
fn list(entry: &Value, data: &[u8]) -> Option<(Vec<usize>, Vec<f64>)> {
    let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
    if entry.get("dtype")?.as_str()? != "F64" {
        return None;
    }
    let shape = entry.get("shape")?.as_array()?.iter().map(number).collect::<Option<Vec<_>>>()?;
    let [start, end] = entry.get("data_offsets")?.as_array()?.as_slice() else { return None };
    let bytes = data.get(number(start)?..number(end)?)?;
    let count = shape.iter().try_fold(1_usize, |product, &n| product.checked_mul(n))?;
    let (values, left) = bytes.as_chunks::<8>();
    (left.is_empty() && values.len() == count)
        .then(|| (shape, values.iter().map(|b| f64::from_le_bytes(*b)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Tensors {
        let mut tensors = Tensors::default();
        tensors.metadata.insert("frame".into(), "3".into());
        tensors.add("positions", &[2, 3], vec![0.0, 1.5, -2.0, 3.0, f64::MIN_POSITIVE, 1e300]);
        tensors.add("lambda.edges", &[0], vec![]);
        tensors
    }

    #[test]
    fn what_was_written_is_read() {
        let mut bytes = Vec::new();
        example().write(&mut bytes).unwrap();
        assert_eq!(Tensors::parse(&bytes).unwrap(), example());
    }

    #[test]
    fn damaged_files_are_refused_and_never_panic() {
        let mut bytes = Vec::new();
        example().write(&mut bytes).unwrap();
        for cut in 0..bytes.len() {
            assert!(Tensors::parse(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in 0..bytes.len() {
            for value in [0, 0x7f, 0xff, b'9', b'"'] {
                let mut mutated = bytes.clone();
                mutated[at] = value;
                let _ = Tensors::parse(&mutated);
            }
        }
        bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(Tensors::parse(&bytes).is_err());
    }
}
