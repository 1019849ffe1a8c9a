//! The program called as a library: every command with its output and exit status as values.
//!
//! `cargo run -p pliant-cli --example list_scenes`

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut console = pliant_cli::Console { out: &mut out, err: &mut err, terminal: false, quiet: false };
    let status = pliant_cli::main(["pliant", "new"].map(Into::into), &mut console);
    let text = String::from_utf8_lossy(&out);
    let mut stderr = std::io::stderr().lock();
    let written = writeln!(stderr, "status {status}, {} lines:\n{text}", text.lines().count());
    if written.is_ok() { ExitCode::from(status) } else { ExitCode::FAILURE }
}
