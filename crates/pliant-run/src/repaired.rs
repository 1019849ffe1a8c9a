//! The meshes that were repaired for a run: caches and pins of the run use their numbers, not those of the
//! files of the scene.

use pliant_io::{Mesh, write_mesh};
use pliant_mesh::RepairReport;
use pliant_scene::BuiltBody;

use crate::error::RunError;
use crate::folder::Folder;
use crate::names::REPAIRED;

/// A report as JSON, indented.
fn json(report: &RepairReport) -> String {
    let mut text =
        serde_json::to_string_pretty(report).expect("numbers, texts and lists have a form in JSON");
    text.push('\n');
    text
}

/// Writes each repaired mesh at the start, and the new numbers of the vertices and elements of its file;
/// returns the names of the meshes, each with a line on it.
pub(crate) fn write(bodies: &[BuiltBody], folder: &mut Folder) -> Result<Vec<(String, String)>, RunError> {
    let mut hints = Vec::new();
    for body in bodies {
        let Some(report) = body.repair.as_ref().filter(|report| !report.is_unchanged()) else { continue };
        let extension = match &body.mesh {
            Mesh::Tri(_) => "obj",
            Mesh::Tet(_) => "vtu",
        };
        let name = format!("{REPAIRED}/{}.{extension}", body.name);
        let path = folder.announce(&name)?;
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(RunError::io(parent))?;
        }
        write_mesh(&path, &body.mesh).map_err(|error| folder.failed(error))?;
        folder.write(&format!("{REPAIRED}/{}.json", body.name), &json(report))?;
        let how = format!(
            "the repaired mesh of {}, whose numbers the files of this run use; {REPAIRED}/{}.json maps the numbers of its file to them",
            body.name, body.name
        );
        hints.push((name, how));
    }
    Ok(hints)
}
