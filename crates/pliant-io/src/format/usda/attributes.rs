//! [`Attributes`]: the attributes of a prim.

use std::collections::BTreeMap;

use super::value::Value;

/// The attributes of a prim that are read, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) list: Vec<(String, Value)>,
    /// Where the last of each name is in the list.
    pub(super) last: BTreeMap<String, usize>,
}

impl Attributes {
    pub(super) fn push(&mut self, name: String, value: Value) {
        self.last.insert(name.clone(), self.list.len());
        self.list.push((name, value));
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.last.get(name).map(|&at| &self.list[at].1)
    }

    pub(super) fn numbers(&self, name: &str) -> &[f64] {
        self.get(name).map_or(&[], |value| &value.numbers)
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.numbers(name).first().copied()
    }

    pub(super) fn word(&self, name: &str) -> Option<&str> {
        self.get(name)?.words.first().map(String::as_str)
    }
}
