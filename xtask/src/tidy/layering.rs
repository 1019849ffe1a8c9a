//! Which crate may depend on which, read from `cargo metadata`.

use cargo_metadata::{DependencyKind, Metadata, TargetKind};

use super::{Finding, Tree};

/// What each published crate may depend on. A crate that is not here may not depend on any other, so a new
/// crate gets its row before its first dependency. Crates that are not published stand outside: they may use
/// all others, and none may use them. But [`LIGHT`] uses none.
const MAY_DEPEND_ON: [(&str, &[&str]); 16] = [
    ("pliant-mesh", &[]),
    ("pliant-constraints", &[]),
    ("pliant-kernel", &["pliant-constraints"]),
    ("pliant-contact", &["pliant-mesh", "pliant-constraints", "pliant-kernel"]),
    ("pliant-multigrid", &[]),
    (
        "pliant-solver",
        &["pliant-mesh", "pliant-constraints", "pliant-contact", "pliant-kernel", "pliant-multigrid"],
    ),
    ("pliant-io", &["pliant-mesh"]),
    ("pliant-render", &["pliant-mesh"]),
    ("pliant-deform", &["pliant-mesh", "pliant-constraints", "pliant-kernel"]),
    ("pliant-scene", &["pliant-mesh", "pliant-constraints", "pliant-solver", "pliant-deform", "pliant-io"]),
    ("pliant-run", &["pliant-mesh", "pliant-solver", "pliant-deform", "pliant-io", "pliant-scene"]),
    (
        "pliant-view",
        &["pliant-mesh", "pliant-solver", "pliant-io", "pliant-scene", "pliant-render", "pliant-run"],
    ),
    ("pliant-sweep", &["pliant-solver", "pliant-render", "pliant-scene", "pliant-run"]),
    ("pliant-testkit", &["pliant-mesh", "pliant-constraints"]),
    (
        "pliant-cli",
        &[
            "pliant-mesh",
            "pliant-constraints",
            "pliant-contact",
            "pliant-solver",
            "pliant-deform",
            "pliant-io",
            "pliant-render",
            "pliant-scene",
            "pliant-run",
            "pliant-view",
            "pliant-sweep",
            "pliant",
        ],
    ),
    (
        "pliant",
        &[
            "pliant-mesh",
            "pliant-constraints",
            "pliant-contact",
            "pliant-solver",
            "pliant-deform",
            "pliant-io",
            "pliant-render",
            "pliant-scene",
            "pliant-run",
            "pliant-sweep",
            "pliant-testkit",
        ],
    ),
];

const TESTKIT: &str = "pliant-testkit";

/// The program that must be compiled in seconds.
const LIGHT: &str = "xtask";

/// A crate of this workspace, as far as the checks need it.
pub(super) struct Member {
    pub(super) name: String,
    /// The folder of its manifest, relative to the workspace root.
    pub(super) folder: String,
    pub(super) published: bool,
    /// Source files of its libraries and programs, relative to the workspace root.
    pub(super) roots: Vec<String>,
    pub(super) dependencies: Vec<Dependency>,
}

/// A dependency of one member on another.
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) only_dev: bool,
    /// Whether the manifest gives a version beside the path.
    pub(super) versioned: bool,
}

/// The workspace members, sorted by name, with their dependencies on each other.
pub(super) fn members(metadata: &Metadata) -> Vec<Member> {
    let packages = metadata.workspace_packages();
    let relative = |path: &cargo_metadata::camino::Utf8Path| {
        let inside = path.strip_prefix(&metadata.workspace_root).unwrap_or(path);
        inside.as_str().replace('\\', "/")
    };
    let is_root =
        |kind: &TargetKind| matches!(kind, TargetKind::Lib | TargetKind::Bin | TargetKind::ProcMacro);
    let mut members: Vec<Member> = packages
        .iter()
        .map(|package| Member {
            name: package.name.to_string(),
            folder: package.manifest_path.parent().map(relative).unwrap_or_default(),
            published: package.publish.as_ref().is_none_or(|registries| !registries.is_empty()),
            roots: package
                .targets
                .iter()
                .filter(|target| target.kind.iter().any(is_root))
                .map(|target| relative(&target.src_path))
                .collect(),
            dependencies: package
                .dependencies
                .iter()
                .filter(|dependency| packages.iter().any(|other| *other.name == dependency.name))
                .map(|dependency| Dependency {
                    name: dependency.name.clone(),
                    only_dev: dependency.kind == DependencyKind::Development,
                    versioned: !dependency.req.comparators.is_empty(),
                })
                .collect(),
        })
        .collect();
    members.sort_by(|a, b| a.name.cmp(&b.name));
    members
}

pub(super) fn check(tree: &Tree, members: &[Member]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let manifest = format!("{}/Cargo.toml", member.folder);
        let row = MAY_DEPEND_ON.iter().find(|(name, _)| *name == member.name);
        if member.published && row.is_none() {
            let what = format!("{} has no row in xtask/src/tidy/layering.rs: add it", member.name);
            findings.push(Finding::new(&manifest, 1, what));
        }
        for dependency in &member.dependencies {
            if let Some(what) = objection(member, row.map_or(&[], |(_, allowed)| allowed), dependency) {
                findings.push(Finding::new(&manifest, line_of(tree, &manifest, &dependency.name), what));
            }
        }
    }
    findings
}

/// What is wrong with this dependency, if anything.
fn objection(member: &Member, allowed: &[&str], dependency: &Dependency) -> Option<String> {
    let (from, to) = (&member.name, &dependency.name);
    if from == LIGHT {
        return Some(format!(
            "{from} would have to wait for {to} to be compiled: move the code to pliant-validation"
        ));
    }
    // Tools that are not published may use each other: `pliant-validation` shares the scenes of the benches.
    if !MAY_DEPEND_ON.iter().any(|(name, _)| name == to) && member.published {
        return Some(format!("{from} depends on {to}, which is not published: remove the dependency"));
    }
    // A crate that depends on itself for its tests turns on its features for them.
    let is_itself = from == to && dependency.only_dev && !dependency.versioned;
    if !member.published || allowed.contains(&to.as_str()) || is_itself {
        return None;
    }
    if !dependency.only_dev {
        return Some(format!(
            "{from} may not depend on {to} (see ARCHITECTURE.md): move the code or the dependency"
        ));
    }
    if to != TESTKIT {
        return Some(format!("the tests of {from} use {to}, a layer above it: move the test there"));
    }
    // If the testkit depends on a crate, the tests of that crate close a circle, which can be published only
    // if the manifest has no version.
    let circle = dependency.versioned && may_reach(TESTKIT, from);
    circle.then(|| {
        format!("{to} depends on {from}: write `{to} = {{ path = \"../{to}\" }}`, without a version")
    })
}

/// Whether `from` may depend on `to`, directly or through others.
fn may_reach(from: &str, to: &str) -> bool {
    MAY_DEPEND_ON
        .iter()
        .filter(|(name, _)| *name == from)
        .flat_map(|(_, allowed)| *allowed)
        .any(|next| *next == to || may_reach(next, to))
}

fn line_of(tree: &Tree, manifest: &str, dependency: &str) -> usize {
    let names =
        |text: &str| text.strip_prefix(dependency).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    tree.get(manifest).and_then(|file| file.lines().find(|(_, text)| names(text))).map_or(1, |(line, _)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, dependencies: &[(&str, bool, bool)]) -> Member {
        let dependency = |&(name, only_dev, versioned): &(&str, bool, bool)| Dependency {
            name: name.to_owned(),
            only_dev,
            versioned,
        };
        Member {
            name: name.to_owned(),
            folder: format!("crates/{name}"),
            published: !matches!(name, "xtask" | "pliant-benches" | "pliant-validation"),
            roots: Vec::new(),
            dependencies: dependencies.iter().map(dependency).collect(),
        }
    }

    fn count(members: &[Member]) -> usize {
        check(&Tree::of(&[]), members).len()
    }

    #[test]
    fn lower_layers_are_allowed_and_higher_ones_are_not() {
        assert_eq!(count(&[member("pliant-solver", &[("pliant-mesh", false, true)])]), 0);
        assert_eq!(count(&[member("pliant-mesh", &[("pliant-solver", false, true)])]), 1);
        assert_eq!(count(&[member("pliant-mesh", &[("pliant-solver", true, true)])]), 1);
        assert_eq!(count(&[member("pliant", &[("pliant-cli", false, true)])]), 1);
        assert_eq!(count(&[member("pliant-new", &[])]), 1);
        assert_eq!(count(&[member("pliant-validation", &[("pliant-benches", false, false)])]), 0);
        assert_eq!(count(&[member("xtask", &[("pliant-mesh", false, true)])]), 1);
        assert_eq!(count(&[member("pliant-cli", &[("xtask", false, false)])]), 1);
    }

    #[test]
    fn the_testkit_serves_tests_without_closing_a_published_circle() {
        assert_eq!(count(&[member("pliant-solver", &[("pliant-testkit", true, true)])]), 0);
        assert_eq!(count(&[member("pliant-mesh", &[("pliant-testkit", true, false)])]), 0);
        assert_eq!(count(&[member("pliant-mesh", &[("pliant-testkit", true, true)])]), 1);
        assert_eq!(count(&[member("pliant-mesh", &[("pliant-testkit", false, true)])]), 1);
    }

    #[test]
    fn the_finding_points_at_the_line() {
        let manifest = "[dependencies]\npliant-mesh-x = 1\npliant-solver.workspace = true\n";
        let tree = Tree::of(&[("crates/pliant-mesh/Cargo.toml", manifest)]);
        let findings = check(&tree, &[member("pliant-mesh", &[("pliant-solver", false, true)])]);
        assert_eq!(findings[0].line, 3);
    }

    #[test]
    fn the_table_has_no_circle() {
        for (name, _) in MAY_DEPEND_ON {
            assert!(!may_reach(name, name), "{name}");
        }
    }
}
