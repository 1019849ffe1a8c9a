//! The solver for browsers and Node: a scene comes in as the text of its file, and is stepped frame by frame;
//! the bits are those of native code.
//!
//! The interface is plain C and needs no generated glue ([`exports`]): the host writes bytes to
//! [`exports::pliant_input`], calls a function, and reads bytes from [`exports::pliant_output`]. What they
//! mean is in [`Host`]. `pkg/pliant.js` does it for JavaScript.

pub mod exports;
mod host;

pub use host::Host;
