//! Obstacles that are added, moved and removed.

use nalgebra::Vector3;
use pliant_solver::{LiveError, Motion, Obstacle, Simulation, SimulationBuilder};

use super::{DT, run, sheet};

fn scene() -> SimulationBuilder {
    Simulation::builder().body(sheet().contact_radius(0.002).pin_vertices([0, 8]))
}

fn ball() -> Obstacle {
    Obstacle::sphere(Vector3::new(0.0, -0.15, 0.1), 0.1).friction(0.3).restitution(0.2)
}

#[test]
fn an_obstacle_that_comes_at_the_start_is_one_that_was_built() {
    for first in [None, Some(Obstacle::floor(-0.3))] {
        let with = |scene: SimulationBuilder| match &first {
            None => scene,
            Some(floor) => scene.obstacle(floor.clone()),
        };
        let mut built = with(scene()).obstacle(ball()).build().unwrap();
        let mut live = with(scene()).build().unwrap();
        live.add_obstacle(ball()).unwrap();
        assert_eq!(built.substep(), live.substep());
        assert_eq!(run(&mut built, 30), run(&mut live, 30));
    }
}

#[test]
fn an_obstacle_that_goes_was_never_there() {
    let room = Obstacle::container(Vector3::repeat(-0.3), Vector3::repeat(0.3));
    let mut plain = scene().obstacle(ball()).build().unwrap();
    let mut live = scene().obstacle(room).obstacle(ball()).build().unwrap();
    let first = live.obstacles().next().unwrap();
    live.remove_obstacle(first).unwrap();
    assert_eq!(run(&mut plain, 30), run(&mut live, 30));
    assert_eq!(live.remove_obstacle(first), Err(LiveError::Gone { what: "obstacle" }));
}

#[test]
fn a_motion_that_is_set_at_the_start_is_one_that_was_built() {
    let up = Motion::linear(Vector3::new(0.0, 0.3, 0.0));
    let mut built = scene().obstacle(ball().motion(up.clone())).build().unwrap();
    let mut live = scene().obstacle(ball()).build().unwrap();
    let id = live.obstacles().next().unwrap();
    live.set_obstacle_motion(id, up).unwrap();
    assert_eq!(run(&mut built, 30), run(&mut live, 30));
    assert!(live.set_obstacle_motion(id, Motion::linear(Vector3::repeat(f64::NAN))).is_err());
}

#[test]
fn what_is_moved_goes_evenly_and_stays() {
    let floor = Obstacle::floor(-0.3).friction(1.0);
    let mut sim: Simulation = Simulation::builder().body(sheet()).obstacle(floor).build().unwrap();
    run(&mut sim, 60);
    let id = sim.obstacles().next().unwrap();
    let before = sim.position(40);
    for frame in 1..=30 {
        sim.move_obstacle(id, Vector3::new(0.005 * f64::from(frame), 0.0, 0.0), Vector3::zeros()).unwrap();
        sim.advance(DT).unwrap();
    }
    let carried = sim.position(40).x - before.x;
    assert!((carried - 0.15).abs() < 0.01, "the floor carries what lies on it: {carried} m");
    run(&mut sim, 30);
    assert!((sim.position(40).x - before.x - carried).abs() < 0.01, "and stays");
}
