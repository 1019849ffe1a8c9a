//! Nothing is left unfinished silently: no ignored test, no placeholder, no debugging output.

use super::rust_code::code_only;
use super::{Finding, Tree};

const LEFTOVERS: [(&str, &str); 4] = [
    ("#[ignore", "an ignored test proves nothing: make it quick enough to run, or remove it"),
    ("todo!", "a placeholder panics on its first user: finish it, or leave it out"),
    ("unimplemented!", "a placeholder panics on its first user: finish it, or return an error that says so"),
    ("dbg!", "debugging output: remove it"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.with_extension("rs") {
        let code = file.text.as_deref().map(code_only).unwrap_or_default();
        for (index, line) in code.lines().enumerate() {
            for (leftover, what) in LEFTOVERS {
                if line.contains(leftover) {
                    findings.push(Finding::new(&file.path, index + 1, format!("`{leftover}`: {what}")));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_leftover_in_code_but_not_in_words() {
        let bad =
            "#[ignore = \"slow\"]\nfn a() { todo!() }\nfn b() { unimplemented!() }\nfn c() { dbg!(1); }\n";
        let good = "// not a todo! here\nfn a() { print(\"dbg!\") }\n";
        let findings = check(&Tree::of(&[("src/bad.rs", bad), ("src/good.rs", good)]));
        assert_eq!(findings.iter().map(|f| f.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    }
}
