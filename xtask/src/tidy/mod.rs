//! `cargo xtask tidy`: checks that the compiler does not make, one per file.
//!
//! A check is a function of the [`Tree`] (and of `cargo metadata` where it needs the dependency graph) and
//! returns its [`Finding`]s. It does not access the disk, so that every check has a test that shows it
//! failing. Checks that need the simulator are tests of `crates/pliant-validation` instead: the scenes of the
//! book are built there, the schemas compared with the models.

mod callers;
mod circles;
mod docs_code;
mod docs_keys;
mod docs_names;
mod docs_paths;
mod layering;
mod leftovers;
mod length;
mod licences;
mod live_calls;
mod machine_paths;
mod manifests;
mod property_tests;
mod rust_code;
mod standalone;
mod stray;
mod tree;
mod unsafe_code;
mod whitespace;

use std::fmt;

use crate::{Outcome, workspace};
use tree::Tree;

/// Check what the compiler does not: layering, names in the documents, licences, unsafe code, stray files, whitespace.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// A fault, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// The file, relative to the workspace root, with forward slashes.
    path: String,
    /// The line, from 1; 1 where the finding concerns the whole file.
    line: usize,
    /// What is wrong, and what to do.
    message: String,
}

impl Finding {
    fn new(path: impl Into<String>, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.into(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

pub(crate) fn run(_: &Args) -> Outcome {
    let tree = Tree::read(&workspace::root())?;
    let metadata = workspace::metadata()?;
    let members = layering::members(&metadata);
    let crates: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();

    let mut findings = layering::check(&tree, &members);
    findings.extend(callers::check(&tree));
    findings.extend(circles::check(&tree, &members));
    findings.extend(docs_keys::check(&tree));
    findings.extend(docs_names::check(&tree, &crates, &crate::command_names()));
    findings.extend(docs_paths::check(&tree));
    findings.extend(leftovers::check(&tree));
    findings.extend(length::check(&tree));
    findings.extend(licences::check(&tree, &licences::packages(&metadata)));
    findings.extend(live_calls::check(&tree));
    findings.extend(machine_paths::check(&tree));
    findings.extend(manifests::check(&tree));
    findings.extend(property_tests::check(&tree));
    findings.extend(standalone::check(&tree, &standalone::published(&members)));
    findings.extend(stray::check(&tree));
    findings.extend(unsafe_code::check(&tree, &members));
    findings.extend(whitespace::check(&tree));

    findings.sort();
    findings.dedup();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} files, nothing to report", tree.files().len());
            Ok(())
        }
        1 => Err("tidy: 1 finding".into()),
        n => Err(format!("tidy: {n} findings").into()),
    }
}
