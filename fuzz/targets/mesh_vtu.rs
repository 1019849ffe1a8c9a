//! Meshes as VTK XML.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pliant_fuzz::mesh(pliant_io::Format::Vtu, bytes));
