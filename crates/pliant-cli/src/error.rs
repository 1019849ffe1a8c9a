//! [`CliError`]: the errors of the program, with their exit status.

use std::io;
use std::path::{Path, PathBuf};

use pliant_io::ImportError;
use pliant_render::RenderError;
use pliant_run::RunError;
use pliant_scene::{FrameError, SceneError, nearest};
use pliant_solver::RequirementError;
use pliant_sweep::SweepError;

use crate::{AGAIN, FAILED, REFUSED, UNMET, UNTRUSTED};

/// An error that ends the program early. The message is one paragraph.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The scene cannot be used.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A mesh file cannot be used.
    #[error(transparent)]
    Mesh(ImportError),
    /// A run cannot be started, or failed.
    #[error(transparent)]
    Run(RunError),
    /// The request is refused; the text says why and what to do.
    #[error("{0}")]
    Refused(String),
    /// A frame could not be deformed.
    #[error("{error}. The frames before it are in {}, which is marked as unfinished", folder.display())]
    Deform {
        /// What happened.
        error: Box<FrameError>,
        /// The folder of the frames before.
        folder: PathBuf,
    },
    /// A file could not be written during the command.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A finished run does not meet its requirements; the table has shown where.
    #[error("not met: {}", .0.join(", "))]
    Unmet(Vec<String>),
    /// A finished run is not to be trusted; the verdict has shown why.
    #[error("not to be trusted: {}; to end with status 0 anyway, add --accept {}{}", reasons.join(", "), reasons.join(","), unmet_too(unmet))]
    Untrusted {
        /// The reasons.
        reasons: Vec<String>,
        /// Requirements that were also not met.
        unmet: Vec<String>,
    },
    /// The files of a run differ from its certificate; the table has shown where.
    #[error("the files differ from the certificate in {}", .0.join(", "))]
    Differs(Vec<String>),
    /// A signal stopped a run, or another process has its folder.
    #[error("{0}")]
    Again(String),
    /// A study cannot be used.
    #[error(transparent)]
    Sweep(SweepError),
    /// Some units of a study failed.
    #[error("{0}")]
    Failed(String),
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}")]
    Console(#[source] io::Error),
}

/// Ends a message with the requirements that were not met either.
fn unmet_too(unmet: &[String]) -> String {
    if unmet.is_empty() { String::new() } else { format!(" (and not met: {})", unmet.join(", ")) }
}

impl From<ImportError> for CliError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::UnknownFormat { file } if file.to_ascii_lowercase().ends_with(".toml") => {
                Self::Refused(format!(
                    "{file} is not a mesh: `pliant run` and `pliant check` take scenes, `pliant deform` stacks of deformers"
                ))
            }
            error => Self::Mesh(error),
        }
    }
}

/// An invalid scene shows its place, whoever names it.
impl From<SweepError> for CliError {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Scene(error) => Self::Scene(error),
            error => Self::Sweep(error),
        }
    }
}

/// An invalid requirement, with the quantity that was probably meant.
impl From<RequirementError> for CliError {
    fn from(error: RequirementError) -> Self {
        let meant = match &error {
            RequirementError::Unknown { name, known } => did_you_mean(name, known.iter().map(String::as_str)),
            _ => String::new(),
        };
        Self::Refused(format!("{error}{meant}"))
    }
}

/// Names of the library, and the options that replace them in messages.
const OPTIONS: [(&str, &str); 7] = [
    ("Intent::Replace", "--force"),
    ("Intent::ContinueOrBegin", "--resume-or-start"),
    ("Intent::Continue", "--continue"),
    ("Options::require", "--require"),
    ("Options::report_every", "--report-every"),
    ("Options::adaptive", "--adaptive"),
    ("Options::save_multipliers", "--save-multipliers"),
];

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Refused(text) => {
                Self::Refused(OPTIONS.iter().fold(text, |text, (name, option)| text.replace(name, option)))
            }
            RunError::Requirement(error) => error.into(),
            error => Self::Run(error),
        }
    }
}

/// The end of a message that lists the known words: a suggestion, if one of them is similar to `word`.
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
            Self::Again(_) => AGAIN,
            Self::Scene(_)
            | Self::Mesh(_)
            | Self::Refused(_)
            | Self::Sweep(SweepError::Invalid { .. } | SweepError::Read { .. } | SweepError::Scene(_))
            | Self::Run(RunError::Unwritable { .. } | RunError::Taken { .. }) => REFUSED,
            Self::Run(_)
            | Self::Sweep(_)
            | Self::Failed(_)
            | Self::Deform { .. }
            | Self::Io { .. }
            | Self::Console(_) => FAILED,
        }
    }

    pub(crate) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Run(RunError::Unwritable { path: path.to_owned(), source })
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}

/// The error of a picture: a failed write is a failure during the command, anything else an invalid request.
pub(crate) fn refused(error: RenderError) -> CliError {
    match error {
        RenderError::Write { path, source } => CliError::Io { path, source },
        other => CliError::Refused(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_the_library_name_options() {
        let text = "start with Intent::ContinueOrBegin instead of Intent::Continue, or Intent::Replace";
        let told = CliError::from(RunError::Refused(text.to_owned()));
        assert_eq!(told.to_string(), "start with --resume-or-start instead of --continue, or --force");
        assert_eq!(told.status(), REFUSED);
    }
}
