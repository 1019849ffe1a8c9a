//! Reads a mesh file of any format and prints its content.
//!
//! ```text
//! cargo run -p pliant-io --example inspect -- bunny.obj
//! ```
#![expect(clippy::print_stdout, reason = "this program prints")]

use std::process::ExitCode;

use pliant_io::{Mesh, read_mesh};

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: inspect FILE");
        return ExitCode::from(2);
    };
    match read_mesh(&path) {
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
        Ok(imported) => {
            println!("{}", imported.report);
            match &imported.mesh {
                Mesh::Tri(mesh) => println!("  area {}", mesh.area()),
                Mesh::Tet(mesh) => println!("  volume {}", mesh.volume()),
            }
            ExitCode::SUCCESS
        }
    }
}
