//! `cargo xtask interop`: opens the files of pliant-io's writers with independent readers.
//!
//! A sheet and a solid go to every format, and a short animation of each to every cache, together with a
//! table of their content. A Python script then opens each with meshio, pyvista, trimesh, tetgen, USD's own
//! library and a few lines after Blender's sources, as far as those are installed, and compares the values. A
//! second script plays caches and clips in Blender itself, whose module needs a particular version of Python:
//! `--bpy` names it.

use std::path::{Path, PathBuf};
use std::{env, fs};

use clap::Parser;
use nalgebra::Vector3;
use pliant_io::{
    Attribute, Attributes, Field, FieldValues, Frame, FrameWriter, GlbAnimation, Group, Location, MddWriter,
    Mesh, MeshSequence, Pc2Options, Pc2Writer, Precision, UsdaOptions, UsdaWriter, VtuEncoding, VtuOptions,
    VtuSeries, write_mesh, write_mesh_with,
};
use pliant_mesh::{RepairOptions, Split, TetMesh, TriMesh};
use serde_json::json;

use crate::Outcome;
use crate::python::{Python, Shared};

const SCRIPT: &str = include_str!("../assets/interop.py");
const BLENDER: &str = include_str!("../assets/blender.py");

/// Open the files of every writer with independent readers in Python and compare values; skipped if Python is missing.
#[derive(Parser)]
pub(crate) struct Args {
    #[command(flatten)]
    shared: Shared,
    /// A Python that has Blender as the module bpy [default: $BPY_PYTHON, else the same Python]
    #[arg(long)]
    bpy: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let folder = args.shared.folder("interop")?;
    let sheet = Mesh::Tri(TriMesh::grid([4, 3], [0.3, 0.2])?);
    let solid = Mesh::Tet(TetMesh::block([2, 1, 1], [0.2, 0.1, 0.1], Split::Kuhn)?);
    for (name, mesh) in [("sheet", &sheet), ("solid", &solid)] {
        single(&folder, name, mesh)?;
        named(&folder, name, mesh)?;
        animation(&folder, name, mesh)?;
    }
    repaired(&folder)?;
    let opened = args.shared.run(&folder, "open.py", SCRIPT, "other readers see something else");
    let bpy = args.bpy.clone().or_else(|| env::var_os("BPY_PYTHON").map(PathBuf::from));
    let mut shared = args.shared.clone();
    if let Some(bpy) = bpy {
        shared.python = Python::at(bpy);
    }
    let played = shared.run(&folder, "play.py", BLENDER, "Blender shows something else");
    opened.and(played)
}

/// The mesh with attributes and groups in the formats that have room for them, and a table of these.
fn named(folder: &Path, name: &str, mesh: &Mesh) -> Outcome {
    let (vertices, elements) = (mesh.positions().len(), mesh.element_count());
    let young: Vec<f64> = (0..elements).map(|i| 1e5 / (3.0 + i as f64)).collect();
    let part: Vec<f64> = (0..elements).map(|i| (i % 3) as f64 - 1.0).collect();
    let pull: Vec<f64> = (0..3 * vertices).map(|i| i as f64 / 7.0).collect();
    let (foot, top) = ([1_u32, 2], [0_u32, 3]);
    let mut attributes = Attributes::default();
    attributes.push(Attribute::scalars("young modulus", Location::Elements, young.clone()))?;
    attributes.push(Attribute::scalars("part", Location::Elements, part.clone()).integers())?;
    attributes.push(Attribute::vectors("pull", Location::Vertices, 3, pull.clone()))?;
    attributes.push_group(Group::new("foot", Location::Elements, foot.to_vec()));
    attributes.push_group(Group::new("top", Location::Vertices, top.to_vec()));
    for extension in ["vtu", "vtk", "msh", "ply"] {
        write_mesh_with(folder.join(format!("{name}_named.{extension}")), mesh, &attributes)?;
    }
    // meshio requires data of elements of one kind: groups of vertices are points in MSH.
    let mut of_one_kind = Attributes::default();
    for field in attributes.fields() {
        of_one_kind.push(field.clone())?;
    }
    of_one_kind.push_group(Group::new("foot", Location::Elements, foot.to_vec()));
    write_mesh_with(folder.join(format!("{name}_unmixed.msh")), mesh, &of_one_kind)?;
    let pull = pull.as_chunks::<3>().0;
    let truth = json!({ "young": young, "part": part, "pull": pull, "foot": foot, "top": top });
    fs::write(folder.join(format!("{name}_named.json")), serde_json::to_string(&truth)?)?;
    Ok(())
}

/// The mesh in every format, and a table of its content.
fn single(folder: &Path, name: &str, mesh: &Mesh) -> Outcome {
    let formats = ["obj", "ply", "stl", "off", "glb", "usda", "vtu", "vtk", "msh", "mesh", "inp"];
    for extension in formats {
        write_mesh(folder.join(name).with_extension(extension), mesh)?;
    }
    let surface = match mesh {
        Mesh::Tri(mesh) => mesh.clone(),
        Mesh::Tet(solid) => {
            write_mesh(folder.join(name).with_extension("node"), mesh)?;
            solid.surface().mesh
        }
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

/// A torn sheet before and after its repair, and the mapping of its vertices, as `pliant mesh repair --json`
/// and runs report it.
fn repaired(folder: &Path) -> Outcome {
    let sheet = TriMesh::grid([4, 3], [0.3, 0.2])?;
    // Every triangle has corners of its own, the second is turned over, and a vertex floats.
    let mut positions = vec![Vector3::repeat(5.0)];
    let mut triangles = Vec::new();
    for (t, corners) in sheet.triangles().iter().enumerate() {
        let first = positions.len() as u32;
        positions.extend(corners.map(|v| sheet.positions()[v as usize]));
        triangles.push(if t == 1 { [first, first + 2, first + 1] } else { [first, first + 1, first + 2] });
    }
    let torn = TriMesh::new(positions, triangles)?;
    let (mended, report) = torn.repair(&RepairOptions { weld: Some(0.0), ..RepairOptions::default() });
    write_mesh(folder.join("torn.vtu"), &Mesh::Tri(torn))?;
    write_mesh(folder.join("mended.vtu"), &Mesh::Tri(mended))?;
    fs::write(folder.join("mended.json"), serde_json::to_string_pretty(&report)?)?;
    Ok(())
}

fn animation(folder: &Path, name: &str, mesh: &Mesh) -> Outcome {
    let path = |extension: &str| folder.join(format!("{name}_moving.{extension}"));
    let options = UsdaOptions { frames_per_second: 8.0, ..UsdaOptions::default() };
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
        let moves: Vec<_> = positions.iter().zip(mesh.positions()).map(|(p, rest)| p - rest).collect();
        let displacement = Field {
            name: "displacement",
            location: Location::Vertices,
            values: FieldValues::Vectors(&moves),
        };
        // Any unit vectors will do, as long as they differ.
        let normals: Vec<_> =
            positions.iter().map(|p| (p + Vector3::new(0.0, 0.1, 1.0)).normalize()).collect();
        let frame = Frame::new(time, &positions).with_velocities(&velocities).with_normals(&normals);
        for writer in &mut writers {
            writer.write_frame(&frame.with_fields(std::slice::from_ref(&displacement)))?;
        }
    }
    for writer in writers {
        writer.finish()?;
    }
    Ok(())
}
