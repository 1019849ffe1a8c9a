//! Why a scene could not be run or a file not be checked.

/// A reason in words; any error becomes one.
#[derive(Debug)]
pub(crate) struct Problem(pub(crate) String);

impl<E: std::error::Error> From<E> for Problem {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}
