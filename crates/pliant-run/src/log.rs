//! [`Log`]: a file that only grows, with a checksum of its valid part.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use crate::error::RunError;

/// The beginning of a log: its length, and the CRC-32 of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Extent {
    pub(crate) bytes: u64,
    checksum: u32,
}

/// A file that only grows.
pub(crate) struct Log {
    path: PathBuf,
    file: BufWriter<File>,
    bytes: u64,
    hasher: Hasher,
}

impl Log {
    /// Creates an empty log.
    pub(crate) fn create(path: PathBuf) -> Result<Self, RunError> {
        let file = File::create(&path).map(BufWriter::new).map_err(RunError::unwritable(&path))?;
        Ok(Self { path, file, bytes: 0, hasher: Hasher::new() })
    }

    /// Continues after an extent that has been checked; everything after it is dropped.
    pub(crate) fn reopen(path: PathBuf, extent: Extent) -> Result<Self, RunError> {
        let file = OpenOptions::new().append(true).open(&path).map_err(RunError::unwritable(&path))?;
        file.set_len(extent.bytes).map_err(RunError::unwritable(&path))?;
        let hasher = Hasher::new_with_initial_len(extent.checksum, extent.bytes);
        Ok(Self { path, file: BufWriter::new(file), bytes: extent.bytes, hasher })
    }

    /// Adds bytes.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        self.file.write_all(bytes).map_err(RunError::io(&self.path))?;
        self.bytes += bytes.len() as u64;
        self.hasher.update(bytes);
        Ok(())
    }

    /// Flushes everything to the disk, and returns the extent of the log.
    pub(crate) fn sync(&mut self) -> Result<Extent, RunError> {
        self.file.flush().and_then(|()| self.file.get_ref().sync_data()).map_err(RunError::io(&self.path))?;
        Ok(Extent { bytes: self.bytes, checksum: self.hasher.clone().finalize() })
    }
}

impl Extent {
    /// Reads the beginning of a file piece by piece and passes it to `take`; returns whether it is complete
    /// and unchanged.
    pub(crate) fn read(self, path: &Path, mut take: impl FnMut(&[u8])) -> io::Result<bool> {
        let mut file = File::open(path)?.take(self.bytes);
        let (mut hasher, mut left) = (Hasher::new(), self.bytes);
        let mut piece = vec![0; 1 << 16];
        loop {
            let count = file.read(&mut piece)?;
            if count == 0 {
                return Ok(left == 0 && hasher.finalize() == self.checksum);
            }
            hasher.update(&piece[..count]);
            take(&piece[..count]);
            left -= count as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_is_good_until_a_byte_of_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = Log::create(path.clone()).unwrap();
        log.append(b"one ").unwrap();
        let one = log.sync().unwrap();
        log.append(b"lost").unwrap();
        drop(log);
        let mut log = Log::reopen(path.clone(), one).unwrap();
        log.append(b"two").unwrap();
        let two = log.sync().unwrap();
        let read = |extent: Extent| {
            let mut all = Vec::new();
            (extent.read(&path, |piece| all.extend_from_slice(piece)).unwrap(), all)
        };
        assert_eq!((read(one), read(two)), ((true, b"one ".to_vec()), (true, b"one two".to_vec())));
        std::fs::write(&path, "one tvo").unwrap();
        assert_eq!((read(one).0, read(two).0), (true, false));
        std::fs::write(&path, "one").unwrap();
        assert!(!read(one).0);
    }
}
