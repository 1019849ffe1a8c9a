//! `cargo xtask schema`: the JSON schemas of scene and stack files, for completion and checking in editors,
//! and that of certificates. The crates that hand them out include the files that are written here, so that
//! no program has to be compiled with what derives them.

use std::path::PathBuf;

use crate::{Outcome, workspace};

/// Write the JSON schemas of scenes, stacks and certificates from their models.
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

/// The schemas by the names of their files in `crates`.
fn schemas() -> [(&'static str, String); 3] {
    [
        ("pliant-scene/schema/scene.schema.json", pliant_scene::generated_schema::scene()),
        ("pliant-scene/schema/stack.schema.json", pliant_scene::generated_schema::stack()),
        ("pliant-run/schema/certificate.schema.json", pliant_run::generated_certificate_schema()),
    ]
}

fn path(name: &str) -> PathBuf {
    workspace::root().join("crates").join(name)
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
