//! The defects of a mesh file, and their treatment as the scene asks.

use std::path::Path;

use pliant_io::Mesh;
use pliant_mesh::{Defect, Finding, Keep, RepairOptions, RepairReport, counted};

use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{Bounded, KeepModel, KeepWord, RepairModel, RepairSteps, RepairWord};

/// The treatment of a mesh.
#[derive(Clone, Copy)]
pub(super) enum Treatment {
    Refuse,
    Report,
    Repair(RepairOptions),
}

impl Treatment {
    pub(super) fn of(model: Option<&RepairModel>) -> Self {
        match model {
            None | Some(RepairModel::Flag(false) | RepairModel::Word(RepairWord::Refuse)) => Self::Refuse,
            Some(RepairModel::Word(RepairWord::Report)) => Self::Report,
            Some(RepairModel::Flag(true) | RepairModel::Word(RepairWord::Repair)) => {
                Self::Repair(RepairOptions::default())
            }
            Some(RepairModel::Steps(steps)) => Self::Repair(options(steps)),
        }
    }
}

fn options(steps: &RepairSteps) -> RepairOptions {
    let usual = RepairOptions::default();
    RepairOptions {
        weld: steps.weld.map(Bounded::get).or(usual.weld),
        unite: steps.unite.map(Bounded::get).or(usual.unite),
        split_non_manifold: steps.split.unwrap_or(usual.split_non_manifold),
        split_solids: steps.split_solids.unwrap_or(usual.split_solids),
        orient: steps.orient.unwrap_or(usual.orient),
        match_diagonals: steps.match_diagonals.unwrap_or(usual.match_diagonals),
        keep: match steps.keep {
            None | Some(KeepModel::Word(KeepWord::All)) => None,
            Some(KeepModel::Word(KeepWord::Largest)) => Some(Keep::Largest),
            Some(KeepModel::Share(share)) => Some(Keep::Share(share.get())),
        },
        fill_holes: steps.fill_holes,
        ..usual
    }
}

/// The defects that would make a simulation wrong, except vertices without elements, which are treated
/// separately.
fn errors(mesh: &Mesh) -> impl Iterator<Item = Finding> {
    let found = match mesh {
        Mesh::Tri(mesh) => mesh.errors(),
        Mesh::Tet(mesh) => mesh.errors(),
    };
    found.into_iter().filter(|finding| finding.defect != Defect::UnreferencedVertices)
}

/// Refuses a mesh with errors, and names the line that the scene needs.
pub(super) fn refuse(at: &FieldPath, path: &Path, mesh: &Mesh) -> Result<(), Fault> {
    let Some(finding) = errors(mesh).next() else { return Ok(()) };
    let path = path.display();
    let problem = format!("{path} has {finding}");
    let mended = finding.defect != Defect::CrowdedFaces;
    let expected = if mended {
        format!(
            "a mesh without them; `mesh = {{ file = \"{path}\", repair = true }}` repairs it, `repair = \"report\"` simulates it as it is, and \
             `pliant mesh check {path}` lists all defects"
        )
    } else {
        format!(
            "a mesh without them; `mesh = {{ file = \"{path}\", repair = \"report\" }}` simulates it as it is"
        )
    };
    Err(Fault::new(at.clone(), problem, expected))
}

/// The defects of a mesh that is simulated all the same, one sentence each.
pub(super) fn remarks(mesh: &Mesh) -> impl Iterator<Item = String> {
    errors(mesh).map(|finding| format!("simulated as it is: {finding}"))
}

/// The repaired mesh, and what was done.
pub(super) fn repair(
    at: &FieldPath,
    path: &Path,
    mesh: &Mesh,
    options: &RepairOptions,
    notes: &mut Vec<String>,
) -> Result<(Mesh, RepairReport), Fault> {
    let (mended, report) = match mesh {
        Mesh::Tri(mesh) => {
            let (mesh, report) = mesh.repair(options);
            (Mesh::Tri(mesh), report)
        }
        Mesh::Tet(mesh) => {
            let (mesh, report) = mesh.repair(options);
            (Mesh::Tet(mesh), report)
        }
    };
    let path = path.display();
    if mended.element_count() == 0 {
        let problem = format!("nothing is left of {path} after its repair");
        return Err(Fault::new(
            at.clone(),
            problem,
            format!("`pliant mesh check {path}` reports what is wrong with it"),
        ));
    }
    if let Some(finding) = errors(&mended).next() {
        let problem = format!("{path} has {finding} even after its repair");
        let expected = "a mesh without them; other steps of `repair`, or `repair = \"report\"`";
        return Err(Fault::new(at.clone(), problem, expected));
    }
    if !report.is_unchanged() {
        notes.extend(report.to_string().lines().map(|line| format!("repaired: {line}")));
        notes.push(format!(
            "repaired: {} and {} became {} and {}, renumbered",
            counted(mesh.positions().len(), "vertex", "vertices"),
            counted(mesh.element_count(), "element", "elements"),
            mended.positions().len(),
            mended.element_count()
        ));
    }
    Ok((mended, report))
}
