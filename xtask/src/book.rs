//! `cargo xtask book`: the guide and theory as web pages, where mdBook is installed.

use std::io::ErrorKind;
use std::process::Command;

use crate::{Outcome, workspace};

/// Build the book of docs/ into docs/book (needs mdBook; reports if it is missing).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Open the result in a browser.
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let mut command = Command::new("mdbook");
    command.arg("build").arg("docs").current_dir(workspace::root());
    if args.open {
        command.arg("--open");
    }
    match command.status() {
        Ok(status) if status.success() => {
            println!("book: docs/book/index.html");
            Ok(())
        }
        Ok(status) => Err(format!("mdbook failed: {status}").into()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("book: skipped, mdbook is not installed (cargo install mdbook --locked)");
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}
