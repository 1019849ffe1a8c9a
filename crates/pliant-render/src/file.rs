//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use crate::error::RenderError;

/// Writes beside the place and renames: an interrupted run leaves no half picture.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), RenderError> {
    let attempt = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".part");
        // Temporary files are private by default; this one is to become a file like any other.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    attempt().map_err(|source| RenderError::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn others_may_read_as_with_any_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let [ours, plain] = ["deep/a.png", "b.png"].map(|name| folder.path().join(name));
        super::write(&ours, b"picture").unwrap();
        std::fs::write(&plain, b"").unwrap();
        let mode = |path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
        assert_eq!(std::fs::read(&ours).unwrap(), b"picture");
    }
}
