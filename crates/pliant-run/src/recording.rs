//! [`Recording`]: a simulation that somebody else steps and handles, written to the folder of a run.

use std::path::{Path, PathBuf};
use std::time::Instant;

use pliant_scene::{BuiltBody, Scene};
use pliant_solver::{Certificate, Float, Simulation};

use crate::error::RunError;
use crate::files::milliseconds;
use crate::folder::Folder;
use crate::names::Origin;
use crate::options::Options;
use crate::output::Outputs;
use crate::repaired;
use crate::report::{Recorded, Report};
use crate::run::layout;
use crate::run_folder::{Claim, RunFolder};
use crate::series::Series;
use crate::stage::StageRecord;
use crate::state::{Layout, State};
use crate::stepped::Stepped;

/// A simulation that is written to the folder of a run while somebody else steps it: a page whose user drags bodies and moves sliders.
///
/// The folder is locked, and is marked as unfinished until the recording is [finished](Self::finish); a recording that is dropped
/// before leaves it so. Its files are those of a run, so whatever reads runs reads it. It begins at any time of the simulation: the frame that
/// the simulation then has is the frame 0 of the files, and times stay those of the simulation. It cannot be resumed, because what was done by
/// hand is not in it, and it is never taken for the run of its scene.
///
/// ```
/// use pliant_run::{Intent, Recording, RunFolder};
/// use pliant_scene::Scene;
///
/// let text = "[[body]]\nmesh = { grid = { vertices = [4, 4], size = [1, 1] } }\narea_density = 0.3\nedges = \"rigid\"\n";
/// let scene = Scene::parse(text, ".")?;
/// let mut built = scene.build::<f32>()?;
/// let folder = tempfile::tempdir()?;
/// let out = RunFolder::choose(Some(folder.path()), scene.name(), Intent::Begin)?;
/// let mut recording = Recording::begin(&scene, &built.bodies, &built.simulation, &out)?;
/// for _ in 0..3 {
///     built.simulation.advance(scene.time_step())?;
///     recording.take(&built.simulation, 0.1)?;
/// }
/// recording.finish()?;
/// assert!(folder.path().join("run.json").is_file());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recording {
    scene: Scene,
    outputs: Outputs,
    report: Report,
    series: Series,
    layout: Layout,
    from: Recorded,
    frames: u32,
    begun: Instant,
    folder: Folder,
    /// Held until everything is written, and dropped last.
    _claim: Claim,
}

impl Recording {
    /// Begins with the present state of a simulation of this scene and these bodies. The simulation should measure what certificates
    /// need ([`Simulation::set_certificate`]).
    ///
    /// # Errors
    /// If the folder holds a run or another has it, or a file cannot be written.
    pub fn begin<T: Float>(
        scene: &Scene,
        bodies: &[BuiltBody],
        simulation: &Simulation<T>,
        run_folder: &RunFolder,
    ) -> Result<Self, RunError> {
        let begun = Instant::now();
        let claim = run_folder.claim()?;
        // The text with what was changed by sliders.
        let origin = Origin { name: scene.name().to_owned(), copy: "scene.toml", text: scene.edited_text() };
        let mut folder = Folder::create(&claim, &origin)?;
        let from = Recorded { frame: simulation.frame(), time: simulation.time() };
        let mut report = Report::begin(scene, &Options::default(), bodies, simulation, 0.0);
        report.origin.clear();
        let layout = layout(scene, simulation);
        let mut outputs = Outputs::create(bodies, simulation, &scene.model, &[], &mut folder)?;
        outputs.write(&State::of(simulation, layout), None, &mut folder)?;
        repaired::write(bodies, &mut folder)?;
        Ok(Self {
            scene: scene.clone(),
            outputs,
            report,
            series: Series::new(Certificate::begin(simulation)),
            layout,
            from,
            frames: 0,
            begun,
            folder,
            _claim: claim,
        })
    }

    /// Writes the frame that the simulation has just taken, which took `solve_ms`.
    ///
    /// # Errors
    /// If a file cannot be written; the frames before are kept.
    pub fn take<T: Float>(&mut self, simulation: &Simulation<T>, solve_ms: f64) -> Result<(), RunError> {
        let looked = Instant::now();
        let mut report = simulation.report();
        report.frame = report.frame.saturating_sub(self.from.frame);
        let substeps_spent =
            simulation.choice().map_or(simulation.settings().substeps, |choice| choice.spent);
        let measures = self.series.take(&report, substeps_spent, None);
        let report_ms = milliseconds(looked);
        let write = Instant::now();
        self.frames += 1;
        // Their frames are counted from the start of the simulation.
        if self.from.frame == 0 {
            self.report.stages = StageRecord::all(&self.scene.model, simulation.cues(), self.frames);
        }
        if self.frames.is_multiple_of(self.scene.model.output.every.get()) {
            self.outputs.write(&State::of(simulation, self.layout), None, &mut self.folder)?;
        }
        let stepped =
            Stepped { report: Some(report), solve_ms, report_ms, substeps_spent, measures: Some(measures) };
        self.report.take(&stepped, simulation.time(), milliseconds(write));
        Ok(())
    }

    /// Completes all files; returns the folder.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(self) -> Result<PathBuf, RunError> {
        let Self { scene, outputs, mut report, series, from, frames, begun, .. } = self;
        let mut folder = self.folder;
        outputs.finish(&scene, &mut folder)?;
        let (json, csv) = series.files(scene.name());
        folder.write("certificate.json", &json)?;
        folder.write("certificate.csv", &csv)?;
        report.files = folder.files().to_vec();
        report.verdict = Some(series.certificate.judgement());
        report.settings.frames = frames;
        report.finish(begun.elapsed().as_secs_f64());
        report.summary.simulated_s = (report.summary.simulated_s - from.time).max(0.0);
        report.recorded = Some(from);
        let path = folder.path().to_owned();
        folder.finish(&report.to_json())?;
        Ok(path)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Frames recorded, without the one with which it began.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.frames
    }
}
