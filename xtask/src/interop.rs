//! `cargo xtask interop`: what the writers of pliant-io write, opened by readers that know nothing of them.
//!
//! A sheet and a solid go to every format, and a short animation of each to every cache, together with a table of what is
//! in them. A Python script then opens each with meshio, pyvista, trimesh, USD's own library and a few lines after
//! Blender's sources, as far as those are installed, and compares the values.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use nalgebra::Vector3;
use pliant_io::{
    Frame, FrameWriter, GlbAnimation, MddWriter, Mesh, MeshSequence, Pc2Options, Pc2Writer, Precision,
    UsdaOptions, UsdaWriter, VtuEncoding, VtuOptions, VtuSeries, write_mesh,
};
use pliant_mesh::{Split, TetMesh, TriMesh};
use serde_json::json;

use crate::{Outcome, workspace};

const SCRIPT: &str = include_str!("../assets/interop.py");

/// Opens the files of every writer with independent readers in Python and compares values; skipped where there is no Python.
#[derive(Parser)]
pub(crate) struct Args {
    /// Folder for the files [default: target/interop]
    #[arg(long)]
    dir: Option<PathBuf>,
    /// The Python to run [default: $PYTHON, else python3]
    #[arg(long)]
    python: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let folder = args.dir.clone().unwrap_or_else(|| workspace::root().join("target").join("interop"));
    fs::create_dir_all(&folder)?;
    let sheet = Mesh::Tri(TriMesh::grid([4, 3], [0.3, 0.2])?);
    let solid = Mesh::Tet(TetMesh::block([2, 1, 1], [0.2, 0.1, 0.1], Split::Kuhn)?);
    for (name, mesh) in [("sheet", &sheet), ("solid", &solid)] {
        single(&folder, name, mesh)?;
        animation(&folder, name, mesh)?;
    }
    let python = args.python.clone().or_else(|| env::var_os("PYTHON").map(PathBuf::from));
    let python = python.unwrap_or_else(|| "python3".into());
    if Command::new(&python).arg("--version").output().is_err() {
        println!("skipped: there is no {}; the files are in {}", python.display(), folder.display());
        return Ok(());
    }
    let script = folder.join("open.py");
    fs::write(&script, SCRIPT)?;
    let status = Command::new(&python).arg(&script).arg(&folder).status()?;
    if status.success() { Ok(()) } else { Err("other readers see something else".into()) }
}

/// The mesh in every format, and a table of what is in it.
fn single(folder: &Path, name: &str, mesh: &Mesh) -> Outcome {
    let formats = ["obj", "ply", "stl", "off", "glb", "usda", "vtu", "vtk", "msh", "mesh", "inp"];
    for extension in formats {
        write_mesh(folder.join(name).with_extension(extension), mesh)?;
    }
    let surface = match mesh {
        Mesh::Tri(mesh) => mesh.clone(),
        Mesh::Tet(mesh) => mesh.surface().mesh,
    };
    let points = |points: &[Vector3<f64>]| points.iter().map(|p| [p.x, p.y, p.z]).collect::<Vec<_>>();
    let truth = json!({
        "points": points(mesh.positions()),
        "tets": match mesh { Mesh::Tri(_) => Vec::new(), Mesh::Tet(mesh) => mesh.tets().to_vec() },
        "surface_points": points(surface.positions()),
        "surface": surface.triangles(),
        "times": TIMES,
        "frames": TIMES.map(|time| points(&moved(mesh.positions(), time))),
        "surface_frames": TIMES.map(|time| points(&moved(surface.positions(), time))),
    });
    fs::write(folder.join(format!("{name}.json")), serde_json::to_string(&truth)?)?;
    Ok(())
}

/// Times of the frames, s.
const TIMES: [f64; 4] = [0.0, 0.125, 0.25, 0.375];

/// Where the points of an animation are at a time: they rise at 2 m/s, and shear.
fn moved(points: &[Vector3<f64>], time: f64) -> Vec<Vector3<f64>> {
    points.iter().map(|p| Vector3::new(p.x + time * p.y, p.y, p.z + 2.0 * time)).collect()
}

fn animation(folder: &Path, name: &str, mesh: &Mesh) -> Outcome {
    let path = |extension: &str| folder.join(format!("{name}_moving.{extension}"));
    let options = UsdaOptions { frames_per_second: 8, ..UsdaOptions::default() };
    let vtu = VtuOptions { precision: Precision::Double, encoding: VtuEncoding::AppendedRaw, compress: true };
    let mut writers: Vec<Box<dyn FrameWriter>> = vec![
        Box::new(VtuSeries::create(path("pvd"), mesh, vtu)?),
        Box::new(Pc2Writer::create(path("pc2"), mesh.positions().len(), Pc2Options::default())?),
        Box::new(MddWriter::create(path("mdd"), mesh.positions().len())?),
        Box::new(UsdaWriter::create(path("usda"), mesh, options)?),
        Box::new(GlbAnimation::create(path("glb"), mesh)?),
        Box::new(MeshSequence::obj(folder, &format!("{name}_frame"), mesh)?),
        Box::new(MeshSequence::ply(folder, &format!("{name}_frame"), mesh)?),
    ];
    for time in TIMES {
        let positions = moved(mesh.positions(), time);
        let velocities: Vec<_> = mesh.positions().iter().map(|p| Vector3::new(p.y, 0.0, 2.0)).collect();
        for writer in &mut writers {
            writer.write_frame(&Frame::new(time, &positions).with_velocities(&velocities))?;
        }
    }
    for writer in writers {
        writer.finish()?;
    }
    Ok(())
}
