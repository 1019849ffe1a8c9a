//! [`BodyRef`]: a body by its name or number.

use std::fmt;

/// A body of a [`SimulationBuilder`](crate::SimulationBuilder): by its name, or by its number in the order in
/// which bodies are added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyRef {
    /// By number, from zero.
    Number(usize),
    /// By [name](crate::Body::name).
    Name(String),
}

impl BodyRef {
    /// The number of the body among those of these names.
    pub(crate) fn among<'a>(&self, mut names: impl ExactSizeIterator<Item = &'a str>) -> Option<usize> {
        match self {
            Self::Number(i) => Some(*i).filter(|&i| i < names.len()),
            Self::Name(name) => names.position(|other| other == name),
        }
    }

    /// Adjusts the reference after the body number `gone` was removed; `name` is its name, if references by
    /// name meant that body. Returns whether the reference means another body.
    pub(crate) fn without(&mut self, gone: usize, name: Option<&str>) -> bool {
        match self {
            Self::Number(number) if *number > gone => {
                *number -= 1;
                true
            }
            Self::Number(number) => *number != gone,
            Self::Name(of) => Some(of.as_str()) != name,
        }
    }
}

impl fmt::Display for BodyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => write!(f, "\"{name}\""),
        }
    }
}

impl From<usize> for BodyRef {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for BodyRef {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for BodyRef {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}
