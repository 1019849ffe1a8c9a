//! [`Folder`]: the folder of a run in progress, and its marks.
//!
//! While a run is in progress, its folder holds `run.unfinished`, which lists every file before it is
//! created. At the end `run.json` is written in one step, and `run.unfinished` is deleted. So a folder with
//! `run.json` holds a whole run, and one with `run.unfinished` a part of one. Either file lists the files of
//! the run: `--force` deletes those and no others. Two runs never have a folder at once: a run needs a
//! [`Claim`] first.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use pliant_io::ExportError;

use crate::error::RunError;
use crate::files::{from_slashes, visible_file, write_whole};
use crate::names::{COMPLETE, HEADING, Origin, UNFINISHED, holds_run};
use crate::owned::{Owned, remove_journal};
use crate::run_folder::Claim;

/// The folder of a run in progress.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    list: File,
    files: Vec<String>,
}

impl Folder {
    /// Starts a run in a folder and copies its origin there. If the claim says so, the run that the folder
    /// holds is deleted first.
    ///
    /// # Errors
    /// If a file that is not the run's is where the run would write, or a file cannot be written.
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

    /// Opens the folder of an interrupted run to resume it: nothing in it is touched except files that a
    /// killed program was writing.
    pub(crate) fn reopen(claim: &Claim, origin: &Origin) -> Result<Self, RunError> {
        let path = claim.path();
        Owned::read(path)?.remove_all_parts(path)?;
        let marker = path.join(UNFINISHED);
        let text = fs::read(&marker).map_err(RunError::unwritable(path))?;
        let list = OpenOptions::new().append(true).open(&marker).map_err(RunError::unwritable(path))?;
        // A file named by an incomplete line was not begun.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        list.set_len(whole as u64).map_err(RunError::unwritable(path))?;
        Self::with_copy(path, list, origin)
    }

    fn with_copy(path: &Path, list: File, origin: &Origin) -> Result<Self, RunError> {
        let mut folder = Self { path: path.to_owned(), list, files: Vec::new() };
        // The copy of the origin exists even if a kill came before it was written.
        let copy = folder.announce(origin.copy)?;
        fs::write(&copy, &origin.text).map_err(RunError::unwritable(&copy))?;
        Ok(folder)
    }

    /// Its path.
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

    /// Lists a file that will be written, and returns its path.
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

    /// Completes the run with its report as JSON.
    ///
    /// # Errors
    /// If the report cannot be written, or files that are no longer needed cannot be removed.
    pub fn finish(self, report: &str) -> Result<(), RunError> {
        let path = self.path.join(COMPLETE);
        let mut file = visible_file(&self.path).map_err(RunError::io(&path))?;
        file.write_all(report.as_bytes()).map_err(RunError::io(&path))?;
        file.persist(&path).map_err(|error| RunError::io(&path)(error.error))?;
        drop(self.list);
        tidy(&self.path)
    }
}

/// Removes what a run needs only until it is finished, and with it the mark that it is not.
pub(crate) fn tidy(path: &Path) -> Result<(), RunError> {
    remove_journal(path)?;
    let marker = path.join(UNFINISHED);
    fs::remove_file(&marker).map_err(RunError::io(&marker))
}
