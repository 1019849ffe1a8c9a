//! Every formula of the book parses, so that a wrong one is found without mdBook.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

use std::fs;
use std::path::{Path, PathBuf};

/// `docs/src`, without a step down and up again, so that the names of pages read well.
fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("src")
}

/// The pages below a folder, sorted, with their text.
fn pages(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

#[test]
fn every_equation_of_the_book_is_set() {
    let mut faults = String::new();
    let (mut equations, mut formulas) = (0, 0);
    for (path, text) in pages(&source()) {
        match pliant_equations::convert_page(&text) {
            Ok(html) => {
                // One in a quotation, or under a fence that is not closed, would stay LaTeX.
                assert!(!html.contains("```math"), "{}: a block of mathematics is not set", path.display());
                assert!(
                    !html.contains("$`") && !html.contains("`$"),
                    "{}: a formula is not set",
                    path.display()
                );
                equations += html.matches("<math display=\"block\">").count();
                formulas += html.matches("<math display=\"inline\">").count();
                assert_eq!(html.matches("http").count(), text.matches("http").count(), "{}", path.display());
            }
            Err(found) => {
                for fault in found {
                    faults += &format!("{}:{}: {}\n", path.display(), fault.line, fault.message);
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(
        equations > 100 && formulas > 100,
        "only {equations} equations and {formulas} formulas: are these the pages of the book?"
    );
}
