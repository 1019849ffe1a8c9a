//! `pliant mesh check`, `repair` and `convert`: the defects of a mesh file, its repair, and its conversion.

use std::path::Path;

use pliant_io::{Attributes, ExportError, ImportReport, Mesh, read_mesh, write_mesh_with};
use pliant_mesh::{CheckOptions, CheckUp, Keep, RepairOptions, RepairReport, counted};
use pliant_run::RunError;
use serde::Serialize;

use crate::args::{ConvertArgs, MeshCheckArgs, RepairArgs};
use crate::console::Console;
use crate::crossings::Crossings;
use crate::error::CliError;
use crate::mesh_info::read_named;

/// The output of `check --json`.
#[derive(Debug, Serialize)]
struct Checked<'a> {
    file: String,
    format: String,
    fit: bool,
    check: &'a CheckUp,
    crossings: &'a Crossings,
    notes: &'a [String],
}

/// The output of `repair --json`.
#[derive(Debug, Serialize)]
struct Repaired<'a> {
    file: String,
    output: String,
    before: &'a CheckUp,
    repair: &'a RepairReport,
    after: &'a CheckUp,
}

pub(crate) fn check(args: &MeshCheckArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let imported = read_mesh(&args.file)?;
    let options = CheckOptions { sliver: args.sliver.to_radians(), ..CheckOptions::default() };
    let check = check_up(&imported.mesh, &options);
    let crossings = Crossings::of(&imported.mesh);
    if args.json {
        let checked = Checked {
            file: imported.report.file.clone(),
            format: imported.report.format.to_string(),
            fit: check.is_fit(),
            check: &check,
            crossings: &crossings,
            notes: &imported.report.notes,
        };
        console.print(&json(&checked))?;
    } else {
        console.tell(&format!(
            "{}: {}\n{check}\n{}\n{}",
            args.file.display(),
            imported.report.format,
            crossings.lines().join("\n"),
            notes(&imported.report)
        ))?;
    }
    if check.is_fit() {
        return Ok(());
    }
    let kinds = check.findings.iter().filter(|finding| finding.defect.is_error()).count();
    let file = args.file.display();
    Err(CliError::Refused(format!(
        "{file} has {} of defects that would make a simulation wrong; try: pliant mesh repair {file} -o OUT",
        counted(kinds, "kind", "kinds")
    )))
}

pub(crate) fn repair(args: &RepairArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let options = options(args)?;
    let imported = read_named(&args.file)?;
    let before = check_up(&imported.mesh, &CheckOptions::default());
    let (mesh, report) = match &imported.mesh {
        Mesh::Tri(mesh) => {
            let (mesh, report) = mesh.repair(&options);
            (Mesh::Tri(mesh), report)
        }
        Mesh::Tet(mesh) => {
            let (mesh, report) = mesh.repair(&options);
            (Mesh::Tet(mesh), report)
        }
    };
    if mesh.element_count() == 0 {
        let file = args.file.display();
        return Err(CliError::Refused(format!(
            "nothing is left of {file} after the repair; nothing was written"
        )));
    }
    let after = check_up(&mesh, &CheckOptions::default());
    let attributes = imported.attributes.carried(&report.became, &report.vertex_of, &report.element_of);
    write_named(&args.output, &mesh, &attributes)?;
    if args.json {
        return console.print(&json(&Repaired {
            file: args.file.display().to_string(),
            output: args.output.display().to_string(),
            before: &before,
            repair: &report,
            after: &after,
        }));
    }
    console.tell(&format!("{report}\n\n{}: {after}\n", args.output.display()))
}

/// The options that the flags select.
fn options(args: &RepairArgs) -> Result<RepairOptions, CliError> {
    for (flag, distance) in [("--weld", args.weld), ("--unite", args.unite)] {
        if !(distance >= 0.0 && distance.is_finite()) {
            return Err(CliError::Refused(format!("{flag} is {distance}; give a distance of at least 0")));
        }
    }
    let keep = match args.keep_share {
        Some(share) if !(0.0..=1.0).contains(&share) => {
            return Err(CliError::Refused(format!("--keep-share is {share}; give a share from 0 to 1")));
        }
        Some(share) => Some(Keep::Share(share)),
        None => args.keep_largest.then_some(Keep::Largest),
    };
    Ok(RepairOptions {
        weld: Some(args.weld),
        unite: Some(args.unite),
        keep,
        fill_holes: args.fill_holes,
        split_non_manifold: !args.keep_non_manifold,
        split_solids: args.split_solids,
        drop_unreferenced: !args.keep_unreferenced,
        ..RepairOptions::default()
    })
}

pub(crate) fn convert(args: &ConvertArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let imported = read_named(&args.input)?;
    let left_out = write_named(&args.output, &imported.mesh, &imported.attributes)?;
    console.tell(&format!("{}\n", imported.report))?;
    if left_out.is_empty() {
        return Ok(());
    }
    let names = left_out.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    console.tell(&format!("{} cannot store {names}\n", args.output.display()))
}

fn check_up(mesh: &Mesh, options: &CheckOptions) -> CheckUp {
    match mesh {
        Mesh::Tri(mesh) => mesh.check_up(options),
        Mesh::Tet(mesh) => mesh.check_up(options),
    }
}

pub(crate) fn write(path: &Path, mesh: &Mesh) -> Result<(), CliError> {
    write_named(path, mesh, &Attributes::default()).map(|_| ())
}

/// Writes a mesh with its groups and attributes, and reports the names that the format cannot store.
fn write_named(path: &Path, mesh: &Mesh, attributes: &Attributes) -> Result<Vec<String>, CliError> {
    write_mesh_with(path, mesh, attributes).map_err(|error| match error {
        ExportError::Io { path, source } => RunError::Unwritable { path, source }.into(),
        other => CliError::Refused(other.to_string()),
    })
}

pub(crate) fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("numbers, texts and lists have a form in JSON");
    text.push('\n');
    text
}

/// What the importer simplified or left out, one line each.
fn notes(report: &ImportReport) -> String {
    let left_out =
        report.skipped.iter().map(|(kind, count)| format!("note: {count} of {kind} were left out\n"));
    report.notes.iter().map(|note| format!("note: {note}\n")).chain(left_out).collect()
}
