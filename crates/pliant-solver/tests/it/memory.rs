//! Frames that must not allocate memory.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_solver::{Body, Collide, Compliance, Settings, Simulation};

const DT: f64 = 1.0 / 60.0;

#[test]
fn contact_in_a_steady_state_takes_no_new_memory() {
    let sheet = |side: f64, height: f64| {
        let mesh = TriMesh::grid([13, 13], [side; 2]).unwrap();
        let mesh = mesh.translated(Vector3::new(0.003, height, 0.002)).unwrap();
        let body = Body::cloth(mesh).stretch(Compliance::new(1e-6)).contact_radius(0.0015);
        body.collide(Collide::new().friction(0.4))
    };
    // Two sheets on a plate: the upper one slides a little, the lists are made anew in every frame.
    let mut sim: Simulation = Simulation::builder()
        .settings(Settings { substeps: 10, drag: 1.0, ..Settings::default() })
        .body(sheet(0.4, 0.0).pin(|_| true))
        .body(sheet(0.3, 0.0031))
        .body(sheet(0.2, 0.0062))
        .build()
        .unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // The worker of the pool does all the work, and counts for itself.
    let mut count = |frames: usize| {
        let mut step = || (0..frames).for_each(|_| sim.advance(DT).unwrap());
        pool.install(|| allocation_counter::measure(&mut step)).count_total
    };
    let (first, _) = (count(1), count(60));
    assert!(first > 10, "{first}: nothing is counted");
    let later = count(10);
    assert_eq!(later, 0);
    assert!(sim.report().collisions.unwrap().contacts > 100, "they touch");
}
