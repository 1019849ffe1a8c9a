//! The program `pliant`, from the arguments to the exit status.

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use pyo3::prelude::*;

/// Runs the program; the first of the arguments is its name.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let mut console = pliant_cli::Console {
            out: &mut io::stdout(),
            err: &mut io::stderr(),
            terminal: io::stderr().is_terminal(),
            quiet: false,
        };
        pliant_cli::main(arguments, &mut console)
    })
}
