//! [`CheckError`]: a property that does not hold, where, and by how much.

use std::fmt;

/// A property that a constraint does not have, with the numbers that show it.
///
/// It is a [`std::error::Error`], so `?` works in the body of a `proptest!` test.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckError {
    /// The property, as the start of a message: "gradient against finite differences".
    pub property: &'static str,
    /// Row of the constraint, if the property belongs to one.
    pub row: Option<usize>,
    /// Point of the stencil, if the property belongs to one.
    pub point: Option<usize>,
    /// By how much the property is violated, in the unit of the compared quantity.
    pub error: f64,
    /// How much is allowed, in the same unit.
    pub allowed: f64,
    /// The compared numbers and the stencil.
    pub detail: String,
}

impl CheckError {
    /// An error without a particular row or point.
    pub(crate) fn new(property: &'static str, error: f64, allowed: f64, detail: String) -> Self {
        Self { property, row: None, point: None, error, allowed, detail }
    }

    pub(crate) fn at_row(self, row: usize) -> Self {
        Self { row: Some(row), ..self }
    }

    pub(crate) fn at_point(self, point: usize) -> Self {
        Self { point: Some(point), ..self }
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.property)?;
        if let Some(row) = self.row {
            write!(f, ", row {row}")?;
        }
        if let Some(point) = self.point {
            write!(f, ", point {point}")?;
        }
        write!(f, ": off by {:.3e}, allowed {:.3e}; {}", self.error, self.allowed, self.detail)
    }
}

impl std::error::Error for CheckError {}

/// `Ok` if `error ≤ allowed`; NaN is an error.
pub(crate) fn within(
    property: &'static str,
    error: f64,
    allowed: f64,
    detail: impl FnOnce() -> String,
) -> Result<(), CheckError> {
    if error <= allowed { Ok(()) } else { Err(CheckError::new(property, error, allowed, detail())) }
}
