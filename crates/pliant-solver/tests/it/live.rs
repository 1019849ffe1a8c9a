//! Queries and changes of a simulation while it runs.

mod bodies;
mod checkpoints;
mod compliance;
mod forces;
mod grabs;
mod handles;
mod medium;
mod obstacles;
mod pins;

use pliant_mesh::TriMesh;
use pliant_solver::{Body, Compliance, Float, Settings, Simulation, SimulationBuilder};

const DT: f64 = 1.0 / 60.0;

/// A sheet of 0.5 m and 9 × 9 vertices, 5 g per vertex.
fn sheet() -> Body {
    Body::cloth(TriMesh::grid([9, 9], [0.5, 0.5]).unwrap())
        .name("sheet")
        .area_density(1.6)
        .stretch(Compliance::new(1e-6))
        .bend(Compliance::new(1e3))
}

/// A simulation of it that keeps certificates.
fn watched(body: Body) -> SimulationBuilder {
    Simulation::builder().settings(Settings { certificate: true, ..Settings::default() }).body(body)
}

fn run<T: Float>(sim: &mut Simulation<T>, frames: u32) -> u64 {
    for _ in 0..frames {
        sim.advance(DT).unwrap();
    }
    sim.state_hash()
}
