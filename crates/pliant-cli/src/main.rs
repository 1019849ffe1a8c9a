//! The program `pliant`; its code is in the library.
#![forbid(unsafe_code)]

use std::io::{self, IsTerminal};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Each write locks standard output only while it lasts, so that the progress bar and rayon's threads do
    // not wait for it.
    let mut console = pliant_cli::Console {
        out: &mut io::stdout(),
        err: &mut io::stderr(),
        terminal: io::stderr().is_terminal(),
        quiet: false,
    };
    ExitCode::from(pliant_cli::main(std::env::args_os(), &mut console))
}
