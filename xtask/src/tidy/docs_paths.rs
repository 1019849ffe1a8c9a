//! Every path that a document names exists, and every link leads somewhere.

use super::docs_code::{Span, spans};
use super::tree::File;
use super::{Finding, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in tree.with_extension("md") {
        for span in spans(page) {
            let broken = match &span {
                Span::Link { target, .. } => broken_link(tree, page, target),
                Span::Inline { code, .. } => broken_path(tree, page, code),
                Span::Fenced { code, .. } => {
                    code.split_whitespace().find_map(|word| broken_path(tree, page, word))
                }
                Span::Heading { .. } => None,
            };
            let broken = broken.or_else(|| broken_inclusion(tree, page, &span));
            if let Some(what) = broken {
                findings.push(Finding::new(&page.path, span.line(), what));
            }
        }
    }
    findings
}

fn broken_link(tree: &Tree, page: &File, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let full = if path.is_empty() { page.path.clone() } else { join(page.folder(), path) };
    if !tree.has(&full) {
        return Some(format!("the link to {target} leads nowhere: correct it"));
    }
    let has_anchor =
        anchor.is_empty() || tree.get(&full).is_some_and(|to| anchors(to).iter().any(|a| a == anchor));
    (!has_anchor).then(|| format!("{full} has no heading #{anchor}: correct the link"))
}

/// What is wrong with a word that names a file of this tree; `None` also for words that do not name a file.
fn broken_path(tree: &Tree, page: &File, word: &str) -> Option<String> {
    let word = word.trim_end_matches([',', ';', ':', '.', ')']);
    let is_path = |c: char| c.is_ascii_alphanumeric() || "._-/*".contains(c);
    if word.is_empty() || !word.chars().all(is_path) || word.contains("://") {
        return None;
    }
    let path = word.strip_prefix("./").unwrap_or(word).trim_end_matches('/');
    let top = path.split('/').next().unwrap_or_default();
    let is_source = path.ends_with(".rs") || (path.contains('/') && path.ends_with(".md"));
    let of_this_tree = (word.contains('/') && tree.has(top)) || path.starts_with("src/") || is_source;
    if !of_this_tree || path.is_empty() {
        return None;
    }
    // A pattern stands for the folder before it.
    let path = path
        .split_once('*')
        .map_or(path, |(before, _)| before.trim_end_matches(|c| c != '/').trim_end_matches('/'));
    let exists =
        path.is_empty() || tree.has(path) || tree.has(&join(page.folder(), path)) || tree.has_ending(path);
    (!exists).then(|| format!("`{word}` does not exist: correct the name"))
}

/// `{{#include path}}`, which mdBook replaces by the file and leaves as it is when there is none.
fn broken_inclusion(tree: &Tree, page: &File, span: &Span<'_>) -> Option<String> {
    let Span::Fenced { code, .. } = span else { return None };
    let path = code.trim().strip_prefix("{{#include ")?.split([':', '}']).next()?.trim();
    (!tree.has(&join(page.folder(), path)))
        .then(|| format!("{path} cannot be included, it does not exist: correct it"))
}

/// `path` as seen from `folder`, with `.` and `..` resolved.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The anchors that the headings of a page get from mdBook and from GitHub.
fn anchors(page: &File) -> Vec<String> {
    let anchor = |text: &str| {
        text.to_lowercase()
            .chars()
            .filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                _ => None,
            })
            .collect()
    };
    spans(page)
        .iter()
        .filter_map(|span| if let Span::Heading { text, .. } = span { Some(anchor(text)) } else { None })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    fn lines(page: &str) -> Vec<usize> {
        let tree = Tree::of(&[
            ("docs/src/a.md", page),
            ("docs/src/b/c.md", "# A heading, here\n"),
            ("crates/x/src/kernel/mod.rs", ""),
            ("crates/x/src/edge.rs", ""),
        ]);
        check(&tree).iter().map(|f| f.line).collect()
    }

    #[test]
    fn links_lead_to_files_and_headings() {
        assert_eq!(
            lines("[a](b/c.md) [b](b/c.md#a-heading-here) [c](../../crates/x) [d](https://x.org/y)\n"),
            NONE
        );
        assert_eq!(lines("[a](c.md)\n[b](b/c.md#nothing)\n[c](#nothing)\n"), [1, 2, 3]);
    }

    #[test]
    fn named_paths_exist() {
        assert_eq!(
            lines("`crates/x/src/edge.rs`, `edge.rs`, `src/kernel/`, `crates/*/src`, `kernel/mod.rs`.\n"),
            NONE
        );
        assert_eq!(lines("`runs/first-1/`, `scene.toml`, `a/b`, `m/N`, `out/frame.vtu`\n"), NONE);
        assert_eq!(
            lines("`crates/y/src`\n\n`edges.rs`\n`src/other/`\n```sh\nls crates/z\n```\n"),
            [1, 3, 4, 6]
        );
    }
}
