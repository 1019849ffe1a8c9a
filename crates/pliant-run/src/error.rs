//! [`RunError`]: the errors of a run.

use std::io;
use std::path::{Path, PathBuf};

use pliant_io::ExportError;
use pliant_solver::{RequirementError, StepError};

/// An error that ends a run early. The message is one paragraph.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The request is refused, and nothing was touched; the text says why and what to do, in the names of this crate.
    #[error("{0}")]
    Refused(String),
    /// Another run has the folder.
    #[error("the run in {} is still in progress{}; wait for it, end it, or choose another folder", folder.display(), named(*process))]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// The number of its process, where it is known.
        process: Option<u32>,
    },
    /// A requirement cannot be understood, or its quantity does not exist in the scene.
    #[error(transparent)]
    Requirement(#[from] RequirementError),
    /// A folder or file cannot be created.
    #[error("cannot write to {}: {}; choose another place", path.display(), said(source))]
    Unwritable {
        /// The folder or file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The simulation failed.
    #[error("{error}. The frames up to {frames} are in {}, which is marked as unfinished", folder.display())]
    Step {
        /// What happened.
        error: StepError,
        /// Number of frames before the failure.
        frames: u32,
        /// The folder of the run.
        folder: PathBuf,
    },
    /// The output could not be written during the run.
    #[error("{error}. The run in {} is unfinished", folder.display())]
    Output {
        /// What happened.
        error: ExportError,
        /// The folder of the run.
        folder: PathBuf,
    },
    /// A file could not be read or written during the run.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

fn named(process: Option<u32>) -> String {
    process.map_or_else(String::new, |id| format!(" (process {id})"))
}

/// The error of the operating system, without the name of a temporary file.
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

    /// The error of a file that could not be written during the run.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}
