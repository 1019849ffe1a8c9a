//! `cargo xtask schema`: the JSON schemas of scene and stack files, for completion and checking in editors.

use std::path::PathBuf;

use crate::{Outcome, workspace};

/// Write docs/scene.schema.json and docs/stack.schema.json from the models of those files.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; fail if the files are not what would be written.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Outcome {
    if args.check {
        return check();
    }
    for (name, schema) in schemas() {
        let path = path(name);
        std::fs::write(&path, schema)?;
        println!("schema: {}", path.display());
    }
    Ok(())
}

/// The schemas by the names of their files.
fn schemas() -> [(&'static str, String); 2] {
    [
        (pliant_scene::SCHEMA_FILE, pliant_scene::schema()),
        (pliant_scene::STACK_SCHEMA_FILE, pliant_scene::stack_schema()),
    ]
}

fn path(name: &str) -> PathBuf {
    workspace::root().join("docs").join(name)
}

fn check() -> Outcome {
    for (name, schema) in schemas() {
        let path = path(name);
        let written =
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if written != schema {
            return Err(format!("{} is out of date; run `cargo xtask schema`", path.display()).into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_schemas_are_up_to_date() {
        super::check()
            .map_err(|error| error.to_string())
            .expect("the committed schemas are those of the models");
    }
}
