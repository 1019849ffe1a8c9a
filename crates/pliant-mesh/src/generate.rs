//! Generated meshes: sheets, blocks, balls, tori and the like.
//!
//! Every shape is centred on the origin with y upwards, except that a block begins at the origin. Triangles
//! face outwards (sheets: upwards), tetrahedra have positive volumes, and a shape is the same to the last bit
//! on every platform. One file per shape.

mod ball;
mod block;
mod check;
mod cone;
mod cylinder;
mod disc;
mod grid;
mod icosahedron;
mod sphere;
mod torus;
mod turn;

pub use block::Split;
pub use check::GenerateError;
pub(crate) use check::check_elements;
pub use cylinder::Caps;
pub use grid::Diagonals;

#[cfg(test)]
mod tests;
