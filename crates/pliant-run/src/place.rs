//! [`Place`]: the folder that a run is to have, and [`Claim`]: the folder once no other run can have it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::RunError;
use crate::lock::Lock;
use crate::names::{has_checkpoint, holds_run, is_finished, is_part};

/// What is to become of a run that the folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// It stays, and no other run may start beside it.
    Begin,
    /// It is replaced.
    Replace,
    /// It is resumed.
    Continue,
    /// It is resumed; if there is nothing to resume, a run starts.
    ContinueOrBegin,
}

/// Where a run is to go.
#[derive(Debug)]
pub enum Place {
    /// The folder given.
    Given(PathBuf, Intent),
    /// The next free `runs/<scene>-<n>`.
    Numbered(String),
}

/// A folder that no other run can have meanwhile.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    intent: Intent,
    _lock: Lock,
}

impl Place {
    /// Looks, without touching anything, whether the folder can be had.
    ///
    /// # Errors
    /// If it is no folder, another run has it, or what it holds stands against the intent.
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

    /// Takes the folder; it is made if it is not there.
    ///
    /// # Errors
    /// As [`choose`](Self::choose), and if the folder cannot be made.
    pub fn claim(&self) -> Result<Claim, RunError> {
        match self {
            Self::Given(path, intent) => {
                fs::create_dir_all(path).map_err(RunError::unwritable(path))?;
                let lock = Lock::take(path)?;
                // It may have changed while the simulation was built.
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

    /// Whether a run that the folder holds is to be replaced.
    pub(crate) fn replaces(&self) -> bool {
        self.intent == Intent::Replace
    }

    /// Whether a run that the folder holds is resumed.
    pub(crate) fn goes_on(&self) -> bool {
        self.intent == Intent::Continue
    }
}

/// What is to be done, by what the folder holds: start, replace or resume.
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
            "{shown} holds no run to resume; start one with Intent::ContinueOrBegin instead of Intent::Continue, which also resumes it later"
        ))),
        Intent::ContinueOrBegin if is_part(path) && has_checkpoint(path) => Ok(Intent::Continue),
        // A run that was killed before its first checkpoint, or makes none, cannot be resumed.
        Intent::ContinueOrBegin if is_part(path) => Ok(Intent::Replace),
        Intent::ContinueOrBegin => Ok(Intent::Begin),
        Intent::Begin | Intent::Replace | Intent::Continue => Ok(intent),
    }
}

/// Makes `runs/<name>-<n>` with the least n above all that are there.
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
