//! [`OutOfBounds`]: the error of a number that its type does not allow.

/// A number out of its bounds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{} is {value}, expected {expected}", Self::SUBJECT)]
pub struct OutOfBounds {
    /// The number, as messages have it.
    pub value: String,
    /// What it should be, with its unit.
    pub expected: String,
}

impl OutOfBounds {
    /// How the message begins; whoever knows the key of the number puts its name there instead.
    pub(crate) const SUBJECT: &str = "the value";
}
