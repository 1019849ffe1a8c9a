//! `parity/`: whole simulations in a stated sequential order, in double and in single precision.
//!
//! In double precision every position agrees to the tolerance of its frame. Where that is `null` the motion
//! is chaotic, the last bit of a sum decides where a vertex ends up, and only the mean height and the total
//! volume are compared. Single precision agrees early on, and in those means later.
//!
//! The clustered plan has another order, and so other numbers; [`judge_batched`] runs it with the program
//! that wrote the files.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_constraints::TetVolume;
use pliant_constraints::book::BookDistance;
use pliant_solver::book::{Multiplier, PredictionBounds};
use pliant_solver::{Assembly, Constraints, Float, Plan, Settings};
use serde::Deserialize;
use serde_json::Value;

use super::reference::Reference;
use super::vectors;
use super::verdict::{Problem, Tally, Verdict};

#[derive(Deserialize)]
struct Scenario {
    params: Params,
    start: Vec<[f64; 3]>,
    inv_mass: Vec<f64>,
    edges: Vec<[u32; 2]>,
    edge_rest: Vec<f64>,
    bend_pairs: Option<Vec<[u32; 2]>>,
    bend_rest: Option<Vec<f64>>,
    tets: Option<Vec<[u32; 4]>>,
    tet_rest_volume: Option<Vec<f64>>,
    frames: BTreeMap<String, RecordedFrame>,
    #[serde(default)]
    recommended_tol_maxabs: BTreeMap<String, Option<f64>>,
}

#[derive(Deserialize)]
struct Params {
    dt: f64,
    substeps: u32,
    iterations: u32,
    form: String,
    gravity: [f64; 3],
    edge_compliance: Option<f64>,
    volume_compliance: Option<f64>,
    bending_compliance: Option<f64>,
    ground_y0: Option<bool>,
}

#[derive(Deserialize)]
struct RecordedFrame {
    pos: Vec<[f64; 3]>,
}

/// Bounds on the means where positions are not compared: of the mean height, relative to the body's size, and
/// of the total volume, relative.
struct Means {
    height: f64,
    volume: f64,
}

const CHAOTIC: Means = Means { height: 2e-3, volume: 1e-3 };
const SINGLE: Means = Means { height: 3e-2, volume: 5e-3 };

/// Last frame in which single precision is compared position by position, and its tolerance, m.
const SINGLE_UNTIL: u64 = 10;
const SINGLE_TOLERANCE: f64 = 1e-3;

pub(crate) fn judge(json: Value) -> Verdict {
    both(json).into()
}

fn both(json: Value) -> Result<Tally, Problem> {
    let scenario: Scenario = serde_json::from_value(json)?;
    let mut tally = scenario.replay::<f64>(Plan::Sequential)?;
    let single = scenario.replay::<f32>(Plan::Sequential)?;
    tally.note = format!("f64 {:.1e}, f32 {:.1e}", tally.worst, single.worst);
    tally.merge(single);
    // The same order, eight constraints side by side.
    tally.merge(scenario.replay::<f64>(Plan::Ordered)?);
    tally.merge(scenario.replay::<f32>(Plan::Ordered)?);
    Ok(tally)
}

/// Judges the clustered plan by the reference program, which is given the constraints in the order of their projection.
pub(crate) fn judge_batched(json: Value, reference: &Reference) -> Verdict {
    batched(json, reference).into()
}

fn batched(mut json: Value, reference: &Reference) -> Result<Tally, Problem> {
    let mut scenario: Scenario = serde_json::from_value(json.clone())?;
    let sim = scenario.assemble(Plan::Clustered)?.build::<f64>()?;
    let lists = [
        ("edges", ["edges", "edge_rest"]),
        ("bending", ["bend_pairs", "bend_rest"]),
        ("volumes", ["tets", "tet_rest_volume"]),
    ];
    for (group, fields) in lists {
        let Some(order) = sim.projection_order(group) else { continue };
        for field in fields {
            let Some(list) = json[field].as_array() else { continue };
            json[field] = order.iter().map(|&i| list[i as usize].clone()).collect();
        }
    }
    scenario.frames = serde_json::from_value(reference.run(&json)?)?;
    let mut tally = scenario.replay::<f64>(Plan::Clustered)?;
    let single = scenario.replay::<f32>(Plan::Clustered)?;
    tally.note = format!("f64 {:.1e}, f32 {:.1e}", tally.worst, single.worst);
    tally.merge(single);
    Ok(tally)
}

impl Scenario {
    /// Runs the scenario and compares every frame that the file has.
    fn replay<T: Float>(&self, plan: Plan) -> Result<Tally, Problem> {
        let mut sim = self.assemble(plan)?.build::<T>()?;
        let mut frames = Vec::new();
        for (name, frame) in &self.frames {
            let number: u64 =
                name.parse().map_err(|_| Problem(format!("\"{name}\" is not a frame number")))?;
            if frame.pos.len() != self.start.len() {
                return Err(Problem(format!("frame {name} has not as many positions as the start")));
            }
            frames.push((number, name, frame));
        }
        frames.sort_unstable_by_key(|frame| frame.0);
        let mut tally = Tally::default();
        for (number, name, frame) in frames {
            while sim.frame() < number {
                sim.advance(self.params.dt)?;
            }
            let tolerance = self.recommended_tol_maxabs.get(name).copied().flatten();
            tally.case();
            self.compare::<T>(&mut tally, number, &sim.positions(), &vectors(&frame.pos), tolerance);
        }
        Ok(tally)
    }

    fn compare<T: Float>(
        &self,
        tally: &mut Tally,
        frame: u64,
        found: &[Vector3<f64>],
        expected: &[Vector3<f64>],
        tolerance: Option<f64>,
    ) {
        let double = T::NAME == "f64";
        let (tolerance, means) = match (double, tolerance) {
            (true, Some(tolerance)) => (Some(tolerance), CHAOTIC),
            (true, None) => (None, CHAOTIC),
            (false, _) => ((frame <= SINGLE_UNTIL).then_some(SINGLE_TOLERANCE), SINGLE),
        };
        let name = |what: &str| format!("frame {frame} in {}, {what}", T::NAME);
        if let Some(tolerance) = tolerance {
            let worst = found.iter().zip(expected).map(|(a, b)| (a - b).amax());
            let (at, error) = worst
                .enumerate()
                .fold((0, 0.0), |worst, new| if new.1 > worst.1 || new.1.is_nan() { new } else { worst });
            tally.check(error, tolerance, || name(&format!("position of vertex {at}")));
            return;
        }
        let height = (mean_height(found) - mean_height(expected)).abs();
        tally.check(height, means.height * size(&vectors(&self.start)), || name("mean height"));
        if let Some(tets) = &self.tets {
            let (found, expected) = (total_volume(found, tets), total_volume(expected, tets));
            tally.check((found - expected).abs(), means.volume * expected.abs(), || name("total volume"));
        }
    }

    /// The scenario's constraints in the scenario's order: edges, bending pairs, tetrahedra.
    fn assemble(&self, plan: Plan) -> Result<Assembly, Problem> {
        let p = &self.params;
        let multiplier = match p.form.as_str() {
            "seed" => Multiplier::Forgotten,
            "xpbd" => Multiplier::Accumulated,
            form => return Err(Problem(format!("unknown form \"{form}\""))),
        };
        let mut assembly = Assembly::new(vectors(&self.start), self.inv_mass.clone())?;
        assembly.add(distances("edges", &self.edges, &self.edge_rest, p.edge_compliance)?);
        if let (Some(pairs), Some(rest)) = (&self.bend_pairs, &self.bend_rest) {
            assembly.add(distances("bending", pairs, rest, p.bending_compliance)?);
        }
        if let (Some(tets), Some(rest)) = (&self.tets, &self.tet_rest_volume) {
            let kinds = rest.iter().map(|&rest| TetVolume { rest }).collect();
            let compliance = vec![p.volume_compliance.unwrap_or(0.0)];
            assembly.add(Constraints::new("volumes", tets.clone(), kinds, compliance)?);
        }
        let floor = p.ground_y0.unwrap_or(false);
        assembly.settings(Settings {
            substeps: p.substeps,
            iterations: p.iterations,
            gravity: p.gravity.into(),
            plan,
            multiplier,
            prediction_bounds: if floor { PredictionBounds::Floor } else { PredictionBounds::None },
            ..Settings::default()
        });
        Ok(assembly)
    }
}

fn distances(
    name: &str,
    pairs: &[[u32; 2]],
    rest: &[f64],
    compliance: Option<f64>,
) -> Result<Constraints, Problem> {
    let kinds = rest.iter().map(|&rest| BookDistance { rest }).collect();
    Ok(Constraints::new(name, pairs.to_vec(), kinds, vec![compliance.unwrap_or(0.0)])?)
}

fn mean_height(x: &[Vector3<f64>]) -> f64 {
    x.iter().map(|x| x.y).sum::<f64>() / x.len() as f64
}

/// The longest side of the bounding box, m.
fn size(x: &[Vector3<f64>]) -> f64 {
    let bound = |pick: fn(f64, f64) -> f64, from: f64| {
        x.iter().fold(Vector3::repeat(from), |bound, x| bound.zip_map(x, pick))
    };
    (bound(f64::max, f64::NEG_INFINITY) - bound(f64::min, f64::INFINITY)).max()
}

fn total_volume(x: &[Vector3<f64>], tets: &[[u32; 4]]) -> f64 {
    let volume = |tet: &[u32; 4]| TetVolume::at_rest(&tet.map(|v| x[v as usize])).rest;
    tets.iter().map(volume).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A mass that falls freely beside one that is fixed, joined by an edge which is not yet taut.
    fn scenario() -> Value {
        let fallen = 1.0 - 10.0 * 0.01 * (10.0 * 11.0 / 2.0) * 0.01;
        json!({
            "params": { "dt": 0.1, "substeps": 1, "iterations": 1, "form": "xpbd", "gravity": [0.0, -10.0, 0.0],
                "edge_compliance": 1e9, "volume_compliance": null, "bending_compliance": null, "ground_y0": false },
            "start": [[0.0, 100.0, 0.0], [0.0, 101.0, 0.0]], "inv_mass": [0.0, 1.0],
            "edges": [[0, 1]], "edge_rest": [1.0],
            "frames": { "1": { "pos": [[0.0, 100.0, 0.0], [0.0, 100.9, 0.0]] },
                "10": { "pos": [[0.0, 100.0, 0.0], [0.0, 100.0 + fallen, 0.0]] } },
            "recommended_tol_maxabs": { "1": 1e-6, "10": 1e-3 },
        })
    }

    #[test]
    fn frames_are_compared_in_the_order_of_their_numbers() {
        let mut right = scenario();
        // Symplectic Euler: g h² n(n+1)/2.
        right["frames"]["10"]["pos"][1][1] = json!(101.0 - 10.0 * 0.01 * 55.0);
        let verdict = judge(right.clone());
        assert!(!verdict.is_failure(), "{verdict}");
        assert!(judge(scenario()).is_failure());
        // A chaotic frame is judged by its means, which these are not.
        let mut chaotic = scenario();
        chaotic["recommended_tol_maxabs"]["10"] = Value::Null;
        assert!(judge(chaotic).is_failure());
    }

    #[test]
    fn nonsense_is_a_failure_and_no_panic() {
        for (field, value) in [
            ("edges", json!([[0, 7]])),
            ("edge_rest", json!([])),
            ("inv_mass", json!([1.0])),
            ("start", json!([])),
            ("frames", json!({})),
            ("frames", json!({ "one": { "pos": [] } })),
        ] {
            let mut json = scenario();
            json[field] = value;
            assert!(judge(json).is_failure(), "{field}");
        }
        let mut form = scenario();
        form["params"]["form"] = json!("pbd");
        assert!(judge(form).is_failure());
    }
}
