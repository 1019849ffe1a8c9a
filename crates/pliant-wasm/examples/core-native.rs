//! Meshes and numbers as JSON, with the hashes of their simulation in native code, frame by frame: what the module `core.wasm` is compared
//! with by `cargo xtask wasm --check`.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::error::Error;
use std::time::Instant;

use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::nalgebra::Vector3;
use pliant_solver::{
    Body, Collide, Compliance, Continuum, Lanes, Method, Obstacle, Simulation, SimulationBuilder, Wind,
};
use serde_json::{Value, json};

const FRAMES: usize = 120;

/// Vertices as the module takes them, in single precision, and as the solver has them then.
fn rounded(positions: &[Vector3<f64>]) -> (Vec<f32>, Vec<Vector3<f64>>) {
    #[allow(clippy::cast_possible_truncation, reason = "this is what is asked for")]
    let numbers: Vec<f32> =
        positions.iter().flat_map(|x| [x.x, x.y, x.z]).map(|number| number as f32).collect();
    let places = numbers.as_chunks().0.iter().map(|x: &[f32; 3]| Vector3::from(x.map(f64::from)));
    let places = places.collect();
    (numbers, places)
}

/// A sheet, and how the module is given it.
fn sheet(n: usize, size: f64, height: f64) -> Result<(TriMesh, Value), Box<dyn Error>> {
    let mesh = TriMesh::grid([n, n], [size, size])?.translated([0.0, height, 0.0])?;
    let (numbers, places) = rounded(mesh.positions());
    let told = json!({ "positions": numbers, "triangles": mesh.triangles().as_flattened() });
    Ok((mesh.with_positions(places)?, told))
}

/// A block, and how the module is given it.
fn block(cells: [usize; 3], size: [f64; 3], at: [f64; 3]) -> Result<(TetMesh, Value), Box<dyn Error>> {
    let mesh = TetMesh::block(cells, size, Split::Kuhn)?.translated(at)?;
    let (numbers, places) = rounded(mesh.positions());
    let told = json!({ "positions": numbers, "tetrahedra": mesh.tets().as_flattened() });
    Ok((mesh.with_positions(places)?, told))
}

/// What is told of a body, with more of it.
fn with(mut told: Value, more: &Value) -> Value {
    if let (Some(told), Some(more)) = (told.as_object_mut(), more.as_object()) {
        told.extend(more.clone());
    }
    told
}

fn step(name: &str, builder: SimulationBuilder, mut told: Value) -> Result<Value, Box<dyn Error>> {
    let portable = hashes(builder.clone().lanes(Lanes::Portable))?;
    let begun = Instant::now();
    let hashes = hashes(builder)?;
    told["name"] = json!(name);
    told["ms"] = json!(1e3 * begun.elapsed().as_secs_f64() / FRAMES as f64);
    if hashes != portable {
        return Err(format!("{name}: states differ between the widest lanes and portable ones").into());
    }
    told["hashes"] = json!(hashes);
    Ok(told)
}

/// The hash at the start, and after every frame.
fn hashes(builder: SimulationBuilder) -> Result<Vec<String>, Box<dyn Error>> {
    let mut sim = builder.build()?;
    let mut hashes = vec![format!("{:016x}", sim.state_hash())];
    for _ in 0..FRAMES {
        sim.advance(1.0 / 60.0)?;
        hashes.push(format!("{:016x}", sim.state_hash()));
    }
    Ok(hashes)
}

/// Cloth that falls onto a ball and folds, and meets itself.
fn folds() -> Result<Value, Box<dyn Error>> {
    let (mesh, told) = sheet(25, 1.0, 0.35)?;
    let cloth = Body::cloth(mesh)
        .density(0.15)
        .contact_radius(0.004)
        .stretch(Compliance::new(1e-6))
        .bend(Compliance::new(0.1))
        .collide(Collide::new().friction(0.3));
    let ball = Obstacle::sphere(Vector3::zeros(), 0.25).friction(0.4);
    let more = json!({ "density": 0.15, "radius": 0.004, "stretch": 1e-6, "bend": 0.1, "collide": true, "friction": 0.3 });
    let told = json!({
        "settings": { "substeps": 8 },
        "cloth": [with(told, &more)],
        "obstacles": [["sphere", { "centre": [0, 0, 0], "radius": 0.25, "friction": 0.4 }]],
    });
    step("folds", Simulation::builder().substeps(8).body(cloth).obstacle(ball), told)
}

/// A pinned sheet in the wind, of a membrane.
fn flag() -> Result<Value, Box<dyn Error>> {
    let (mesh, told) = sheet(21, 1.0, 0.0)?;
    let cloth = Body::cloth(mesh)
        .density(0.2)
        .stretch(Compliance::new(1e-6))
        .bend_isometric(pliant_solver::Stiffness::new(1e-4))
        .pin_vertices([0, 20]);
    let more = json!({ "density": 0.2, "stretch": 1e-6, "bendModulus": 1e-4, "pin": [0, 20] });
    let told = json!({
        "settings": { "substeps": 12, "wind": [4, 0, 1], "damping": 0.1 },
        "cloth": [with(told, &more)],
    });
    let wind = Wind { velocity: Vector3::new(4.0, 0.0, 1.0), ..Wind::default() };
    step("flag", Simulation::builder().substeps(12).wind(wind).damping(0.1).body(cloth), told)
}

/// Two soft blocks, one thrown onto the other, which lies on a floor.
fn blocks() -> Result<Value, Box<dyn Error>> {
    let (below, told_below) = block([4, 4, 4], [0.4, 0.4, 0.4], [0.0, 0.2, 0.0])?;
    let (above, told_above) = block([3, 3, 3], [0.3, 0.3, 0.3], [0.05, 0.7, 0.0])?;
    let collide = Collide::new().with_itself(false).friction(0.5);
    let below =
        Body::solid(below).contact_radius(0.005).continuum(Continuum::neo_hookean(2e5, 0.4)).collide(collide);
    let above = Body::solid(above)
        .density(800.0)
        .velocity(Vector3::new(0.0, -1.0, 0.0))
        .contact_radius(0.005)
        .stretch(Compliance::new(1e-4))
        .collide(collide);
    let floor = Obstacle::floor(0.0).friction(0.6).restitution(0.2);
    let touch = json!({ "radius": 0.005, "collide": false, "friction": 0.5 });
    let told = json!({
        "settings": { "substeps": 10 },
        "solids": [
            with(with(told_below, &touch), &json!({ "neoHookean": [2e5, 0.4] })),
            with(with(told_above, &touch), &json!({ "density": 800, "velocity": [0, -1, 0], "stretch": 1e-4 })),
        ],
        "obstacles": [["floor", { "height": 0, "friction": 0.6, "restitution": 0.2 }]],
    });
    step("blocks", Simulation::builder().substeps(10).body(below).body(above).obstacle(floor), told)
}

/// A beam by Newton's method.
fn beam() -> Result<Value, Box<dyn Error>> {
    let (mesh, told) = block([8, 2, 2], [0.8, 0.2, 0.2], [0.0; 3])?;
    let held: Vec<u32> = (0..).zip(mesh.positions()).filter(|(_, x)| x.x < 1e-3).map(|(v, _)| v).collect();
    let more = json!({ "neoHookean": [1e6, 0.4], "pin": held });
    let beam = Body::solid(mesh).continuum(Continuum::neo_hookean(1e6, 0.4)).pin_vertices(held);
    let told = json!({ "settings": { "substeps": 1, "method": "newton" }, "solids": [with(told, &more)] });
    step("beam", Simulation::builder().substeps(1).method(Method::Newton).body(beam), told)
}

fn main() -> Result<(), Box<dyn Error>> {
    // One thread, as the module has; the hashes do not depend on it.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    println!("{}", Value::from(vec![folds()?, flag()?, blocks()?, beam()?]));
    Ok(())
}
