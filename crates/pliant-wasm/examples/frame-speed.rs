//! Times a frame of scenes in native code, and prints the times as JSON with what others need for the same scenes: what
//! `cargo xtask wasm --measure` compares with.
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::time::Instant;

use pliant_mesh::{Split, TetMesh, TriMesh, lumped_mass_tets, lumped_mass_triangles};
use pliant_scene::Scene;
use pliant_view::Show;
use serde_json::{Value, json};

const BLOCK: &str = include_str!("../measure/block.toml");
const SHEET: &str = include_str!("../measure/sheet.toml");
const SOFT_SHEET: &str = include_str!("../measure/soft-sheet.toml");
const FOLDS: &str = include_str!("../demo/folds.toml");
/// Frames before those that are timed: engines compile in them.
const WARM: usize = 20;
const FRAMES: usize = 101;
/// Those of the scenes with a mesh for others.
const SUBSTEPS: u32 = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One thread, as the module has.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let scenes = [
        ("block of 48 000 tetrahedra", BLOCK, block()?),
        ("sheet of 101² vertices", SHEET, Value::Null),
        ("the same sheet, edges of 0.2 m/N", SOFT_SHEET, soft_sheet()?),
        ("cloth of 43² vertices that folds over a ball, with self-contact", FOLDS, Value::Null),
    ];
    let mut all = Vec::new();
    for (name, toml, mesh) in scenes {
        let mut show = Show::of_scene(Scene::parse_named("scene", toml, ".")?)?;
        let mut times = Vec::new();
        for frame in 0..WARM + FRAMES {
            let begun = Instant::now();
            show.step()?;
            if frame >= WARM {
                times.push(1e3 * begun.elapsed().as_secs_f64());
            }
        }
        times.sort_by(f64::total_cmp);
        let hash = format!("{:016x}", show.state_hash());
        all.push(json!({
            "name": name, "toml": toml, "mesh": mesh, "substeps": SUBSTEPS, "warm": WARM, "frames": FRAMES,
            "ms": times[FRAMES / 2], "hash": hash,
        }));
    }
    println!("{}", Value::from(all));
    Ok(())
}

/// The mesh of `block.toml`, and what is fixed.
fn block() -> Result<Value, Box<dyn std::error::Error>> {
    let mesh = TetMesh::block([20; 3], [1.0; 3], Split::Kuhn)?;
    let x = mesh.positions();
    let top = x.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
    let fixed: Vec<usize> = (0..x.len()).filter(|&i| x[i].y > top - 1e-9).collect();
    let surface = mesh.boundary_triangles();
    Ok(json!({
        "positions": flat(x.iter().map(|x| [x.x, x.y, x.z])), "masses": lumped_mass_tets(&mesh, 1000.0), "fixed": fixed,
        "edges": flat(mesh.edges()), "compliance": 0.0, "tets": flat(mesh.tets().iter().copied()), "triangles": flat(surface),
    }))
}

/// The mesh of `soft-sheet.toml`, what is fixed, and the compliance of the edges, m/N.
fn soft_sheet() -> Result<Value, Box<dyn std::error::Error>> {
    let mesh = TriMesh::grid([101; 2], [1.0; 2])?;
    Ok(json!({
        "positions": flat(mesh.positions().iter().map(|x| [x.x, x.y, x.z])), "masses": lumped_mass_triangles(&mesh, 0.2),
        "fixed": [0, 100], "edges": flat(mesh.edges()), "tets": [],
        "compliance": 0.2, "triangles": flat(mesh.triangles().iter().copied()),
    }))
}

fn flat<T, const N: usize>(rows: impl IntoIterator<Item = [T; N]>) -> Vec<T> {
    rows.into_iter().flatten().collect()
}
