//! [`Report`]: what `run.json` says of a run.

use std::collections::BTreeMap;

use pliant_io::Mesh;
use pliant_mesh::RepairReport;
use pliant_scene::model::{DirectionModel, PlanModel};
use pliant_scene::{Built, Scene};
use pliant_solver::book::Multiplier;
use pliant_solver::{Float, FrameReport};
use serde::{Deserialize, Serialize};

use crate::certificate::{FrameMeasures, VerdictRecord};
use crate::stepped::Stepped;

/// A finished run: what was asked for, every frame in numbers, and a summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of this form; a reader should refuse one that it does not know.
    pub format: u32,
    /// Versions of the programs that made the run.
    pub versions: BTreeMap<String, String>,
    /// Name of the scene.
    pub scene: String,
    /// File of the scene, or name of the built-in one.
    pub scene_file: String,
    /// How it was solved.
    pub settings: SettingsRecord,
    /// The bodies.
    pub bodies: Vec<BodyRecord>,
    /// The groups of constraints in the order in which they are solved.
    pub groups: Vec<GroupRecord>,
    /// Every frame that was certified: all of them, or those that `Options::report_every` asks for and the last.
    pub frames: Vec<FrameRecord>,
    /// Whether the answer can be trusted; none in runs of versions that did not judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictRecord>,
    /// The whole run.
    pub summary: Summary,
    /// Files of the run, relative to its folder.
    pub files: Vec<String>,
    /// Times of all frames, ms, certified or not: to solve, to look at and to write.
    #[serde(skip)]
    times: Vec<[f64; 3]>,
    /// Substeps spent on all frames.
    #[serde(skip)]
    spent: u64,
}

/// The direction of runs whose reports do not say it.
fn fixed() -> DirectionModel {
    DirectionModel::Fixed
}

/// How a run was solved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingsRecord {
    /// Number of frames.
    pub frames: u32,
    /// Frames per second.
    pub frame_rate: f64,
    /// `"f32"` or `"f64"`.
    pub precision: String,
    /// `"auto"`, `"sequential"`, `"ordered"` or `"clustered"`.
    pub plan: PlanModel,
    /// The direction of sweeps: `"auto"`, `"random"`, `"fixed"` or `"symmetric"`.
    #[serde(default = "fixed")]
    pub order: DirectionModel,
    /// What random directions are drawn from.
    #[serde(default)]
    pub seed: u64,
    /// Whether inverted tetrahedra are opened again.
    #[serde(default)]
    pub recover: bool,
    /// Number of threads.
    pub threads: usize,
    /// Substeps per frame.
    pub substeps: u32,
    /// Iterations per substep.
    pub iterations: u32,
    /// `"accumulated"` or `"forgotten"`.
    pub multiplier: String,
    /// Acceleration of gravity, m/s².
    pub gravity: [f64; 3],
    /// Damping of all but rigid motion, 1/s.
    pub damping: f64,
    /// Damping of all motion, 1/s.
    pub drag: f64,
}

/// A body of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BodyRecord {
    /// Its name.
    pub name: String,
    /// `"cloth"` or `"solid"`.
    pub kind: String,
    /// Number of its vertices.
    pub vertices: usize,
    /// Number of its triangles or tetrahedra.
    pub elements: usize,
    /// Number of vertices of its fine surface, if it has one.
    pub visual_vertices: Option<usize>,
    /// What was remarked about its mesh.
    pub notes: Vec<String>,
    /// What was done to its mesh file, where the scene asks for a repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairRecord>,
}

/// What was done to a mesh file before it was simulated; the numbers of all that it was done to are in `repaired/NAME.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepairRecord {
    /// What was done, in order.
    pub steps: Vec<RepairStep>,
    /// What could not be put right, a sentence each.
    pub left: Vec<String>,
}

/// One kind of repair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepairStep {
    /// What was done, such as `"weld"`.
    pub action: String,
    /// To how many vertices or elements.
    pub count: usize,
    /// The first of them, as the file numbers them from 0.
    pub first: Option<u32>,
}

/// A group of constraints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupRecord {
    /// Its name.
    pub name: String,
    /// Number of constraints.
    pub constraints: usize,
    /// Number of those that act on a vertex that can move.
    pub active: usize,
    /// Number of active constraints of each colour.
    pub colour_sizes: Vec<usize>,
}

/// A frame in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrameRecord {
    /// Number, from 1.
    pub frame: u64,
    /// Simulated time at its end, s.
    pub time: f64,
    /// Substeps that it was divided into.
    pub substeps: u32,
    /// Substeps spent on it, those included whose result was thrown away.
    pub substeps_spent: u32,
    /// Time to solve it, ms.
    pub solve_ms: f64,
    /// Time to take these numbers, ms.
    pub report_ms: f64,
    /// Time to write it, ms.
    pub write_ms: f64,
    /// Residuals |C + α̃λ| by group; contacts too.
    pub residuals: BTreeMap<String, ResidualRecord>,
    /// Change of lengths, relative to rest, if any edge is constrained.
    pub stretch: Option<StretchRecord>,
    /// Change of volumes, relative to rest, if any volume is constrained.
    pub volume: Option<VolumeRecord>,
    /// Kinetic energy, J.
    pub kinetic_energy: f64,
    /// Potential energy in the field of gravity, J, zero at the origin.
    pub potential_energy: f64,
    /// Elastic energy of compliant constraints, J.
    pub elastic_energy: f64,
    /// Linear momentum, kg·m/s.
    pub linear_momentum: [f64; 3],
    /// Angular momentum about the origin, kg·m²/s.
    pub angular_momentum: [f64; 3],
    /// Number of vertices that touch an obstacle.
    pub contacts: usize,
    /// Hash of all positions and velocities, hexadecimal.
    pub state_hash: String,
}

/// The residual of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResidualRecord {
    /// Unit of the numbers.
    pub unit: String,
    /// The largest.
    pub max: f64,
    /// The constraint that has it.
    pub max_at: Option<usize>,
    /// Root of the mean square.
    pub rms: f64,
}

/// Change of lengths, relative to rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StretchRecord {
    /// Largest elongation.
    pub max: f64,
    /// The edge that has it.
    pub max_at: Option<usize>,
    /// Largest compression.
    pub max_compression: f64,
    /// Mean of the magnitudes.
    pub mean: f64,
}

/// Change of volumes, relative to rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VolumeRecord {
    /// Largest magnitude.
    pub max: f64,
    /// The tetrahedron that has it.
    pub max_at: Option<usize>,
    /// Number of tetrahedra that are flat or inside out.
    pub inverted: usize,
    /// The first of them.
    pub first_inverted: Option<usize>,
}

/// A whole run in numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Number of frames.
    pub frames: usize,
    /// Fewest substeps of a certified frame.
    pub fewest_substeps: u32,
    /// Most substeps of a certified frame.
    pub most_substeps: u32,
    /// Substeps spent on all frames, those included whose result was thrown away.
    pub substeps_spent: u64,
    /// Simulated time, s.
    pub simulated_s: f64,
    /// Time to read the scene and its meshes and to plan the simulation, s.
    pub setup_s: f64,
    /// Median time to solve a frame, ms.
    pub ms_per_frame: f64,
    /// Time to solve all frames, s.
    pub solve_s: f64,
    /// Time to take the numbers of all frames, s.
    pub report_s: f64,
    /// Time to write all frames, s.
    pub write_s: f64,
    /// Time from start to end, s.
    pub wall_s: f64,
    /// Largest elongation of any edge in any frame, relative to rest.
    pub max_stretch: Option<f64>,
    /// Largest mean stretch of any frame.
    pub max_mean_stretch: Option<f64>,
    /// Largest change of volume of any tetrahedron in any frame, relative to rest.
    pub max_volume_error: Option<f64>,
    /// Largest number of inverted tetrahedra in any frame.
    pub max_inverted: Option<usize>,
    /// Largest residual of each group in any frame, in the unit of its constraints.
    pub max_residuals: BTreeMap<String, f64>,
    /// Linear momentum at the end, kg·m/s.
    pub linear_momentum: [f64; 3],
    /// Angular momentum at the end, kg·m²/s.
    pub angular_momentum: [f64; 3],
    /// Hash of all positions and velocities at the end, hexadecimal: equal only where every bit is.
    pub state_hash: String,
}

/// What a simulated frame leaves for the reports.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Times to solve it, to look at it and to write it, ms.
    pub(crate) times: [f64; 3],
    pub(crate) substeps_spent: u32,
    /// What was certified of it, if it was.
    pub(crate) certified: Option<Certified>,
}

/// What is certified of a frame.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Certified {
    pub(crate) record: FrameRecord,
    pub(crate) measures: FrameMeasures,
    /// Work of the contacts, of the pins and of the wind since the start, J, where it is kept.
    pub(crate) work: [Option<f64>; 3],
}

impl Report {
    /// The report of a run that is about to begin.
    pub(crate) fn begin<T: Float>(scene: &Scene, built: &Built<T>, setup_s: f64) -> Self {
        let settings = built.simulation.settings();
        Self {
            format: 1,
            versions: BTreeMap::from([("pliant".to_owned(), env!("CARGO_PKG_VERSION").to_owned())]),
            scene: scene.name().to_owned(),
            scene_file: scene.source_name().to_owned(),
            settings: SettingsRecord {
                frames: scene.model.frames,
                frame_rate: scene.model.frame_rate,
                precision: T::NAME.to_owned(),
                plan: settings.plan.into(),
                order: settings.order.into(),
                seed: settings.seed,
                recover: settings.recover,
                threads: rayon::current_num_threads(),
                substeps: settings.substeps,
                iterations: settings.iterations,
                multiplier: match settings.multiplier {
                    Multiplier::Accumulated => "accumulated",
                    Multiplier::Forgotten => "forgotten",
                }
                .to_owned(),
                gravity: settings.gravity.into(),
                damping: settings.damping,
                drag: settings.drag,
            },
            bodies: built
                .bodies
                .iter()
                .map(|body| {
                    let (kind, elements) = match &body.mesh {
                        Mesh::Tri(mesh) => ("cloth", mesh.triangles().len()),
                        Mesh::Tet(mesh) => ("solid", mesh.tets().len()),
                    };
                    BodyRecord {
                        name: body.name.clone(),
                        kind: kind.to_owned(),
                        vertices: body.mesh.positions().len(),
                        elements,
                        visual_vertices: body.visual.as_ref().map(|v| v.mesh.positions().len()),
                        notes: body.notes.clone(),
                        repair: body.repair.as_ref().map(RepairRecord::new),
                    }
                })
                .collect(),
            groups: built
                .simulation
                .plan()
                .into_iter()
                .map(|group| GroupRecord {
                    name: group.name,
                    constraints: group.constraints,
                    active: group.active,
                    colour_sizes: group.layout.colour_sizes,
                })
                .collect(),
            frames: Vec::new(),
            verdict: None,
            summary: Summary { setup_s, ..Summary::default() },
            files: Vec::new(),
            times: Vec::new(),
            spent: 0,
        }
    }

    /// Takes up a frame and the time that it took to write, ms; returns what is kept of it for a resumed run.
    pub(crate) fn take(&mut self, stepped: &Stepped, write_ms: f64) -> Line {
        self.times.push([stepped.solve_ms, stepped.report_ms, write_ms]);
        self.spent += u64::from(stepped.substeps_spent);
        if let Some(state) = &stepped.report {
            self.frames.push(FrameRecord::new(state, stepped, write_ms));
        }
        let certified = stepped.report.as_ref().zip(stepped.measures.clone()).map(|(report, measures)| {
            let record = FrameRecord::new(report, stepped, write_ms);
            let work = [report.contact_work, report.pin_work, report.wind_work];
            Certified { record, measures, work }
        });
        let times = [stepped.solve_ms, stepped.report_ms, write_ms];
        Line { times, substeps_spent: stepped.substeps_spent, certified }
    }

    /// Takes up the frames that were simulated before the run was resumed.
    pub(crate) fn take_up(&mut self, lines: &[Line]) {
        for line in lines {
            self.times.push(line.times);
            self.spent += u64::from(line.substeps_spent);
            self.frames.extend(line.certified.as_ref().map(|certified| certified.record.clone()));
        }
    }

    /// Sums up the frames.
    pub(crate) fn finish(&mut self, wall_s: f64) {
        let frames = &self.frames;
        let seconds = |k: usize| 1e-3 * self.times.iter().map(|times| times[k]).sum::<f64>();
        let substeps = || frames.iter().map(|frame| frame.substeps);
        let largest = |values: &mut dyn Iterator<Item = f64>| values.max_by(f64::total_cmp);
        let mut max_residuals: BTreeMap<String, f64> = BTreeMap::new();
        for (name, residual) in frames.iter().flat_map(|frame| &frame.residuals) {
            let max = max_residuals.entry(name.clone()).or_default();
            *max = max.max(residual.max);
        }
        let last = frames.last();
        self.summary = Summary {
            frames: self.times.len(),
            fewest_substeps: substeps().min().unwrap_or_default(),
            most_substeps: substeps().max().unwrap_or_default(),
            substeps_spent: self.spent,
            simulated_s: last.map_or(0.0, |frame| frame.time),
            setup_s: self.summary.setup_s,
            ms_per_frame: median(self.times.iter().map(|times| times[0]).collect()),
            solve_s: seconds(0),
            report_s: seconds(1),
            write_s: seconds(2),
            wall_s,
            max_stretch: largest(&mut frames.iter().filter_map(|f| Some(f.stretch.as_ref()?.max))),
            max_mean_stretch: largest(&mut frames.iter().filter_map(|f| Some(f.stretch.as_ref()?.mean))),
            max_volume_error: largest(&mut frames.iter().filter_map(|f| Some(f.volume.as_ref()?.max))),
            max_inverted: frames.iter().filter_map(|f| Some(f.volume.as_ref()?.inverted)).max(),
            max_residuals,
            linear_momentum: last.map_or([0.0; 3], |frame| frame.linear_momentum),
            angular_momentum: last.map_or([0.0; 3], |frame| frame.angular_momentum),
            state_hash: last.map_or_else(String::new, |frame| frame.state_hash.clone()),
        };
    }

    /// The report as JSON, indented.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("numbers, texts and lists have a form in JSON");
        text.push('\n');
        text
    }
}

impl RepairRecord {
    fn new(report: &RepairReport) -> Self {
        let step = |step: &pliant_mesh::Step| RepairStep {
            action: step.action.name().to_owned(),
            count: step.at.len(),
            first: step.at.first().copied(),
        };
        Self { steps: report.steps.iter().map(step).collect(), left: report.left.clone() }
    }
}

impl FrameRecord {
    /// A frame from the solver's report on it and the times that it took, ms.
    fn new(report: &FrameReport, stepped: &Stepped, write_ms: f64) -> Self {
        let residuals = report.residuals.iter().map(|r| {
            let record =
                ResidualRecord { unit: r.unit.to_owned(), max: r.max.value, max_at: r.max.at, rms: r.rms };
            (r.name.clone(), record)
        });
        Self {
            frame: report.frame,
            time: report.time,
            substeps: report.substeps,
            substeps_spent: stepped.substeps_spent,
            solve_ms: stepped.solve_ms,
            report_ms: stepped.report_ms,
            write_ms,
            residuals: residuals.collect(),
            stretch: report.stretch.map(|s| StretchRecord {
                max: s.max.value,
                max_at: s.max.at,
                max_compression: s.max_compression.value,
                mean: s.mean,
            }),
            volume: report.volume.map(|v| VolumeRecord {
                max: v.max.value,
                max_at: v.max.at,
                inverted: v.inverted,
                first_inverted: v.first_inverted,
            }),
            kinetic_energy: report.energy.kinetic,
            potential_energy: report.energy.potential,
            elastic_energy: report.energy.elastic,
            linear_momentum: report.linear_momentum.into(),
            angular_momentum: report.angular_momentum.into(),
            contacts: report.contacts,
            state_hash: format!("{:016x}", report.state_hash),
        }
    }
}

/// The middle of the values; the mean of the two middle ones of an even number.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(vec![]), 0.0);
    }
}
