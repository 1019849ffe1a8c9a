//! Frames in which what is held moves far get more substeps.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_solver::{
    Body, Compliance, Keyframe, Motion, Pin, Samples, Setting, Settings, Simulation, SimulationBuilder,
};
use proptest::prelude::*;

const DT: f64 = 0.04;
/// How far anything held may go in a substep, m.
const LIMIT: f64 = 0.004;

fn sheet() -> Body {
    Body::cloth(TriMesh::grid([4, 4], [0.2, 0.2]).unwrap()).stretch(Compliance::new(1e-6))
}

fn scene(motion: Motion, limit: Option<f64>) -> SimulationBuilder {
    let settings = Settings { substeps: 2, motion_limit: limit, certificate: true, ..Settings::default() };
    Simulation::builder().settings(settings).body(sheet().pin_with(Pin::vertices(0..4).motion(motion)))
}

/// Goes by so much, m, in each frame.
fn by(ways: &[f64]) -> Motion {
    let corners = TriMesh::grid([4, 4], [0.2, 0.2]).unwrap().positions()[..4].to_vec();
    let mut x = 0.0;
    let mut frames = vec![corners.clone()];
    for way in ways {
        x += way;
        frames.push(corners.iter().map(|corner| corner + Vector3::x() * x).collect());
    }
    Motion::Samples(Samples::new(0.0, 1.0 / DT, frames))
}

fn substeps(sim: &mut Simulation, frames: usize) -> Vec<u32> {
    (0..frames).map(|_| sim.step(DT).unwrap().substeps).collect()
}

#[test]
fn a_frame_gets_the_substeps_that_its_motion_needs() {
    let ways = [0.0, 0.001, 0.01, 0.1, 0.02, 0.0];
    let mut sim: Simulation = scene(by(&ways), Some(LIMIT)).build().unwrap();
    assert_eq!(sim.most_substeps(2, DT), 2);
    assert_eq!(sim.most_substeps(6, DT), 25);
    assert_eq!(substeps(&mut sim, 6), [2, 2, 3, 25, 5, 2]);
    assert_eq!((sim.settings().substeps, sim.substeps()), (2, 2));
    let mut free: Simulation = scene(by(&ways), None).build().unwrap();
    assert_eq!(substeps(&mut free, 6), [2; 6]);
    assert_eq!(free.most_substeps(6, DT), 2);
}

#[test]
fn the_fastest_part_of_a_frame_counts() {
    // The whole way of 8 mm in the last quarter of the frame.
    let keys = [0.0, 0.75 * DT, DT].into_iter().zip([0.0, 0.0, 0.008]);
    let keys =
        keys.map(|(time, x)| Keyframe { time, translation: Vector3::x() * x, rotation: Vector3::zeros() });
    let motion = Motion::Keyframes { pivot: Vector3::zeros(), keys: keys.collect() };
    let mut sim: Simulation = scene(motion, Some(LIMIT)).build().unwrap();
    assert_eq!(substeps(&mut sim, 2), [8, 2]);
}

#[test]
fn what_turns_counts_where_it_is_fastest() {
    // A turn a second round a corner of a row of 0.2 m.
    let corner = TriMesh::grid([4, 4], [0.2, 0.2]).unwrap().positions()[0];
    let angular = Vector3::y() * std::f64::consts::TAU;
    let motion = Motion::Velocity { linear: Vector3::zeros(), angular, pivot: corner };
    let mut sim: Simulation = scene(motion, Some(LIMIT)).build().unwrap();
    let way = 0.2 * std::f64::consts::TAU * DT;
    assert_eq!(substeps(&mut sim, 1), [(way / LIMIT).ceil() as u32]);
}

#[test]
fn a_pin_that_is_put_elsewhere_gets_there_in_small_steps() {
    let mut sim: Simulation = scene(by(&[0.0]), Some(LIMIT)).build().unwrap();
    let pin = sim.pins().next().unwrap();
    let places: Vec<_> = sim.positions()[..4].iter().map(|x| x + Vector3::y() * 0.05).collect();
    sim.lead(pin, &places).unwrap();
    assert_eq!(substeps(&mut sim, 2), [13, 2]);
}

#[test]
fn a_jump_asks_for_ten_thousand_substeps_at_most() {
    let mut sim: Simulation = scene(by(&[1.0, 0.0]), Some(1e-5)).build().unwrap();
    assert_eq!(sim.most_substeps(2, DT), 10_000);
    assert_eq!(substeps(&mut sim, 2), [10_000, 2]);
}

#[test]
fn a_limit_that_is_no_way_is_refused() {
    for limit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let settings = Settings { motion_limit: Some(limit), ..Settings::default() };
        assert_eq!(settings.check().unwrap_err().setting, Setting::MotionLimit, "{limit}");
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(32))]

    /// The state is that of as many substeps asked for by hand, and a record of a frame does not change the setting.
    #[test]
    fn a_paced_frame_is_one_of_so_many_substeps(ways in prop::collection::vec(0.0..0.05, 4)) {
        let mut paced: Simulation = scene(by(&ways), Some(LIMIT)).build().unwrap();
        let mut by_hand: Simulation = scene(by(&ways), None).build().unwrap();
        for way in &ways {
            paced.advance(DT).unwrap();
            let wanted = ((way / LIMIT - 1e-9).ceil() as u32).max(2);
            prop_assert_eq!(paced.substeps(), wanted);
            by_hand.set_substeps(wanted);
            by_hand.advance(DT).unwrap();
            prop_assert_eq!(paced.state_hash(), by_hand.state_hash());
            let mut shown: Simulation = scene(by(&ways), Some(LIMIT)).build().unwrap();
            shown.replay(&paced.record()).unwrap();
            prop_assert_eq!(shown.settings().substeps, 2);
        }
    }
}
