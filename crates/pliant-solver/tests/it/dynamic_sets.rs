//! Constraints that are found again in every substep.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_kernel::PACK;
use pliant_solver::{
    Assembly, Constraints, Find, Found, Lanes, Obstacle, Pin, Plan, Predicted, Settings, Simulation,
};

const FRAME: f64 = 1.0 / 60.0;

/// Random pairs, different in every substep.
struct Chance(usize);

impl Find<Distance<f64>, 2, 1> for Chance {
    fn find(&mut self, at: &Predicted<'_>, found: &mut Found<'_, Distance<f64>, 2>) {
        let mut state = at.time().to_bits();
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        for _ in 0..self.0 {
            let (a, b) = (below(at.len()), below(at.len()));
            if a != b {
                let rest = 0.999 * (at.start(a) - at.start(b)).norm();
                found.add([a as u32, b as u32], &Distance { rest }, 1e-3);
            }
        }
    }
}

/// A cloud of particles, some of them pinned, with a net of rods between neighbours.
fn cloud(pairs: usize, settings: Settings) -> Simulation<f32> {
    let n = 3000;
    let x: Vec<_> = (0..n)
        .map(|i| {
            let i = f64::from(i);
            Vector3::new((7.0 * i).sin(), 1.5 + (11.0 * i).cos(), (13.0 * i).sin())
        })
        .collect();
    let rods: Vec<[u32; 2]> = (0..n as u32 - 1).map(|i| [i, i + 1]).collect();
    let kinds =
        rods.iter().map(|&[a, b]| Distance { rest: (x[a as usize] - x[b as usize]).norm() }).collect();
    let mut assembly = Assembly::new(x, vec![100.0; n as usize]).unwrap();
    assembly.add(Constraints::new("rods", rods, kinds, vec![1e-4]).unwrap());
    assembly.add(Constraints::found("chance", Chance(pairs)));
    assembly.pin(Pin::vertices([0, 5])).obstacle(Obstacle::floor(0.0)).settings(settings);
    assembly.build().unwrap()
}

#[test]
fn who_projects_them_does_not_matter() {
    let run = |lanes: Lanes, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut sim = cloud(20_000, Settings { substeps: 6, lanes, ..Settings::default() });
            (0..3).map(|_| sim.step(FRAME).unwrap().state_hash).collect::<Vec<_>>()
        })
    };
    let one = run(Lanes::Auto, 1);
    assert_eq!(one, run(Lanes::Auto, 2));
    assert_eq!(one, run(Lanes::Auto, 5));
    assert_eq!(one, run(Lanes::Portable, 2));
}

#[test]
fn every_plan_has_them_and_a_snapshot_needs_none() {
    for plan in [Plan::Clustered, Plan::Ordered, Plan::Sequential] {
        let mut sim = cloud(400, Settings { plan, certificate: true, ..Settings::default() });
        assert!(sim.substep().contains(&"find chance".to_owned()), "{:?}", sim.substep());
        let report = sim.step(FRAME).unwrap();
        let set = report.residuals.iter().find(|r| r.name == "chance").unwrap();
        assert!(set.constraints > 300 && set.max.value < 0.01, "{plan:?}: {set:?}");
        assert!(report.motion.unwrap().max.value < 1e-4, "{plan:?}: their pull is known");
        let before = sim.snapshot();
        let after = sim.step(FRAME).unwrap().state_hash;
        sim.restore(&before);
        assert_eq!(sim.step(FRAME).unwrap().state_hash, after, "{plan:?}");
    }
}

/// Balls that keep apart.
struct Balls;

impl Find<Distance<f64>, 2, 1> for Balls {
    fn find(&mut self, at: &Predicted<'_>, found: &mut Found<'_, Distance<f64>, 2>) {
        for b in 0..at.len() {
            for a in (0..b).filter(|&a| (at.end(a) - at.end(b)).norm() < 0.2) {
                found.add([a as u32, b as u32], &Distance { rest: 0.2 }, 0.0);
            }
        }
    }
}

#[test]
fn what_meets_keeps_its_momentum_and_its_distance() {
    let n = 2 * PACK;
    let x: Vec<_> = (0..n).map(|i| Vector3::new(0.3 * i as f64, 0.01 * (i % 3) as f64, 0.0)).collect();
    let v = (0..n).map(|i| Vector3::x() * if i < PACK { 2.0 } else { -1.0 }).collect();
    let w: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
    let mut line = Assembly::new(x, w.clone()).unwrap();
    line.velocities(v).unwrap().add(Constraints::found("balls", Balls));
    line.settings(Settings { gravity: Vector3::zeros(), drag: 0.0, ..Settings::default() });
    let mut sim = line.build::<f64>().unwrap();
    let momentum =
        |sim: &Simulation<f64>| -> f64 { sim.velocities().iter().zip(&w).map(|(v, w)| v.x / w).sum() };
    let before = momentum(&sim);
    for _ in 0..90 {
        sim.advance(FRAME).unwrap();
    }
    assert!((momentum(&sim) - before).abs() < 1e-12 * before.abs().max(1.0));
    let x = sim.positions();
    let least = (1..n).flat_map(|b| (0..b).map(move |a| (a, b))).map(|(a, b)| (x[a] - x[b]).norm());
    assert!(least.fold(f64::INFINITY, f64::min) > 0.19);
}

#[test]
#[should_panic(expected = "particle 2 does not exist")]
fn a_particle_that_is_not_there_is_refused() {
    struct Wrong;
    impl Find<Distance<f64>, 2, 1> for Wrong {
        fn find(&mut self, _: &Predicted<'_>, found: &mut Found<'_, Distance<f64>, 2>) {
            found.add([0, 2], &Distance { rest: 1.0 }, 0.0);
        }
    }
    let mut two = Assembly::new(vec![Vector3::zeros(), Vector3::x()], vec![1.0; 2]).unwrap();
    two.add(Constraints::found("wrong", Wrong));
    let _ = two.build::<f32>().unwrap().advance(FRAME);
}
