//! `cargo xtask schema`: the JSON schema of scene files, for completion and checking in editors.

use std::path::PathBuf;

use crate::{Outcome, workspace};

/// Write docs/scene.schema.json from the model of scene files.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; fail if the file is not what would be written.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let path = path();
    if args.check {
        return check();
    }
    std::fs::write(&path, pliant_scene::schema())?;
    println!("schema: {}", path.display());
    Ok(())
}

fn path() -> PathBuf {
    workspace::root().join("docs").join(pliant_scene::SCHEMA_FILE)
}

fn check() -> Outcome {
    let path = path();
    let written = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    if written == pliant_scene::schema() {
        Ok(())
    } else {
        Err(format!("{} is out of date; run `cargo xtask schema`", path.display()).into())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_schema_is_up_to_date() {
        super::check().map_err(|error| error.to_string()).expect("the committed schema is that of the model");
    }
}
