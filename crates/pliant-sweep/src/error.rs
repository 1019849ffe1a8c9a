//! [`SweepError`]: what is wrong with a study, and where.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pliant_scene::{SceneError, SourceSpan};

/// A study that cannot be read or expanded. The message is one paragraph: where, what, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The study is invalid.
    #[error("{}:{}:{}: {problem}", file.display(), place.line, place.column)]
    Invalid {
        /// The file.
        file: PathBuf,
        /// Where in it.
        place: SourceSpan,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The study, or the folder of one, cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// The scene of the study is invalid as it is.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A file of a unit could not be written. The units before it are there, and the same command resumes the study.
    #[error("cannot write {}: {source}; what is there stays, and the same command resumes the study", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl SweepError {
    pub(crate) fn at(file: &Path, text: &str, span: Range<usize>, problem: impl Into<String>) -> Self {
        Self::Invalid { file: file.to_owned(), place: SourceSpan::of(text, span), problem: problem.into() }
    }

    pub(crate) fn read(path: &Path, error: &io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
            _ => error.to_string(),
        };
        Self::Read { path: path.to_owned(), reason }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }
}
