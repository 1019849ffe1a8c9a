//! No trailing whitespace, no tabs, no carriage returns, and a line break at the end of every text file.

use super::{Finding, Tree};

const CHECKED: [&str; 4] = ["rs", "md", "toml", "sh"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files().iter().filter(|file| file.extension().is_some_and(|e| CHECKED.contains(&e))) {
        let Some(text) = &file.text else { continue };
        for (index, line) in text.split('\n').enumerate() {
            let mut report = |what: &str| findings.push(Finding::new(&file.path, index + 1, what));
            if line.ends_with('\r') {
                report("carriage return: save the file with plain line feeds");
            } else if line.ends_with(char::is_whitespace) {
                report("trailing whitespace: remove it");
            }
            if line.contains('\t') {
                report("tab: use spaces, or \\t inside a string");
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            findings.push(Finding::new(
                &file.path,
                text.lines().count(),
                "no line break at the end: add one",
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_kind_of_bad_space() {
        let bad = "good\ntrailing \n\ttab\nreturn\r\nno end";
        let findings = check(&Tree::of(&[("a.md", bad), ("b.rs", "fn b() {}\n"), ("c.png", "x ")]));
        assert_eq!(findings.iter().map(|f| f.line).collect::<Vec<_>>(), [2, 3, 4, 5]);
    }
}
