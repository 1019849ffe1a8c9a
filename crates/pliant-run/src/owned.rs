//! [`Owned`]: the files in a folder that belong to the run that it holds, and how they are deleted.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use pliant_scene::EndState;

use crate::error::RunError;
use crate::files::{from_slashes, write_whole};
use crate::names::{
    ANIMATION, COMPLETE, HEADING, JOURNAL, JOURNAL_FILES, MULTIPLIERS, Origin, PLOTS, REPAIRED, SHEET,
    UNFINISHED,
};

/// The folders that a run creates in its own.
const FOLDERS: [&str; 13] = [
    "vtu",
    "tetrahedra",
    "triangles",
    "pc2",
    "mdd",
    "usda",
    "obj",
    "ply",
    "glb",
    PLOTS,
    MULTIPLIERS,
    REPAIRED,
    JOURNAL,
];
/// The files that every run may create beside them.
const FILES: [&str; 7] =
    ["scene.toml", "stack.toml", "certificate.json", "certificate.csv", EndState::FILE, SHEET, ANIMATION];

/// The files that the run in a folder wrote or was about to write.
#[derive(Debug, Default)]
pub(crate) struct Owned {
    files: BTreeSet<PathBuf>,
    /// Whether there is a run at all.
    is_run: bool,
}

impl Owned {
    /// Reads the lists in a folder; a folder without a run has none.
    pub(crate) fn read(path: &Path) -> Result<Self, RunError> {
        let mut owned = Self::default();
        let complete = path.join(COMPLETE);
        if complete.symlink_metadata().is_ok() {
            let foreign = || {
                RunError::Refused(format!(
                    "{} does not list the files that its run wrote; choose another folder",
                    complete.display()
                ))
            };
            let text = fs::read_to_string(&complete).map_err(RunError::unwritable(&complete))?;
            let report: serde_json::Value = serde_json::from_str(&text).map_err(|_| foreign())?;
            let list = report.get("files").and_then(|files| files.as_array()).ok_or_else(foreign)?;
            owned.add(list.iter().filter_map(|file| file.as_str()));
        }
        let unfinished = path.join(UNFINISHED);
        if unfinished.symlink_metadata().is_ok() {
            let text = fs::read_to_string(&unfinished).map_err(RunError::unwritable(&unfinished))?;
            let (heading, names) = text.split_once('\n').unwrap_or((&text, ""));
            // A kill may leave an incomplete line.
            if heading != HEADING && !HEADING.starts_with(text.as_str()) {
                let marker = unfinished.display();
                return Err(RunError::Refused(format!(
                    "{marker} was not written by a run; choose another folder"
                )));
            }
            // A file named by an incomplete line was not begun.
            let lines = names.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
            owned.add(lines.filter(|line| !line.is_empty()));
        }
        Ok(owned)
    }

    fn add<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        self.is_run = true;
        self.files.extend(names.map(from_slashes));
    }

    /// Refuses, with nothing touched, if the lists name files that no run writes, or if files that are not
    /// the run's are where a new run would write.
    pub(crate) fn check(&self, path: &Path, origin: &Origin) -> Result<(), RunError> {
        let shown = path.display();
        if let Some(file) = self.files.iter().find(|file| !is_of_a_run(file)) {
            return Err(RunError::Refused(format!(
                "the list of the run in {shown} has {}, which no run writes; nothing was touched: choose another folder",
                file.display()
            )));
        }
        let index = format!("{}.pvd", origin.name);
        let names = FOLDERS.into_iter().chain([origin.copy, &index]);
        for name in names.map(Path::new) {
            if let Some(file) = self.foreign(path, name) {
                return Err(RunError::Refused(format!(
                    "{shown} holds {}, which is not part of a run and could be overwritten; nothing was touched: move it away, or choose another folder",
                    file.display()
                )));
            }
        }
        Ok(())
    }

    /// The first file at a place, or below it, that is not the run's; links are not followed.
    fn foreign(&self, root: &Path, at: &Path) -> Option<PathBuf> {
        let meta = root.join(at).symlink_metadata().ok()?;
        if !meta.is_dir() {
            return (!self.holds(at)).then(|| at.to_owned());
        }
        // A folder that cannot be read is not deleted.
        let Ok(entries) = fs::read_dir(root.join(at)) else { return Some(at.to_owned()) };
        let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        // The journal is in no list; other files beside it do not matter.
        let is_journal = self.is_run && at == Path::new(JOURNAL);
        names.iter().filter(|_| !is_journal).find_map(|name| self.foreign(root, &at.join(name)))
    }

    /// Whether a file is the run's, or the rest of one that a killed run left.
    fn holds(&self, file: &Path) -> bool {
        self.files.contains(file) || self.is_part(file)
    }

    /// Whether a file is one that a killed run left while it was writing: `.NAME.*.part` for a file NAME of the run.
    fn is_part(&self, file: &Path) -> bool {
        let (Some(folder), Some(part)) = (file.parent(), file.file_name()) else { return false };
        // Files that are written in one step have a temporary name of the program at first.
        let own = ["", JOURNAL, MULTIPLIERS].map(Path::new).contains(&folder);
        let name = part.to_str().and_then(name_of_part);
        name.is_some_and(|name| self.files.contains(&folder.join(name)) || (name == "pliant" && own))
    }

    /// Deletes the files, and the folders that become empty, the markers last.
    ///
    /// From the first step on the folder is marked as a part of a run, so that after a kill at any moment the
    /// rest can still be deleted.
    pub(crate) fn delete(&self, path: &Path) -> Result<(), RunError> {
        if path.join(COMPLETE).symlink_metadata().is_ok() {
            let names = self.files.iter().map(|file| to_slashes(file) + "\n");
            write_whole(&path.join(UNFINISHED), &format!("{HEADING}\n{}", names.collect::<String>()))?;
            remove(&path.join(COMPLETE))?;
        }
        // Without the journal a half-deleted run cannot be resumed.
        remove_journal(path)?;
        let mut folders = BTreeSet::from([PathBuf::new()]);
        for file in self.files.iter().filter(|file| is_plain(path, file)) {
            remove(&path.join(file))?;
            folders.extend(file.ancestors().skip(1).map(Path::to_owned));
        }
        // The deepest folder first; one that holds other files stays.
        for folder in folders.iter().rev() {
            self.remove_parts(path, folder, |_| true)?;
            if !folder.as_os_str().is_empty() {
                let _ = fs::remove_dir(path.join(folder));
            }
        }
        remove(&path.join(UNFINISHED))
    }

    /// Removes incomplete files that a killed run left, except those that it continues when it is resumed.
    pub(crate) fn remove_all_parts(&self, path: &Path) -> Result<(), RunError> {
        let folders: BTreeSet<&Path> = self.files.iter().filter_map(|file| file.parent()).collect();
        let all = folders.into_iter().chain([Path::new(JOURNAL)]);
        all.into_iter().try_for_each(|folder| self.remove_parts(path, folder, |part| !is_kept(part)))
    }

    fn remove_parts(
        &self,
        path: &Path,
        folder: &Path,
        wanted: impl Fn(&OsStr) -> bool,
    ) -> Result<(), RunError> {
        let Ok(entries) = fs::read_dir(path.join(folder)) else { return Ok(()) };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if wanted(&name) && self.is_part(&folder.join(&name)) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }
}

/// Removes the files that a run needs only until it is finished.
pub(crate) fn remove_journal(path: &Path) -> Result<(), RunError> {
    let inner = path.join(JOURNAL);
    if inner.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
        // The checkpoint first: without it there is nothing to resume from.
        for file in JOURNAL_FILES.iter().rev() {
            remove(&path.join(from_slashes(file)))?;
        }
        Owned::default().remove_parts(path, Path::new(JOURNAL), |_| true)?;
        // A folder that holds other files stays.
        let _ = fs::remove_dir(inner);
    }
    Ok(())
}

/// Whether a file is one that runs write, by its name.
fn is_of_a_run(file: &Path) -> bool {
    let mut parts = file.components();
    let Some(Component::Normal(first)) = parts.next() else { return false };
    let Some(first) = first.to_str() else { return false };
    if parts.clone().next().is_none() {
        return FILES.contains(&first) || [".pvd", ".rest.obj"].iter().any(|end| first.ends_with(end));
    }
    FOLDERS.contains(&first) && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a name is a path within the folder, without `..` and not through links.
fn is_plain(folder: &Path, relative: &Path) -> bool {
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    let through_folders = relative.ancestors().skip(1).filter(|f| !f.as_os_str().is_empty()).all(|inner| {
        // A folder that does not exist is not a link.
        folder.join(inner).symlink_metadata().map_or(true, |meta| meta.is_dir())
    });
    plain && !relative.as_os_str().is_empty() && through_folders
}

/// Removes a file that may be missing.
fn remove(file: &Path) -> Result<(), RunError> {
    match fs::symlink_metadata(file) {
        Ok(meta) if !meta.is_dir() => fs::remove_file(file).map_err(RunError::unwritable(file)),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Whether a part is kept until the file is whole: see [`pliant_io::Pc2Writer::resume`].
fn is_kept(part: &OsStr) -> bool {
    part.to_str().is_some_and(|part| part.ends_with(".kept.part"))
}

/// NAME of `.NAME.*.part`.
fn name_of_part(part: &str) -> Option<&str> {
    Some(part.strip_prefix('.')?.strip_suffix(".part")?.rsplit_once('.')?.0)
}

fn to_slashes(file: &Path) -> String {
    let parts: Vec<_> = file.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder within one, with files in it.
    fn folder_with(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join("run").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    fn origin() -> Origin {
        Origin { name: "it".to_owned(), copy: "scene.toml", text: String::new() }
    }

    fn left(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_files_of_the_run_go_and_others_stay() {
        let parts = [".x.pc2.Ab.part", "vtu/.a.vtu.Cd.part", ".pliant.Ef.part", ".mine.Gh.part"];
        let all = [&parts[..], &["vtu/a.vtu", "vtu/mine", "notes.txt", "run.json"]].concat();
        let folder = folder_with(&all);
        let run = folder.path().join("run");
        let list = format!("{HEADING}\nvtu/a.vtu\nvtu/missing.vtu\nx.pc2\nvtu\n\nnotes.tx");
        fs::write(run.join(COMPLETE), "{\"files\": [\"vtu/a.vtu\"]}").unwrap();
        fs::write(run.join(UNFINISHED), list).unwrap();
        Owned::read(&run).unwrap().delete(&run).unwrap();
        assert_eq!(left(&run), [".mine.Gh.part", "notes.txt", "vtu"]);
        assert_eq!(left(&run.join("vtu")), ["mine"]);
    }

    #[test]
    fn lists_of_what_no_run_writes_are_refused() {
        let folder = folder_with(&["notes.txt", "vtu/a.vtu"]);
        let run = folder.path().join("run");
        fs::write(folder.path().join("precious"), "").unwrap();
        let absolute = format!("{}/precious", folder.path().display());
        for name in ["notes.txt", "../precious", "vtu/../../precious", &absolute, "photos/a.jpg"] {
            fs::write(run.join(UNFINISHED), format!("{HEADING}\nvtu/a.vtu\n{name}\n")).unwrap();
            let refused = Owned::read(&run).unwrap().check(&run, &origin());
            assert!(matches!(refused, Err(RunError::Refused(_))), "{name}");
        }
        fs::write(run.join(UNFINISHED), format!("{HEADING}\nvtu/a.vtu\nit.pvd\n")).unwrap();
        Owned::read(&run).unwrap().check(&run, &origin()).unwrap();
    }

    #[test]
    fn files_of_others_among_those_of_a_run_are_found_before_anything_goes() {
        let own = ["vtu/body/a.vtu", "vtu/body/.a.vtu.Ab.part", "continue/frames.bin", "notes.txt"];
        let list = format!("{HEADING}\nvtu/body/a.vtu\n");
        for (mine, found) in [
            ("vtu/body/mine.vtu", Some("vtu/body/mine.vtu")),
            ("plots/old/mine", Some("plots/old/mine")),
            ("scene.toml", Some("scene.toml")),
            ("it.pvd", Some("it.pvd")),
            ("continue/notes.txt", None),
            ("other.pvd", None),
        ] {
            let folder = folder_with(&[&own[..], &[mine]].concat());
            let run = folder.path().join("run");
            fs::write(run.join(UNFINISHED), &list).unwrap();
            let checked = Owned::read(&run).unwrap().check(&run, &origin());
            match (checked, found) {
                (Ok(()), None) => {}
                (Err(error), Some(found)) => {
                    assert!(error.to_string().contains(&format!("holds {found},")), "{error}");
                }
                (checked, _) => panic!("{mine}: {checked:?}"),
            }
        }
        // Without a run there is no journal.
        let folder = folder_with(&["continue/frames.bin"]);
        let run = folder.path().join("run");
        assert!(Owned::read(&run).unwrap().check(&run, &origin()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = folder_with(&["notes.txt"]);
        let (root, run) = (folder.path(), folder.path().join("run"));
        fs::create_dir_all(root.join("other")).unwrap();
        fs::write(root.join("other/a.vtu"), "").unwrap();
        std::os::unix::fs::symlink(root.join("other"), run.join("vtu")).unwrap();
        fs::write(run.join(UNFINISHED), format!("{HEADING}\nvtu/a.vtu\n")).unwrap();
        let owned = Owned::read(&run).unwrap();
        assert!(owned.check(&run, &origin()).is_err());
        owned.delete(&run).unwrap();
        assert!(root.join("other/a.vtu").exists());
    }

    #[test]
    fn markers_of_others_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        for (marker, text) in
            [(COMPLETE, "{\"trains\": 3}"), (COMPLETE, "not JSON"), (UNFINISHED, "my notes\na\n")]
        {
            fs::write(folder.path().join(marker), text).unwrap();
            assert!(matches!(Owned::read(folder.path()), Err(RunError::Refused(_))), "{text}");
            assert!(folder.path().join(marker).exists());
            fs::remove_file(folder.path().join(marker)).unwrap();
        }
    }

    #[test]
    fn a_list_that_was_cut_is_read_as_far_as_it_goes() {
        let folder = folder_with(&["a"]);
        let run = folder.path().join("run");
        let list = format!("{HEADING}\nscene.toml\nvtu/it.pvd\n");
        for cut in 0..=list.len() {
            fs::write(run.join(UNFINISHED), &list[..cut]).unwrap();
            let owned = Owned::read(&run).unwrap();
            assert!(owned.is_run);
            owned.check(&run, &origin()).unwrap();
        }
    }
}
