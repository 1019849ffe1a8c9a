//! Benches of Pliant.
#![forbid(unsafe_code)]
