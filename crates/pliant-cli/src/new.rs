//! `pliant new`: commented example scenes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use pliant_scene::{SCHEMA_FILE, Template, schema, templates};

use crate::args::NewArgs;
use crate::console::Console;
use crate::error::CliError;

pub(crate) fn new(args: &NewArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let Some(name) = &args.name else {
        if args.output.is_some() {
            return Err(CliError::Refused(format!(
                "which example shall be written? Name one of {}",
                names()
            )));
        }
        let width = templates().iter().map(|t| t.name.len()).max().unwrap_or(0);
        let lines: String = templates().iter().map(|t| format!("{:width$}  {}\n", t.name, t.about)).collect();
        return console
            .print(&format!("{lines}\n`pliant new NAME` writes NAME.toml, every line explained.\n"));
    };
    let template = Template::named(name).ok_or_else(|| {
        CliError::Refused(format!("there is no example named {name:?}; there are {}", names()))
    })?;
    let path = match &args.output {
        Some(path) if path.as_os_str() == "-" => return console.print(&template.text()),
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{name}.toml")),
    };
    if path.is_dir() {
        let path = path.display();
        return Err(CliError::Refused(format!(
            "{path} is a directory; name a file, such as {path}/{name}.toml"
        )));
    }
    write_new(&path, &template.text())?;
    console.print(&format!("{}: run it with `pliant run {}`\n", path.display(), path.display()))?;
    let schema_path = path.with_file_name(SCHEMA_FILE);
    if !schema_path.exists() {
        write_new(&schema_path, &schema())?;
        let note = "its schema, with which editors complete and explain scenes (VS Code: Even Better TOML)";
        console.print(&format!("{}: {note}\n", schema_path.display()))?;
    }
    Ok(())
}

fn names() -> String {
    templates().iter().map(|t| t.name).collect::<Vec<_>>().join(", ")
}

/// Writes a file that is not there yet, whole or not at all.
fn write_new(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let exists = || {
        CliError::Refused(format!("{} is there already; delete it or choose another name", path.display()))
    };
    if path.symlink_metadata().is_ok() {
        return Err(exists());
    }
    let mut file = crate::run::visible_file(folder).map_err(CliError::unwritable(path))?;
    file.write_all(text.as_bytes()).map_err(CliError::unwritable(path))?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(_) if fs::symlink_metadata(path).is_ok() => Err(exists()),
        Err(error) => Err(CliError::unwritable(path)(error.error)),
    }
}
