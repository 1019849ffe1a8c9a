//! Measures two example scenes: the four corners of edge and volume compliance, and the effect of tethers on
//! the stretch of a sheet.
//!
//! `cargo run --release -p pliant-scene --example measure` prints the tables of the guide.
#![allow(clippy::print_stdout, reason = "an example speaks on standard output")]

use nalgebra::Vector3;
use pliant_io::Mesh;
use pliant_mesh::TetMesh;
use pliant_scene::model::Count;
use pliant_scene::{Built, BuiltBody, Scene, Template};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    corners()?;
    tethers()
}

fn scene(name: &str) -> Result<Scene, Box<dyn std::error::Error>> {
    Ok(Template::named(name).ok_or("there is no such template")?.scene()?)
}

fn positions(built: &Built<f32>, body: &BuiltBody) -> Vec<Vector3<f64>> {
    built.simulation.positions_of(body.particles.clone())
}

/// The blocks after four seconds: their volume, and how far the lower face has sunk.
fn corners() -> Result<(), Box<dyn std::error::Error>> {
    let scene = scene("corners")?;
    let mut built = scene.build::<f32>()?;
    let mut inverted = 0;
    for _ in 0..240 {
        let report = built.simulation.step(scene.time_step())?;
        inverted = report.volume.map_or(0, |v| v.inverted);
    }
    println!("edges-volumes   volume %   sag %   ({inverted} inverted)");
    for body in &built.bodies {
        let Mesh::Tet(mesh) = &body.mesh else { continue };
        let now: TetMesh = mesh.with_positions(positions(&built, body))?;
        let lowest = mesh.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        let face: Vec<usize> =
            (0..mesh.positions().len()).filter(|&i| mesh.positions()[i].y < lowest + 1e-9).collect();
        let sunk: f64 = face.iter().map(|&i| mesh.positions()[i].y - now.positions()[i].y).sum();
        let sag = 100.0 * sunk / face.len() as f64 / 0.2;
        println!("{:12} {:+10.3} {:+8.2}", body.name, 100.0 * (now.volume() / mesh.volume() - 1.0), sag);
    }
    Ok(())
}

/// The stretch of the worst edge and the mean over two seconds, each in its median frame.
fn tethers() -> Result<(), Box<dyn std::error::Error>> {
    for substeps in [10, 40, 160] {
        let mut scene = scene("tethers")?;
        scene.model.solver.substeps = Some(Count::new(substeps)?);
        let mut built = scene.build::<f32>()?;
        let mut found = vec![(Vec::new(), Vec::new()); built.bodies.len()];
        for _ in 0..120 {
            built.simulation.step(scene.time_step())?;
            for (body, found) in built.bodies.iter().zip(&mut found) {
                let Mesh::Tri(mesh) = &body.mesh else { continue };
                let now = positions(&built, body);
                let length = |x: &[Vector3<f64>], [a, b]: [u32; 2]| (x[a as usize] - x[b as usize]).norm();
                let stretches: Vec<f64> = mesh
                    .edges()
                    .into_iter()
                    .map(|e| length(&now, e) / length(mesh.positions(), e) - 1.0)
                    .collect();
                found.0.push(stretches.iter().copied().fold(0.0, f64::max));
                found.1.push(stretches.iter().map(|s| s.abs()).sum::<f64>() / stretches.len() as f64);
            }
        }
        for (body, (mut worst, mut mean)) in built.bodies.iter().zip(found) {
            worst.sort_by(f64::total_cmp);
            mean.sort_by(f64::total_cmp);
            let (worst, mean) = (100.0 * worst[worst.len() / 2], 100.0 * mean[mean.len() / 2]);
            println!("{substeps:4} substeps, {:8} worst {worst:8.3} %, mean {mean:7.4} %", body.name);
        }
    }
    Ok(())
}
