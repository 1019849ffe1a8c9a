//! Solids that return the signed distance of a point and the direction out: the shapes of obstacles that have data of
//! their own.
//!
//! | solid | from | distance |
//! |---|---|---|
//! | [`ConvexHull`] | points | exact |
//! | [`HeightField`] | heights over a grid | exact; nothing beside the grid |
//! | [`DistanceGrid`] | a closed surface | between nodes of a grid, within about a cell |
//!
//! Each has a function `gap`: the signed distance, m, negative inside, and the direction of unit length in
//! which it grows.

mod convex_hull;
mod distance_grid;
mod height_field;
mod quickhull;

#[cfg(test)]
mod tests;

pub use convex_hull::ConvexHull;
pub use distance_grid::{DistanceGrid, DistanceGridError};
pub use height_field::{HeightField, HeightFieldError};
pub use quickhull::HullError;
