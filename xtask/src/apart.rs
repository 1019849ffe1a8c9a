//! `cargo xtask apart`: whether each crate compiles by itself.
//!
//! In the workspace a crate is compiled with the features that any other crate asks for. Who takes one crate
//! has only those that it asks for itself.

use cargo_metadata::{Package, TargetKind};

use crate::{Outcome, workspace};

/// Check that each crate of the workspace compiles by itself, with its default features and without
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the crates of these names
    #[arg(value_name = "CRATE")]
    only: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let metadata = workspace::metadata()?;
    let mut packages: Vec<&Package> =
        metadata.workspace_packages().into_iter().filter(|package| has_library(package)).collect();
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(unknown) = args.only.iter().find(|name| packages.iter().all(|package| package.name != **name))
    {
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        return Err(format!("there is no library {unknown}: they are {}", names.join(", ")).into());
    }
    let mut failed = Vec::new();
    for package in packages {
        if !args.only.is_empty() && args.only.iter().all(|name| package.name != *name) {
            continue;
        }
        let bare = package.features.get("default").is_some_and(|default| !default.is_empty());
        for without in [false, true].into_iter().take(1 + usize::from(bare)) {
            let mut command = workspace::cargo();
            command.args(["check", "--quiet", "--lib", "--package", &package.name]);
            command.args(without.then_some("--no-default-features"));
            let passed = command.status()?.success();
            let with = if without { "without default features" } else { "by itself" };
            println!("{:20} {with}: {}", package.name, if passed { "compiles" } else { "DOES NOT COMPILE" });
            if !passed {
                failed.push(format!("{} {with}", package.name));
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("does not compile: {}", failed.join(", ")).into()) }
}

/// Whether a package has a library for other crates. What is made for other languages needs their tools.
fn has_library(package: &Package) -> bool {
    package.targets.iter().any(|target| target.kind.contains(&TargetKind::Lib))
}
