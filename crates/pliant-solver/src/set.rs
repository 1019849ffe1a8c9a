//! The sets of constraints, one per file, and the trait that they share.

pub(crate) mod constraint_set;
pub(crate) mod contact;
pub(crate) mod dynamic;
pub(crate) mod entries;
pub(crate) mod found;
pub(crate) mod frozen;
pub(crate) mod guard;
pub(crate) mod many_points;
pub(crate) mod seams;
pub(crate) mod shapes;
pub(crate) mod tethers;
pub(crate) mod volumes;
