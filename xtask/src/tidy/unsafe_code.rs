//! Unchecked code lives in one crate; every other forbids it at its root.

use super::layering::Member;
use super::rust_code::{code_only, lines_with_word};
use super::{Finding, Tree};

/// The one crate that may hold it, and its source.
const CRATE: &str = "pliant-kernel";
const SOURCE: &str = "crates/pliant-kernel/src/";

const WORD: &str = "unsafe";

/// The crate whose functions have names outside of Rust, and the file of these functions: an attribute for
/// the name, and nothing else.
const NAMED: &str = "pliant-wasm";
const NAMES: &str = "crates/pliant-wasm/src/exports.rs";

pub(super) fn check(tree: &Tree, members: &[Member]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members.iter().filter(|member| ![CRATE, NAMED].contains(&member.name.as_str())) {
        for root in &member.roots {
            let code =
                tree.get(root).and_then(|file| file.text.as_deref()).map(code_only).unwrap_or_default();
            if !code.contains(&format!("#![forbid({WORD}_code)]")) {
                let what = format!("a crate root without #![forbid({WORD}_code)]: add it");
                findings.push(Finding::new(root, 1, what));
            }
        }
    }
    for file in tree.with_extension("rs").filter(|file| !file.path.starts_with(SOURCE)) {
        let code = file.text.as_deref().map(code_only).unwrap_or_default();
        let is_name = |line: usize| {
            let text = code.lines().nth(line - 1).map(str::trim);
            file.path == NAMES && text == Some(&format!("#[{WORD}(no_mangle)]"))
        };
        for line in lines_with_word(&code, WORD).into_iter().filter(|&line| !is_name(line)) {
            let what = format!("`{WORD}` outside of {SOURCE}: move it there, or do without");
            findings.push(Finding::new(&file.path, line, what));
        }
        let granted = format!("allow({WORD}_code");
        let granting = code.lines().enumerate().filter(|(_, text)| text.contains(&granted));
        for (index, _) in granting.filter(|_| file.path != NAMES) {
            let what = format!("only {CRATE} may say {granted}): remove it");
            findings.push(Finding::new(&file.path, index + 1, what));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, root: &str) -> Member {
        Member {
            name: name.to_owned(),
            folder: String::new(),
            published: true,
            roots: vec![root.to_owned()],
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn roots_must_forbid_and_only_one_crate_may_use() {
        let forbid = format!("#![forbid({WORD}_code)]\n");
        let word = format!("fn f() {{ {WORD} {{}} }}\n");
        let grant = format!("#[allow({WORD}_code)]\nmod inner;\n");
        let tree = Tree::of(&[
            ("crates/good/src/lib.rs", &forbid),
            ("crates/bad/src/lib.rs", "//! #![forbid(nothing)]\n"),
            ("crates/bad/src/inner.rs", &format!("// {WORD} in words\n\n{word}")),
            ("crates/bad/src/grant.rs", &grant),
            ("crates/pliant-kernel/src/lib.rs", &grant),
            ("crates/pliant-kernel/src/lanes/wide.rs", &word),
            ("crates/pliant-kernel/examples/fast.rs", &word),
            ("crates/pliant-kernels/src/lib.rs", &word),
            ("crates/pliant-wasm/src/lib.rs", "//! no forbid\n"),
            (NAMES, &format!("#![allow({WORD}_code)]\n#[{WORD}(no_mangle)]\nfn f() {{}}\n{word}")),
        ]);
        let members = [
            member("good", "crates/good/src/lib.rs"),
            member("bad", "crates/bad/src/lib.rs"),
            member(CRATE, "crates/pliant-kernel/src/lib.rs"),
            member(NAMED, "crates/pliant-wasm/src/lib.rs"),
        ];
        let found: Vec<_> = check(&tree, &members).into_iter().map(|f| (f.path, f.line)).collect();
        let expected = [
            ("crates/bad/src/lib.rs", 1),
            ("crates/bad/src/grant.rs", 1),
            ("crates/bad/src/inner.rs", 3),
            ("crates/pliant-kernel/examples/fast.rs", 1),
            ("crates/pliant-kernels/src/lib.rs", 1),
            (NAMES, 4),
        ];
        assert_eq!(found, expected.map(|(path, line)| (path.to_owned(), line)));
    }
}
