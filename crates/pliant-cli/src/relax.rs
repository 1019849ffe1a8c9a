//! `pliant relax`: one deformed mesh, its edges brought back towards their lengths at rest.

use pliant_deform::{Deformer, EdgeStrain, FrameTime, Measured, Preserve, Relax, RelaxSettings};
use pliant_io::{ExportError, Mesh, read_mesh, write_mesh};
use pliant_mesh::{TriMesh, counted};
use pliant_run::RunError;

use crate::args::RelaxArgs;
use crate::console::Console;
use crate::error::CliError;

pub(crate) fn relax(args: &RelaxArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let (rest, _) = read_mesh(&args.rest)?.into_tri()?;
    let (deformed, _) = read_mesh(&args.deformed)?.into_tri()?;
    same_topology(args, &rest, &deformed)?;
    let settings = RelaxSettings {
        iterations: args.iterations,
        push: args.push,
        pull: args.pull,
        pin_borders: args.pin_borders,
        preserve: Preserve { volume: args.volume, area: 0.0 },
        ..RelaxSettings::default()
    };
    let refused = |error: String| CliError::Refused(format!("{}: {error}", args.rest.display()));
    let mut relax = Relax::new(&rest, settings).map_err(|error| refused(error.to_string()))?;
    let measured = Measured::new(&rest);
    let mut positions = deformed.positions().to_vec();
    let before = measured.statistics(&positions);
    relax
        .deform(&FrameTime::default(), &mut positions)
        .map_err(|error| CliError::Refused(error.to_string()))?;
    let after = measured.statistics(&positions);
    let relaxed = deformed.with_positions(positions).map_err(|error| {
        CliError::Refused(format!("{}: the relaxed mesh cannot be used: {error}", args.deformed.display()))
    })?;
    write_mesh(&args.output, &Mesh::Tri(relaxed)).map_err(|error| match error {
        ExportError::Io { path, source } => RunError::Unwritable { path, source }.into(),
        other => CliError::Refused(other.to_string()),
    })?;
    let mut text = format!(
        "{}: {} ({}), {}, {}\n",
        args.output.display(),
        counted(rest.positions().len(), "vertex", "vertices"),
        counted(relax.weld().point_count(), "point", "points"),
        counted(relax.edges().pairs().len(), "edge", "edges"),
        counted(args.iterations, "iteration", "iterations")
    );
    let rms = |strain: &EdgeStrain| percent(strain.rms);
    text += &format!("edge strain, rms      {:>9} → {}\n", rms(&before.strain), rms(&after.strain));
    text += &format!(
        "edge strain, largest  {:>9} → {}{}\n",
        percent(before.strain.max),
        percent(after.strain.max),
        after.strain.at.map_or_else(String::new, |[a, b]| format!(" (between the vertices {a} and {b})"))
    );
    if let (Some(before), Some(after), Some(at_rest)) =
        (before.volume, after.volume, measured.statistics(rest.positions()).volume)
    {
        let change = |volume: f64| format!("{:+.3} %", 100.0 * (volume / at_rest - 1.0));
        text += &format!("volume, against rest  {:>9} → {}\n", change(before), change(after));
    }
    console.tell(&text)
}

fn percent(share: f64) -> String {
    format!("{:.3} %", 100.0 * share)
}

fn same_topology(args: &RelaxArgs, rest: &TriMesh, deformed: &TriMesh) -> Result<(), CliError> {
    let counts = |mesh: &TriMesh| [mesh.positions().len(), mesh.triangles().len()];
    let (a, b) = (counts(rest), counts(deformed));
    let (rest_file, deformed_file) = (args.rest.display(), args.deformed.display());
    if a != b {
        return Err(CliError::Refused(format!(
            "{deformed_file} has {} vertices and {} triangles, but {rest_file} has {} and {}: give two shapes of the same mesh",
            b[0], b[1], a[0], a[1]
        )));
    }
    match rest.triangles().iter().zip(deformed.triangles()).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(t) => Err(CliError::Refused(format!(
            "triangle {t} has the corners {:?} in {deformed_file}, but {:?} in {rest_file}: give two shapes of the same mesh",
            deformed.triangles()[t],
            rest.triangles()[t]
        ))),
    }
}
