//! How long each deformer takes on a skin of 100 000 vertices and 300 000 edges, and the usual stack of them.
//!
//! `cargo run --release -p pliant-deform --example deformer-speed [THREADS]`
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::time::{Duration, Instant};

use nalgebra::{Matrix4, Vector3};
use pliant_deform::{
    Blending, Collide, CollideSettings, Collider, Deformer, DeltaMush, DeltaMushSettings, FrameTime, Jiggle,
    JiggleSettings, Layer, Meetings, Relax, RelaxSettings, Skinning, Smooth, SmoothSettings, Stack, Sweep,
};
use pliant_mesh::{Caps, Influence, Local, Node, Skeleton, Skin, Transform, TriMesh, WeightSums};

/// Any error, from any thread.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Rounds; the median counts.
const ROUNDS: u32 = 9;

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
    let bone = TriMesh::cylinder(0.19, 2.0, 64, 64, Caps::Capped)?;
    let settings = CollideSettings { reach: 0.05, clearance: 0.0, meetings: Meetings::FromInside };
    let collide = || Collide::new(&tube, vec![Collider::new(bone.clone())], settings);
    let list: Vec<(&str, Box<dyn Deformer>)> = vec![
        ("skinning, linear, four influences", Box::new(skin(Blending::Linear)?)),
        ("skinning, dual quaternions", Box::new(skin(Blending::DualQuaternion)?)),
        ("collide, 8 700 triangles", Box::new(collide()?)),
        ("relax, 10 iterations, sequential f64", Box::new(relax(Sweep::Sequential)?)),
        ("relax, 10 iterations, coloured f32", Box::new(relax(Sweep::Coloured)?)),
        ("smooth, 4 iterations", Box::new(Smooth::new(&tube, SmoothSettings::default())?)),
        ("delta mush, 10 iterations", Box::new(DeltaMush::new(&tube, DeltaMushSettings::default())?)),
        ("jiggle", Box::new(Jiggle::of_mesh(&tube, JiggleSettings::default())?)),
    ];
    for (name, mut deformer) in list {
        measure(name, |frame| {
            let mut x = bent.clone();
            let start = Instant::now();
            deformer.deform(frame, &mut x)?;
            Ok(start.elapsed())
        })?;
    }
    for with_collision in [false, true] {
        let mut stack = Stack::new(&tube);
        stack.push(Layer::new(skin(Blending::Linear)?))?;
        if with_collision {
            stack.push(Layer::new(collide()?))?;
        }
        stack.push(Layer::new(relax(Sweep::Coloured)?))?;
        stack.push(Layer::new(Smooth::new(&tube, SmoothSettings::default())?))?;
        stack.push(Layer::new(Jiggle::of_mesh(&tube, JiggleSettings::default())?))?;
        let name = if with_collision { "the stack, with collision" } else { "the stack, without collision" };
        measure(name, |frame| {
            let start = Instant::now();
            stack.run(frame, &bent)?;
            Ok(start.elapsed())
        })?;
    }
    Ok(())
}

/// Prints the median of some rounds.
fn measure(
    name: &str,
    mut work: impl FnMut(&FrameTime) -> Result<Duration, pliant_deform::DeformError>,
) -> Result<(), Failure> {
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let dt = 1.0 / 60.0;
        times.push(work(&FrameTime { time: dt * f64::from(round), dt })?);
    }
    times.sort();
    println!("{name:40} {:8.2} ms", times[times.len() / 2].as_secs_f64() * 1e3);
    Ok(())
}
