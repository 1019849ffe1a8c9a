//! Seams that close in time.

use nalgebra::{Rotation3, Vector3};
use pliant_mesh::TriMesh;
use pliant_solver::{Body, Compliance, Seam, SeamPair, Simulation, SimulationBuilder};

use super::{FRAME, moved};

/// A sheet that is turned about the upward axis.
fn turned(sheet: &TriMesh, angle: f64) -> TriMesh {
    let turn = Rotation3::from_axis_angle(&Vector3::y_axis(), angle);
    TriMesh::new(sheet.positions().iter().map(|x| turn * x).collect(), sheet.triangles().to_vec()).unwrap()
}

fn simulation(bodies: impl IntoIterator<Item = Body>, seams: impl IntoIterator<Item = Seam>) -> Simulation {
    let builder = Simulation::builder().gravity(Vector3::zeros()).substeps(20).drag(5.0);
    let builder = bodies.into_iter().fold(builder, SimulationBuilder::body);
    seams.into_iter().fold(builder, SimulationBuilder::seam).build().unwrap()
}

#[test]
fn wide_and_narrow_gaps_close_at_the_same_time() {
    // Two sheets of 0.4 m whose facing sides are from some 0.02 to 0.18 m apart.
    let left = TriMesh::grid([5, 5], [0.4, 0.4]).unwrap();
    let right = moved(&turned(&moved(&left, [0.2, 0.0, 0.0]), 0.4), [0.3, 0.0, 0.0]);
    let pairs: Vec<_> =
        (0..5).map(|i| SeamPair { vertex: 5 * i + 4, edge: [5 * i, (5 * i + 5) % 25], place: 0.0 }).collect();
    let seam = Seam::new("left", "right", pairs.clone()).close_time(0.5);
    let mut sim = simulation([Body::cloth(left).name("left"), Body::cloth(right).name("right")], [seam]);
    let gaps = |sim: &Simulation| -> Vec<f64> {
        let x = sim.positions();
        pairs.iter().map(|pair| (x[pair.vertex as usize] - x[25 + pair.edge[0] as usize]).norm()).collect()
    };
    let start = gaps(&sim);
    assert!(start.iter().any(|&gap| gap > 4.0 * start[0]) || start.iter().any(|&gap| gap > 4.0 * start[4]));
    for frame in 1..=27 {
        sim.advance(FRAME).unwrap();
        let left = 1.0 - f64::from(frame) * FRAME / 0.5;
        for (gap, start) in gaps(&sim).iter().zip(&start) {
            assert!((gap / start - left).abs() < 0.1, "frame {frame}: {gap} of {start} m, not {left}");
        }
    }
    (0..6).for_each(|_| sim.advance(FRAME).unwrap());
    assert!(sim.report().seams[0].max.value < 1e-6, "{:?}", sim.report().seams);
}

#[test]
fn a_corner_of_tight_panels_closes() {
    // Three strips with held ends, whose free ends meet in the middle if all are stretched by a sixth.
    let strip = moved(&TriMesh::grid([5, 3], [0.2, 0.1]).unwrap(), [0.13, 0.0, 0.0]);
    let body = |k: u32| {
        let angle = f64::from(k) * std::f64::consts::TAU / 3.0;
        let held = [4, 9, 14];
        let body = Body::cloth(turned(&strip, angle)).stretch(Compliance::new(1e-3));
        body.pin_vertices(held).name(format!("strip {k}"))
    };
    // The middles of all ends, one to the next.
    let seam = |k: u32| {
        let pair = SeamPair { vertex: 5, edge: [5, 10], place: 0.0 };
        Seam::new(format!("strip {k}").as_str(), format!("strip {}", (k + 1) % 3).as_str(), vec![pair])
            .close_time(0.1)
    };
    let mut sim = simulation((0..3).map(body), (0..2).map(seam));
    let widest = |sim: &Simulation| sim.report().seams.iter().map(|seam| seam.max.value).fold(0.0, f64::max);
    (0..6).for_each(|_| sim.advance(FRAME).unwrap());
    let tight = widest(&sim);
    (0..18).for_each(|_| sim.advance(FRAME).unwrap());
    assert!(tight > 0.01, "impulses do not stretch the panels: {tight}");
    assert!(widest(&sim) < 1e-4, "{} m are left", widest(&sim));
}
