//! The solver for browsers and Node, stepped frame by frame with the bits of native code. There are two modules of it.
//! With the feature `scenes` a scene comes in as the text of its file ([`Host`]); with `core` meshes come in as arrays, and what they
//! are made of as numbers ([`World`]), for half of the bytes.
//!
//! The interface is plain C and needs no generated glue ([`exports`]): the host writes bytes to `…_input`, calls a
//! function, and reads bytes from `…_output`. `pkg/pliant.js` and `pkg/core.js` do it for JavaScript.

pub mod exports;
#[cfg(feature = "scenes")]
mod host;
mod world;

#[cfg(feature = "scenes")]
pub use host::Host;
pub use world::World;
