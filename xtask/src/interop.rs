//! `cargo xtask interop`: what the writers of pliant-io write, opened by readers that know nothing of them.
//!
//! A sheet and a solid go to every format, and a short animation of each to every cache, together with a table of what is
//! in them. A Python script then opens each with meshio, pyvista, trimesh, USD's own library and a few lines after
//! Blender's sources, as far as those are installed, and compares the values.

use std::fs;
use std::path::Path;

use clap::Parser;
use nalgebra::Vector3;
use pliant_io::{
    Attribute, Attributes, Frame, FrameWriter, GlbAnimation, Group, Location, MddWriter, Mesh, MeshSequence,
    Pc2Options, Pc2Writer, Precision, UsdaOptions, UsdaWriter, VtuEncoding, VtuOptions, VtuSeries,
    write_mesh, write_mesh_with,
};
use pliant_mesh::{Split, TetMesh, TriMesh};
use serde_json::json;

use crate::Outcome;
use crate::python::Shared;

const SCRIPT: &str = include_str!("../assets/interop.py");

/// Opens the files of every writer with independent readers in Python and compares values; skipped where there is no Python.
#[derive(Parser)]
pub(crate) struct Args {
    #[command(flatten)]
    shared: Shared,
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
    args.shared.run(&folder, "open.py", SCRIPT, "other readers see something else")
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
    let pull = pull.as_chunks::<3>().0;
    let truth = json!({ "young": young, "part": part, "pull": pull, "foot": foot, "top": top });
    fs::write(folder.join(format!("{name}_named.json")), serde_json::to_string(&truth)?)?;
    Ok(())
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
