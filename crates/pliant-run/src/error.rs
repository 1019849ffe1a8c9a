//! [`RunError`]: what can go wrong with a run.

use std::io;
use std::path::{Path, PathBuf};

use pliant_io::ExportError;
use pliant_solver::{RequirementError, StepError};

/// What ends a run early. The message is one paragraph.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// What was asked for is refused, with nothing touched; the text says why and what to do, in the names of this crate.
    #[error("{0}")]
    Refused(String),
    /// A requirement cannot be understood, or is of a quantity that the scene does not have.
    #[error(transparent)]
    Requirement(#[from] RequirementError),
    /// A folder or file to be written cannot be made.
    #[error("cannot write to {}: {}; choose another place", path.display(), said(source))]
    Unwritable {
        /// The folder or file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The simulation broke down.
    #[error("{error}. The frames up to {frames} are in {}, which is marked as unfinished", folder.display())]
    Step {
        /// What happened.
        error: StepError,
        /// Number of frames that are good.
        frames: u32,
        /// Where they are.
        folder: PathBuf,
    },
    /// The output could not be written on the way.
    #[error("{error}. The run in {} is unfinished", folder.display())]
    Output {
        /// What happened.
        error: ExportError,
        /// The folder of the run.
        folder: PathBuf,
    },
    /// A file could not be read or written on the way.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

/// What the operating system said, without the name of a temporary file.
fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::Other => error.to_string(),
        kind => kind.to_string(),
    }
}

impl RunError {
    /// The error of a place that cannot be written to.
    pub fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Unwritable { path: path.to_owned(), source }
    }

    /// The error of a file that could not be written on the way.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}
