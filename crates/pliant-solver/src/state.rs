//! The state as a whole: snapshots, files, records and hashes.

pub(crate) mod hash;
#[cfg(feature = "serde")]
pub(crate) mod kept;
#[cfg(feature = "serde")]
pub(crate) mod kept_history;
pub(crate) mod record;
#[cfg(feature = "serde")]
pub(crate) mod seal;
pub(crate) mod snapshot;
