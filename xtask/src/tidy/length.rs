//! A source file holds one idea: a very long one holds several.

use super::{Finding, Tree};

/// At about 400 lines look for a place to split; beyond this number there surely is one.
const MAX_LINES: usize = 700;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let long =
        |lines: usize| format!("{lines} lines, more than {MAX_LINES}: split the file where one idea ends");
    tree.with_extension("rs")
        .map(|file| (file, file.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(file, lines)| Finding::new(&file.path, MAX_LINES, long(lines)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_long_file() {
        let (short, long) = ("\n".repeat(MAX_LINES), "\n".repeat(MAX_LINES + 1));
        let findings = check(&Tree::of(&[("a.rs", &short), ("b.rs", &long), ("c.md", &long)]));
        assert_eq!(findings.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["b.rs"]);
    }
}
