//! `pliant new`: commented example scenes and stacks of deformers.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use pliant_scene::{
    SCHEMA_FILE, STACK_SCHEMA_FILE, StackTemplate, Template, schema, stack_schema, stack_templates, templates,
};

use crate::args::NewArgs;
use crate::console::Console;
use crate::error::{CliError, did_you_mean};

pub(crate) fn new(args: &NewArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let Some(name) = &args.name else {
        if args.output.is_some() {
            return Err(CliError::Refused(format!(
                "which example should be written? Name one of {}",
                list()
            )));
        }
        let scenes = templates().iter().map(|t| (t.name, t.about));
        let stacks = stack_templates().iter().map(|t| (t.name, t.about));
        let width = scenes.clone().chain(stacks.clone()).map(|(name, _)| name.len()).max().unwrap_or(0);
        let line = |(name, about)| format!("{name:width$}  {about}\n");
        let (scenes, stacks): (String, String) = (scenes.map(line).collect(), stacks.map(line).collect());
        return console.print(&format!(
            "{scenes}\nStacks of deformers, for `pliant deform`:\n\n{stacks}\n\
             `pliant new NAME` writes NAME.toml, every line explained.\n"
        ));
    };
    let example = Example::named(name).ok_or_else(|| {
        let meant = did_you_mean(name, names());
        CliError::Refused(format!("there is no example named {name:?}; there are {}{meant}", list()))
    })?;
    let path = match &args.output {
        Some(path) if path.as_os_str() == "-" => return console.print(&example.text),
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{name}.toml")),
    };
    if path.is_dir() {
        let path = path.display();
        return Err(CliError::Refused(format!(
            "{path} is a directory; name a file, such as {path}/{name}.toml"
        )));
    }
    write_new(&path, &example.text)?;
    let command = example.command;
    console.tell(&format!("{}: run it with `pliant {command} {}`\n", path.display(), path.display()))?;
    let schema_path = path.with_file_name(example.schema_file);
    if !schema_path.exists() {
        write_new(&schema_path, example.schema)?;
        let what = example.what;
        let note =
            format!("its schema, with which editors complete and explain {what} (VS Code: Even Better TOML)");
        console.tell(&format!("{}: {note}\n", schema_path.display()))?;
    }
    Ok(())
}

/// An example of either kind.
struct Example {
    text: String,
    /// The command that runs it.
    command: &'static str,
    what: &'static str,
    schema_file: &'static str,
    schema: &'static str,
}

impl Example {
    fn named(name: &str) -> Option<Self> {
        if let Some(template) = Template::named(name) {
            let (text, schema_file) = (template.text(), SCHEMA_FILE);
            return Some(Self { text, command: "run", what: "scenes", schema_file, schema: schema() });
        }
        let template = StackTemplate::named(name)?;
        let (text, schema_file) = (template.text(), STACK_SCHEMA_FILE);
        Some(Self { text, command: "deform", what: "stacks", schema_file, schema: stack_schema() })
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    templates().iter().map(|t| t.name).chain(stack_templates().iter().map(|t| t.name))
}

fn list() -> String {
    names().collect::<Vec<_>>().join(", ")
}

/// Writes a new file, completely or not at all.
fn write_new(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let exists =
        || CliError::Refused(format!("{} already exists; delete it or choose another name", path.display()));
    if path.symlink_metadata().is_ok() {
        return Err(exists());
    }
    let mut file = pliant_run::files::visible_file(folder).map_err(CliError::unwritable(path))?;
    file.write_all(text.as_bytes()).map_err(CliError::unwritable(path))?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(_) if fs::symlink_metadata(path).is_ok() => Err(exists()),
        Err(error) => Err(CliError::unwritable(path)(error.error)),
    }
}
