//! The files that belong to the project, read once and handed to every check.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

/// Files larger than this are not read: their size is a finding already.
pub(super) const MAX_BYTES: u64 = 1 << 20;

/// Folders without sources, skipped if git is missing.
const NOT_SOURCES: [&str; 5] = [".git", "target", "runs", "docs/book", "comparisons"];

/// One file of the project.
pub(super) struct File {
    /// Relative to the workspace root, with forward slashes.
    pub(super) path: String,
    pub(super) bytes: u64,
    /// The content, where it is text and not oversized.
    pub(super) text: Option<String>,
}

impl File {
    pub(super) fn extension(&self) -> Option<&str> {
        let name = self.name();
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, extension)| extension)
    }

    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The folder, without a final slash; empty for the root.
    pub(super) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The lines of a text file, numbered from 1; none for other files.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.iter().flat_map(|text| text.lines()).enumerate().map(|(index, line)| (index + 1, line))
    }
}

/// All files of the project, sorted by path.
pub(super) struct Tree {
    files: Vec<File>,
    folders: BTreeSet<String>,
}

impl Tree {
    /// Reads the files that git tracks or would add, or, without git, all but the build outputs.
    pub(super) fn read(root: &Path) -> io::Result<Self> {
        let paths = match listed_by_git(root) {
            Some(paths) => paths,
            None => walked(root)?,
        };
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            let full = root.join(&path);
            // A file that is listed but deleted is about to leave the index; a link is judged by its target's absence.
            let Ok(meta) = fs::metadata(&full) else { continue };
            let text = if meta.len() <= MAX_BYTES { String::from_utf8(fs::read(&full)?).ok() } else { None };
            files.push(File { path, bytes: meta.len(), text });
        }
        Ok(Self::new(files))
    }

    fn new(mut files: Vec<File>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut folders = BTreeSet::new();
        for file in &files {
            let mut folder = file.folder();
            while !folder.is_empty() {
                folders.insert(folder.to_owned());
                folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
            }
        }
        Self { files, folders }
    }

    /// A tree of text files for a test.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| File {
            path: path.to_owned(),
            bytes: text.len() as u64,
            text: Some(text.to_owned()),
        };
        Self::new(files.iter().map(file).collect())
    }

    pub(super) fn files(&self) -> &[File] {
        &self.files
    }

    pub(super) fn with_extension<'a>(&'a self, extension: &'a str) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.extension() == Some(extension))
    }

    pub(super) fn get(&self, path: &str) -> Option<&File> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        Some(&self.files[at])
    }

    /// Whether a file or folder of this path exists.
    pub(super) fn has(&self, path: &str) -> bool {
        self.get(path).is_some() || self.folders.contains(path)
    }

    /// Whether the path of some file or folder is `path` or ends with `/path`.
    pub(super) fn has_ending(&self, path: &str) -> bool {
        let ends =
            |whole: &str| whole.strip_suffix(path).is_some_and(|head| head.is_empty() || head.ends_with('/'));
        self.files.iter().any(|file| ends(&file.path)) || self.folders.iter().any(|folder| ends(folder))
    }
}

/// The files that git tracks or would add; `None` where git is absent or this folder is not the top of its repository.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let listed = String::from_utf8(output.stdout).ok()?;
    let paths: BTreeSet<String> =
        listed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    (output.status.success() && paths.contains("Cargo.toml")).then(|| paths.into_iter().collect())
}

fn walked(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    let mut waiting = vec![String::new()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if NOT_SOURCES.contains(&path.as_str()) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                waiting.push(path);
            } else {
                paths.push(path);
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_files_folders_and_endings() {
        let tree = Tree::of(&[("crates/a/src/lib.rs", ""), ("README.md", "one\ntwo")]);
        assert!(tree.has("README.md") && tree.has("crates/a") && tree.has("crates/a/src/lib.rs"));
        assert!(!tree.has("crates/b") && !tree.has("lib.rs"));
        assert!(tree.has_ending("src/lib.rs") && tree.has_ending("a/src") && !tree.has_ending("ib.rs"));
        assert_eq!(tree.get("README.md").unwrap().lines().last(), Some((2, "two")));
    }

    #[test]
    fn walking_finds_what_git_lists() {
        let root = crate::workspace::root();
        let walked = walked(&root).unwrap();
        assert!(walked.contains(&"xtask/src/tidy/tree.rs".to_owned()));
        assert!(!walked.iter().any(|path| path.starts_with("target/") || path.starts_with(".git/")));
        if let Some(listed) = listed_by_git(&root) {
            assert!(listed.contains(&"xtask/src/main.rs".to_owned()));
        }
    }
}
