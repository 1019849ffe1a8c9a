//! [`CliError`]: what can go wrong, by exit status.

use std::io;
use std::path::{Path, PathBuf};

use pliant_io::{ExportError, ImportError};
use pliant_scene::{FrameError, SceneError, nearest};
use pliant_solver::{RequirementError, StepError};

use crate::{FAILED, REFUSED, UNMET, UNTRUSTED};

/// What ends the program early. The message is one paragraph.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The scene cannot be used.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A mesh file cannot be used.
    #[error(transparent)]
    Mesh(ImportError),
    /// What was asked for is refused; the text says why and what to do.
    #[error("{0}")]
    Refused(String),
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
    /// A frame could not be deformed.
    #[error("{error}. The frames before it are in {}, which is marked as unfinished", folder.display())]
    Deform {
        /// What happened.
        error: Box<FrameError>,
        /// Where the frames before are.
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
    /// A file could not be written on the way.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A finished run does not keep what was required of it; the table has said where.
    #[error("not met: {}", .0.join(", "))]
    Unmet(Vec<String>),
    /// A finished run is not to be trusted; the verdict has said why.
    #[error("not to be trusted: {}; to end with status 0 all the same, add --accept {}{}", reasons.join(", "), reasons.join(","), unmet_too(unmet))]
    Untrusted {
        /// What the findings are about.
        reasons: Vec<String>,
        /// Requirements that were not met besides.
        unmet: Vec<String>,
    },
    /// The files of a run are not what its certificate says; the table has said which.
    #[error("the files differ from the certificate in {}", .0.join(", "))]
    Differs(Vec<String>),
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}")]
    Console(#[source] io::Error),
}

/// Ends a message with the requirements that were not met either.
fn unmet_too(unmet: &[String]) -> String {
    if unmet.is_empty() { String::new() } else { format!(" (and not met: {})", unmet.join(", ")) }
}

/// What the operating system said, without the name of a temporary file.
fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::Other => error.to_string(),
        kind => kind.to_string(),
    }
}

impl From<ImportError> for CliError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::UnknownFormat { file } if file.to_ascii_lowercase().ends_with(".toml") => {
                Self::Refused(format!(
                    "{file} is no mesh: `pliant run` and `pliant check` take scenes, `pliant deform` stacks of deformers"
                ))
            }
            error => Self::Mesh(error),
        }
    }
}

/// A requirement that cannot be, with the quantity that was probably meant.
impl From<RequirementError> for CliError {
    fn from(error: RequirementError) -> Self {
        let meant = match &error {
            RequirementError::Unknown { name, known } => did_you_mean(name, known.iter().map(String::as_str)),
            _ => String::new(),
        };
        Self::Refused(format!("{error}{meant}"))
    }
}

/// Ends a message that has listed what is known, if one of that is near to a word.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    nearest(word, &known).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"))
}

impl CliError {
    /// The exit status of the program.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Unmet(_) | Self::Differs(_) => UNMET,
            Self::Untrusted { .. } => UNTRUSTED,
            Self::Scene(_) | Self::Mesh(_) | Self::Refused(_) | Self::Unwritable { .. } => REFUSED,
            Self::Step { .. }
            | Self::Deform { .. }
            | Self::Output { .. }
            | Self::Io { .. }
            | Self::Console(_) => FAILED,
        }
    }

    pub(crate) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Unwritable { path: path.to_owned(), source }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}
