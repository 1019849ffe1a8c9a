//! [`Lock`]: a folder belongs to one run at a time.
//!
//! A run holds an advisory lock of the operating system on `run.lock` in its folder from before it touches
//! anything until it has written everything. The lock ends with the process, however the process ends, so a
//! lock file that a killed run leaves does not block the next run. But a process that is killed keeps its
//! locks until its threads have ended and its memory is freed, a moment after the signal, so a folder counts
//! as taken only if it is still locked after [`PATIENCE`].

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::RunError;

const NAME: &str = "run.lock";
/// How long a lock is waited for before another run counts as still in progress.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is looked at meanwhile.
const INTERVAL: Duration = Duration::from_millis(10);

/// A folder that no other run can take; it is released when this is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    // Locked while it is open. `None` if the file system cannot lock.
    file: Option<File>,
}

impl Lock {
    /// Takes an existing folder, or refuses because another run has it.
    pub(crate) fn take(folder: &Path) -> Result<Self, RunError> {
        patiently(|| Self::take_now(folder))
    }

    fn take_now(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(NAME);
        loop {
            let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
            let mut file = opened.map_err(RunError::unwritable(folder))?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(taken(folder)),
                // Another run has just finished and removed the file that was opened here.
                Ok(()) if !is_at(&file, &path) => {}
                Ok(()) => {
                    // For the message of other processes; without it they cannot name this one.
                    let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
                    return Ok(Self { path, file: Some(file) });
                }
                Err(TryLockError::Error(_)) => return Ok(Self { path, file: None }),
            }
        }
    }

    /// Refuses if a run has the folder, without touching anything.
    pub(crate) fn look(folder: &Path) -> Result<(), RunError> {
        patiently(|| Self::look_now(folder))
    }

    fn look_now(folder: &Path) -> Result<(), RunError> {
        // A file that cannot be opened is reported where it is used.
        let Ok(file) = OpenOptions::new().write(true).open(folder.join(NAME)) else { return Ok(()) };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(taken(folder)),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is still locked: a process that waits for the file finds that it is gone.
        let _ = fs::remove_file(&self.path);
        drop(self.file.take());
    }
}

/// Tries until it is not refused because of another run, for as long as such a run may be about to end.
fn patiently<R>(attempt: impl Fn() -> Result<R, RunError>) -> Result<R, RunError> {
    let begun = Instant::now();
    loop {
        match attempt() {
            Err(RunError::Taken { .. }) if begun.elapsed() < PATIENCE => thread::sleep(INTERVAL),
            outcome => return outcome,
        }
    }
}

/// Whether an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(there)) => (open.dev(), open.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Whether an open file is the one at a path, as far as can be known.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

fn taken(folder: &Path) -> RunError {
    let text = fs::read_to_string(folder.join(NAME)).ok();
    RunError::Taken { folder: folder.to_owned(), process: text.and_then(|text| text.trim().parse().ok()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_belongs_to_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        Lock::look(path).unwrap();
        assert!(!path.join(NAME).exists());
        let lock = Lock::take(path).unwrap();
        for refused in [Lock::take(path).map(drop), Lock::look(path)] {
            let text = refused.unwrap_err().to_string();
            assert!(text.contains("still in progress"), "{text}");
            if cfg!(unix) {
                assert!(text.contains(&format!("(process {})", std::process::id())), "{text}");
            }
        }
        drop(lock);
        assert!(!path.join(NAME).exists());
        // The file that a killed run leaves is not locked.
        fs::write(path.join(NAME), "4194305000\n").unwrap();
        Lock::look(path).unwrap();
        drop(Lock::take(path).unwrap());
    }

    #[test]
    fn a_folder_that_is_let_go_in_a_moment_is_had() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        thread::scope(|scope| {
            let waits = scope.spawn(|| Lock::take(folder.path()).map(drop));
            // Long enough for the other to have been refused at least once, if it did not wait.
            thread::sleep(20 * INTERVAL);
            drop(lock);
            waits.join().unwrap().unwrap();
        });
    }

    #[test]
    fn of_many_that_take_and_let_go_one_has_it() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let folder = tempfile::tempdir().unwrap();
        let (inside, had) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let Ok(lock) = Lock::take_now(folder.path()) else { continue };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        had.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(had.into_inner() >= 4);
    }
}
