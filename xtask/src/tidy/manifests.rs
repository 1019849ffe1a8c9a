//! Dependencies are declared once, in the root manifest, each with the reason for it beside it.

use super::tree::File;
use super::{Finding, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files().iter().filter(|file| file.name() == "Cargo.toml") {
        if file.path == "Cargo.toml" {
            findings.extend(reasons(file));
        } else if !is_workspace(file) {
            findings.extend(member(file));
        }
    }
    findings
}

/// Whether a manifest is that of a workspace of its own, as the targets for fuzzing are: it has nothing to inherit.
fn is_workspace(file: &File) -> bool {
    file.lines().any(|(_, text)| text.trim() == "[workspace]")
}

/// Each workspace dependency follows a comment; the project's own crates may share one.
fn reasons(root: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut section = "";
    let mut explained = Explained::No;
    for (line, text) in root.lines() {
        let text = text.trim();
        if text.starts_with('[') {
            section = text;
            explained = Explained::No;
        } else if section != "[workspace.dependencies]" || text.is_empty() {
            explained = Explained::No;
        } else if text.starts_with('#') {
            explained = Explained::Yes;
        } else if let Some((name, value)) = text.split_once('=') {
            let own = value.contains("path =");
            if explained == Explained::No || (explained == Explained::Own && !own) {
                let what = format!("{}: say in a comment above it why it is there", name.trim());
                findings.push(Finding::new(&root.path, line, what));
            }
            explained = if own { Explained::Own } else { Explained::No };
        }
    }
    findings
}

/// Whether the next entry has a reason above it.
#[derive(PartialEq)]
enum Explained {
    No,
    Yes,
    /// As one of the project's own crates, listed under one comment.
    Own,
}

/// A member takes its dependencies and lints from the workspace.
fn member(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut section = "";
    for (line, text) in file.lines() {
        let text = text.trim();
        if text.starts_with('[') {
            section = text;
        } else if section.ends_with("dependencies]") && text.contains('=') && !text.starts_with('#') {
            let inherited = text.contains("workspace = true");
            let path_only = text.contains("path =") && !text.contains("version =");
            if !inherited && !path_only {
                let what =
                    "declare it in the root Cargo.toml with its reason, and write `workspace = true` here";
                findings.push(Finding::new(&file.path, line, what));
            }
        }
    }
    let text = file.text.as_deref().unwrap_or_default();
    if text.contains("[package]") && !text.contains("[lints]\nworkspace = true") {
        findings.push(Finding::new(
            &file.path,
            1,
            "the workspace's lints are not taken: add [lints] workspace = true",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_workspace_dependency_needs_its_own_reason() {
        let root = "[workspace.dependencies]\n# Ours.\na = { path = \"a\" }\nb = { path = \"b\" }\nc = \"1\"\n\n# Why.\nd = \"1\"\ne = \"1\"\n\nf = { path = \"f\" }\n[x]\ny = 1\n";
        let findings = check(&Tree::of(&[("Cargo.toml", root)]));
        assert_eq!(findings.iter().map(|f| f.line).collect::<Vec<_>>(), [5, 9, 11]);
    }

    #[test]
    fn members_inherit() {
        let good = "[package]\n[dependencies]\na.workspace = true\n[dev-dependencies]\nb = { path = \"../b\" }\n[lints]\nworkspace = true\n";
        let bad = "[package]\n[dependencies]\na = \"1\"\nb = { git = \"https://x\" }\n";
        let own = "[workspace]\n[package]\n[dependencies]\na = \"1\"\n";
        let findings =
            check(&Tree::of(&[("a/Cargo.toml", good), ("b/Cargo.toml", bad), ("c/Cargo.toml", own)]));
        assert_eq!(
            findings.iter().map(|f| (f.path.as_str(), f.line)).collect::<Vec<_>>(),
            [("b/Cargo.toml", 3), ("b/Cargo.toml", 4), ("b/Cargo.toml", 1)]
        );
    }
}
