//! A ball of rubber edges and rigid volumes that is shaken: with the default plan it only loses energy,
//! however many substeps there are.

use nalgebra::Vector3;
use pliant_constraints::{Distance, TetVolume};
use pliant_mesh::{TetMesh, lumped_mass_tets};
use pliant_solver::{Assembly, Constraints, Settings, Simulation};

/// A ball of 1 m and 1000 kg/m³ without gravity, with velocities of up to 1 m/s in any direction.
fn shaken(substeps: u32) -> Simulation<f64> {
    let mesh = TetMesh::ball(0.5, 5).expect("a ball");
    let positions = mesh.positions().to_vec();
    let masses = lumped_mass_tets(&mesh, 1000.0).iter().map(|m| 1.0 / m).collect();
    let mut state = 0x5eed_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let velocities = positions.iter().map(|_| Vector3::from_fn(|_, _| number())).collect();
    let edges = mesh.edges();
    let rods: Vec<_> = edges.iter().map(|e| Distance::at_rest(&e.map(|v| positions[v as usize]))).collect();
    let volumes: Vec<_> = (0..mesh.tets().len()).map(|t| TetVolume::at_rest(&mesh.corners(t))).collect();
    let edges = Constraints::new("edges", edges, rods, vec![2e-5]).expect("edges");
    let tets = Constraints::new("volumes", mesh.tets().to_vec(), volumes, vec![0.0]).expect("volumes");
    let mut assembly = Assembly::new(positions, masses).expect("particles");
    assembly.settings(Settings { substeps, gravity: Vector3::zeros(), ..Settings::default() });
    assembly.velocities(velocities).expect("velocities");
    assembly.add(edges).add(tets);
    assembly.build().expect("a simulation")
}

#[test]
fn a_shaken_ball_loses_its_energy_with_any_number_of_substeps() {
    for substeps in [15, 60, 240, 960] {
        let mut sim = shaken(substeps);
        let start = sim.report().energy.kinetic;
        for _ in 0..30 {
            sim.step(1.0 / 60.0).expect("finite numbers");
        }
        let energy = sim.report().energy;
        let left = (energy.kinetic + energy.elastic) / start;
        assert!(left < 0.03, "{substeps} substeps: {left}");
    }
}
