//! Files that appear whole or not at all.

use std::io::Write;
use std::path::Path;

use crate::error::RenderError;

/// Writes beside the place and renames: an interrupted run leaves no half picture.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), RenderError> {
    let attempt = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(".pliant-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        // A temporary file is for its owner alone; a picture is for whoever may read the folder.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
        }
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    attempt().map_err(|source| RenderError::Write { path: path.to_owned(), source })
}
