//! Meshes as legacy VTK.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pliant_fuzz::mesh(pliant_io::Format::VtkLegacy, bytes));
