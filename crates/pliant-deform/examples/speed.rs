//! How long each deformer takes on a skin of 100 000 vertices and 300 000 edges.
//!
//! `cargo run --release -p pliant-deform --example speed [THREADS]`
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::time::Instant;

use nalgebra::{Matrix4, Vector3};
use pliant_deform::{
    Blending, Collide, CollideSettings, Collider, Deformer, DeltaMush, DeltaMushSettings, Frame, Jiggle,
    JiggleSettings, Meetings, Relax, RelaxSettings, Skinning, Smooth, SmoothSettings, Sweep,
};
use pliant_mesh::{Caps, Influence, Local, Node, Skeleton, Skin, Transform, TriMesh, WeightSums};

/// Whatever went wrong, from whichever thread.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Rounds; the median counts.
const ROUNDS: usize = 9;

fn main() -> Result<(), Failure> {
    let threads = std::env::args().nth(1).map_or(Ok(1), |n| n.parse())?;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(run)
}

fn run() -> Result<(), Failure> {
    let tube = TriMesh::cylinder(0.2, 2.0, 250, 400, Caps::Open)?;
    let bend = |p: &Vector3<f64>| {
        let (s, c) = (1.5 * (p.y / 0.5).clamp(-0.5, 0.5)).sin_cos();
        Vector3::new(p.x * c - p.y * s, p.x * s + p.y * c, p.z)
    };
    let bent: Vec<_> = tube.positions().iter().map(bend).collect();
    println!(
        "{} vertices, {} edges, {} threads",
        bent.len(),
        tube.edges().len(),
        rayon::current_num_threads()
    );

    let skin = |blending| -> Result<Skinning, Failure> {
        let local = Local::Transform(Transform::default());
        let node = || Node { name: String::new(), parent: None, local };
        let four = (0..4).map(|joint| Influence { joint, weight: 0.25 }).collect::<Vec<_>>();
        let lists = vec![four; bent.len()];
        let bind = vec![Matrix4::identity(); 4];
        let (skin, _) = Skin::new(4, vec![0, 1, 2, 3], bind, lists, WeightSums::Normalise)?;
        let skeleton = Skeleton::new((0..4).map(|_| node()).collect())?;
        Ok(Skinning::posed(skin, skeleton, blending)?)
    };
    let relax = |sweep| Relax::new(&tube, RelaxSettings { sweep, ..RelaxSettings::default() });
    let bone = Collider::new(TriMesh::cylinder(0.19, 2.0, 64, 64, Caps::Capped)?);
    let settings = CollideSettings { reach: 0.05, clearance: 0.0, meetings: Meetings::FromInside };
    let list: Vec<(&str, Box<dyn Deformer>)> = vec![
        ("skinning, linear, four influences", Box::new(skin(Blending::Linear)?)),
        ("skinning, dual quaternions", Box::new(skin(Blending::DualQuaternion)?)),
        ("collide, 8 700 triangles", Box::new(Collide::new(&tube, vec![bone], settings)?)),
        ("relax, 10 iterations, sequential f64", Box::new(relax(Sweep::Sequential)?)),
        ("relax, 10 iterations, coloured f32", Box::new(relax(Sweep::Coloured)?)),
        ("smooth, 4 iterations", Box::new(Smooth::new(&tube, SmoothSettings::default())?)),
        ("delta mush, 10 iterations", Box::new(DeltaMush::new(&tube, DeltaMushSettings::default())?)),
        ("jiggle", Box::new(Jiggle::of_mesh(&tube, JiggleSettings::default())?)),
    ];
    for (name, mut deformer) in list {
        let mut times = Vec::new();
        for round in 0..ROUNDS {
            let mut x = bent.clone();
            let start = Instant::now();
            deformer.deform(&Frame { time: f64::from(u32::try_from(round)?), dt: 1.0 / 60.0 }, &mut x)?;
            times.push(start.elapsed());
        }
        times.sort();
        println!("{name:40} {:8.2} ms", times[ROUNDS / 2].as_secs_f64() * 1e3);
    }
    Ok(())
}
