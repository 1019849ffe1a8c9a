//! Two passes of your own in the substep: a field that pulls a sheet towards an axis, and a projection that
//! keeps it outside a pillar.
//!
//! `cargo run --release --package pliant-solver --example own_passes`
#![allow(clippy::print_stdout, reason = "an example prints its results")]

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_solver::{
    Body, Certificate, Compliance, NonFinite, Now, Pass, Scalar, Settings, Simulation, Work, World,
};

/// A field around the y axis, given by its accelerations, m/s², at a distance of one metre; it is weaker
/// beyond.
struct Whirl {
    inward: f64,
    around: f64,
}

impl<T: Scalar> Pass<T> for Whirl {
    fn name(&self, _: &World<T>) -> String {
        "whirl".into()
    }

    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let mut work = 0.0;
        for i in 0..world.len() {
            let x = world.position(i);
            let out = Vector3::new(x.x, 0.0, x.z);
            let square = out.norm_squared().max(0.04);
            let field = (Vector3::y().cross(&out) * self.around - out * self.inward) / square;
            work += world.accelerate(i, field * now.length());
        }
        // Work that is not in the balance would count as created energy.
        Ok(Work::Forces(work))
    }
}

/// Keeps every particle outside a pillar around the y axis, of this radius, m.
struct Pillar(f64);

impl<T: Scalar> Pass<T> for Pillar {
    fn name(&self, _: &World<T>) -> String {
        "pillar".into()
    }

    fn run(&mut self, world: &mut World<T>, _: &Now<'_>) -> Result<Work, NonFinite> {
        for i in 0..world.len() {
            let x = world.position(i);
            let distance = x.x.hypot(x.z);
            if distance < self.0 && distance > 0.0 {
                let out = self.0 / distance;
                world.put(i, Vector3::new(x.x * out, x.y, x.z * out));
            }
        }
        Ok(Work::Known)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = TriMesh::grid([21, 21], [0.8, 0.8])?.translated([0.6, 1.0, 0.0])?;
    let settings =
        Settings { gravity: Vector3::zeros(), substeps: 60, certificate: true, ..Settings::default() };
    let cloth = Body::cloth(mesh).stretch(Compliance::new(1e-6));
    let mut sim: Simulation = Simulation::builder().settings(settings).body(cloth).build()?;
    sim.insert("move pins and obstacles", Box::new(Whirl { inward: 1.0, around: 0.2 }))?;
    sim.insert("sweep edges", Box::new(Pillar(0.15)))?;
    println!("a substep: {}", sim.substep().join(", "));

    let mut certificate = Certificate::begin(&sim);
    for frame in 1..=120 {
        certificate.take(&sim.step(1.0 / 60.0)?);
        if frame % 30 == 0 {
            let x = sim.positions();
            let mean = |f: fn(&Vector3<f64>) -> f64| x.iter().map(f).sum::<f64>() / x.len() as f64;
            println!("{:.1} s: mean distance from the axis {:.3} m", sim.time(), mean(|x| x.x.hypot(x.z)));
        }
    }
    println!("{}", certificate.judgement());
    Ok(())
}
