//! [`Reading`]: how far the reading of a file has come, for a progress bar.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    static WATCHED: RefCell<Option<Arc<Reading>>> = const { RefCell::new(None) };
}

/// How far the reading of the present file has come. Another thread may read it.
///
/// A file is loaded first and then parsed. For formats that are read line by line (OBJ, OFF, PLY and other
/// texts), which take longest, both are counted; for the others, which take little longer than their loading,
/// only the loading.
///
/// ```
/// use std::sync::Arc;
/// use pliant_io::{Format, Reading, read_mesh_bytes};
///
/// let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let reading = Arc::new(Reading::default());
/// reading.watch(|| read_mesh_bytes(Format::Obj, text, "triangle.obj"))?;
/// assert_eq!(reading.understood(), text.len() as u64);
/// # Ok::<(), pliant_io::ImportError>(())
/// ```
#[derive(Debug, Default)]
pub struct Reading {
    total: AtomicU64,
    loaded: AtomicU64,
    understood: AtomicU64,
}

impl Reading {
    /// Size of the file that is being read, bytes; zero while none is.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    /// Bytes loaded.
    #[must_use]
    pub fn loaded(&self) -> u64 {
        self.loaded.load(Ordering::Relaxed)
    }

    /// Bytes parsed, if that is counted.
    #[must_use]
    pub fn understood(&self) -> u64 {
        self.understood.load(Ordering::Relaxed)
    }

    /// Counts what `read` reads on this thread.
    pub fn watch<R>(self: &Arc<Self>, read: impl FnOnce() -> R) -> R {
        /// Restores the previous observer, also after a panic.
        struct Restore(Option<Arc<Reading>>);
        impl Drop for Restore {
            fn drop(&mut self) {
                WATCHED.set(self.0.take());
            }
        }
        let _restore = Restore(WATCHED.replace(Some(Arc::clone(self))));
        read()
    }

    /// The observer of this thread.
    pub(crate) fn watching() -> Option<Arc<Self>> {
        WATCHED.with_borrow(Clone::clone)
    }

    /// A file of so many bytes begins.
    pub(crate) fn begin(&self, total: u64) {
        self.loaded.store(0, Ordering::Relaxed);
        self.understood.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// The file is read.
    pub(crate) fn end(&self) {
        self.total.store(0, Ordering::Relaxed);
    }

    pub(crate) fn set_loaded(&self, bytes: u64) {
        self.loaded.store(bytes, Ordering::Relaxed);
    }

    pub(crate) fn set_understood(&self, bytes: u64) {
        self.understood.store(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_mesh;

    #[test]
    fn files_are_counted_while_they_are_watched_and_only_then() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obj");
        let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned() + &"f 1 2 3\n".repeat(1000);
        std::fs::write(&path, &text).unwrap();
        let (outer, inner) = (Arc::new(Reading::default()), Arc::new(Reading::default()));
        outer.watch(|| {
            inner.watch(|| read_mesh(&path)).unwrap();
            assert_eq!((inner.loaded(), inner.understood()), (text.len() as u64, text.len() as u64));
            assert_eq!((inner.total(), outer.loaded()), (0, 0));
            read_mesh(&path).unwrap();
        });
        assert_eq!(outer.loaded(), text.len() as u64);
        std::fs::write(&path, "v 0 0 0\n").unwrap();
        read_mesh(&path).unwrap_err();
        assert_eq!(outer.loaded(), text.len() as u64);
        // A file that cannot be read is no longer being read either.
        inner.watch(|| read_mesh(&path)).unwrap_err();
        assert_eq!(inner.total(), 0);
    }
}
