//! Property tests are drawn by one configuration: seeded, so that a gate does not fail by chance, and with the cases
//! that failed kept on disk.
//!
//! A block without a configuration takes another seed in every run outside of this repository's folder, and
//! one with its own configuration may switch off the record of failures. Blocks are read as text:
//! `proptest! {` is followed by the attribute, `proptest!(` by the call.

use super::rust_code::code_only;
use super::{Finding, Tree};

/// Where the configuration is made, and used for suites.
const OWN: [&str; 2] = ["crates/pliant-testkit/src/config.rs", "crates/pliant-testkit/src/suite.rs"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.with_extension("rs").filter(|file| !OWN.contains(&file.path.as_str())) {
        let code = file.text.as_deref().map(code_only).unwrap_or_default();
        for (at, _) in code.match_indices("proptest!") {
            let after: String =
                code[at + "proptest!".len()..].chars().filter(|c| !c.is_whitespace()).take(60).collect();
            let seeded =
                ["{#![proptest_config(pliant_testkit::config(", "(pliant_testkit::config(", "(config("];
            if !seeded.iter().any(|start| after.starts_with(start)) {
                let what = "a block of property tests without the shared configuration: begin it with \
                            `#![proptest_config(pliant_testkit::config(CASES))]`";
                findings.push(Finding::new(&file.path, line_of(&code, at), what));
            }
        }
        for word in
            ["ProptestConfig", "failure_persistence", "TestRunner::default", "TestRunner::deterministic"]
        {
            for (at, _) in code.match_indices(word) {
                let what =
                    format!("`{word}` makes a configuration of its own: take `pliant_testkit::config`");
                findings.push(Finding::new(&file.path, line_of(&code, at), what));
            }
        }
    }
    findings
}

/// The line of a byte of the code, from 1.
fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_blocks_that_are_not_seeded_or_keep_no_failures() {
        let good = "proptest! {\n    #![proptest_config(pliant_testkit::config(64))]\n\n    #[test]\n    fn a(x in 0..1) {}\n}\n\
                    fn b() { proptest!(config(8), |(x in 0..1)| {}); }\n// proptest! { in words }\n";
        let bad = "proptest! {\n    #[test]\n    fn a(x in 0..1) {}\n}\n\
                   proptest! {\n    #![proptest_config(ProptestConfig::with_cases(9))]\n}\n\
                   fn b() { proptest!(|(x in 0..1)| {}); }\nlet c = Config { failure_persistence: None, ..d };\n";
        let tree = Tree::of(&[("src/good.rs", good), ("src/bad.rs", bad)]);
        let mut lines: Vec<usize> = check(&tree).iter().map(|finding| finding.line).collect();
        lines.sort_unstable();
        assert_eq!(lines, [1, 5, 6, 8, 9]);
        assert!(check(&tree).iter().all(|finding| finding.path == "src/bad.rs"));
        assert_eq!(check(&Tree::of(&[(OWN[0], bad)])), []);
    }
}
