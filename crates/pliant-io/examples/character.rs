//! The joints and animations of a skinned glTF file, and where its mesh is in a pose.
//!
//! `cargo run -p pliant-io --example character -- Fox.glb [ANIMATION] [SECONDS]`
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use nalgebra::{Point3, Vector3};
use pliant_io::read_character;
use pliant_mesh::{Aabb, WeightSums};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("name a glTF or GLB file with a skin")?;
    let character = read_character(file, WeightSums::Normalise)?;
    println!("{}", character.report);
    let (skin, skeleton) = (&character.skin, &character.skeleton);
    let most = (0..skin.vertex_count()).map(|v| skin.influences(v).len()).max().unwrap_or(0);
    println!("{} joints, at most {most} to a vertex", skin.joints().len());
    for clip in &character.clips {
        let [start, end] = clip.range().unwrap_or_default();
        println!(
            "animation {:?}: {} channels, {start:.3} s to {end:.3} s",
            clip.name(),
            clip.channels().len()
        );
    }

    let clip = match arguments.next() {
        Some(name) => character.clip(&name),
        None => character.clips.first(),
    };
    let Some(clip) = clip else { return Ok(()) };
    let time = arguments.next().map_or(Ok(0.0), |seconds| seconds.parse())?;
    let matrices = skin.joint_matrices(&skeleton.world(&clip.sample(time, skeleton)));
    // Linear blending, as every viewer does; `pliant-deform` has more.
    let posed: Vec<Vector3<f64>> = (0..skin.vertex_count())
        .map(|v| {
            let x = Point3::from(character.mesh.positions()[v]);
            let parts = skin.influences(v).iter();
            parts.map(|i| matrices[i.joint as usize].transform_point(&x).coords * i.weight).sum()
        })
        .collect();
    if let Some(bounds) = Aabb::of_points(&posed) {
        let (min, max) = (bounds.min, bounds.max);
        println!("{:?} at {time} s: from {:.3?} to {:.3?}", clip.name(), min.as_slice(), max.as_slice());
    }
    Ok(())
}
