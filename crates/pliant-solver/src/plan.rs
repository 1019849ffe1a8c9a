//! Which constraints run side by side: numbering, clusters, colours, packs.

pub(crate) mod order;
pub(crate) mod packing;
pub(crate) mod schedule;
pub(crate) mod triangles;
