//! Many small worlds in a loop of Rust, on one thread and on two: what `Batch` of the Python package is compared with.
//!
//! `cargo run --release -p pliant-benches --example many`
#![allow(clippy::print_stdout, reason = "an example reports what it does")]

use std::time::Instant;

use pliant_scene::Scene;
use pliant_solver::Simulation;
use rayon::prelude::*;

const WORLDS: usize = 1000;
const FRAMES: usize = 10;
const SCENE: &str = r#"[[body]]
name = "sheet"
mesh = { grid = { vertices = [20, 20], size = [1.0, 1.0] } }
edges = { compliance = 1e-6 }
pin = [{ vertices = [0, 19] }]
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = Scene::parse(SCENE, ".")?;
    let dt = scene.time_step();
    let mut worlds: Vec<Simulation<f32>> = (0..WORLDS)
        .map(|_| Ok(scene.build()?.simulation))
        .collect::<Result<_, pliant_scene::SceneError>>()?;
    let start = worlds[0].snapshot();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            worlds.iter_mut().for_each(|world| world.restore(&start));
            let begun = Instant::now();
            let failed: Option<_> = pool.install(|| {
                let step = |world: &mut Simulation<f32>| (0..FRAMES).find_map(|_| world.advance(dt).err());
                worlds.par_iter_mut().with_max_len(1).filter_map(step).find_any(|_| true)
            });
            if let Some(error) = failed {
                return Err(error.into());
            }
            best = best.min(begun.elapsed().as_secs_f64());
        }
        let frames = (WORLDS * FRAMES) as f64;
        println!("{threads} threads: {:.0} frames/s, state {:016x}", frames / best, worlds[0].state_hash());
    }
    Ok(())
}
