//! A preprocessor of mdBook: the book in on standard input, the same with its equations as MathML out.
//!
//! `docs/book.toml` names it. With `supports RENDERER` it says by its exit status whether the renderer
//! understands HTML.
#![forbid(unsafe_code)]

use std::io::{self, Read, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => convert(),
        ["supports", "html"] => Ok(()),
        ["supports", _] => return ExitCode::FAILURE,
        _ => Err("usage: mdBook runs it, with `supports RENDERER` or the book on standard input".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn convert() -> Result<(), Box<dyn std::error::Error>> {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let book = pliant_equations::convert_book(&input)?;
    io::stdout().write_all(book.as_bytes())?;
    Ok(())
}
