//! [`Refusal`]: why a command was refused.

#[cfg(not(target_family = "wasm"))]
use pliant_run::RunError;
use pliant_scene::SceneError;

use crate::problem::Problem;

/// Why a command was refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal(pub Problem);

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.what)
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    #[allow(clippy::needless_pass_by_value, reason = "errors are passed on by name of this function")]
    pub(crate) fn new(what: impl ToString) -> Self {
        Self(Problem::new(what.to_string()))
    }
}

impl From<SceneError> for Refusal {
    fn from(error: SceneError) -> Self {
        Self(Problem::from(&error))
    }
}

#[cfg(not(target_family = "wasm"))]
impl From<RunError> for Refusal {
    fn from(error: RunError) -> Self {
        Self::new(error)
    }
}
