//! The substep as a list of passes, and custom passes in it.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_solver::{
    Body, Certificate, Compliance, Grade, NonFinite, Now, Obstacle, Pass, Scalar, Settings, Simulation, Work,
    World,
};

const FRAME: f64 = 1.0 / 60.0;

fn sheet(settings: Settings) -> Simulation<f64> {
    let body = Body::cloth(TriMesh::grid([9, 9], [1.0, 1.0]).unwrap())
        .stretch(Compliance::new(1e-5))
        .pin_vertices([0, 8]);
    Simulation::builder().settings(settings).body(body).build_as().unwrap()
}

/// Only counts its calls.
struct Idle(&'static str);

impl<T: Scalar> Pass<T> for Idle {
    fn name(&self, _: &World<T>) -> String {
        self.0.into()
    }
    fn run(&mut self, _: &mut World<T>, _: &Now<'_>) -> Result<Work, NonFinite> {
        Ok(Work::Known)
    }
}

/// Accelerates everything by this much, m/s².
struct Field(Vector3<f64>);

impl Pass<f64> for Field {
    fn name(&self, _: &World<f64>) -> String {
        "field".into()
    }
    fn run(&mut self, world: &mut World<f64>, now: &Now<'_>) -> Result<Work, NonFinite> {
        let work = (0..world.len()).map(|i| world.accelerate(i, self.0 * now.length())).sum();
        Ok(Work::Forces(work))
    }
}

/// Keeps every particle above a height, m.
struct Ledge(f64);

impl Pass<f64> for Ledge {
    fn name(&self, _: &World<f64>) -> String {
        "ledge".into()
    }
    fn run(&mut self, world: &mut World<f64>, _: &Now<'_>) -> Result<Work, NonFinite> {
        for i in 0..world.len() {
            let x = world.position(i);
            if x.y < self.0 {
                world.put(i, Vector3::new(x.x, self.0, x.z));
            }
        }
        Ok(Work::Known)
    }
}

#[test]
fn the_substep_is_what_the_settings_say() {
    let plain = sheet(Settings::default());
    assert_eq!(plain.substep(), ["move pins and obstacles", "predict", "sweep edges", "velocities"]);
    let body = Body::cloth(TriMesh::grid([4, 4], [1.0, 1.0]).unwrap());
    let settings = Settings { damping: 0.5, ..Settings::default() };
    let sim: Simulation =
        Simulation::builder().settings(settings).body(body).obstacle(Obstacle::floor(0.0)).build().unwrap();
    assert_eq!(sim.substep()[3..], ["contacts", "velocities", "damp"]);
}

#[test]
fn a_pass_that_does_nothing_changes_no_bit() {
    let hash = |idle: &[&'static str]| {
        let mut sim = sheet(Settings::default());
        for after in idle {
            sim.insert(after, Box::new(Idle("idle"))).unwrap();
        }
        (0..5).for_each(|_| sim.advance(FRAME).unwrap());
        sim.state_hash()
    };
    let none = hash(&[]);
    for place in sheet(Settings::default()).substep() {
        let place: &'static str = place.leak();
        assert_eq!(hash(&[place]), none, "after {place}");
    }
    assert_eq!(hash(&["predict", "velocities", "sweep edges", "move pins and obstacles"]), none);
}

#[test]
fn a_field_like_gravity_is_gravity() {
    let gravity = Vector3::new(0.0, -9.81, 0.0);
    let mut own = sheet(Settings { gravity: Vector3::zeros(), certificate: true, ..Settings::default() });
    own.insert("move pins and obstacles", Box::new(Field(gravity))).unwrap();
    let mut plain = sheet(Settings::default());
    let mut certificate = Certificate::begin(&own);
    for _ in 0..30 {
        let report = own.step(FRAME).unwrap();
        assert!(report.wind_work.is_some(), "forces of custom passes are in the balance");
        certificate.take(&report);
        plain.step(FRAME).unwrap();
    }
    let apart = own.positions().into_iter().zip(plain.positions()).map(|(a, b)| (a - b).norm());
    assert!(apart.fold(0.0, f64::max) < 1e-6);
    assert_eq!(certificate.judgement().grade(), Grade::Good, "{certificate}");
}

#[test]
fn a_projection_of_ones_own_holds() {
    let mut sim = sheet(Settings::default());
    sim.insert("sweep edges", Box::new(Ledge(-0.2))).unwrap();
    (0..60).for_each(|_| sim.advance(FRAME).unwrap());
    let lowest = sim.positions().iter().map(|x| x.y).fold(0.0, f64::min);
    assert!((lowest + 0.2).abs() < 1e-12, "{lowest}");
}

#[test]
fn an_unknown_name_is_answered_with_those_there_are() {
    let mut sim = sheet(Settings::default());
    let error = sim.insert("sweeping", Box::new(Idle("idle"))).unwrap_err().to_string();
    assert_eq!(
        error,
        "no pass is called \"sweeping\"; a substep is: move pins and obstacles, predict, sweep edges, velocities"
    );
}
