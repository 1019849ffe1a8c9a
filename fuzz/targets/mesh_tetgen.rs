//! Meshes as the two files of TetGen.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pliant_fuzz::tetgen(bytes));
