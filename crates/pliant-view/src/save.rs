//! Writes a scene as changed to a new file beside the old one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How many names are tried.
const TRIES: u32 = 1000;

/// Writes the text beside `scene`, under a name that no file has, whole or not at all; returns the path.
pub(crate) fn beside(scene: &Path, text: &str) -> io::Result<PathBuf> {
    let folder = scene.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let stem = scene.file_stem().unwrap_or("scene".as_ref()).to_string_lossy().into_owned();
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pliant.").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    for number in 1..=TRIES {
        let name = if number == 1 {
            format!("{stem}-changed.toml")
        } else {
            format!("{stem}-changed-{number}.toml")
        };
        let path = folder.join(name);
        // Never in place of another file, even one that appears at this moment.
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("there are {TRIES} changed scenes already; remove some"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let scene = folder.path().join("flag.toml");
        std::fs::write(&scene, "mine").unwrap();
        let saved = [1, 2, 3].map(|k| beside(&scene, &k.to_string()).unwrap());
        let names = saved.each_ref().map(|path| path.file_name().unwrap().to_str().unwrap());
        assert_eq!(names, ["flag-changed.toml", "flag-changed-2.toml", "flag-changed-3.toml"]);
        assert_eq!(saved.map(|path| std::fs::read_to_string(path).unwrap()), ["1", "2", "3"]);
        assert_eq!(std::fs::read_to_string(&scene).unwrap(), "mine");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4, "nothing else is left");
    }
}
