//! What a library makes public has a use outside of its crate, or documentation that names it.
//!
//! Whatever else is public is a promise that nobody asked for. Items are found by their names, so every
//! finding is right, and one that shares its name with another may be missed:
//!
//! * A function whose name occurs neither in another crate, a test, a bench, an example or a page, nor in a
//!   comment of its own crate cannot be called from there.
//! * The same holds for a type, a trait, a constant or a static, unless the signature of another public item
//!   needs it. The title of its own file does not count as documentation, because it names what is in the
//!   file anyway.
//! * A variant of an enum whose name occurs once in all sources is neither made nor matched.

use std::collections::{HashMap, HashSet};

use super::rust_code::code_only;
use super::tree::File;
use super::{Finding, Tree};

/// Where the libraries are.
const ROOT: &str = "crates/";

const TO_DO: &str = "make it `pub(crate)`, remove it, or show its use in the documentation";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in tree.files().iter().filter_map(|file| file.text.as_deref()).flat_map(words) {
        *counts.entry(word).or_default() += 1;
    }
    let roots = tree.files().iter().filter_map(|file| file.path.strip_suffix("lib.rs"));
    for sources in roots.filter(|root| root.starts_with(ROOT) && root.ends_with("/src/")) {
        let (inside, outside): (Vec<&File>, Vec<&File>) =
            tree.files().iter().partition(|file| file.path.starts_with(sources));
        let mut known: HashSet<&str> = HashSet::new();
        for file in outside.into_iter().filter(|file| file.path != "CHANGELOG.md") {
            known.extend(file.text.as_deref().map(words).into_iter().flatten());
        }
        let sources: Vec<Source<'_>> =
            inside.into_iter().filter(|file| file.extension() == Some("rs")).map(Source::new).collect();
        let comments: HashSet<&str> = sources.iter().flat_map(Source::comments).collect();
        let described = |name: &str, by: &Source<'_>| {
            let others = sources.iter().filter(|other| other.file.path != by.file.path);
            others.flat_map(Source::comments).chain(by.comments_but_the_title()).any(|word| word == name)
        };
        let signatures: Vec<Signature<'_>> =
            sources.iter().flat_map(|source| signatures(&source.code)).collect();
        let needed = |name: &str| {
            signatures.iter().any(|signature| signature.name != name && signature.words.contains(name))
        };
        for source in &sources {
            for (line, keyword, name) in source.code.lines().enumerate().filter_map(public_item) {
                let is_used = match keyword {
                    "fn" => comments.contains(name),
                    _ => needed(name) || described(name, source),
                };
                if !is_used && !known.contains(name) {
                    let what =
                        format!("`{name}` is public, but nothing outside of its crate uses it: {TO_DO}");
                    findings.push(Finding::new(&source.file.path, line, what));
                }
            }
            for (line, name) in variants(&source.code).filter(|(_, name)| counts.get(name) == Some(&1)) {
                let what = format!("the variant `{name}` occurs nowhere else: remove it");
                findings.push(Finding::new(&source.file.path, line, what));
            }
        }
    }
    findings
}

/// A file of a library, and its code without comments and literals.
struct Source<'a> {
    file: &'a File,
    code: String,
}

impl<'a> Source<'a> {
    fn new(file: &'a File) -> Self {
        Self { file, code: file.text.as_deref().map(code_only).unwrap_or_default() }
    }

    /// The words of all comments.
    fn comments(&self) -> impl Iterator<Item = &'a str> {
        let lines = self.file.lines().map(|(_, line)| line.trim_start());
        lines.filter(|line| line.starts_with("//")).flat_map(words)
    }

    /// The words of the comments that show in the documentation of the crate: the title of a module may be private.
    fn comments_but_the_title(&self) -> impl Iterator<Item = &'a str> {
        let counts = self.file.name() == "lib.rs";
        let lines = self.file.lines().map(|(_, line)| line.trim_start());
        lines
            .filter(move |line| line.starts_with("//") && (counts || !line.starts_with("//!")))
            .flat_map(words)
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The line, from 1, the keyword and the name of an item that is `pub`; a method of a trait is part of the trait.
fn public_item((number, line): (usize, &str)) -> Option<(usize, &str, &str)> {
    let mut rest = line.trim_start().strip_prefix("pub ")?;
    while ["const fn ", "unsafe ", "async "].iter().any(|qualifier| rest.starts_with(qualifier)) {
        rest = rest.split_once(' ').map_or("", |(_, after)| after);
    }
    let keywords = ["fn", "struct", "enum", "union", "trait", "type", "const", "static"];
    let mut found = words(rest);
    let keyword = found.next().and_then(|word| keywords.into_iter().find(|keyword| *keyword == word))?;
    Some((number + 1, keyword, found.next()?))
}

/// The words of a public item that others need to use it.
struct Signature<'a> {
    /// The name of the item; empty for an `impl`.
    name: &'a str,
    words: HashSet<&'a str>,
}

/// The signatures of public items: of functions without their bodies, of types and traits with all that is in
/// them, and the heads and types of implementations of traits.
fn signatures(code: &str) -> Vec<Signature<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        if start == at {
            continue;
        }
        let text = &code[start..];
        let is_public =
            text.starts_with("pub ") && !text.starts_with("pub use ") && !text.starts_with("pub mod ");
        if is_public || text.starts_with("impl") || text.starts_with("type ") {
            let item = is_public.then(|| public_item((0, line))).flatten();
            let is_field = is_public && item.is_none();
            let has_body =
                item.is_some_and(|(_, keyword, _)| ["struct", "enum", "union", "trait"].contains(&keyword));
            let end = end_of_signature(text, has_body, is_field);
            let name = item.map_or("", |(_, _, name)| name);
            found.push(Signature { name, words: words(&text[..end]).collect() });
        }
    }
    found
}

/// Where a signature ends: at a body or behind it, or at a semicolon; a field at a comma.
fn end_of_signature(text: &str, has_body: bool, is_field: bool) -> usize {
    let mut depth = 0_i32;
    for (at, c) in text.char_indices() {
        match c {
            '{' if depth == 0 && !has_body => return at,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth < 0 || (depth == 0 && c == '}') {
                    return at;
                }
            }
            ';' if depth == 0 => return at,
            ',' if depth == 0 && is_field => return at,
            _ => {}
        }
    }
    text.len()
}

/// Lines, from 1, and names of the variants of public enums, but for those that an operator `?` makes.
fn variants(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    let lines: Vec<&str> = code.lines().collect();
    code.lines().enumerate().filter_map(move |(number, line)| {
        if line.starts_with("pub enum ") {
            inside = !line.ends_with('}');
        } else if line == "}" {
            inside = false;
        } else if inside {
            let rest = line
                .strip_prefix("    ")
                .filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))?;
            let from = "#[from]";
            let next = lines.get(number + 1).filter(|_| line.ends_with(['(', '{']));
            let is_converted = line.contains(from) || next.is_some_and(|next| next.contains(from));
            return words(rest).next().filter(|_| !is_converted).map(|name| (number + 1, name));
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(source: &str) -> Vec<usize> {
        let caller = "fn main() { a::called(); a::Shown; }\n";
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "//! [`Listed`]\nmod b;\n"),
            ("crates/a/src/b.rs", source),
            ("crates/b/src/main.rs", caller),
            ("CHANGELOG.md", "* `alone` of `Lonely`\n"),
        ]);
        let found = check(&tree);
        assert!(found.iter().all(|finding| finding.path == "crates/a/src/b.rs"));
        found.iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn finds_functions_that_only_their_own_crate_names() {
        let source = "/// See [`shown`].\npub fn called() {}\npub const fn shown() {}\npub fn alone() { alone() }\n\
                      pub(crate) fn inner() {}\n// pub fn gone() {}\npub unsafe fn lone() {}\n";
        assert_eq!(lines_of(source), [4, 7]);
    }

    #[test]
    fn finds_types_and_constants_that_no_signature_needs() {
        let source = "//! [`Alone`], for nobody.\npub struct Alone;\npub struct Shown;\npub struct Listed;\npub struct Needed { x: [u8; 3] }\n\
                      pub fn called(\n    list: [u8; 3],\n) -> Needed { let Inner; }\npub struct Inner(u8);\npub const LONELY: u8 = 3;\n\
                      pub trait Lonely {\n    fn f(&self) -> Part;\n}\npub struct Part;\npub type Other = Part;\n/// A [`Linked`].\npub enum Linked {}\n";
        assert_eq!(lines_of(source), [2, 9, 10, 11, 15]);
    }

    #[test]
    fn finds_variants_that_nothing_makes_or_matches() {
        let source = "pub enum Shown {\n    One,\n    Two(u8),\n    Three { x: u8 },\n    Four(#[from] E),\n}\nfn f() { Shown::Two(1) }\nenum Inner {\n    Five,\n}\n";
        assert_eq!(lines_of(source), [2, 4]);
    }
}
