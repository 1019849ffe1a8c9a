//! The meshes that were repaired for a run: caches and pins of the run count as these do, not as the files of the scene.

use pliant_io::{ExportError, Mesh, write_mesh};
use pliant_scene::BuiltBody;

use super::folder::Folder;
use crate::error::CliError;

/// The folder of the repaired meshes in that of a run.
pub(crate) const FOLDER: &str = "repaired";

/// Writes each mesh that was repaired, where it starts, and what became of the vertices and elements of its file; returns the names of
/// the meshes with a line on them.
pub(super) fn write(bodies: &[BuiltBody], folder: &mut Folder) -> Result<Vec<(String, String)>, CliError> {
    let mut hints = Vec::new();
    for body in bodies {
        let Some(report) = body.repair.as_ref().filter(|report| !report.is_unchanged()) else { continue };
        let extension = match &body.mesh {
            Mesh::Tri(_) => "obj",
            Mesh::Tet(_) => "vtu",
        };
        let name = format!("{FOLDER}/{}.{extension}", body.name);
        let path = folder.announce(&name)?;
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(CliError::io(parent))?;
        }
        write_mesh(&path, &body.mesh)
            .map_err(|error: ExportError| CliError::Output { error, folder: folder.path().to_owned() })?;
        folder.write(&format!("{FOLDER}/{}.json", body.name), &crate::mesh_doctor::json(report))?;
        let how = format!(
            "the repaired mesh of {}, which the files of this run count as; {FOLDER}/{}.json tells what became of its file's",
            body.name, body.name
        );
        hints.push((name, how));
    }
    Ok(hints)
}
