//! What the benches share: the scenes, and the textbook baseline that every speed is quoted against.
#![forbid(unsafe_code)]

pub mod files;
pub mod scenes;
pub mod textbook;
