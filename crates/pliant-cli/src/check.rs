//! `pliant check`: everything that `pliant run` and `pliant deform` check, without running.

use std::path::Path;

use pliant_io::Mesh;
use pliant_mesh::counted;
use pliant_scene::{Built, BuiltBody, Precise, Scene, StackFile};
use pliant_solver::Float;

use crate::args::CheckArgs;
use crate::console::Console;
use crate::error::CliError;

pub(crate) fn check(args: &CheckArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    if is_stack(&args.scene) {
        let stack = StackFile::load(&args.scene)?;
        let built = stack.build()?;
        let text = format!("{} is a good stack: {}\n", stack.source_name(), crate::deform::describe(&built));
        return console.tell(&text);
    }
    let scene = Scene::load(&args.scene)?;
    let text = match scene.build_precise()? {
        Precise::Single(built) => describe(&scene, &built),
        Precise::Double(built) => describe(&scene, &built),
    };
    console.tell(&text)
}

/// Whether a file can be read and is of a stack of deformers, good or not.
pub(crate) fn is_stack(path: &Path) -> bool {
    path.is_file() && std::fs::read_to_string(path).is_ok_and(|text| StackFile::is_meant(&text))
}

fn describe<T: Float>(scene: &Scene, built: &Built<T>) -> String {
    let model = &scene.model;
    let settings = built.simulation.settings();
    let mut text = format!(
        "{} is a good scene: {} at {} per second ({:.3} s), {} of {}, {}\n",
        scene.source_name(),
        counted(model.frames, "frame", "frames"),
        model.frame_rate,
        f64::from(model.frames) / model.frame_rate,
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
    text
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
