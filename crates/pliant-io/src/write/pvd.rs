//! [`Index`]: the PVD file of a series, which grows in place.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::ExportError;
use super::atomic::write_file;

const HEAD: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
const TAIL: &str = "</Collection>\n</VTKFile>\n";

/// The index of a series. An entry takes the place of the closing tags and brings them along, in one call to the
/// operating system: between two calls the file is a whole one, and an entry costs the same however many there are.
pub(super) struct Index {
    path: PathBuf,
    /// The file once it is there, and where its closing tags begin.
    open: Option<(File, u64)>,
}

impl Index {
    /// An index that appears with its first entry.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, open: None }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts an index of these entries in its place, in one step, over whatever stands there.
    pub(super) fn replace(&mut self, entries: &str) -> Result<(), ExportError> {
        write_file(&self.path, |out| write!(out, "{HEAD}{entries}{TAIL}"))?;
        let file = OpenOptions::new().write(true).open(&self.path).map_err(ExportError::io(&self.path))?;
        self.open = Some((file, (HEAD.len() + entries.len()) as u64));
        Ok(())
    }

    /// Adds an entry.
    pub(super) fn add(&mut self, entry: &str) -> Result<(), ExportError> {
        let Some((file, end)) = &mut self.open else { return self.replace(entry) };
        let added = file.seek(SeekFrom::Start(*end)).and_then(|_| {
            // In one call: what is killed before or after it leaves a whole file.
            file.write_all(format!("{entry}{TAIL}").as_bytes())
        });
        added.map_err(ExportError::io(&self.path))?;
        *end += entry.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn it_is_whole_after_every_entry() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pvd");
        let mut index = Index::new(path.clone());
        let mut entries = String::new();
        for k in 0..12 {
            let entry = format!("<DataSet timestep=\"{}\" file=\"{k}\"/>\n", 10_i32.pow(k % 4));
            index.add(&entry).unwrap();
            entries += &entry;
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{HEAD}{entries}{TAIL}"));
        }
        // Fewer take the place of more.
        let mut again = Index::new(path.clone());
        again.replace("<DataSet/>\n").unwrap();
        again.add("<DataSet/>\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{HEAD}<DataSet/>\n<DataSet/>\n{TAIL}"));
    }
}
