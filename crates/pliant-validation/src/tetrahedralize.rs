//! `cargo xtask tetrahedralize`: real surfaces filled with tetrahedra, judged, and simulated.
//!
//! Ten surfaces of a folder of meshes, closed and open, whole and self-intersecting, scanned and drawn, at
//! three resolutions. Each solid must have no inverted tetrahedron, no angle below 5° and, at the finest
//! resolution, the volume within its surface to 2 % where that is closed; then it is dropped on a floor for
//! 60 frames.

mod page;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Parser;
use nalgebra::Vector3;
use pliant_io::{Mesh, read_mesh};
use pliant_mesh::{
    CheckOptions, Defect, Resolution, TetMesh, TetrahedralizeOptions, TetrahedralizeReport, TriMesh,
    WindingNumbers,
};
use pliant_scene::Scene;
use rayon::prelude::*;

use crate::{Outcome, workspace};

/// Fill real surfaces with tetrahedra at three resolutions, judge the solids and simulate them.
#[derive(Parser)]
pub(crate) struct Args {
    /// The folder with the meshes [default: meshes/ of the folder of reference data]
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Only surfaces whose path holds this text
    #[arg(long)]
    only: Option<String>,
    /// Cells along the longest side
    #[arg(long, value_delimiter = ',', default_value = "16,32,64")]
    cells: Vec<usize>,
    /// Frames of the simulation; 0 leaves it out
    #[arg(long, default_value_t = 60)]
    frames: u32,
    /// Substeps of each
    #[arg(long, default_value_t = 15)]
    substeps: u32,
    /// Write the table into the page of the book
    #[arg(long)]
    write: bool,
}

/// A surface of the folder.
struct Surface {
    file: &'static str,
    /// Thickness of a shell in shares of the longest side; none for what the surface encloses.
    shell: Option<f64>,
}

const fn solid(file: &'static str) -> Surface {
    Surface { file, shell: None }
}

const SURFACES: [Surface; 10] = [
    solid("real/bunny_10k.obj"),
    solid("real/horse.ply"),
    solid("real/cow.obj"),
    solid("real/Fox.glb"),
    Surface { file: "real/skirt4K.obj", shell: Some(0.125) },
    solid("tri/vtk-data/footbones.ply"),
    solid("tri/assimp/spider.obj"),
    solid("tri/trimesh/featuretype.STL"),
    solid("tri/trimesh/fuze.ply"),
    solid("tri/positionbaseddynamics/torus.obj"),
];

const SELF_INTERSECTING: &str = "self-intersecting";
const LEAST_DIHEDRAL_DEGREES: f64 = 5.0;
const MOST_VOLUME_ERROR: f64 = 0.02;

/// The result for one surface at one resolution.
struct Row {
    file: &'static str,
    /// The description of the surface.
    kind: String,
    triangles: usize,
    cells: usize,
    tets: usize,
    seconds: f64,
    report: TetrahedralizeReport,
    /// The volume within the surface where that is closed, m³: of overlapping parts that of their union.
    enclosed: Option<f64>,
    /// Largest and mean distance between the surfaces, both ways, in shares of the longest side.
    distance: [f64; 2],
    inverted: usize,
    drop: Option<Drop>,
}

/// The result of the simulation.
struct Drop {
    milliseconds_per_frame: f64,
    /// Tetrahedra that are inverted or flat in the last frame.
    inverted: usize,
    finite: bool,
}

impl Row {
    fn volume_error(&self) -> Option<f64> {
        self.enclosed.map(|volume| self.report.volume / volume - 1.0)
    }

    /// The requirements that are not met.
    fn objections(&self, finest: bool) -> Vec<String> {
        let mut objections = Vec::new();
        if self.inverted > 0 {
            objections.push(format!("{} tetrahedra are inverted", self.inverted));
        }
        if self.report.dihedral[0].to_degrees() < LEAST_DIHEDRAL_DEGREES {
            objections.push(format!("an angle of {:.2}°", self.report.dihedral[0].to_degrees()));
        }
        if let Some(error) = self.volume_error().filter(|e| finest && e.abs() > MOST_VOLUME_ERROR) {
            objections.push(format!("its volume is {:+.2} % off", 100.0 * error));
        }
        if self.drop.as_ref().is_some_and(|drop| !drop.finite) {
            objections.push("the simulation did not stay finite".to_owned());
        }
        objections
    }
}

pub(crate) fn run(args: &Args) -> Outcome {
    let Some(dir) =
        args.dir.clone().or_else(|| Some(workspace::shared()?.join("meshes"))).filter(|d| d.is_dir())
    else {
        println!("skipped: there is no folder of meshes; give one with --dir");
        return Ok(());
    };
    let chosen = SURFACES.iter().filter(|s| args.only.as_ref().is_none_or(|only| s.file.contains(only)));
    let finest = args.cells.iter().copied().max().unwrap_or(0);
    let (mut rows, mut failed) = (Vec::new(), 0);
    println!("{}", page::HEADING);
    for surface in chosen {
        let mut union = None;
        for &cells in &args.cells {
            let row = fill(&dir, surface, cells, args, &mut union)?;
            println!("{}", page::line(&row));
            for objection in row.objections(cells == finest) {
                println!("FAILS {} at {cells} cells: {objection}", surface.file);
                failed += 1;
            }
            rows.push(row);
        }
    }
    if args.write {
        page::write(&rows)?;
    }
    if failed > 0 { Err(format!("{failed} objections").into()) } else { Ok(()) }
}

fn fill(
    dir: &Path,
    surface: &Surface,
    cells: usize,
    args: &Args,
    union: &mut Option<f64>,
) -> Result<Row, Box<dyn std::error::Error>> {
    let path = dir.join(surface.file);
    let (mesh, _) = read_mesh(&path)?.into_tri()?;
    let longest = mesh.bounds().map_or(0.0, |bounds| bounds.size().max());
    // A shell is thicker on a coarse lattice, which could not resolve a thin one.
    let thickness = surface.shell.map(|share| longest * share.max(2.0 / cells as f64));
    let options = TetrahedralizeOptions {
        resolution: Resolution::Cells(cells),
        shell_thickness: thickness,
        graded: false,
        // The table reports the losses at every resolution.
        accept_losses: true,
    };
    let start = Instant::now();
    let (solid, report) = mesh.tetrahedralize(&options)?;
    let seconds = start.elapsed().as_secs_f64();
    let boundary = solid.surface().mesh;
    let spacing = 0.5 * report.edge_length;
    let ways = [boundary.distance_to(&mesh, spacing), mesh.distance_to(&boundary, spacing)];
    // Of a shell the boundary is half the thickness away, by intent.
    let offset = 0.5 * thickness.unwrap_or(0.0);
    let of = |what: fn(&pliant_mesh::SurfaceDistance) -> f64| {
        let each = ways.iter().flatten().map(|distance| (what(distance) - offset).abs());
        each.fold(0.0, f64::max) / longest
    };
    let distance = [of(|d| d.max), of(|d| d.mean)];
    let kind = kind(&mesh, surface.shell.is_some());
    let enclosed = report.surface_volume.map(|volume| match kind.contains(SELF_INTERSECTING) {
        false => volume,
        true => *union.get_or_insert_with(|| volume_of_union(&mesh)),
    });
    let drop = (args.frames > 0).then(|| drop_on_floor(&path, cells, thickness, &solid, args)).transpose()?;
    Ok(Row {
        file: surface.file,
        kind,
        triangles: mesh.triangles().len(),
        cells,
        tets: solid.tets().len(),
        seconds,
        enclosed,
        distance,
        inverted: solid.inverted().len(),
        report,
        drop,
    })
}

/// The volume of all points that a surface goes round, either way, m³, which its own formula would count once
/// for every part around them. By the midpoint rule on a grid of its own, so that it shares only the winding
/// numbers with the judged result.
fn volume_of_union(mesh: &TriMesh) -> f64 {
    const CELLS: f64 = 96.0;
    let Some(bounds) = mesh.bounds() else { return 0.0 };
    let (winding, step) = (WindingNumbers::new(mesh), bounds.size().max() / CELLS);
    let counts = bounds.size().map(|side| (side / step).ceil() as usize);
    let inside = |z: usize| -> usize {
        let row = |y: usize| {
            let at = |x: usize| bounds.min + Vector3::new(x, y, z).map(|k| (k as f64 + 0.5) * step);
            (0..counts.x).filter(|&x| winding.at(&at(x)).abs() > 0.5).count()
        };
        (0..counts.y).map(row).sum()
    };
    let count: usize = (0..counts.z).into_par_iter().map(inside).sum();
    count as f64 * step * step * step
}

/// Closed or open, and whether the surface goes through itself.
fn kind(mesh: &TriMesh, is_shell: bool) -> String {
    let (welded, _) = mesh.repair(&pliant_mesh::RepairOptions {
        split_non_manifold: false,
        ..pliant_mesh::RepairOptions::default()
    });
    let check = welded.check_up(&CheckOptions { intersections: Some(1), ..CheckOptions::default() });
    let mut words = vec![if check.closed { "closed" } else { "open" }];
    if check.finding(Defect::NonManifoldEdges).is_some() {
        words.push("non-manifold");
    }
    if check.finding(Defect::SelfIntersections).is_some() {
        words.push(SELF_INTERSECTING);
    }
    if is_shell {
        words.push("as a shell");
    }
    words.join(", ")
}

/// Simulates the surface as a scene would: one metre large, soft, dropped on a floor.
fn drop_on_floor(
    path: &Path,
    cells: usize,
    thickness: Option<f64>,
    solid: &TetMesh,
    args: &Args,
) -> Result<Drop, Box<dyn std::error::Error>> {
    let shell = thickness.map_or(String::new(), |t| format!(", shell_thickness = {t:?}"));
    let scene = format!(
        "[solver]\nsubsteps = {}\n\n[[body]]\nmesh = {{ surface = {:?}, tetrahedralize = {{ cells = {cells}{shell} }} }}\n\
         centre = true\nfit = 1.0\nrest_on = 0.1\nedges = {{ compliance = 1e-6 }}\n\n[[obstacle]]\nfloor = {{}}\nfriction = 0.5\n",
        args.substeps,
        path.canonicalize()?
    );
    let scene = Scene::parse(&scene, ".")?;
    let mut built = scene.build::<f32>()?;
    let start = Instant::now();
    for _ in 0..args.frames {
        if built.simulation.step(scene.time_step()).is_err() {
            return Ok(Drop { milliseconds_per_frame: 0.0, inverted: 0, finite: false });
        }
    }
    let milliseconds_per_frame = 1e3 * start.elapsed().as_secs_f64() / f64::from(args.frames);
    let body = &built.bodies[0];
    let moved = built.simulation.positions_of(body.particles.clone());
    let Mesh::Tet(mesh) = &body.mesh else { return Err("the body is not a solid".into()) };
    assert_eq!(mesh.tets().len(), solid.tets().len(), "the scene fills the surface as the library does");
    let inverted = mesh.with_positions(moved)?.inverted().len();
    Ok(Drop { milliseconds_per_frame, inverted, finite: true })
}
