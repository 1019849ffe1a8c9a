//! `pliant check`: everything that `pliant run` and `pliant deform` check, without running.

use std::path::Path;

use pliant_io::Mesh;
use pliant_mesh::counted;
use pliant_scene::{Built, BuiltBody, Precise, Remark, Scene, StackFile};
use pliant_solver::Float;
use serde::Serialize;

use crate::args::CheckArgs;
use crate::console::Console;
use crate::error::CliError;

pub(crate) fn check(args: &CheckArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    if is_stack(&args.scene) {
        let stack = StackFile::load(&args.scene)?;
        let built = stack.build()?;
        if args.json {
            return console.print(&json(stack.source_name(), &[], &[]));
        }
        let text = format!("{} is a good stack: {}\n", stack.source_name(), crate::deform::describe(&built));
        return console.tell(&text);
    }
    let scene = Scene::load(&args.scene)?;
    match scene.build_precise()? {
        Precise::Single(built) => told(args, &scene, &built, console),
        Precise::Double(built) => told(args, &scene, &built, console),
    }
}

/// Reports what a scene contains, and the problems of its run that can be found before it starts.
fn told<T: Float>(
    args: &CheckArgs,
    scene: &Scene,
    built: &Built<T>,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    let remarks = scene.foresee(built);
    if args.json {
        return console.print(&json(scene.source_name(), &built.simulation.substep(), &remarks));
    }
    let text = remarks.iter().fold(describe(scene, built, &remarks), |text, remark| text + &told_of(remark));
    console.tell(&text)
}

/// What `--json` prints.
#[derive(Serialize)]
struct Checked<'a> {
    /// The file.
    file: &'a str,
    /// The passes of a substep, in their order.
    substep: &'a [String],
    /// The problems of its run that can be found before it starts.
    remarks: &'a [Remark],
}

fn json(file: &str, substep: &[String], remarks: &[Remark]) -> String {
    let checked = Checked { file, substep, remarks };
    serde_json::to_string_pretty(&checked).expect("names, words and numbers can be written") + "\n"
}

/// A remark on a run before it starts, and on the next line its remedy.
pub(crate) fn told_of(remark: &Remark) -> String {
    format!("remark ({}): {}\n    {}\n", remark.kind.name(), remark.what, remark.remedy)
}

/// Whether a file can be read and is meant as a stack of deformers, valid or not.
pub(crate) fn is_stack(path: &Path) -> bool {
    path.is_file() && std::fs::read_to_string(path).is_ok_and(|text| StackFile::is_meant(&text))
}

fn describe<T: Float>(scene: &Scene, built: &Built<T>, remarks: &[Remark]) -> String {
    let model = &scene.model;
    let settings = built.simulation.settings();
    let judged = match remarks.len() {
        0 => "is a good scene".to_owned(),
        count => format!("can be run, with {}", counted(count, "remark", "remarks")),
    };
    let mut text = format!(
        "{} {judged}: {} at {} per second ({:.3} s), {} of {}, {}\n",
        scene.source_name(),
        counted(model.frames.get(), "frame", "frames"),
        model.frame_rate.get(),
        f64::from(model.frames) / model.frame_rate.get(),
        counted(settings.substeps, "substep", "substeps"),
        counted(settings.iterations, "iteration", "iterations"),
        T::NAME,
    );
    for body in &built.bodies {
        text += &describe_body(body);
    }
    for group in built.simulation.plan() {
        text += &format!(
            "{}: {}, {}\n",
            group.name,
            counted(group.active, "constraint", "constraints"),
            counted(group.layout.colour_sizes.len(), "colour", "colours")
        );
    }
    text + &format!("a substep: {}\n", built.simulation.substep().join(", "))
}

/// A line on a body, and one for each note on it.
pub(crate) fn describe_body(body: &BuiltBody) -> String {
    let vertices = counted(body.mesh.positions().len(), "vertex", "vertices");
    let (kind, elements) = match &body.mesh {
        Mesh::Tri(mesh) => ("cloth", counted(mesh.triangles().len(), "triangle", "triangles")),
        Mesh::Tet(mesh) => ("solid", counted(mesh.tets().len(), "tetrahedron", "tetrahedra")),
    };
    let mut text = format!("{}: {kind} of {vertices}, {elements}\n", body.name);
    for note in &body.notes {
        text += &format!("  {note}\n");
    }
    text
}
