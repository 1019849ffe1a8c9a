//! Every published crate stands alone: a README with code in it, an example, and no link that leaves its folder.

use super::docs_code::{Span, spans};
use super::layering::Member;
use super::{Finding, Tree};

/// The folders of the published crates.
pub(super) fn published(members: &[Member]) -> Vec<&str> {
    members.iter().filter(|member| member.published).map(|member| member.folder.as_str()).collect()
}

pub(super) fn check(tree: &Tree, crates: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in crates {
        let examples = format!("{folder}/examples/");
        if !tree.with_extension("rs").any(|file| file.path.starts_with(&examples)) {
            let what = "no example in examples/: show the crate in use without the crates above it";
            findings.push(Finding::new(format!("{folder}/Cargo.toml"), 1, what));
        }
        let path = format!("{folder}/README.md");
        let Some(readme) = tree.get(&path) else {
            findings.push(Finding::new(path, 1, "missing: say what the crate is and when to use it alone"));
            continue;
        };
        if !readme.lines().any(|(_, text)| text.trim_start().starts_with("```")) {
            findings.push(Finding::new(
                &path,
                1,
                "no code in it: show the first thing that a user would write",
            ));
        }
        for span in spans(readme) {
            if matches!(&span, Span::Link { target, .. } if target.starts_with("../") || target.starts_with('/'))
            {
                let what =
                    "a link out of the crate breaks where the crate is published: name the page instead";
                findings.push(Finding::new(&path, span.line(), what));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_needs_a_readme_with_code_an_example_and_no_outward_links() {
        let good = [("a/README.md", "# a\n```rust\n```\n[x](examples/x.rs)\n"), ("a/examples/x.rs", "")];
        assert_eq!(check(&Tree::of(&good), &["a"]), []);
        assert_eq!(check(&Tree::of(&[("a/src/lib.rs", "")]), &["a"]).len(), 2);
        let bad = [("a/README.md", "# a\n[up](../b.md)\n"), good[1]];
        assert_eq!(check(&Tree::of(&bad), &["a"]).iter().map(|f| f.line).collect::<Vec<_>>(), [1, 2]);
    }
}
