//! The page on live programs has a row for every public method of a simulation, and for no other.
//!
//! A row names methods as code in its first cell, with their brackets: `` `position(i)` ``. Methods are those of the
//! blocks `impl … Simulation<…>` and `impl … World<…>`, to which a simulation dereferences.

use std::collections::BTreeMap;

use super::rust_code::code_only;
use super::tree::File;
use super::{Finding, Tree};

const PAGE: &str = "docs/src/guide/live.md";
const SOURCES: &str = "crates/pliant-solver/src/";
const TYPES: [&str; 2] = ["Simulation<", "World<"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let sources = tree.with_extension("rs").filter(|file| file.path.starts_with(SOURCES));
    let methods: BTreeMap<String, (&str, usize)> = sources.flat_map(methods).collect();
    if methods.is_empty() {
        return Vec::new();
    }
    let Some(page) = tree.get(PAGE) else {
        return vec![Finding::new(PAGE, 1, "missing: describe every method of a simulation")];
    };
    let rows = rows(page);
    let unsaid = methods.iter().filter(|(name, _)| !rows.contains_key(*name)).map(|(name, (path, line))| {
        Finding::new(
            *path,
            *line,
            format!("`{name}` has no row in a table of {PAGE}: add one, with its cost"),
        )
    });
    let unknown = rows.iter().filter(|(name, _)| !methods.contains_key(*name)).map(|(name, &line)| {
        Finding::new(PAGE, line, format!("`{name}` is not a public method of a simulation: correct the row"))
    });
    unsaid.chain(unknown).collect()
}

/// The public methods of a file by name, with their places.
fn methods(file: &File) -> Vec<(String, (&str, usize))> {
    let code = file.text.as_deref().map(code_only).unwrap_or_default();
    let mut found = Vec::new();
    let mut inside = false;
    for (number, line) in code.lines().enumerate() {
        if line.starts_with("impl") {
            // What follows `for` has methods of a trait, which are not its own.
            let of = line.trim_start_matches("impl").trim_start();
            let of = if of.starts_with('<') { of.split_once("> ").map_or("", |(_, rest)| rest) } else { of };
            inside = TYPES.iter().any(|name| of.starts_with(name)) && !of.contains(" for ");
        } else if line == "}" {
            inside = false;
        } else if let Some(rest) = line.strip_prefix("    pub fn ").filter(|_| inside) {
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            // Those that make a simulation are not called on one.
            if code.lines().skip(number).take(3).any(|line| line.contains("self")) {
                found.push((name.to_owned(), (file.path.as_str(), number + 1)));
            }
        }
    }
    found
}

/// Names in the first cells of tables, with their lines.
fn rows(page: &File) -> BTreeMap<String, usize> {
    let cells =
        page.lines().filter_map(|(number, line)| Some((number, line.strip_prefix('|')?.split('|').next()?)));
    let codes =
        cells.flat_map(|(number, cell)| cell.split('`').skip(1).step_by(2).map(move |code| (number, code)));
    codes.filter_map(|(number, code)| Some((code.split_once('(')?.0.to_owned(), number))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "impl Simulation<f32> {\n    pub fn builder() -> Builder {\n    }\n}\n\
                          impl<T: Float> Simulation<T> {\n    pub fn push(&mut self) {}\n    /// pub fn gone(&self)\n    \
                          pub(crate) fn inner(&self) {}\n}\n\
                          impl<T: Scalar> World<T> {\n    pub fn copy<S>(\n        &self,\n    ) {}\n}\n\
                          impl<T: Scalar> Deref for Simulation<T> {\n    fn deref(&self) {}\n}\n\
                          impl Other {\n    pub fn other(&self) {}\n}\n";

    fn said(page: &str) -> Vec<(String, usize)> {
        let tree = Tree::of(&[("crates/pliant-solver/src/a.rs", SOURCE), (PAGE, page)]);
        check(&tree)
            .into_iter()
            .map(|finding| (finding.message.split(' ').next().unwrap().to_owned(), finding.line))
            .collect()
    }

    #[test]
    fn every_method_has_a_row_and_every_row_a_method() {
        assert_eq!(said("| call | |\n|---|---|\n| `push(x)`, `copy()` | `gone()` |\n"), []);
        assert_eq!(said("| `push()` | `copy()` |\n"), [("`copy`".to_owned(), 11)]);
        assert_eq!(said("| `push()`, `copy()`, `pull()` | |\n"), [("`pull`".to_owned(), 1)]);
        let missing = Tree::of(&[("crates/pliant-solver/src/a.rs", SOURCE)]);
        assert_eq!(check(&missing).len(), 1);
        assert_eq!(check(&Tree::of(&[])), []);
    }
}
