//! [`Folder`]: the folder of a run in progress, and how it differs from other folders.
//!
//! While a run is in progress, its folder holds `run.unfinished`, which lists every file before it is begun. Last of
//! all comes `run.json`, in one step, and
//! `run.unfinished` goes. So a folder with `run.json` holds a whole run, one with `run.unfinished` a part of one, and either says which files
//! are the run's own: those, and no others, are what `--force` deletes. No two runs have a folder at once: a [`Claim`] goes before.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use pliant_io::ExportError;

use crate::error::RunError;
use crate::files::{from_slashes, visible_file, write_whole};
use crate::names::{COMPLETE, HEADING, Origin, UNFINISHED, holds_run};
use crate::owned::{Owned, remove_journal};
use crate::place::Claim;

/// The folder of a run in progress.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    list: File,
    files: Vec<String>,
}

impl Folder {
    /// Begins a run in a folder, which is cleared of the run that it holds if that is to be replaced, and puts a copy of what it is made from into it.
    ///
    /// # Errors
    /// If a file of others stands where the run would write, or a file cannot be written.
    pub fn create(claim: &Claim, origin: &Origin) -> Result<Self, RunError> {
        let path = claim.path();
        let owned = Owned::read(path)?;
        owned.check(path, origin)?;
        if claim.replaces() && holds_run(path) {
            owned.delete(path)?;
        }
        let opened = OpenOptions::new().append(true).create_new(true).open(path.join(UNFINISHED));
        let mut list = opened.map_err(RunError::unwritable(path))?;
        // Each line in one step.
        list.write_all(format!("{HEADING}\n").as_bytes()).map_err(RunError::unwritable(path))?;
        Self::with_copy(path, list, origin)
    }

    /// Opens the folder of an interrupted run to resume it: nothing in it is touched but what a killed program was
    /// writing.
    pub(crate) fn reopen(claim: &Claim, origin: &Origin) -> Result<Self, RunError> {
        let path = claim.path();
        Owned::read(path)?.remove_all_parts(path)?;
        let marker = path.join(UNFINISHED);
        let text = fs::read(&marker).map_err(RunError::unwritable(path))?;
        let list = OpenOptions::new().append(true).open(&marker).map_err(RunError::unwritable(path))?;
        // What a part of a line names was not begun.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        list.set_len(whole as u64).map_err(RunError::unwritable(path))?;
        Self::with_copy(path, list, origin)
    }

    fn with_copy(path: &Path, list: File, origin: &Origin) -> Result<Self, RunError> {
        let mut folder = Self { path: path.to_owned(), list, files: Vec::new() };
        // It says what the run is made from even if a kill came before it was written.
        let copy = folder.announce(origin.copy)?;
        fs::write(&copy, &origin.text).map_err(RunError::unwritable(&copy))?;
        Ok(folder)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files of the run so far, with slashes, relative to the folder.
    #[must_use]
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The error of a file in it that could not be written.
    #[must_use]
    pub fn failed(&self, error: ExportError) -> RunError {
        RunError::Output { error, folder: self.path.clone() }
    }

    /// Writes down that a file will be written, and returns its path.
    ///
    /// # Errors
    /// If the list of the files cannot be written.
    pub fn announce(&mut self, name: &str) -> Result<PathBuf, RunError> {
        let line = format!("{name}\n");
        self.list.write_all(line.as_bytes()).map_err(RunError::io(&self.path.join(UNFINISHED)))?;
        self.files.push(name.to_owned());
        Ok(self.path.join(from_slashes(name)))
    }

    /// Writes a small file in one step.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, name: &str, text: &str) -> Result<(), RunError> {
        let path = self.announce(name)?;
        write_whole(&path, text)
    }

    /// Makes the run a whole one, by its report as JSON.
    ///
    /// # Errors
    /// If the report cannot be written, or what is no longer needed not be removed.
    pub fn finish(self, report: &str) -> Result<(), RunError> {
        let path = self.path.join(COMPLETE);
        let mut file = visible_file(&self.path).map_err(RunError::io(&path))?;
        file.write_all(report.as_bytes()).map_err(RunError::io(&path))?;
        file.persist(&path).map_err(|error| RunError::io(&path)(error.error))?;
        drop(self.list);
        remove_journal(&self.path)?;
        let marker = self.path.join(UNFINISHED);
        fs::remove_file(&marker).map_err(RunError::io(&marker))
    }
}
