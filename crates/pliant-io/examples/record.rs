//! Records a waving sheet in every animation format.
//!
//! ```text
//! cargo run -p pliant-io --example record -- [FOLDER]
//! ```
#![expect(clippy::print_stdout, reason = "this program prints")]

use std::error::Error;
use std::path::PathBuf;

use nalgebra::Vector3;
use pliant_io::{
    Field, FieldValues, Frame, FrameWriter, GlbAnimation, Location, MddWriter, Mesh, MeshSequence,
    Pc2Options, Pc2Writer, UsdaOptions, UsdaWriter, VtuOptions, VtuSeries, write_mesh,
};
use pliant_mesh::TriMesh;

/// Vertices along a side of the sheet.
const SIDE: u32 = 21;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("recorded"), PathBuf::from);
    let mesh = Mesh::Tri(sheet(0.0)?);
    let vertices = mesh.positions().len();
    let mut writers: Vec<Box<dyn FrameWriter>> = vec![
        Box::new(VtuSeries::create(folder.join("sheet.pvd"), &mesh, VtuOptions::default())?),
        Box::new(Pc2Writer::create(folder.join("sheet.pc2"), vertices, Pc2Options::default())?),
        Box::new(MddWriter::create(folder.join("sheet.mdd"), vertices)?),
        Box::new(UsdaWriter::create(folder.join("sheet.usda"), &mesh, UsdaOptions::default())?),
        Box::new(GlbAnimation::create(folder.join("sheet.glb"), &mesh)?),
        Box::new(MeshSequence::obj(folder.join("sheet_obj"), "sheet", &mesh)?),
        Box::new(MeshSequence::ply(folder.join("sheet_ply"), "sheet", &mesh)?),
    ];
    // Blender needs the mesh that the point cache belongs to.
    write_mesh(folder.join("sheet.obj"), &mesh)?;

    let step = 1.0 / 30.0;
    for frame in 0..30 {
        let time = f64::from(frame) * step;
        let now = sheet(time)?;
        let next = sheet(time + 1e-6)?;
        let velocities: Vec<Vector3<f64>> =
            now.positions().iter().zip(next.positions()).map(|(a, b)| (b - a) / 1e-6).collect();
        let areas: Vec<f64> = (0..now.triangles().len()).map(|t| now.triangle_area(t)).collect();
        let fields =
            [Field { name: "area", location: Location::Elements, values: FieldValues::Scalars(&areas) }];
        let state = Frame::new(time, now.positions()).with_velocities(&velocities).with_fields(&fields);
        for writer in &mut writers {
            writer.write_frame(&state)?;
        }
    }
    for writer in writers {
        if let Some(path) = writer.finish()?.first() {
            println!("open {}", path.display());
        }
    }
    Ok(())
}

/// A square sheet of one metre with a wave running over it.
fn sheet(time: f64) -> Result<TriMesh, Box<dyn Error>> {
    let at = |i: u32, j: u32| {
        let (x, y) = (f64::from(i) / f64::from(SIDE - 1), f64::from(j) / f64::from(SIDE - 1));
        Vector3::new(x, y, 0.1 * y * (6.0 * (x + time)).sin())
    };
    let positions = (0..SIDE).flat_map(|j| (0..SIDE).map(move |i| at(i, j))).collect();
    let quads = (0..SIDE - 1).flat_map(|j| (0..SIDE - 1).map(move |i| j * SIDE + i));
    let triangles = quads.flat_map(|a| [[a, a + 1, a + SIDE + 1], [a, a + SIDE + 1, a + SIDE]]).collect();
    Ok(TriMesh::new(positions, triangles)?)
}
