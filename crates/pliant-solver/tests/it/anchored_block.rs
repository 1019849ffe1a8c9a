//! A stiff block held by one face: no element may give way.

use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Body, Compliance, Plan, Simulation};

#[test]
fn every_tetrahedron_keeps_its_volume() {
    let mesh = TetMesh::block([8, 8, 8], [1.0, 1.0, 1.0], Split::Kuhn).unwrap();
    for plan in [Plan::Sequential, Plan::Clustered] {
        let body = Body::solid(mesh.clone())
            .density(1000.0)
            .stretch(Compliance::RIGID)
            .volume(Compliance::RIGID)
            .pin(|x| x.x < 1e-9);
        let mut sim = Simulation::builder().plan(plan).substeps(20).body(body).build().unwrap();
        for frame in 0..120 {
            sim.advance(1.0 / 60.0).unwrap();
            if frame % 10 != 9 {
                continue;
            }
            let now = mesh.with_positions(sim.positions()).unwrap();
            let ratios = (0..now.tets().len()).map(|t| now.tet_volume(t) / mesh.tet_volume(t));
            let (low, high) = ratios.fold((f64::INFINITY, 0.0_f64), |(l, h), r| (l.min(r), h.max(r)));
            assert!(low > 0.9 && high < 1.1, "{plan:?}, frame {frame}: {low} to {high}");
            let total = now.volume() / mesh.volume();
            assert!((0.99..1.01).contains(&total), "{plan:?}, frame {frame}: {total}");
        }
        assert_eq!(sim.report().volume.unwrap().inverted, 0);
    }
}
