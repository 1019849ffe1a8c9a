//! [`RunFolder`]: the folder chosen for a run, and [`Claim`]: the folder once no other run can take it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::RunError;
use crate::lock::Lock;
use crate::names::{has_checkpoint, holds_run, is_finished, is_part};

/// What to do with a run that the folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// It is kept, and a new run is refused.
    Begin,
    /// It is replaced.
    Replace,
    /// It is resumed.
    Continue,
    /// It is resumed; if there is nothing to resume, a run starts.
    ContinueOrBegin,
}

/// The folder for a run.
#[derive(Debug)]
pub enum RunFolder {
    /// The folder given.
    Given(PathBuf, Intent),
    /// The next free `runs/<scene>-<n>`.
    Numbered(String),
}

/// A folder that no other run can take meanwhile.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    intent: Intent,
    _lock: Lock,
}

impl RunFolder {
    /// Checks, without touching anything, that the folder can be used.
    ///
    /// # Errors
    /// If it is not a folder, another run has it, or its content does not allow the intent.
    pub fn choose(given: Option<&Path>, name: &str, intent: Intent) -> Result<Self, RunError> {
        let Some(path) = given else { return Ok(Self::Numbered(name.to_owned())) };
        if path.exists() && !path.is_dir() {
            let path = path.display();
            return Err(RunError::Refused(format!("{path} is not a directory; give a folder for the run")));
        }
        Lock::look(path)?;
        resolve(path, intent)?;
        Ok(Self::Given(path.to_owned(), intent))
    }

    /// Takes the folder; it is created if it does not exist.
    ///
    /// # Errors
    /// As [`choose`](Self::choose), and if the folder cannot be created.
    pub fn claim(&self) -> Result<Claim, RunError> {
        match self {
            Self::Given(path, intent) => {
                fs::create_dir_all(path).map_err(RunError::unwritable(path))?;
                let lock = Lock::take(path)?;
                // The folder may have changed while the simulation was built.
                let intent = resolve(path, *intent)?;
                Ok(Claim { path: path.clone(), intent, _lock: lock })
            }
            Self::Numbered(name) => {
                let path = next_free(name)?;
                let lock = Lock::take(&path)?;
                Ok(Claim { path, intent: Intent::Begin, _lock: lock })
            }
        }
    }
}

impl Claim {
    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a run that the folder holds is replaced.
    pub(crate) fn replaces(&self) -> bool {
        self.intent == Intent::Replace
    }

    /// Whether a run that the folder holds is resumed.
    pub(crate) fn goes_on(&self) -> bool {
        self.intent == Intent::Continue
    }
}

/// What to do, given what the folder holds: start, replace or resume.
fn resolve(path: &Path, intent: Intent) -> Result<Intent, RunError> {
    let shown = path.display();
    let finished = is_finished(path);
    match intent {
        Intent::Begin if holds_run(path) => Err(RunError::Refused(format!(
            "{shown} already holds a run; choose another folder, or replace that run with Intent::Replace"
        ))),
        Intent::Continue | Intent::ContinueOrBegin if finished => Err(RunError::Refused(format!(
            "the run in {shown} is finished: there is nothing to resume; Intent::Replace replaces it"
        ))),
        Intent::Continue if !is_part(path) => Err(RunError::Refused(format!(
            "{shown} holds no run to resume; use Intent::ContinueOrBegin instead of Intent::Continue: it \
            starts a run, and later resumes it"
        ))),
        Intent::ContinueOrBegin if is_part(path) && has_checkpoint(path) => Ok(Intent::Continue),
        // A run that was killed before its first checkpoint, or has no checkpoints, cannot be resumed.
        Intent::ContinueOrBegin if is_part(path) => Ok(Intent::Replace),
        Intent::ContinueOrBegin => Ok(Intent::Begin),
        Intent::Begin | Intent::Replace | Intent::Continue => Ok(intent),
    }
}

/// Creates `runs/<name>-<n>` with the least n above all existing ones.
fn next_free(name: &str) -> Result<PathBuf, RunError> {
    let runs = Path::new("runs");
    fs::create_dir_all(runs).map_err(RunError::unwritable(runs))?;
    let entries = fs::read_dir(runs).map_err(RunError::unwritable(runs))?;
    let number = |entry: io::Result<fs::DirEntry>| -> Option<u64> {
        let file = entry.ok()?.file_name();
        file.to_str()?.strip_prefix(name)?.strip_prefix('-')?.parse().ok()
    };
    let mut next = entries.filter_map(number).max().unwrap_or(0).saturating_add(1);
    loop {
        let path = runs.join(format!("{name}-{next}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            // Another run was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => next += 1,
            Err(error) => return Err(RunError::unwritable(&path)(error)),
        }
    }
}
