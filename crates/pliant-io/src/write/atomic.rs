//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::ExportError;

/// A file that is being written, beside its place under another name, and renamed by [`AtomicFile::commit`]. Dropped
/// before, it leaves nothing, unless it is [kept](AtomicFile::keep).
pub(crate) struct AtomicFile {
    path: PathBuf,
    file: BufWriter<PartialFile>,
}

/// What stands beside the place of a file.
enum PartialFile {
    /// Goes when it is dropped.
    Passing(NamedTempFile),
    /// Stays at its path.
    Kept(File, PathBuf),
}

impl PartialFile {
    fn file(&mut self) -> &mut File {
        match self {
            Self::Passing(file) => file.as_file_mut(),
            Self::Kept(file, _) => file,
        }
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

impl Seek for PartialFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file().seek(to)
    }
}

impl AtomicFile {
    /// Begins a file that will stand at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self, ExportError> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".part");
        // Temporary files are private by default; this one is to become a file like any other.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(ExportError::io(path))?;
        Ok(Self::of(path, PartialFile::Passing(file)))
    }

    /// Begins a file that stays beside its place, as `.NAME.kept.part`, if it is dropped before it is whole.
    pub(crate) fn keep(path: &Path) -> Result<Self, ExportError> {
        let part = kept(path);
        let file = File::create(&part).map_err(ExportError::io(path))?;
        Ok(Self::of(path, PartialFile::Kept(file, part)))
    }

    /// Goes on with a file that was kept, behind its first `length` bytes.
    pub(crate) fn reopen(path: &Path, length: u64) -> Result<Self, ExportError> {
        let part = kept(path);
        let open = || {
            // It may have been put in its place, and not what was to come with it.
            if !part.exists() && path.exists() {
                std::fs::rename(path, &part)?;
            }
            let mut file = OpenOptions::new().read(true).write(true).open(&part)?;
            let found = file.metadata()?.len();
            if found < length {
                let what = format!("{} has {found} bytes and should have {length}", part.display());
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
            }
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(ExportError::io(path))?;
        Ok(Self::of(path, PartialFile::Kept(file, part)))
    }

    fn of(path: &Path, part: PartialFile) -> Self {
        Self { path: path.to_owned(), file: BufWriter::with_capacity(1 << 16, part) }
    }

    /// Hands what was written to the operating system.
    pub(crate) fn flush(&mut self) -> Result<(), ExportError> {
        self.file.flush().map_err(ExportError::io(&self.path))
    }

    /// Where the file will stand.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes with `write`, for the path in the error.
    pub(crate) fn write_with(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        write(&mut self.file).map_err(ExportError::io(&self.path))
    }

    /// Overwrites bytes at an offset from the beginning; what is written next goes behind them.
    pub(crate) fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<(), ExportError> {
        let patched = self.file.seek(SeekFrom::Start(offset)).and_then(|_| self.file.write_all(bytes));
        patched.map_err(ExportError::io(&self.path))
    }

    /// Puts the file in its place, in one step, over whatever stands there.
    pub(crate) fn commit(self) -> Result<PathBuf, ExportError> {
        let Self { path, file } = self;
        let file = file.into_inner().map_err(|error| ExportError::io(&path)(error.into_error()))?;
        match file {
            PartialFile::Passing(file) => {
                file.persist(&path).map_err(|error| ExportError::io(&path)(error.error))?;
            }
            PartialFile::Kept(_, part) => std::fs::rename(part, &path).map_err(ExportError::io(&path))?,
        }
        Ok(path)
    }
}

/// Where the parts of a file are kept until it is whole.
fn kept(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".kept.part");
    path.with_file_name(name)
}

/// A file without a name in the folder of `path`, which is made if it is missing, for what has to wait for the end.
pub(crate) fn scratch(path: &Path) -> Result<File, ExportError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).map_err(ExportError::io(folder))?;
    tempfile::tempfile_in(folder).map_err(ExportError::io(path))
}

/// Writes a whole file in one step.
pub(crate) fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), ExportError> {
    let mut file = AtomicFile::create(path)?;
    file.write_with(write)?;
    file.commit().map(|_| ())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn nothing_is_seen_before_the_end_or_after_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_with(|w| w.write_all(b"one two")).unwrap();
        assert!(!path.exists());
        file.patch(0, b"ONE").unwrap();
        assert_eq!(file.commit().unwrap(), path);
        assert_eq!(fs::read(&path).unwrap(), b"ONE two");

        let failed = write_file(&path, |w| {
            w.write_all(b"half")?;
            Err(io::Error::other("disc full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), format!("cannot write {}: disc full", path.display()));
        assert_eq!(fs::read(&path).unwrap(), b"ONE two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_as_with_any_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [ours, plain] = ["a", "b"].map(|name| folder.path().join(name));
        write_file(&ours, |_| Ok(())).unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
