//! [`Folder`]: the folder of a run that is going on, and how it is told from other folders.
//!
//! While a run goes on, its folder holds `run.unfinished`, which lists every file before it is begun. Last of all comes `run.json`, in one step, and
//! `run.unfinished` goes. So a folder with `run.json` holds a whole run, one with `run.unfinished` a part of one, and either says which files
//! are the run's own: those, and no others, are what `--force` deletes. No two runs have a folder at once: a [`Claim`] goes before.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::owned::{Owned, remove_journal};
use super::place::Claim;
use super::{from_slashes, visible_file};
use crate::error::CliError;

pub(super) const COMPLETE: &str = "run.json";
pub(super) const UNFINISHED: &str = "run.unfinished";
pub(super) const HEADING: &str = "# This run was not finished. It wrote these files:";

/// What a run is made from.
pub(crate) struct Origin {
    /// Its name.
    pub(crate) name: String,
    /// The name of its copy in the folder: `scene.toml`.
    pub(crate) copy: &'static str,
    /// What its file says.
    pub(crate) text: String,
}

/// Whether a folder holds a run, or a part of one.
pub(super) fn holds_run(path: &Path) -> bool {
    [COMPLETE, UNFINISHED].iter().any(|marker| path.join(marker).symlink_metadata().is_ok())
}

/// Whether a folder holds a whole run.
pub(super) fn is_finished(path: &Path) -> bool {
    path.join(COMPLETE).exists()
}

/// Whether a folder holds a part of a run.
pub(super) fn is_part(path: &Path) -> bool {
    path.join(UNFINISHED).is_file() && !is_finished(path)
}

/// The folder of a run that is going on.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    list: File,
    files: Vec<String>,
}

impl Folder {
    /// Begins a run in a folder, which is cleared of the run that it holds if that is to be replaced, and puts a copy of what it is made from into it.
    pub(crate) fn create(claim: &Claim, origin: &Origin) -> Result<Self, CliError> {
        let path = claim.path();
        let owned = Owned::read(path)?;
        owned.check(path, origin)?;
        if claim.replaces() && holds_run(path) {
            owned.delete(path)?;
        }
        let opened = OpenOptions::new().append(true).create_new(true).open(path.join(UNFINISHED));
        let mut list = opened.map_err(CliError::unwritable(path))?;
        // Each line in one step.
        list.write_all(format!("{HEADING}\n").as_bytes()).map_err(CliError::unwritable(path))?;
        Self::with_copy(path, list, origin)
    }

    /// Opens the folder of a run that was interrupted, to go on with it: nothing in it is touched but what a killed program was writing.
    pub(crate) fn reopen(claim: &Claim, origin: &Origin) -> Result<Self, CliError> {
        let path = claim.path();
        Owned::read(path)?.remove_all_parts(path)?;
        let marker = path.join(UNFINISHED);
        let text = fs::read(&marker).map_err(CliError::unwritable(path))?;
        let list = OpenOptions::new().append(true).open(&marker).map_err(CliError::unwritable(path))?;
        // What a part of a line names was not begun.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        list.set_len(whole as u64).map_err(CliError::unwritable(path))?;
        Self::with_copy(path, list, origin)
    }

    fn with_copy(path: &Path, list: File, origin: &Origin) -> Result<Self, CliError> {
        let mut folder = Self { path: path.to_owned(), list, files: Vec::new() };
        // It says what the run is made from even if a kill came before it was written.
        let copy = folder.announce(origin.copy)?;
        fs::write(&copy, &origin.text).map_err(CliError::unwritable(&copy))?;
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The files of the run so far, with slashes, relative to the folder.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// Writes down that a file will be written, and returns its path.
    pub(crate) fn announce(&mut self, name: &str) -> Result<PathBuf, CliError> {
        let line = format!("{name}\n");
        self.list.write_all(line.as_bytes()).map_err(CliError::io(&self.path.join(UNFINISHED)))?;
        self.files.push(name.to_owned());
        Ok(self.path.join(from_slashes(name)))
    }

    /// Writes a small file in one step.
    pub(super) fn write(&mut self, name: &str, text: &str) -> Result<(), CliError> {
        let path = self.announce(name)?;
        super::write_whole(&path, text)
    }

    /// Makes the run a whole one, by its report as JSON.
    pub(crate) fn finish(self, report: &str) -> Result<(), CliError> {
        let path = self.path.join(COMPLETE);
        let mut file = visible_file(&self.path).map_err(CliError::io(&path))?;
        file.write_all(report.as_bytes()).map_err(CliError::io(&path))?;
        file.persist(&path).map_err(|error| CliError::io(&path)(error.error))?;
        drop(self.list);
        remove_journal(&self.path)?;
        let marker = self.path.join(UNFINISHED);
        fs::remove_file(&marker).map_err(CliError::io(&marker))
    }
}
