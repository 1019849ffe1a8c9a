//! The state as a whole: to come back to, to keep, to compare.

pub(crate) mod hash;
pub(crate) mod record;
pub(crate) mod snapshot;
