//! [`Run`]: a simulation in progress, with its files.

use std::fs;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pliant_scene::model::Field;
use pliant_scene::{Built, EndState, Scene};
use pliant_solver::{Certificate, Float, FrameReport, Simulation, Snapshot};

use crate::certifier::Certifier;
use crate::chosen::Chosen;
use crate::error::RunError;
use crate::files::{folder_of, milliseconds, visible_file};
use crate::folder::Folder;
use crate::journal::{Journal, Past};
use crate::names::Origin;
use crate::options::Options;
use crate::output::{Outputs, needs_frames};
use crate::report::Report;
use crate::run_folder::{Claim, RunFolder};
use crate::stage::{self, StageRecord};
use crate::state::{Layout, State};
use crate::stepped::Stepped;
use crate::{repaired, saved};

/// A run in progress: frame by frame, until it is [finished](Self::finish).
///
/// If it is dropped before, it leaves the same as a killed run: a folder that is marked as unfinished.
/// Another run resumes it from its last checkpoint ([`Intent::Continue`](crate::Intent::Continue)). Nothing
/// depends on where it was interrupted: the files are those of an uninterrupted run, to the last bit.
pub struct Run<'a, T: Float> {
    scene: &'a Scene,
    built: Built<T>,
    save_multipliers: bool,
    layout: Layout,
    certifier: Certifier,
    outputs: Outputs,
    journal: Journal,
    report: Report,
    repaired: Vec<(String, String)>,
    /// Frames simulated.
    frame: u32,
    goes_on: bool,
    /// The frame of the last checkpoint.
    checkpoint: Option<u32>,
    folder: Folder,
    /// Held until everything is written, and dropped last.
    claim: Claim,
}

/// A run whose files are complete. No other run can take its folder until this is dropped.
pub struct Finished<T: Float> {
    /// The content of `run.json`.
    pub report: Report,
    /// The quality of the answer.
    pub certificate: Certificate,
    /// The solver's report on the last frame.
    pub last: FrameReport,
    /// The simulation at the end, and its bodies.
    pub built: Built<T>,
    /// The folder.
    pub folder: PathBuf,
    /// The files to open, relative to the folder, with a line on each.
    pub files: Vec<(String, String)>,
    /// Substeps spent on all frames.
    pub substeps: u64,
    /// Number of frames that were computed more than once because substeps were chosen.
    pub repeated: u32,
    /// The chosen methods, if the scene left the choice to the solver.
    pub chosen: Option<Chosen>,
    _claim: Claim,
}

impl<'a, T: Float> Run<'a, T> {
    /// Starts a run, or resumes the one in the folder, as `run_folder` says. Its first frame is the start; a
    /// resumed run has the files of its frames again.
    ///
    /// # Errors
    /// If the options or the folder cannot be used, or the run in it has another scene or other options; then
    /// nothing was touched. Also if a file cannot be written.
    pub fn open(
        scene: &'a Scene,
        mut built: Built<T>,
        run_folder: &RunFolder,
        options: &Options,
    ) -> Result<Self, RunError> {
        let setup_s = options.begun.elapsed().as_secs_f64();
        let mut certifier = Certifier::begin(options, scene, &mut built)?;
        let (key, layout) = (key(scene, options, &built.simulation), layout(scene, &built.simulation));
        let claim = run_folder.claim()?;
        // Read before anything is touched.
        let past = if claim.goes_on() { Some(Past::read(claim.path(), &key, layout)?) } else { None };
        let snapshot = past.as_ref().map(|past| Snapshot::from_bytes(&past.state, &built.simulation));
        let snapshot = snapshot.transpose().map_err(|error| {
            let folder = claim.path().display();
            RunError::Refused(format!(
                "the checkpoint of {folder} is damaged ({error}); start over with Intent::Replace"
            ))
        })?;
        let mut folder = match past {
            Some(_) => Folder::reopen(&claim, &origin(scene))?,
            None => Folder::create(&claim, &origin(scene))?,
        };
        let mut report = Report::begin(scene, options, &built.bodies, &built.simulation, setup_s);
        let every = scene.model.output.every.get();
        let times = past.as_ref().map_or(Vec::new(), |past| past.times(every));
        let mut outputs =
            Outputs::create(&built.bodies, &built.simulation, &scene.model, &times, &mut folder)?;
        let (checkpoints, begun) = (options.checkpoints, options.begun);
        let (journal, frame, checkpoint, repaired) = if let Some(mut past) = past {
            let mut repaired = Vec::new();
            for number in 0..times.len() {
                outputs.pass(number, past.next()?.as_ref(), Some(&built.fine), &mut folder)?;
                if number == 0 {
                    repaired = repaired::write(&built.bodies, &mut folder)?;
                } else if options.save_multipliers {
                    folder.announce(&saved::file_of(number as u64 * u64::from(every)))?;
                }
            }
            if let Some(snapshot) = &snapshot {
                built.simulation.restore(snapshot);
            }
            certifier.take_up(&past);
            report.take_up(&past.lines);
            let done = past.frame();
            (past.reopen(checkpoints, begun)?, done, Some(done), repaired)
        } else {
            let mut journal = Journal::begin(&folder, key, layout, checkpoints, begun)?;
            let state = State::of(&built.simulation, layout);
            outputs.write(&state, Some(&built.fine), &mut folder)?;
            let repaired = repaired::write(&built.bodies, &mut folder)?;
            journal.write(&state)?;
            (journal, 0, None, repaired)
        };
        let mut run = Self {
            scene,
            built,
            save_multipliers: options.save_multipliers,
            layout,
            certifier,
            outputs,
            journal,
            report,
            repaired,
            frame,
            goes_on: checkpoint.is_some(),
            checkpoint,
            folder,
            claim,
        };
        run.checkpoint()?;
        Ok(run)
    }

    /// Simulates the next frame and writes it; `None` if that was the last.
    ///
    /// # Errors
    /// If the simulation fails or a file cannot be written; the frames before are kept.
    pub fn step(&mut self) -> Result<Option<Stepped>, RunError> {
        let frames = self.frames();
        if self.frame >= frames {
            return Ok(None);
        }
        let frame = self.frame + 1;
        stage::take_up(self.scene, self.frame, &mut self.built.simulation)?;
        let stepped = self.certifier.step(&mut self.built, self.scene.time_step(), frame == frames);
        let stepped = stepped.map_err(|error| RunError::Step {
            error,
            frames: self.frame,
            folder: self.folder.path().to_owned(),
        })?;
        let write = Instant::now();
        if frame.is_multiple_of(self.scene.model.output.every.get()) {
            let state = State::of(&self.built.simulation, self.layout);
            self.outputs.write(&state, Some(&self.built.fine), &mut self.folder)?;
            self.journal.write(&state)?;
            if self.save_multipliers {
                save(&self.built.simulation, &mut self.folder)?;
            }
        }
        let time = self.built.simulation.time();
        self.journal.note(&self.report.take(&stepped, time, milliseconds(write)))?;
        self.frame = frame;
        self.report.stages = StageRecord::all(&self.scene.model, self.built.simulation.cues(), frame);
        if self.can_go_on() && self.journal.is_due(frame) {
            self.checkpoint()?;
        }
        Ok(Some(stepped))
    }

    /// Simulates all frames that are left. After each of them `look` sees the run, and may break off: then
    /// the run has a checkpoint, and what `look` breaks with is returned.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use pliant_run::{Intent, Options, Run, RunFolder};
    /// use pliant_scene::Scene;
    ///
    /// let text = "frames = 4\n[[body]]\nmesh = { ball = { radius = 0.5, shells = 1 } }\nmaterial = \"rubber\"\n";
    /// let scene = Scene::parse(text, ".")?;
    /// let folder = tempfile::tempdir()?;
    /// let options = Options::default();
    /// let out = RunFolder::choose(Some(folder.path()), scene.name(), Intent::Begin)?;
    /// let mut run = Run::open(&scene, scene.build::<f32>()?, &out, &options)?;
    /// let stop_at_two = |run: &Run<'_, f32>| if run.frame() == 2 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) };
    /// assert_eq!(run.step_all(stop_at_two)?, ControlFlow::Break("enough"));
    /// drop(run);
    ///
    /// let out = RunFolder::choose(Some(folder.path()), scene.name(), Intent::Continue)?;
    /// let mut run = Run::open(&scene, scene.build::<f32>()?, &out, &options)?;
    /// assert_eq!(run.frame(), 2);
    /// assert!(run.step_all(|_| ControlFlow::<()>::Continue(()))?.is_continue());
    /// assert_eq!(run.finish(&[])?.report.summary.frames, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`step`](Self::step) and [`checkpoint`](Self::checkpoint).
    pub fn step_all<B>(
        &mut self,
        mut look: impl FnMut(&Self) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, RunError> {
        while self.step()?.is_some() {
            if let ControlFlow::Break(why) = look(self) {
                self.checkpoint()?;
                return Ok(ControlFlow::Break(why));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether a run can be resumed from the present frame: not from the last one, and not from one if the
    /// certificates of later frames depend on frames that were not certified.
    #[must_use]
    pub fn can_go_on(&self) -> bool {
        self.frame < self.frames() && self.certifier.is_at_rest(self.frame)
    }

    /// Makes a checkpoint of the present state, unless there is one already, checkpoints are off, or a run
    /// [cannot be resumed](Self::can_go_on) from it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn checkpoint(&mut self) -> Result<(), RunError> {
        let present = Some(self.frame);
        if self.journal.is_off() || !self.can_go_on() || self.checkpoint == present {
            return Ok(());
        }
        let begun = Instant::now();
        self.outputs.flush(&self.folder)?;
        let state = self.built.simulation.snapshot().to_bytes();
        let (tally, memory) = (self.certifier.tally(), self.certifier.memory());
        self.journal.checkpoint(self.frame, &state, tally, memory, begun)?;
        self.checkpoint = present;
        Ok(())
    }

    /// Completes all files and finishes the run. `more` files, relative to the folder, are listed as files of
    /// this run too: the caller creates them from the finished run while it still has the folder.
    ///
    /// # Errors
    /// If frames are missing, or a file cannot be written.
    pub fn finish(self, more: &[String]) -> Result<Finished<T>, RunError> {
        let frames = self.frames();
        let Self {
            scene,
            built,
            certifier,
            outputs,
            journal,
            mut report,
            repaired,
            frame,
            mut folder,
            claim,
            ..
        } = self;
        let missing = || {
            let folder = folder.path().display();
            RunError::Refused(format!(
                "the run in {folder} is at frame {frame} of {frames}; step it to the end before you finish it"
            ))
        };
        let last = certifier.series.last.clone().filter(|_| frame == frames).ok_or_else(missing)?;
        let mut files = outputs.finish(scene, &mut folder)?;
        files.extend(repaired);
        let (json, csv) = certifier.series.files(scene.name());
        folder.write("certificate.json", &json)?;
        folder.write("certificate.csv", &csv)?;
        files.push((
            "certificate.json".to_owned(),
            "the quality of the answer, frame by frame; the same as a table in certificate.csv".to_owned(),
        ));
        if scene.model.keeps_end() {
            let path = folder.announce(EndState::FILE)?;
            let end = EndState::of(&built.bodies, &built.simulation).to_bytes();
            let mut file = visible_file(folder.path()).map_err(RunError::io(&path))?;
            file.write_all(&end).map_err(RunError::io(&path))?;
            file.persist(&path).map_err(|error| RunError::io(&path)(error.error))?;
            files.push((
                EndState::FILE.to_owned(),
                "the state at the end: `from` in another scene starts there".to_owned(),
            ));
        }
        for name in more {
            folder.announce(name)?;
        }
        report.files = folder.files().to_vec();
        report.verdict = Some(certifier.series.certificate.judgement());
        report.finish(journal.wall_s());
        let path = folder.path().to_owned();
        folder.finish(&report.to_json())?;
        Ok(Finished {
            report,
            last,
            built,
            folder: path,
            files,
            substeps: certifier.total,
            repeated: certifier.repeated,
            chosen: certifier.chosen,
            certificate: certifier.series.certificate,
            _claim: claim,
        })
    }

    /// The simulation as it is, and its bodies.
    #[must_use]
    pub fn built(&self) -> &Built<T> {
        &self.built
    }

    /// The report so far: settings, bodies and the certified frames; the summary comes at the end.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Frames simulated; 0 at the start.
    #[must_use]
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// Whether it resumes an interrupted run.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// Frames that the scene asks for.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.scene.model.frames.get()
    }
}

/// Everything on which the numbers of a run depend: a resumed run must have the same.
fn key<T: Float>(scene: &Scene, options: &Options, simulation: &Simulation<T>) -> Vec<(String, String)> {
    [
        ("the version of the program", env!("CARGO_PKG_VERSION").to_owned()),
        ("the number of frames", scene.model.frames.to_string()),
        ("the precision", T::NAME.to_owned()),
        ("the scene", scene.to_toml()),
        ("where the meshes start", format!("{:016x}", simulation.state_hash())),
    ]
    .into_iter()
    .chain(options.named())
    .map(|(what, value)| (what.to_owned(), value))
    .collect()
}

/// The data of a frame that the journal keeps.
pub(crate) fn layout<T: Float>(scene: &Scene, simulation: &Simulation<T>) -> Layout {
    let fields = &scene.model.output.fields;
    let groups = if fields.contains(&Field::Residual) { simulation.plan().len() } else { 0 };
    Layout {
        kept: needs_frames(&scene.model),
        particles: simulation.len(),
        velocities: fields.contains(&Field::Velocity),
        residuals: groups,
        wide: T::NAME == <f64 as Float>::NAME,
    }
}

/// Writes the state with its multipliers.
fn save<T: Float>(simulation: &Simulation<T>, folder: &mut Folder) -> Result<(), RunError> {
    let path = folder.announce(&saved::file_of(simulation.frame()))?;
    let parent = folder_of(&path);
    fs::create_dir_all(parent).map_err(RunError::io(&path))?;
    let mut file = visible_file(parent).map_err(RunError::io(&path))?;
    saved::to_tensors(&simulation.record()).write(BufWriter::new(&mut file)).map_err(RunError::io(&path))?;
    file.persist(&path).map(drop).map_err(|error| RunError::io(&path)(error.error))
}

fn origin(scene: &Scene) -> Origin {
    let text = if scene.text().is_empty() { scene.to_toml() } else { scene.text().to_owned() };
    Origin { name: scene.name().to_owned(), copy: "scene.toml", text }
}
