//! Builds particles and lists of constraints from descriptions of bodies.

pub(crate) mod assembly;
pub(crate) mod builder;
pub(crate) mod built_in;
pub(crate) mod constraints;
pub(crate) mod foldless;
pub(crate) mod gather;
pub(crate) mod grouping;
mod hold;
pub(crate) mod placed;
pub(crate) mod softness;
mod surfaces;
pub(crate) mod typed;
pub(crate) mod weld;
mod welded;
