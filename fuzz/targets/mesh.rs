//! Meshes of whatever format their bytes look like.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pliant_fuzz::mesh_by_content(bytes));
