//! The files that a scene names: by what they contain, and from another folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use pliant_run::digest;
use toml::{Table, Value};

use crate::error::SweepError;

/// The files that were read, by their paths, as digests of their contents.
#[derive(Debug, Default)]
pub(crate) struct Files {
    known: BTreeMap<PathBuf, String>,
}

impl Files {
    /// The digest of what a file contains.
    fn digest(&mut self, path: &Path) -> Result<&str, SweepError> {
        if !self.known.contains_key(path) {
            let bytes = fs::read(path).map_err(|error| SweepError::read(path, &error))?;
            self.known.insert(path.to_owned(), digest(bytes));
        }
        Ok(&self.known[path])
    }

    /// Replaces every path of a file in a scene, which starts from `base`, by one that starts from the folder `to`, and
    /// returns the paths as they were with the digests of their files. `to` is absolute.
    pub(crate) fn rebase(
        &mut self,
        scene: &mut Table,
        base: &Path,
        to: &Path,
    ) -> Result<BTreeMap<String, String>, SweepError> {
        let mut found = BTreeMap::new();
        let mut waiting: Vec<&mut Value> =
            scene.iter_mut().filter(|(key, _)| key.as_str() != "name").map(|(_, value)| value).collect();
        while let Some(value) = waiting.pop() {
            match value {
                Value::Table(table) => {
                    let inner = table.iter_mut().filter(|(key, _)| key.as_str() != "name");
                    waiting.extend(inner.map(|(_, value)| value));
                }
                Value::Array(list) => waiting.extend(list),
                Value::String(text) if is_file(base, text) => {
                    let path = base.join(&text);
                    let path = path.canonicalize().map_err(|error| SweepError::read(&path, &error))?;
                    let there = between(to, &path);
                    found.insert(std::mem::replace(text, there), self.digest(&path)?.to_owned());
                }
                _ => {}
            }
        }
        Ok(found)
    }
}

/// Whether a text of a scene names a file. Words of scenes (materials, groups, formats) have no extension.
fn is_file(base: &Path, text: &str) -> bool {
    Path::new(text).extension().is_some() && base.join(text).is_file()
}

/// The path from one folder to a file, with slashes; both are absolute.
fn between(from: &Path, to: &Path) -> String {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return to.display().to_string();
    }
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = to.components().skip(shared).map(|part| match part {
        Component::Normal(name) => name.to_string_lossy().into_owned(),
        other => other.as_os_str().to_string_lossy().into_owned(),
    });
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn paths_lead_from_one_folder_to_another() {
        let path = |from: &str, to: &str| between(Path::new(from), Path::new(to));
        assert_eq!(path("/a/b/units/x", "/a/b/meshes/m.obj"), "../../meshes/m.obj");
        assert_eq!(path("/a", "/a/m.obj"), "m.obj");
        assert_eq!(path("/a/b", "/c/m.obj"), "../../c/m.obj");
    }
}
