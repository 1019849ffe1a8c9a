//! The state as a whole: to come back to, to keep, to compare.

pub(crate) mod hash;
#[cfg(feature = "serde")]
pub(crate) mod kept;
pub(crate) mod record;
#[cfg(feature = "serde")]
pub(crate) mod seal;
pub(crate) mod snapshot;
