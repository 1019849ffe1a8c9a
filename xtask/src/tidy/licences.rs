//! Every dependency is a released crate under a licence that the project can pass on, and the project states its own.

use cargo_metadata::Metadata;

use super::{Finding, Tree};

/// Licences whose terms a program under "MIT OR Apache-2.0" can meet. `deny.toml` holds the same list.
const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

const OWN: &str = "MIT OR Apache-2.0";

/// The licence files and a sentence that each must hold.
const FILES: [(&str, &str); 2] = [
    ("LICENSE-MIT", "Permission is hereby granted, free of charge"),
    ("LICENSE-APACHE", "Version 2.0, January 2004"),
];

/// A package of the dependency graph, as far as this check needs it.
pub(super) struct Package {
    name: String,
    licence: Option<String>,
    origin: Origin,
}

enum Origin {
    Workspace,
    CratesIo,
    Elsewhere(String),
}

pub(super) fn packages(metadata: &Metadata) -> Vec<Package> {
    let origin = |package: &cargo_metadata::Package| match &package.source {
        Some(source) if source.is_crates_io() => Origin::CratesIo,
        Some(source) => Origin::Elsewhere(source.repr.clone()),
        None if metadata.workspace_members.contains(&package.id) => Origin::Workspace,
        None => Origin::Elsewhere(package.manifest_path.to_string()),
    };
    metadata
        .packages
        .iter()
        .map(|package| Package {
            name: package.name.to_string(),
            licence: package.license.clone(),
            origin: origin(package),
        })
        .collect()
}

pub(super) fn check(tree: &Tree, packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        if let Some(what) = objection(package) {
            findings.push(Finding::new("Cargo.lock", line_of(tree, &package.name), what));
        }
    }
    for (path, sentence) in FILES {
        if !tree.get(path).and_then(|file| file.text.as_ref()).is_some_and(|text| text.contains(sentence)) {
            findings.push(Finding::new(path, 1, "missing or not this licence: put the licence text there"));
        }
    }
    findings.extend(compare_with_deny(tree));
    findings
}

fn objection(package: &Package) -> Option<String> {
    let name = &package.name;
    if let Origin::Elsewhere(source) = &package.origin {
        return Some(format!("{name} comes from {source}: depend on a release from crates.io"));
    }
    let Some(licence) = &package.licence else {
        return Some(format!("{name} states no licence: use another crate"));
    };
    match package.origin {
        Origin::Workspace if licence != OWN => {
            Some(format!("{name} says \"{licence}\": write license.workspace = true"))
        }
        _ if !is_allowed(licence) => {
            Some(format!("{name} is under \"{licence}\", which is not allowed: use another crate"))
        }
        _ => None,
    }
}

/// Whether an SPDX expression can be met with the allowed licences alone. The old form with `/` means `OR`.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let allowed = any_of(&tokens, &mut at);
    allowed && at == tokens.len()
}

fn any_of(tokens: &[&str], at: &mut usize) -> bool {
    let mut allowed = all_of(tokens, at);
    while tokens.get(*at) == Some(&"OR") {
        *at += 1;
        allowed |= all_of(tokens, at);
    }
    allowed
}

fn all_of(tokens: &[&str], at: &mut usize) -> bool {
    let mut allowed = one(tokens, at);
    while tokens.get(*at) == Some(&"AND") {
        *at += 1;
        allowed &= one(tokens, at);
    }
    allowed
}

fn one(tokens: &[&str], at: &mut usize) -> bool {
    let Some(&token) = tokens.get(*at) else { return false };
    *at += 1;
    if token == "(" {
        let allowed = any_of(tokens, at);
        let closed = tokens.get(*at) == Some(&")");
        *at += 1;
        return allowed && closed;
    }
    let mut licence = token.to_owned();
    if tokens.get(*at) == Some(&"WITH") {
        licence = format!("{token} WITH {}", tokens.get(*at + 1).unwrap_or(&""));
        *at += 2;
    }
    ALLOWED.contains(&licence.as_str())
}

fn line_of(tree: &Tree, package: &str) -> usize {
    let entry = format!("name = \"{package}\"");
    tree.get("Cargo.lock")
        .and_then(|lock| lock.lines().find(|(_, text)| *text == entry))
        .map_or(1, |(line, _)| line)
}

/// `deny.toml` must allow exactly what this check allows.
fn compare_with_deny(tree: &Tree) -> Option<Finding> {
    let Some(deny) = tree.get("deny.toml") else {
        return Some(Finding::new(
            "deny.toml",
            1,
            "missing: write it with the licences of xtask/src/tidy/licences.rs",
        ));
    };
    let listed: Vec<&str> = deny
        .lines()
        .skip_while(|(_, text)| text.trim() != "allow = [")
        .skip(1)
        .take_while(|(_, text)| text.trim() != "]")
        .map(|(_, text)| text.trim().trim_matches([',', '"']))
        .collect();
    (listed != ALLOWED).then(|| {
        let line = deny.lines().find(|(_, text)| text.trim() == "allow = [").map_or(1, |(line, _)| line);
        Finding::new(
            "deny.toml",
            line,
            "differs from the list in xtask/src/tidy/licences.rs: make them equal",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(licence: Option<&str>, origin: Origin) -> Package {
        Package { name: "x".to_owned(), licence: licence.map(str::to_owned), origin }
    }

    #[test]
    fn expressions_are_met_or_not() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "GPL-3.0 OR MIT",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
        ] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in
            ["GPL-3.0", "MIT AND GPL-3.0", "(MIT", "MIT MIT", "", "MIT WITH", "(MIT OR GPL-3.0) AND AGPL-3.0"]
        {
            assert!(!is_allowed(bad), "{bad}");
        }
    }

    #[test]
    fn packages_are_judged_by_licence_and_origin() {
        assert_eq!(objection(&package(Some(OWN), Origin::Workspace)), None);
        assert_eq!(objection(&package(Some("Zlib"), Origin::CratesIo)), None);
        assert!(objection(&package(Some("MIT"), Origin::Workspace)).is_some());
        assert!(objection(&package(None, Origin::CratesIo)).is_some());
        assert!(objection(&package(Some("GPL-3.0"), Origin::CratesIo)).is_some());
        assert!(objection(&package(Some("MIT"), Origin::Elsewhere("git+https://x".to_owned()))).is_some());
    }

    #[test]
    fn licence_files_and_deny_toml_must_be_there_and_agree() {
        let deny = format!("allow = [\n    \"{}\",\n]\n", ALLOWED.join("\",\n    \""));
        let files = [("LICENSE-MIT", FILES[0].1), ("LICENSE-APACHE", FILES[1].1)];
        assert_eq!(check(&Tree::of(&[files[0], files[1], ("deny.toml", &deny)]), &[]), []);
        assert_eq!(check(&Tree::of(&[files[0], ("LICENSE-APACHE", "")]), &[]).len(), 2);
        let longer = deny.replace("\"Zlib\"", "\"Zlib\",\n    \"GPL-3.0\"");
        assert_eq!(check(&Tree::of(&[files[0], files[1], ("deny.toml", &longer)]), &[]).len(), 1);
    }
}
