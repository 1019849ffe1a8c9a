//! `spring_*`: a mass on a spring is implicit Euler, whatever the number of iterations.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_solver::{Assembly, Constraints, Multiplier, PredictionBounds, Settings};
use serde::Deserialize;
use serde_json::Value;

use super::super::verdict::{Problem, Tally};
use super::single_substeps;

/// Absolute tolerance of the stretch after every substep, m.
const TOLERANCE: f64 = 1e-11;

#[derive(Deserialize)]
struct File {
    setup: Setup,
    stretch_after_each_substep: Vec<f64>,
}

#[derive(Deserialize)]
struct Setup {
    m: f64,
    compliance: f64,
    h: f64,
    rest_length: f64,
    #[serde(default)]
    initial_stretch: f64,
    #[serde(default)]
    initial_downward_speed: f64,
    g: f64,
    anchor: [f64; 3],
    #[serde(default)]
    ground: bool,
}

pub(crate) fn judge(json: &Value) -> Result<Tally, Problem> {
    let file: File = serde_json::from_value(json.clone())?;
    let mut tally = Tally::default();
    let runs = [
        (Multiplier::Accumulated, 1),
        (Multiplier::Accumulated, 5),
        (Multiplier::Accumulated, 20),
        (Multiplier::Forgotten, 1),
    ];
    for (multiplier, iterations) in runs {
        tally.case();
        let found = file.setup.run(multiplier, iterations, file.stretch_after_each_substep.len())?;
        for (n, (found, expected)) in found.iter().zip(&file.stretch_after_each_substep).enumerate() {
            tally.check(found - expected, TOLERANCE, || {
                format!("substep {} with {iterations} iterations, multiplier {multiplier:?}", n + 1)
            });
        }
    }
    Ok(tally)
}

impl Setup {
    /// The stretch after each of `n` substeps, m.
    fn run(&self, multiplier: Multiplier, iterations: u32, n: usize) -> Result<Vec<f64>, Problem> {
        let anchor = Vector3::from(self.anchor);
        let down = -Vector3::y();
        let start = anchor + down * (self.rest_length + self.initial_stretch);
        let mut assembly = Assembly::new(vec![anchor, start], vec![0.0, 1.0 / self.m])?;
        assembly.velocities(vec![Vector3::zeros(), down * self.initial_downward_speed])?;
        let spring = Distance { rest: self.rest_length };
        assembly.add(Constraints::new("spring", vec![[0, 1]], vec![spring], vec![self.compliance])?);
        let floor = if self.ground { PredictionBounds::Floor } else { PredictionBounds::None };
        assembly.settings(Settings {
            multiplier,
            prediction_bounds: floor,
            ..single_substeps(self.g, iterations)
        });
        let mut sim = assembly.build::<f64>()?;
        let mut stretch = Vec::with_capacity(n);
        for _ in 0..n {
            sim.advance(self.h)?;
            let x = sim.positions();
            stretch.push((x[1] - x[0]).norm() - self.rest_length);
        }
        Ok(stretch)
    }
}
