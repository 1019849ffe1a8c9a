//! A public function of a library has a caller outside of its crate, or documentation that names it.
//!
//! Whatever else is public is a promise that nobody asked for. Functions are found by their names: one whose name occurs
//! neither in another crate, a test, a bench, an example or a page, nor in a comment of its own crate cannot be called from
//! there, so every finding is right. A function that shares its name with another may be missed.

use std::collections::HashSet;

use super::rust_code::code_only;
use super::tree::File;
use super::{Finding, Tree};

/// Where the libraries are.
const ROOT: &str = "crates/";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let roots = tree.files().iter().filter_map(|file| file.path.strip_suffix("lib.rs"));
    for sources in roots.filter(|root| root.starts_with(ROOT) && root.ends_with("/src/")) {
        let (inside, outside): (Vec<&File>, Vec<&File>) =
            tree.files().iter().partition(|file| file.path.starts_with(sources));
        let mut known: HashSet<&str> = HashSet::new();
        for file in outside.into_iter().filter(|file| file.path != "CHANGELOG.md") {
            known.extend(file.text.as_deref().map(words).into_iter().flatten());
        }
        for file in &inside {
            let lines = file.lines().map(|(_, line)| line.trim_start());
            known.extend(lines.filter(|line| line.starts_with("//")).flat_map(words));
        }
        for file in inside.into_iter().filter(|file| file.extension() == Some("rs")) {
            let code = file.text.as_deref().map(code_only).unwrap_or_default();
            for (line, name) in public_functions(&code).filter(|(_, name)| !known.contains(name)) {
                let what = format!(
                    "`{name}` is public, but nothing outside of its crate calls it: make it `pub(crate)`, remove it, or show its use \
                     in the documentation"
                );
                findings.push(Finding::new(&file.path, line, what));
            }
        }
    }
    findings
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Lines, from 1, and names of functions that are `pub`.
fn public_functions(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.lines().enumerate().filter_map(|(number, line)| {
        let mut rest = line.trim_start().strip_prefix("pub ")?;
        while let Some(after) =
            ["const ", "unsafe ", "async "].iter().find_map(|qualifier| rest.strip_prefix(qualifier))
        {
            rest = after;
        }
        Some((number + 1, words(rest.strip_prefix("fn ")?).next()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_functions_that_only_their_own_crate_names() {
        let source = "/// See [`shown`].\npub fn called() {}\npub const fn shown() {}\npub fn alone() { alone() }\n\
                      pub(crate) fn inner() {}\npub struct Alone;\n// pub fn gone() {}\n";
        let caller = "fn main() { a::called() }\n";
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "mod b;\n"),
            ("crates/a/src/b.rs", source),
            ("crates/b/src/main.rs", caller),
            ("CHANGELOG.md", "* `alone`\n"),
        ]);
        let found = check(&tree);
        assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [4]);
        assert!(found[0].path == "crates/a/src/b.rs" && found[0].message.contains("`alone`"));
    }
}
