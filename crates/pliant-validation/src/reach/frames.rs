//! Rows of frames: the error and the time of a method.

use std::collections::BTreeMap;

use nalgebra::Vector3;
use pliant_benches::scenes::{DT, block, block_body, cloth_body, corners, sheet};
use pliant_mesh::TriMesh;
use pliant_solver::{Body, Method, Simulation};

use super::clock::timed;
use super::row::{Bound, Hung, STRETCH_MAX, STRETCH_MEAN, VOLUME_MAX, VOLUME_MEAN};
use super::sewn::{garment, shoulders};
use super::{Reached, Way};
use crate::bench::{SceneSize, median};
use crate::converge::measure::{Errors, Subject as States};

/// The ratio of tethers to the path to the pin.
const SLACK: f64 = 0.0;

/// Sweeps before the steps of Newton's method: a tenth of its time, for less stretch.
pub(super) const NEWTON_SWEEPS: u32 = 8;

/// A body whose errors are known.
pub(super) struct Subject {
    body: Body,
    states: States,
    particles: usize,
}

impl Subject {
    /// None if its files are missing.
    pub(super) fn new(hung: Hung) -> Result<Option<Self>, Box<dyn std::error::Error>> {
        let of_cloth = |mesh: TriMesh, held: Vec<u32>| {
            let (body, particles) = (cloth_body(mesh.clone(), &held), mesh.positions().len());
            Self { body, states: States::of_cloth(mesh, held), particles }
        };
        let scene = match hung {
            Hung::Sewn(mesh, stitches) => {
                return Ok(garment(mesh, stitches)?.map(|mesh| {
                    let held = shoulders(&mesh);
                    of_cloth(mesh, held)
                }));
            }
            Hung::Scene(scene) => scene,
        };
        Ok(Some(match scene.size() {
            SceneSize::Sheet(side) => of_cloth(sheet(side as usize), corners(side).to_vec()),
            SceneSize::Block(cells) => {
                let mesh = block(cells);
                let particles = mesh.positions().len();
                Self { body: block_body(mesh), states: States::new(scene), particles }
            }
        }))
    }

    pub(super) fn particles(&self) -> usize {
        self.particles
    }

    /// The scene, solved in some way.
    fn simulation(&self, way: Way, setting: f64) -> Result<Simulation, String> {
        let body = match way {
            Way::Tethers | Way::CoarseTethers => self.body.clone().tethers(SLACK),
            _ => self.body.clone(),
        };
        let scene = Simulation::builder().body(body);
        let scene = match way {
            Way::Auto => scene.method(Method::Auto).accuracy(setting),
            Way::Newton => scene.method(Method::Newton).iterations(NEWTON_SWEEPS).substeps(whole(setting)),
            Way::Coarse | Way::CoarseTethers => scene.method(Method::Coarse).substeps(whole(setting)),
            _ => scene.substeps(whole(setting)),
        };
        scene.build().map_err(|error| error.to_string())
    }

    /// Runs the scene with a value of the method's setting.
    pub(super) fn attempt(
        &self,
        way: Way,
        setting: f64,
        frames: u32,
        bounds: &[Bound],
    ) -> Result<Reached, String> {
        let mut tally = Tally::default();
        let mut energy = None;
        if way == Way::Textbook {
            let mut book = self.states.textbook();
            for _ in 0..frames {
                #[allow(clippy::cast_possible_truncation, reason = "the baseline computes in f32")]
                let time = timed(|| book.frame(DT as f32, whole(setting)));
                let x: Vec<_> = book.particles().iter().map(|p| Vector3::from(p.x.map(f64::from))).collect();
                if !tally.take(&self.states, &x, time) {
                    break;
                }
            }
        } else {
            let mut sim = self.simulation(way, setting)?;
            let start = sim.report().energy.total();
            for _ in 0..frames {
                let mut good = true;
                let time = timed(|| good = sim.advance(DT).is_ok());
                if !good || !tally.take(&self.states, &sim.positions(), time) {
                    tally.broken = true;
                    break;
                }
            }
            energy = Some(sim.report().energy.total() - start);
        }
        let what = way.setting(false).to_owned();
        Ok(tally.reached(setting, what, energy, bounds))
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "settings are small positive numbers"
)]
pub(super) fn whole(setting: f64) -> u32 {
    setting.max(1.0) as u32
}

/// Errors and times of frames.
#[derive(Default)]
struct Tally {
    times: Vec<f64>,
    errors: BTreeMap<&'static str, Vec<f64>>,
    broken: bool,
}

impl Tally {
    /// Takes a frame; false if it is not finite.
    fn take(&mut self, states: &States, x: &[Vector3<f64>], time: f64) -> bool {
        self.times.push(time);
        let sensible = x.iter().flatten().all(|x| x.is_finite() && x.abs() < 1e6);
        if sensible {
            let Errors { stretch_mean, stretch_max, volume_mean, volume_max } = states.errors(x);
            let all = [
                (STRETCH_MEAN, Some(stretch_mean)),
                (STRETCH_MAX, Some(stretch_max)),
                (VOLUME_MEAN, volume_mean),
                (VOLUME_MAX, volume_max),
            ];
            for (name, value) in all {
                self.errors.entry(name).or_default().extend(value);
            }
        }
        self.broken |= !sensible;
        sensible
    }

    fn reached(mut self, setting: f64, what: String, energy: Option<f64>, bounds: &[Bound]) -> Reached {
        self.errors.retain(|_, values| !values.is_empty());
        let errors: BTreeMap<String, [f64; 3]> =
            self.errors.iter_mut().map(|(name, values)| ((*name).to_owned(), statistics(values))).collect();
        let holds = |bound: &Bound| errors.get(bound.error).is_some_and(|of| of[bound.of] <= bound.at_most);
        let held = !self.broken && bounds.iter().all(holds);
        Reached { setting, what, ms: median(&mut self.times), errors, energy, held }
    }
}

/// Median, 95th percentile and largest.
fn statistics(values: &mut [f64]) -> [f64; 3] {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
    let at = |share: f64| values[(share * last as f64).round() as usize];
    [at(0.5), at(0.95), at(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Scene;

    #[test]
    fn more_substeps_hold_what_fewer_do_not() {
        let hung = Hung::Scene(Scene::Block5k);
        let subject = Subject::new(hung).expect("a block can be made").expect("it needs no file");
        let bounds = [Bound { error: STRETCH_MEAN, of: 2, at_most: 2e-3 }];
        let of =
            |way, setting| subject.attempt(way, setting, 20, &bounds).expect("the block can be simulated");
        assert!(!of(Way::Sweeps, 1.0).held);
        let coarse = of(Way::Coarse, 4.0);
        assert!(coarse.held, "{coarse:?}");
        assert!(coarse.energy.is_some_and(f64::is_finite) && coarse.errors.len() == 4);
        assert!(!of(Way::Textbook, 1.0).held);
    }

    #[test]
    fn statistics_are_those_of_the_values() {
        let mut values: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        assert_eq!(statistics(&mut values), [50.0, 95.0, 100.0]);
    }
}
