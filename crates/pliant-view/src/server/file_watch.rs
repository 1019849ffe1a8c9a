//! [`FileWatch`]: whether a file has changed.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// How often the file is looked at.
const EVERY: Duration = Duration::from_millis(150);

/// Larger files are compared by their times and lengths, bytes.
const SMALL: u64 = 1 << 20;

/// Whether a file has changed: by its time and its length, and if it is small by its content, because times are coarse.
#[derive(Debug)]
pub(super) struct FileWatch {
    path: PathBuf,
    seen: Option<(SystemTime, u64, Vec<u8>)>,
    looked: Instant,
}

impl FileWatch {
    pub(super) fn new(path: PathBuf) -> Self {
        let mut watch = Self { path, seen: None, looked: Instant::now() };
        watch.seen = watch.state();
        watch
    }

    fn state(&self) -> Option<(SystemTime, u64, Vec<u8>)> {
        let meta = std::fs::metadata(&self.path).ok()?;
        let content = if meta.len() <= SMALL { std::fs::read(&self.path).ok()? } else { Vec::new() };
        Some((meta.modified().ok()?, meta.len(), content))
    }

    /// Whether it has changed since it was last asked. A file that is gone for a moment, as editors make it,
    /// has not.
    pub(super) fn has_changed(&mut self) -> bool {
        if self.looked.elapsed() < EVERY {
            return false;
        }
        self.looked = Instant::now();
        let state = self.state();
        if state.is_none() || state == self.seen {
            return false;
        }
        self.seen = state;
        true
    }
}
