//! A beam from a Gmsh file: held by one physical group, with a softer part by another and a stiffness for
//! every tetrahedron.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;
use std::fs;

use nalgebra::Vector3;
use pliant_io::{Attribute, Attributes, Group, Location, Mesh, write_mesh_with};
use pliant_mesh::{Split, TetMesh};
use pliant_scene::Scene;

const SCENE: &str = r#"
[solver]
substeps = 40

[[body]]
name = "beam"
mesh = "beam.msh"
density = 1000
material = { young = 1e5, poisson = 0.4 }

[[body.pin]]
group = "wall"                  # a physical group: the vertices of its elements

[[body.vary]]                   # a Young's modulus for every tetrahedron, from the file
values = { attribute = "E", quantity = "young" }

[[body.vary]]                   # and what belongs to a group is softer
region = { group = "tip" }
factor = 0.5
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join("pliant-example-groups");
    fs::create_dir_all(&folder)?;
    // As a mesh generator would have written it.
    let beam = TetMesh::block([10, 2, 2], [1.0, 0.2, 0.2], Split::Kuhn)?;
    let middle = |tet: &[u32; 4]| tet.iter().map(|&v| beam.positions()[v as usize].x).sum::<f64>() / 4.0;
    let mut attributes = Attributes::default();
    let young = beam.tets().iter().map(|tet| 2e5 - 1e5 * middle(tet)).collect();
    attributes.push(Attribute::scalars("E", Location::Elements, young))?;
    let tip = (0..).zip(beam.tets()).filter(|(_, tet)| middle(tet) > 0.8).map(|(t, _)| t).collect();
    attributes.push_group(Group::new("tip", Location::Elements, tip));
    let at_wall = |x: &Vector3<f64>| x.x < 1e-9;
    let wall = (0..).zip(beam.positions()).filter(|(_, x)| at_wall(x)).map(|(v, _)| v).collect();
    attributes.push_group(Group::new("wall", Location::Vertices, wall));
    write_mesh_with(folder.join("beam.msh"), &Mesh::Tet(beam), &attributes)?;

    let scene = Scene::parse(SCENE, &folder)?;
    let mut built = scene.build::<f32>()?;
    for _ in 0..30 {
        built.simulation.step(scene.time_step())?;
    }
    let lowest = built.simulation.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    println!("after half a second the beam hangs down to {lowest:.3} m");
    assert!(lowest < -0.05, "the beam does not move");
    Ok(())
}
