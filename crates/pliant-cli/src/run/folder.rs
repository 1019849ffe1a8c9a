//! [`Folder`]: where a run goes, and how it is told from other files.
//!
//! While a run goes on, its folder holds `run.unfinished`, which lists every file before it is begun. Last of all comes `run.json`, in one step, and
//! `run.unfinished` goes. So a folder with `run.json` holds a whole run, one with `run.unfinished` a part of one, and either says which files
//! are the run's own: those, and no others, are what `--force` deletes.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use super::{from_slashes, visible_file};
use crate::error::CliError;

const COMPLETE: &str = "run.json";
const UNFINISHED: &str = "run.unfinished";
const HEADING: &str = "# This run was not finished. It wrote these files:";
/// The folders that a run makes in its own.
const FOLDERS: [&str; 11] = [
    "vtu",
    "tetrahedra",
    "pc2",
    "mdd",
    "usda",
    "obj",
    "ply",
    "glb",
    crate::saved::FOLDER,
    super::repaired::FOLDER,
    super::journal::FOLDER,
];

/// What a run is made from.
pub(crate) struct Origin {
    /// Its name.
    pub(crate) name: String,
    /// The name of its copy in the folder: `scene.toml`.
    pub(crate) copy: &'static str,
    /// What its file says.
    pub(crate) text: String,
}

/// Where a run is to go.
#[derive(Debug)]
pub(crate) enum Place {
    /// The folder given.
    Given(PathBuf),
    /// The next free `runs/<scene>-<n>`.
    Numbered(String),
}

impl Place {
    /// Looks, without touching anything, whether the folder can be had.
    pub(crate) fn choose(given: Option<&Path>, name: &str, force: bool) -> Result<Self, CliError> {
        let Some(path) = given else { return Ok(Self::Numbered(name.to_owned())) };
        if let Ok(meta) = fs::metadata(path) {
            if !meta.is_dir() {
                let path = path.display();
                return Err(CliError::Refused(format!(
                    "{path} is not a directory; give a folder for the run"
                )));
            }
            if holds_run(path) && !force {
                let path = path.display();
                return Err(CliError::Refused(format!(
                    "{path} already holds a run; choose another folder, or replace that run with --force"
                )));
            }
        }
        Ok(Self::Given(path.to_owned()))
    }
}

fn holds_run(path: &Path) -> bool {
    [COMPLETE, UNFINISHED].iter().any(|marker| path.join(marker).symlink_metadata().is_ok())
}

/// The folder of a run that is going on.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    list: File,
    files: Vec<String>,
}

impl Folder {
    /// Makes the folder, or clears it of the run that it holds, and puts a copy of what it is made from into it.
    pub(crate) fn create(place: &Place, origin: &Origin, force: bool) -> Result<Self, CliError> {
        let path = match place {
            Place::Given(path) => {
                fs::create_dir_all(path).map_err(CliError::unwritable(path))?;
                if force && holds_run(path) {
                    clear(path)?;
                }
                refuse_foreign(path, origin)?;
                path.clone()
            }
            Place::Numbered(name) => next_free(name)?,
        };
        let marker = path.join(UNFINISHED);
        let opened = OpenOptions::new().append(true).create_new(true).open(&marker);
        let mut list = opened.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => CliError::Refused(format!(
                "another run has just begun in {}; choose another folder",
                path.display()
            )),
            _ => CliError::unwritable(&path)(error),
        })?;
        lock(&list, &path)?;
        writeln!(list, "{HEADING}").map_err(CliError::unwritable(&path))?;
        let mut folder = Self { path, list, files: Vec::new() };
        let copy = folder.announce(origin.copy)?;
        fs::write(&copy, &origin.text).map_err(CliError::unwritable(&copy))?;
        Ok(folder)
    }

    /// Whether the folder holds a part of a run.
    pub(crate) fn holds_part(path: &Path) -> bool {
        path.join(UNFINISHED).is_file() && !path.join(COMPLETE).exists()
    }

    /// Opens the folder of a run that was interrupted, to go on with it: nothing in it is touched but what a killed program was writing.
    pub(crate) fn reopen(path: &Path, origin: &Origin) -> Result<Self, CliError> {
        let shown = path.display();
        let marker = path.join(UNFINISHED);
        if path.join(COMPLETE).exists() {
            return Err(CliError::Refused(format!(
                "the run in {shown} is finished: there is nothing to go on with"
            )));
        }
        if !marker.is_file() {
            return Err(CliError::Refused(format!(
                "{shown} holds no run to go on with; leave out --continue to begin one"
            )));
        }
        let files: BTreeSet<PathBuf> = files_of_run(path)?.iter().map(|name| from_slashes(name)).collect();
        let list = OpenOptions::new().append(true).open(&marker).map_err(CliError::unwritable(path))?;
        lock(&list, path)?;
        let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        for folder in folders.into_iter().chain([Path::new(super::journal::FOLDER)]) {
            remove_parts(path, folder, &files)?;
        }
        let mut folder = Self { path: path.to_owned(), list, files: Vec::new() };
        let copy = folder.announce(origin.copy)?;
        // It says what the run is made from even if a kill came before it was written.
        fs::write(&copy, &origin.text).map_err(CliError::unwritable(&copy))?;
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The files of the run so far, with slashes, relative to the folder.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// Writes down that a file will be written, and returns its path.
    pub(crate) fn announce(&mut self, name: &str) -> Result<PathBuf, CliError> {
        writeln!(self.list, "{name}").map_err(CliError::io(&self.path.join(UNFINISHED)))?;
        self.files.push(name.to_owned());
        Ok(self.path.join(from_slashes(name)))
    }

    /// Writes a small file in one step.
    pub(super) fn write(&mut self, name: &str, text: &str) -> Result<(), CliError> {
        let path = self.announce(name)?;
        super::write_whole(&path, text)
    }

    /// Makes the run a whole one, by its report as JSON.
    pub(crate) fn finish(self, report: &str) -> Result<(), CliError> {
        let path = self.path.join(COMPLETE);
        let mut file = visible_file(&self.path).map_err(CliError::io(&path))?;
        file.write_all(report.as_bytes()).map_err(CliError::io(&path))?;
        file.persist(&path).map_err(|error| CliError::io(&path)(error.error))?;
        drop(self.list);
        remove_journal(&self.path)?;
        let marker = self.path.join(UNFINISHED);
        fs::remove_file(&marker).map_err(CliError::io(&marker))
    }
}

/// Holds the list of a run for as long as it goes on, so that no other goes on with it meanwhile.
fn lock(list: &File, path: &Path) -> Result<(), CliError> {
    match list.try_lock() {
        Err(TryLockError::WouldBlock) => Err(CliError::Refused(format!(
            "the run in {} is still going on in another program",
            path.display()
        ))),
        // Some file systems cannot lock.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Removes what a run needs only until it is whole.
fn remove_journal(path: &Path) -> Result<(), CliError> {
    let inner = path.join(super::journal::FOLDER);
    if inner.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
        for file in super::journal::FILES {
            remove(&path.join(from_slashes(file)))?;
        }
        remove_parts(path, Path::new(super::journal::FOLDER), &BTreeSet::new())?;
        // One that holds other files stays.
        let _ = fs::remove_dir(inner);
    }
    Ok(())
}

/// Makes `runs/<name>-<n>` with the least n above all that are there.
fn next_free(name: &str) -> Result<PathBuf, CliError> {
    let runs = Path::new("runs");
    fs::create_dir_all(runs).map_err(CliError::unwritable(runs))?;
    let entries = fs::read_dir(runs).map_err(CliError::unwritable(runs))?;
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
            Err(error) => return Err(CliError::unwritable(&path)(error)),
        }
    }
}

/// Refuses to write over what no run wrote.
fn refuse_foreign(path: &Path, origin: &Origin) -> Result<(), CliError> {
    let index = format!("{}.pvd", origin.name);
    let names = FOLDERS.into_iter().chain([origin.copy, &index]);
    match names.into_iter().find(|name| path.join(name).symlink_metadata().is_ok()) {
        None => Ok(()),
        Some(name) => Err(CliError::Refused(format!(
            "{} holds {name}, which is not part of a run and would be overwritten; choose another folder",
            path.display()
        ))),
    }
}

/// Deletes the files of the run that the folder holds, and the folders that this leaves empty.
fn clear(path: &Path) -> Result<(), CliError> {
    let files: BTreeSet<PathBuf> = files_of_run(path)?.iter().map(|name| from_slashes(name)).collect();
    let mut folders = BTreeSet::from([PathBuf::new()]);
    for file in files.iter().filter(|file| is_plain(path, file)) {
        remove(&path.join(file))?;
        folders.extend(file.ancestors().skip(1).map(Path::to_owned));
    }
    // The deepest first; one that holds other files stays.
    for folder in folders.iter().rev() {
        remove_parts(path, folder, &files)?;
        if !folder.as_os_str().is_empty() {
            let _ = fs::remove_dir(path.join(folder));
        }
    }
    remove_journal(path)?;
    // The markers last: should something above fail, the folder still tells what it is.
    remove(&path.join(COMPLETE))?;
    remove(&path.join(UNFINISHED))
}

/// The files that the run in the folder wrote or was about to write.
fn files_of_run(path: &Path) -> Result<BTreeSet<String>, CliError> {
    let mut files = BTreeSet::new();
    let complete = path.join(COMPLETE);
    if complete.symlink_metadata().is_ok() {
        let foreign = || {
            CliError::Refused(format!(
                "{} does not tell which files its run wrote; choose another folder",
                complete.display()
            ))
        };
        let text = fs::read_to_string(&complete).map_err(CliError::unwritable(&complete))?;
        let report: serde_json::Value = serde_json::from_str(&text).map_err(|_| foreign())?;
        let list = report.get("files").and_then(|files| files.as_array()).ok_or_else(foreign)?;
        files.extend(list.iter().filter_map(|file| file.as_str()).map(str::to_owned));
    }
    let unfinished = path.join(UNFINISHED);
    if unfinished.symlink_metadata().is_ok() {
        let text = fs::read_to_string(&unfinished).map_err(CliError::unwritable(&unfinished))?;
        let mut lines = text.lines();
        if lines.next().is_some_and(|heading| heading != HEADING) {
            let marker = unfinished.display();
            return Err(CliError::Refused(format!(
                "{marker} was not written by a run; choose another folder"
            )));
        }
        files.extend(lines.map(str::to_owned));
    }
    Ok(files)
}

/// Whether a name leads to a place within the folder, without detours and not through links.
fn is_plain(folder: &Path, relative: &Path) -> bool {
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    let through_folders = relative.ancestors().skip(1).filter(|f| !f.as_os_str().is_empty()).all(|inner| {
        // What is not there cannot lead astray.
        folder.join(inner).symlink_metadata().map_or(true, |meta| meta.is_dir())
    });
    plain && !relative.as_os_str().is_empty() && through_folders
}

/// Removes a file that may be missing.
fn remove(file: &Path) -> Result<(), CliError> {
    match fs::symlink_metadata(file) {
        Ok(meta) if !meta.is_dir() => fs::remove_file(file).map_err(CliError::unwritable(file)),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Removes what a run that was killed left of the files that it was writing in a folder: `.NAME.*.part` for a file NAME of the run.
fn remove_parts(path: &Path, folder: &Path, files: &BTreeSet<PathBuf>) -> Result<(), CliError> {
    let own =
        [Path::new(""), Path::new(super::journal::FOLDER), Path::new(crate::saved::FOLDER)].contains(&folder);
    let Ok(entries) = fs::read_dir(path.join(folder)) else { return Ok(()) };
    for entry in entries.flatten() {
        let part = entry.file_name();
        let Some(name) = part.to_str().and_then(name_of_part) else { continue };
        // Files that come in one step at the end pass through a name of the program's own.
        if files.contains(&folder.join(name)) || (name == "pliant" && own) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// NAME of `.NAME.*.part`.
fn name_of_part(part: &str) -> Option<&str> {
    Some(part.strip_prefix('.')?.strip_suffix(".part")?.rsplit_once('.')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("run/vtu")).unwrap();
        fs::write(root.join("precious"), "").unwrap();
        fs::write(root.join("run/vtu/a.vtu"), "").unwrap();
        fs::write(root.join("run/vtu/mine"), "").unwrap();
        for part in [".x.pc2.Ab.part", "vtu/.a.vtu.Cd.part", ".pliant.Ef.part"] {
            fs::write(root.join("run").join(part), "").unwrap();
        }
        fs::write(root.join("run/.mine.Gh.part"), "").unwrap();
        let list = format!(
            "{HEADING}\nvtu/a.vtu\n../precious\n{}/precious\nmissing\nx.pc2\nvtu\n\n",
            root.display()
        );
        fs::write(root.join("run").join(UNFINISHED), list).unwrap();
        clear(&root.join("run")).unwrap();
        assert!(root.join("precious").exists() && root.join("run/vtu/mine").exists());
        assert!(!root.join("run/vtu/a.vtu").exists() && !holds_run(&root.join("run")));
        let left = |inner: &str| {
            let entries = fs::read_dir(root.join(inner)).unwrap();
            let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        assert_eq!(left("run"), [".mine.Gh.part", "vtu"]);
        assert_eq!(left("run/vtu"), ["mine"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("other")).unwrap();
        fs::create_dir_all(root.join("run")).unwrap();
        fs::write(root.join("other/a.vtu"), "").unwrap();
        std::os::unix::fs::symlink(root.join("other"), root.join("run/vtu")).unwrap();
        fs::write(root.join("run").join(UNFINISHED), format!("{HEADING}\nvtu/a.vtu\n")).unwrap();
        clear(&root.join("run")).unwrap();
        assert!(root.join("other/a.vtu").exists());
    }

    #[test]
    fn markers_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        for (marker, text) in
            [(COMPLETE, "{\"trains\": 3}"), (COMPLETE, "not JSON"), (UNFINISHED, "my notes\na\n")]
        {
            fs::write(folder.path().join(marker), text).unwrap();
            assert!(matches!(clear(folder.path()), Err(CliError::Refused(_))), "{text}");
            assert!(folder.path().join(marker).exists());
            fs::remove_file(folder.path().join(marker)).unwrap();
        }
    }
}
