//! [`Report`]: the content of `run.json`.

use std::collections::BTreeMap;

use pliant_io::Mesh;
use pliant_mesh::RepairReport;
use pliant_scene::{BuiltBody, Scene};
use pliant_solver::{Float, FrameCertificate, FrameReport, GroupPlan, Judgement, Settings, Simulation};
use serde::{Deserialize, Deserializer, Serialize};

use crate::options::Options;
use crate::origin::origin;
pub use crate::stage::StageRecord;
use crate::stepped::Stepped;

/// A finished run: its settings, the numbers of every frame, and a summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of this format; a reader should refuse a version that it does not know.
    pub format: u32,
    /// Versions of the programs that made the run.
    pub versions: BTreeMap<String, String>,
    /// Name of the scene.
    pub scene: String,
    /// File of the scene, or name of the built-in one.
    pub scene_file: String,
    /// What the answer follows from, as a [digest](crate::digest): the scene with all settings, and the
    /// options of the run.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub origin: String,
    /// Where a [recording](crate::Recording) begins in its simulation; nothing for a run, which begins at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Recorded>,
    /// How it was solved.
    pub settings: SettingsRecord,
    /// The bodies.
    pub bodies: Vec<BodyRecord>,
    /// The stages of a scene that has some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageRecord>,
    /// The groups of constraints in the order in which they are solved.
    pub groups: Vec<GroupPlan>,
    /// Every frame that was certified: all of them, or those that `Options::report_every` asks for and the last.
    pub frames: Vec<FrameRecord>,
    /// Whether the answer can be trusted; `None` before the run is finished.
    pub verdict: Option<Judgement>,
    /// The whole run.
    pub summary: Summary,
    /// Files of the run, relative to its folder.
    pub files: Vec<String>,
    /// Times of all frames, ms, certified or not: to solve, to measure and to write.
    #[serde(skip)]
    times: Vec<[f64; 3]>,
    /// Substeps spent on all frames.
    #[serde(skip)]
    spent: u64,
}

/// Where a recording begins in its simulation, which may have been handled before and meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// The frame of the simulation that is frame 0 of the recording.
    pub frame: u64,
    /// Its time, s.
    pub time: f64,
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
    /// Number of threads.
    pub threads: usize,
    /// Settings of the solver; in the file they are at the same level as the others.
    #[serde(flatten)]
    pub solver: Settings,
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
    /// Remarks on its mesh.
    pub notes: Vec<String>,
    /// What was done to its mesh file, if the scene asks for a repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairRecord>,
}

/// What was done to a mesh file before it was simulated; the numbers of all vertices and elements concerned
/// are in `repaired/NAME.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepairRecord {
    /// What was done, in order.
    pub steps: Vec<RepairStep>,
    /// What could not be repaired, one sentence each.
    pub left: Vec<String>,
}

/// One kind of repair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepairStep {
    /// What was done, such as `"weld"`.
    pub action: String,
    /// Number of vertices or elements.
    pub count: usize,
    /// The first of them, as the file numbers them from 0.
    pub first: Option<u32>,
}

/// A frame in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrameRecord {
    /// The report of the solver without the distributions; in the file its numbers are at the same level as
    /// the others.
    #[serde(flatten)]
    pub report: FrameReport,
    /// Substeps spent on it, including those whose result was discarded.
    pub substeps_spent: u32,
    /// Time to solve it, ms.
    pub solve_ms: f64,
    /// Time to take these numbers, ms.
    pub report_ms: f64,
    /// Time to write it, ms.
    pub write_ms: f64,
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
    /// Substeps spent on all frames, including those whose result was discarded.
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
    #[serde(deserialize_with = "numbers")]
    pub max_residuals: BTreeMap<String, f64>,
    /// Linear momentum at the end, kg·m/s.
    pub linear_momentum: [f64; 3],
    /// Angular momentum at the end, kg·m²/s.
    pub angular_momentum: [f64; 3],
    /// Hash of all positions and velocities at the end, hexadecimal: equal only if every bit is equal.
    pub state_hash: String,
}

/// The data of a simulated frame for the reports.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Time at its end, s.
    pub(crate) time: f64,
    /// Times to solve, to measure and to write it, ms.
    pub(crate) times: [f64; 3],
    pub(crate) substeps_spent: u32,
    /// Its certificate, if it was certified.
    pub(crate) certified: Option<Certified>,
}

/// The certificate of a frame.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Certified {
    pub(crate) record: FrameRecord,
    pub(crate) measures: FrameCertificate,
}

impl Report {
    /// The report of a run before its first frame.
    pub(crate) fn begin<T: Float>(
        scene: &Scene,
        options: &Options,
        bodies: &[BuiltBody],
        simulation: &Simulation<T>,
        setup_s: f64,
    ) -> Self {
        Self {
            format: 1,
            versions: BTreeMap::from([("pliant".to_owned(), env!("CARGO_PKG_VERSION").to_owned())]),
            scene: scene.name().to_owned(),
            scene_file: scene.source_name().to_owned(),
            origin: origin(scene, options),
            recorded: None,
            settings: SettingsRecord {
                frames: scene.model.frames.get(),
                frame_rate: scene.model.frame_rate.get(),
                precision: T::NAME.to_owned(),
                threads: rayon::current_num_threads(),
                solver: simulation.settings().clone(),
            },
            bodies: bodies
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
            stages: StageRecord::all(&scene.model, simulation.cues(), 0),
            groups: simulation.plan(),
            frames: Vec::new(),
            verdict: None,
            summary: Summary { setup_s, ..Summary::default() },
            files: Vec::new(),
            times: Vec::new(),
            spent: 0,
        }
    }

    /// Adds a frame with the time at its end, s, and the time that it took to write, ms; returns the data
    /// that a resumed run needs.
    pub(crate) fn take(&mut self, stepped: &Stepped, time: f64, write_ms: f64) -> Line {
        self.times.push([stepped.solve_ms, stepped.report_ms, write_ms]);
        self.spent += u64::from(stepped.substeps_spent);
        let record = stepped.report.as_ref().map(|report| FrameRecord::new(report, stepped, write_ms));
        self.frames.extend(record.clone());
        let certified = record.zip(stepped.measures.clone());
        let certified = certified.map(|(record, measures)| Certified { record, measures });
        let times = [stepped.solve_ms, stepped.report_ms, write_ms];
        Line { time, times, substeps_spent: stepped.substeps_spent, certified }
    }

    /// Adds the frames that were simulated before the run was resumed.
    pub(crate) fn take_up(&mut self, lines: &[Line]) {
        for line in lines {
            self.times.push(line.times);
            self.spent += u64::from(line.substeps_spent);
            self.frames.extend(line.certified.as_ref().map(|certified| certified.record.clone()));
        }
    }

    /// Computes the summary of the frames.
    pub(crate) fn finish(&mut self, wall_s: f64) {
        let frames = &self.frames;
        for stage in &mut self.stages {
            let last = frames.iter().find(|frame| frame.report.frame == u64::from(stage.last));
            stage.finish(last.map(|frame| frame.report.fastest.value));
        }
        let seconds = |k: usize| 1e-3 * self.times.iter().map(|times| times[k]).sum::<f64>();
        let reports = || frames.iter().map(|frame| &frame.report);
        let substeps = || reports().map(|report| report.substeps);
        let largest = |values: &mut dyn Iterator<Item = f64>| values.max_by(f64::total_cmp);
        let mut max_residuals: BTreeMap<String, f64> = BTreeMap::new();
        for residual in reports().flat_map(|report| &report.residuals) {
            let max = max_residuals.entry(residual.name.clone()).or_default();
            *max = max.max(residual.max.value);
        }
        let last = reports().next_back();
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
            max_stretch: largest(&mut reports().filter_map(|f| Some(f.stretch?.max.value))),
            max_mean_stretch: largest(&mut reports().filter_map(|f| Some(f.stretch?.mean))),
            max_volume_error: largest(&mut reports().filter_map(|f| Some(f.volume?.max.value))),
            max_inverted: reports().filter_map(|f| Some(f.volume?.inverted)).max(),
            max_residuals,
            linear_momentum: last.map_or([0.0; 3], |report| report.linear_momentum.into()),
            angular_momentum: last.map_or([0.0; 3], |report| report.angular_momentum.into()),
            state_hash: last.map_or_else(String::new, |report| format!("{:016x}", report.state_hash)),
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
        // The distributions are long, and the certificate has those of the last frame.
        let mut report = report.clone();
        (report.stretches, report.volumes) = (None, None);
        Self {
            report,
            substeps_spent: stepped.substeps_spent,
            solve_ms: stepped.solve_ms,
            report_ms: stepped.report_ms,
            write_ms,
        }
    }
}

/// Reads numbers by name; numbers that are not finite are null in the file and become NaN.
fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, f64>, D::Error> {
    let numbers: BTreeMap<String, Option<f64>> = Deserialize::deserialize(from)?;
    Ok(numbers.into_iter().map(|(name, number)| (name, number.unwrap_or(f64::NAN))).collect())
}

/// The median of the values: the middle one, or the mean of the two middle ones.
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
    use super::*;

    #[test]
    fn a_summary_with_an_infinite_residual_is_read_again() {
        let residuals = BTreeMap::from([("edges".to_owned(), f64::INFINITY), ("volumes".to_owned(), 0.5)]);
        let summary = Summary { max_residuals: residuals, ..Summary::default() };
        let text = serde_json::to_string(&summary).unwrap();
        let read: Summary = serde_json::from_str(&text).unwrap();
        assert!(read.max_residuals["edges"].is_nan() && read.max_residuals["volumes"] == 0.5);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(vec![]), 0.0);
    }
}
