//! A bending arm: the results of linear blending and dual quaternions, and of relaxation.
//!
//! `cargo run --release -p pliant-deform --example elbow`
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use nalgebra::{Matrix4, Vector3};
use pliant_deform::{Blending, DeltaMush, DeltaMushSettings, Layer, Measured, Relax, RelaxSettings, Stack};
use pliant_deform::{FrameTime, Preserve, skin_positions};
use pliant_mesh::{Caps, Influence, Skin, TriMesh, WeightSums};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A closed can along y, and two joints that meet in its middle.
    let arm = TriMesh::cylinder(0.12, 1.0, 32, 64, Caps::Capped)?;
    let influences: Vec<Vec<Influence>> = arm
        .positions()
        .iter()
        .map(|p| {
            let upper = (p.y / 0.3 + 0.5).clamp(0.0, 1.0);
            vec![Influence { joint: 0, weight: 1.0 - upper }, Influence { joint: 1, weight: upper }]
        })
        .collect();
    let bind = vec![Matrix4::identity(); 2];
    let (skin, _) = Skin::new(2, vec![0, 1], bind, &influences, WeightSums::Normalise)?;

    let mut mended = Stack::new(&arm);
    let preserve = Preserve { volume: 0.5, area: 0.0 };
    mended.push(Layer::new(Relax::new(&arm, RelaxSettings { preserve, ..RelaxSettings::default() })?))?;
    mended.push(Layer::new(DeltaMush::new(&arm, DeltaMushSettings::default())?).envelope(0.5))?;

    let measured = Measured::new(&arm);
    let whole = measured.statistics(arm.positions()).volume.unwrap_or(1.0);
    println!("bent by   blending         strain rms   max     volume");
    for degrees in [45.0, 90.0, 135.0_f64] {
        let bend = Matrix4::from_axis_angle(&Vector3::z_axis(), degrees.to_radians());
        for blending in [Blending::Linear, Blending::DualQuaternion] {
            let mut x = arm.positions().to_vec();
            skin_positions(&skin, &[Matrix4::identity(), bend], blending, &mut x)?;
            let (_, layers) = mended.run_measured(&FrameTime::default(), &x)?;
            let mut volume = measured.statistics(&x).volume.unwrap_or(1.0) / whole;
            let strain = layers[0].before;
            let name = format!("{blending:?}");
            println!("{degrees:>6}°   {name:16} {:.4}       {:.3}   {volume:.4}", strain.rms, strain.max);
            for layer in layers {
                volume *= layer.volume_ratio.unwrap_or(1.0);
                let (name, strain) = (format!("  + {}", layer.name), layer.after);
                println!("          {name:16} {:.4}       {:.3}   {volume:.4}", strain.rms, strain.max);
            }
        }
    }
    Ok(())
}
