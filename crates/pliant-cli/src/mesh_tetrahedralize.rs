//! `pliant mesh tetrahedralize`: a solid from any surface, with a report of what was lost.

use pliant_io::{Mesh, read_mesh};
use pliant_mesh::{
    Resolution, SurfaceDistance, TetrahedralizeError, TetrahedralizeOptions, TetrahedralizeReport, TriMesh,
    counted,
};
use serde::Serialize;

use crate::args::TetrahedralizeArgs;
use crate::console::Console;
use crate::error::CliError;
use crate::mesh_doctor::{json, write};

/// The formats that hold tetrahedra and are written.
const SOLID_FORMATS: [&str; 7] = ["msh", "vtu", "vtk", "mesh", "inp", "node", "ele"];

/// The output of `--json`.
#[derive(Debug, Serialize)]
struct Told<'a> {
    file: String,
    output: String,
    vertices: usize,
    tets: usize,
    report: &'a TetrahedralizeReport,
    /// Distances from the boundary of the solid to the surface.
    to_surface: Option<SurfaceDistance>,
    /// Distances from the surface to the boundary of the solid.
    from_surface: Option<SurfaceDistance>,
    notes: &'a [String],
}

pub(crate) fn tetrahedralize(args: &TetrahedralizeArgs, console: &mut Console<'_>) -> Result<(), CliError> {
    let extension = args.output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !SOLID_FORMATS.contains(&extension.as_str()) {
        return Err(CliError::Refused(format!(
            "{} cannot hold tetrahedra; choose one of .{}",
            args.output.display(),
            SOLID_FORMATS.join(", .")
        )));
    }
    let (surface, imported) = read_mesh(&args.surface)?.into_tri()?;
    let options = TetrahedralizeOptions {
        resolution: match (args.edge_length, args.cells) {
            (Some(length), _) => Resolution::EdgeLength(length),
            (None, Some(cells)) => Resolution::Cells(cells),
            (None, None) => Resolution::Auto,
        },
        shell_thickness: args.shell_thickness,
        graded: args.graded,
        accept_losses: args.accept_losses,
    };
    let (solid, report) = surface.tetrahedralize(&options).map_err(|error| {
        let flags = match &error {
            TetrahedralizeError::Lost { enough: Some(cells), .. } => {
                format!(" (--cells {cells}), or accept the losses (--accept-losses)")
            }
            TetrahedralizeError::Lost { .. } => " (--cells, --accept-losses)".to_owned(),
            TetrahedralizeError::Open { .. } | TetrahedralizeError::NoVolume => {
                " (--shell-thickness)".to_owned()
            }
            _ => String::new(),
        };
        CliError::Refused(format!("{} cannot be filled: {error}{flags}", args.surface.display()))
    })?;
    let boundary = solid.surface().mesh;
    let distance = |from: &TriMesh, to: &TriMesh| from.distance_to(to, 0.5 * report.edge_length);
    let (to_surface, from_surface) = (distance(&boundary, &surface), distance(&surface, &boundary));
    let mut notes = imported.notes;
    notes.extend(report.remarks(args.shell_thickness.is_some()));
    let (vertices, tets) = (solid.positions().len(), solid.tets().len());
    write(&args.output, &Mesh::Tet(solid))?;
    if args.json {
        return console.print(&json(&Told {
            file: args.surface.display().to_string(),
            output: args.output.display().to_string(),
            vertices,
            tets,
            report: &report,
            to_surface,
            from_surface,
            notes: &notes,
        }));
    }
    let [x, y, z] = report.cells;
    let mut lines = vec![
        format!(
            "surface   {}: {}, {}, {}, {}",
            args.surface.display(),
            counted(surface.positions().len(), "vertex", "vertices"),
            counted(surface.triangles().len(), "triangle", "triangles"),
            counted(report.surface_pieces, "piece", "pieces"),
            match report.boundary_edges {
                0 => "closed".to_owned(),
                edges => counted(edges, "edge of holes", "edges of holes"),
            }
        ),
        format!("lattice   {x} × {y} × {z} cubes of {:.4e} m", report.edge_length),
        format!(
            "solid     {}: {}, {}, {}",
            args.output.display(),
            counted(vertices, "vertex", "vertices"),
            counted(tets, "tetrahedron", "tetrahedra"),
            counted(report.pieces, "piece", "pieces")
        ),
        format!(
            "angles    {:.2}° to {:.2}° between faces",
            report.dihedral[0].to_degrees(),
            report.dihedral[1].to_degrees()
        ),
        match report.surface_volume {
            Some(volume) => format!(
                "volume    {:.6e} m³; the surface encloses {volume:.6e} m³ ({:+.2} %)",
                report.volume,
                100.0 * (report.volume / volume - 1.0)
            ),
            None => format!("volume    {:.6e} m³", report.volume),
        },
    ];
    for (what, distance) in [("to the surface", to_surface), ("from the surface", from_surface)] {
        if let Some(SurfaceDistance { max, mean, .. }) = distance {
            let edges = max / report.edge_length;
            lines.push(format!(
                "distance  {what}: {max:.3e} m at most ({edges:.2} edge lengths), {mean:.3e} m on average"
            ));
        }
    }
    lines.extend(
        report
            .prepared
            .to_string()
            .lines()
            .filter(|_| !report.prepared.is_unchanged())
            .map(|line| format!("put right {line}")),
    );
    lines.extend(notes.iter().map(|note| format!("note      {note}")));
    console.tell(&(lines.join("\n") + "\n"))
}
