//! Every dependency is a released crate under a licence that the project can pass on, and the project states its own.
//!
//! The licences are those that `deny.toml` allows. `cargo deny` checks the same and more, where it is
//! installed; this check needs only `cargo metadata`, so that none can be left out.

use cargo_metadata::Metadata;

use super::{Finding, Tree};

/// Where the licences are listed whose terms a program under [`OWN`] can meet.
const DENY: &str = "deny.toml";

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
    let allowed = allowed(tree);
    if allowed.is_empty() {
        findings.push(Finding::new(DENY, 1, "allows no licence: list them below `allow = [`, one on a line"));
    }
    for package in packages {
        if let Some(what) = objection(package, &allowed) {
            findings.push(Finding::new("Cargo.lock", line_of(tree, &package.name), what));
        }
    }
    for (path, sentence) in FILES {
        if !tree.get(path).and_then(|file| file.text.as_ref()).is_some_and(|text| text.contains(sentence)) {
            findings.push(Finding::new(path, 1, "missing or not this licence: put the licence text there"));
        }
    }
    findings
}

fn objection(package: &Package, allowed: &[&str]) -> Option<String> {
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
        _ if !is_allowed(licence, allowed) => {
            Some(format!("{name} is under \"{licence}\", which is not allowed: use another crate"))
        }
        _ => None,
    }
}

/// The licences that `deny.toml` lists.
fn allowed(tree: &Tree) -> Vec<&str> {
    let lines = tree.get(DENY).into_iter().flat_map(|deny| deny.lines().map(|(_, text)| text.trim()));
    lines
        .skip_while(|text| *text != "allow = [")
        .skip(1)
        .take_while(|text| *text != "]")
        .map(|text| text.trim_matches([',', '"']))
        .collect()
}

/// Whether an SPDX expression can be met with the allowed licences alone. The old form with `/` means `OR`.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut tokens = Tokens { list: spaced.split_whitespace().collect(), at: 0, allowed };
    let met = tokens.any_of();
    met && tokens.at == tokens.list.len()
}

/// An SPDX expression, read from left to right.
struct Tokens<'a> {
    list: Vec<&'a str>,
    at: usize,
    allowed: &'a [&'a str],
}

impl Tokens<'_> {
    fn any_of(&mut self) -> bool {
        let mut met = self.all_of();
        while self.take("OR") {
            met |= self.all_of();
        }
        met
    }

    fn all_of(&mut self) -> bool {
        let mut met = self.one();
        while self.take("AND") {
            met &= self.one();
        }
        met
    }

    fn one(&mut self) -> bool {
        if self.take("(") {
            let met = self.any_of();
            return self.take(")") && met;
        }
        let Some(&token) = self.list.get(self.at) else { return false };
        self.at += 1;
        let mut licence = token.to_owned();
        if self.take("WITH") {
            licence = format!("{token} WITH {}", self.list.get(self.at).unwrap_or(&""));
            self.at += 1;
        }
        self.allowed.contains(&licence.as_str())
    }

    /// Whether the next token is this one, which is then left behind.
    fn take(&mut self, token: &str) -> bool {
        let is_next = self.list.get(self.at) == Some(&token);
        self.at += usize::from(is_next);
        is_next
    }
}

fn line_of(tree: &Tree, package: &str) -> usize {
    let entry = format!("name = \"{package}\"");
    tree.get("Cargo.lock")
        .and_then(|lock| lock.lines().find(|(_, text)| *text == entry))
        .map_or(1, |(line, _)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: [&str; 5] = ["Apache-2.0", "Apache-2.0 WITH LLVM-exception", "MIT", "Unicode-3.0", "Zlib"];

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
            assert!(is_allowed(good, &ALLOWED), "{good}");
        }
        for bad in
            ["GPL-3.0", "MIT AND GPL-3.0", "(MIT", "MIT MIT", "", "MIT WITH", "(MIT OR GPL-3.0) AND AGPL-3.0"]
        {
            assert!(!is_allowed(bad, &ALLOWED), "{bad}");
        }
    }

    #[test]
    fn packages_are_judged_by_licence_and_origin() {
        let objection = |package| objection(&package, &ALLOWED);
        assert_eq!(objection(package(Some(OWN), Origin::Workspace)), None);
        assert_eq!(objection(package(Some("Zlib"), Origin::CratesIo)), None);
        assert!(objection(package(Some("MIT"), Origin::Workspace)).is_some());
        assert!(objection(package(None, Origin::CratesIo)).is_some());
        assert!(objection(package(Some("GPL-3.0"), Origin::CratesIo)).is_some());
        assert!(objection(package(Some("MIT"), Origin::Elsewhere("git+https://x".to_owned()))).is_some());
    }

    #[test]
    fn the_licences_are_those_of_deny_toml() {
        let deny = "[licenses]\nallow = [\n    \"MIT\",\n    \"Zlib\",\n]\n[bans]\nskip = [\n]\n";
        let mut files =
            vec![("LICENSE-MIT", FILES[0].1), ("LICENSE-APACHE", FILES[1].1), ("deny.toml", deny)];
        let zlib = [package(Some("Zlib"), Origin::CratesIo)];
        assert_eq!(allowed(&Tree::of(&files)), ["MIT", "Zlib"]);
        assert_eq!(check(&Tree::of(&files), &zlib), []);
        let shorter = deny.replace("    \"Zlib\",\n", "");
        files[2].1 = &shorter;
        assert_eq!(check(&Tree::of(&files), &zlib).len(), 1);
        files[2].1 = "";
        assert_eq!(check(&Tree::of(&files), &zlib).len(), 2);
        files[1].1 = "";
        assert_eq!(check(&Tree::of(&files), &[]).len(), 2);
    }
}
