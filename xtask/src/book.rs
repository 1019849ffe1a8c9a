//! `cargo xtask book`: the guide and theory as web pages, where mdBook is installed.
//!
//! The sources have pictures. Where a comment before a picture names a page that moves, such as
//! `<!-- live: default.html -->`, the built book has that page in a frame, with the picture until it is pressed. The
//! pages are made here and lie beside the book's own, in `live/`; without them the pictures stay as they are.

mod live;

use std::io::ErrorKind;
use std::process::Command;

use crate::{Outcome, workspace};

/// Build the book of docs/ into docs/book (needs mdBook; reports if it is missing), with players and demos in it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Open the result in a browser.
    #[arg(long)]
    open: bool,
    /// Only pictures: no players and demos, which take a release build of the program and of the module for browsers
    #[arg(long)]
    still: bool,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let root = workspace::root();
    match Command::new("mdbook").args(["build", "docs"]).current_dir(&root).status() {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("mdbook failed: {status}").into()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("book: skipped, mdbook is not installed (cargo install mdbook --locked)");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    }
    let book = root.join("docs/book");
    if !args.still {
        live::make(&book)?;
        live::embed(&book)?;
    }
    println!("book: docs/book/index.html");
    if args.open { open(&book.join("index.html")) } else { Ok(()) }
}

/// Opens a file with the program that the system has for it.
fn open(page: &std::path::Path) -> Outcome {
    let opener = if cfg!(target_os = "windows") {
        "explorer"
    } else if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    match Command::new(opener).arg(page).status() {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{opener} cannot open the book: {error}").into()),
    }
}
