//! Scripts in Python, and the folder that they share with the program.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, workspace};

/// A Python that may or may not be installed.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Python {
    /// The Python to run [default: $PYTHON, else python3]
    #[arg(long)]
    python: Option<PathBuf>,
}

impl Python {
    /// The one of that path.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { python: Some(path) }
    }

    fn program(&self) -> PathBuf {
        let named = self.python.clone().or_else(|| env::var_os("PYTHON").map(PathBuf::from));
        named.unwrap_or_else(|| "python3".into())
    }

    /// Why scripts that need these modules cannot be run, if so.
    pub(crate) fn lacks(&self, modules: &[&str]) -> Option<String> {
        let program = self.program();
        let imports: String = modules.iter().map(|module| format!("import {module}\n")).collect();
        match Command::new(&program).args(["-c", &imports]).output() {
            Err(_) => Some(format!("there is no {}", program.display())),
            Ok(ran) if !ran.status.success() => {
                Some(format!("{} has not all of {}", program.display(), modules.join(", ")))
            }
            Ok(_) => None,
        }
    }

    /// Runs a script to its end.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, script: &Path, arguments: &[A], failure: &str) -> Outcome {
        let status = Command::new(self.program()).arg(script).args(arguments).status()?;
        if status.success() { Ok(()) } else { Err(failure.into()) }
    }
}

/// A folder of files that a script in Python reads.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Shared {
    /// Folder for the files [default: below target/]
    #[arg(long)]
    dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) python: Python,
}

impl Shared {
    /// The folder, made if it is missing.
    pub(crate) fn folder(&self, name: &str) -> std::io::Result<PathBuf> {
        let folder = self.dir.clone().unwrap_or_else(|| workspace::root().join("target").join(name));
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Runs a script with the folder as its argument; without Python it reports that, and where the files are.
    pub(crate) fn run(&self, folder: &Path, name: &str, text: &str, failure: &str) -> Outcome {
        if let Some(reason) = self.python.lacks(&[]) {
            println!("skipped: {reason}; the files are in {}", folder.display());
            return Ok(());
        }
        let script = folder.join(name);
        fs::write(&script, text)?;
        self.python.run(&script, &[folder], failure)
    }
}
