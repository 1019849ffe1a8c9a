//! [`OutOfBounds`]: the error of a number that its type does not allow.

/// A number out of its bounds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the value is {value}, expected {expected}")]
pub struct OutOfBounds {
    /// The number, as messages have it.
    pub value: String,
    /// What it should be, with its unit.
    pub expected: String,
}
