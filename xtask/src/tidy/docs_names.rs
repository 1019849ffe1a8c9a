//! Every crate and every `cargo xtask` command that a document names exists, and every crate is introduced.

use super::{Finding, Tree};

/// The page that must introduce every crate.
const ARCHITECTURE: &str = "ARCHITECTURE.md";

pub(super) fn check(tree: &Tree, crates: &[&str], commands: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in tree.with_extension("md") {
        for (line, text) in page.lines() {
            for name in own_names(text).filter(|name| !crates.contains(&name.as_str())) {
                let what = format!("there is no crate {name}: correct the name");
                findings.push(Finding::new(&page.path, line, what));
            }
            for command in xtask_commands(text).filter(|command| !commands.iter().any(|c| c == command)) {
                let what = format!("there is no command `cargo xtask {command}`: correct it");
                findings.push(Finding::new(&page.path, line, what));
            }
        }
    }
    let introduction = tree.get(ARCHITECTURE).and_then(|file| file.text.as_deref()).unwrap_or_default();
    for name in crates.iter().filter(|name| !introduction.contains(&format!("`{name}`"))) {
        findings.push(Finding::new(
            ARCHITECTURE,
            1,
            format!("the crate `{name}` is not introduced: say what it is for"),
        ));
    }
    findings
}

/// Words that read like a crate of this project, as cargo spells them.
fn own_names(text: &str) -> impl Iterator<Item = String> {
    text.match_indices("pliant").filter_map(|(at, _)| {
        let starts =
            !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.');
        let word: String =
            text[at..].chars().take_while(|c| c.is_ascii_lowercase() || *c == '-' || *c == '_').collect();
        let name = word.trim_end_matches(['-', '_']).replace('_', "-");
        (starts && name.starts_with("pliant-")).then_some(name)
    })
}

/// The commands after `cargo xtask`.
fn xtask_commands(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("cargo xtask ").filter_map(|(at, before)| {
        let rest = &text[at + before.len()..];
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(rest.len());
        (end > 0 && !rest.starts_with('-')).then(|| &rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [usize; 0] = [];

    fn lines(page: &str) -> Vec<usize> {
        let tree = Tree::of(&[(ARCHITECTURE, "`pliant-mesh`\n"), ("a.md", page)]);
        check(&tree, &["pliant-mesh"], &["tidy".to_owned()]).iter().map(|f| f.line).collect()
    }

    #[test]
    fn named_crates_and_commands_exist() {
        assert_eq!(
            lines("`pliant-mesh`, pliant_mesh::TriMesh, pliant's, docs.rs/pliant-mesh, `cargo xtask tidy`\n"),
            NONE
        );
        assert_eq!(
            lines("`pliant-mash`\nuse pliant_mush::X;\n`cargo xtask tiddy`\n`cargo xtask COMMAND`\n"),
            [1, 2, 3]
        );
    }

    #[test]
    fn the_architecture_page_introduces_every_crate() {
        let findings = check(&Tree::of(&[(ARCHITECTURE, "")]), &["pliant-mesh"], &[]);
        assert_eq!(findings.len(), 1);
    }
}
