//! [`Journal`]: the data that a run keeps besides its files so that it can be resumed, and [`Past`]: these
//! data in a resumed run.
//!
//! A run cannot be resumed from its animation files: they hold fewer digits than the simulation, and some of
//! them appear only at the end. So during a run, the folder `continue/` in its own folder holds
//!
//! * `state.bin`: the last checkpoint, replaced in one step: the state to resume from, and how much of the
//!   other two files belongs to it;
//! * `frames.jsonl`: a line for every frame that was simulated, with its numbers;
//! * `frames.bin`: if there are files that appear only at the end, every frame that was written, with the
//!   digits of the simulation.
//!
//! A resumed run continues the frame files and caches that exist, makes the other files again from the
//! frames, and simulates from the checkpoint. Since nothing in a simulation depends on when it runs, its
//! files are those of a run that was never interrupted, to the last bit. A finished run needs none of this,
//! and the folder is deleted.

use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use pliant_solver::{Adaptive, Seal, SealError};
use serde::{Deserialize, Serialize};

use crate::checkpoints::{Checkpoints, Schedule};
use crate::chosen::Chosen;
use crate::error::RunError;
use crate::files::{from_slashes, visible_file};
use crate::folder::Folder;
use crate::log::{Extent, Log};
use crate::names::{JOURNAL, JOURNAL_FILES as FILES, has_checkpoint};
use crate::report::Line;
use crate::state::{Layout, State};

/// The format of a checkpoint: a [`Mark`], followed by a snapshot as the solver writes it. Every change of
/// the mark needs another version.
const SEAL: Seal = Seal { magic: *b"pliant-c", version: 1 };

/// The data of the certifier that must be kept in addition to the frames.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Substeps spent on all frames, and on those since the last certified one.
    pub(crate) total: u64,
    pub(crate) since: u32,
    /// How many frames were done more than once.
    pub(crate) repeated: u32,
    /// The chosen methods, if methods are chosen.
    pub(crate) chosen: Option<Chosen>,
}

/// The data of a checkpoint besides the state of the simulation.
#[derive(Debug, Serialize, Deserialize)]
struct Mark {
    /// The origin of the run; a resumed run must have the same.
    key: Vec<(String, String)>,
    /// Frames simulated.
    frame: u32,
    /// How much of the other files belongs to it.
    frames: Extent,
    lines: Extent,
    tally: Tally,
    /// What was learnt about the number of substeps.
    memory: Option<[f64; Adaptive::MEMORY]>,
    /// Time that it took, s.
    wall_s: f64,
}

/// The journal of a run in progress.
pub(crate) struct Journal {
    root: PathBuf,
    key: Vec<(String, String)>,
    layout: Layout,
    /// `None` if frames are not kept.
    frames: Option<Log>,
    lines: Log,
    schedule: Schedule,
    begun: Instant,
    /// Time that the run had taken before it was resumed, s.
    earlier_s: f64,
}

/// A file of the journal in the folder of a run.
fn at(root: &Path, k: usize) -> PathBuf {
    root.join(from_slashes(FILES[k]))
}

impl Journal {
    /// Starts the journal of a run.
    pub(crate) fn begin(
        folder: &Folder,
        key: Vec<(String, String)>,
        layout: Layout,
        checkpoints: Checkpoints,
        begun: Instant,
    ) -> Result<Self, RunError> {
        let root = folder.path().to_owned();
        let inner = root.join(JOURNAL);
        fs::create_dir_all(&inner).map_err(RunError::unwritable(&inner))?;
        let schedule = Schedule::new(checkpoints);
        let keeps = layout.kept && !schedule.is_off();
        let frames = keeps.then(|| Log::create(at(&root, 0))).transpose()?;
        let lines = Log::create(at(&root, 1))?;
        Ok(Self { root, key, layout, frames, lines, schedule, begun, earlier_s: 0.0 })
    }

    /// Stores a frame that was written.
    pub(crate) fn write(&mut self, state: &State) -> Result<(), RunError> {
        match &mut self.frames {
            Some(frames) => frames.append(&state.to_bytes(self.layout)),
            None => Ok(()),
        }
    }

    /// Stores the numbers of a frame that was simulated.
    pub(crate) fn note(&mut self, line: &Line) -> Result<(), RunError> {
        if self.is_off() {
            return Ok(());
        }
        let mut text = serde_json::to_string(line).expect("numbers, texts and lists have a form in JSON");
        text.push('\n');
        self.lines.append(text.as_bytes())
    }

    /// Whether there are no checkpoints.
    pub(crate) fn is_off(&self) -> bool {
        self.schedule.is_off()
    }

    /// Whether a checkpoint is due after a frame.
    pub(crate) fn is_due(&self, frame: u32) -> bool {
        self.schedule.is_due(frame)
    }

    /// Makes a checkpoint after a frame, from which the run can then be resumed; `begun` is when the
    /// checkpoint was begun.
    pub(crate) fn checkpoint(
        &mut self,
        frame: u32,
        state: &[u8],
        tally: Tally,
        memory: Option<[f64; Adaptive::MEMORY]>,
        begun: Instant,
    ) -> Result<(), RunError> {
        let frames = self.frames.as_mut().map_or(Ok(Extent::default()), Log::sync)?;
        let lines = self.lines.sync()?;
        let mark = Mark { key: self.key.clone(), frame, frames, lines, tally, memory, wall_s: self.wall_s() };
        let path = at(&self.root, 2);
        let mut file = visible_file(&self.root.join(JOURNAL)).map_err(RunError::io(&path))?;
        let written = file.write_all(&SEAL.close(&mark)).and_then(|()| file.write_all(state));
        written.and_then(|()| file.as_file().sync_data()).map_err(RunError::io(&path))?;
        file.persist(&path).map_err(|error| RunError::io(&path)(error.error))?;
        self.schedule.made(begun);
        Ok(())
    }

    /// Time that the run has taken, including the time before an interruption, s.
    pub(crate) fn wall_s(&self) -> f64 {
        self.earlier_s + self.begun.elapsed().as_secs_f64()
    }
}

/// The data of a run that is resumed.
pub(crate) struct Past {
    root: PathBuf,
    mark: Mark,
    layout: Layout,
    /// The state of the simulation at the checkpoint, as
    /// [`Snapshot::from_bytes`](pliant_solver::Snapshot::from_bytes) reads it.
    pub(crate) state: Vec<u8>,
    /// The frames that were simulated.
    pub(crate) lines: Vec<Line>,
    frames: Option<BufReader<File>>,
}

impl Past {
    /// Reads the checkpoint of the run in a folder, which must have the origin `key`.
    pub(crate) fn read(root: &Path, key: &[(String, String)], layout: Layout) -> Result<Self, RunError> {
        let shown = root.display();
        if !has_checkpoint(root) {
            return Err(RunError::Refused(format!(
                "{shown} has no checkpoint to resume from; start over with Intent::Replace"
            )));
        }
        let damaged = |why: &str| {
            RunError::Refused(format!(
                "the checkpoint of {shown} is damaged ({why}); start over with Intent::Replace"
            ))
        };
        let bytes = fs::read(at(root, 2)).map_err(|error| damaged(&error.to_string()))?;
        let (mark, state): (Mark, _) = SEAL.open_first(&bytes).map_err(|error| match error {
            SealError::Version { .. } => RunError::Refused(format!(
                "the run in {shown} cannot be resumed: its checkpoint {error}, or start over with Intent::Replace"
            )),
            error => damaged(&format!("{} {error}", FILES[2])),
        })?;
        for ((what, now), (_, then)) in key.iter().zip(&mark.key) {
            if now != then {
                return Err(RunError::Refused(format!(
                    "the run in {shown} cannot be resumed: {what} is not what it started with{}; start over in another folder, or with Intent::Replace",
                    if then.len() + now.len() < 60 {
                        format!(" ({now} instead of {then})")
                    } else {
                        String::new()
                    }
                )));
            }
        }
        let mut text = Vec::new();
        let read = mark.lines.read(&at(root, 1), |piece| text.extend_from_slice(piece));
        if !read.map_err(|error| damaged(&format!("{}: {error}", FILES[1])))? {
            return Err(damaged(&format!("{} has changed since it was written", FILES[1])));
        }
        let lines = serde_json::Deserializer::from_slice(&text).into_iter();
        let lines: Vec<Line> =
            lines.collect::<Result<_, _>>().map_err(|error| damaged(&error.to_string()))?;
        let frames = layout.kept.then(|| {
            let path = at(root, 0);
            let whole = mark.frames.read(&path, |_| {}).map_err(|error| format!("{}: {error}", FILES[0]))?;
            let frames = File::open(&path).map_err(|error| format!("{}: {error}", FILES[0]))?;
            let changed = || format!("{} has changed since it was written", FILES[0]);
            whole.then(|| BufReader::new(frames)).ok_or_else(changed)
        });
        let frames = frames.transpose().map_err(|why| damaged(&why))?;
        if lines.len() != mark.frame as usize {
            return Err(damaged("some of its frames are missing"));
        }
        Ok(Self { root: root.to_owned(), mark, layout, state: state.to_vec(), lines, frames })
    }

    /// Frames simulated.
    pub(crate) fn frame(&self) -> u32 {
        self.mark.frame
    }

    /// Times of the start and of the frames that were written, which are every `every`-th of those that were
    /// simulated, s.
    pub(crate) fn times(&self, every: u32) -> Vec<f64> {
        let written = self.lines.iter().skip(every as usize - 1).step_by(every as usize);
        std::iter::once(0.0).chain(written.map(|line| line.time)).collect()
    }

    pub(crate) fn tally(&self) -> Tally {
        self.mark.tally
    }

    /// What was learnt about the number of substeps.
    pub(crate) fn memory(&self) -> Option<[f64; Adaptive::MEMORY]> {
        self.mark.memory
    }

    /// The next frame that was written, if frames were kept.
    pub(crate) fn next(&mut self) -> Result<Option<State>, RunError> {
        let Some(frames) = &mut self.frames else { return Ok(None) };
        let state = State::read(frames, self.layout);
        state.map(Some).map_err(RunError::io(&at(&self.root, 0)))
    }

    /// The journal, to continue it.
    pub(crate) fn reopen(self, checkpoints: Checkpoints, begun: Instant) -> Result<Journal, RunError> {
        let Self { root, mark, layout, .. } = self;
        // Everything that was written after the checkpoint is written again.
        let schedule = Schedule::new(checkpoints);
        let keeps = layout.kept && !schedule.is_off();
        let frames = keeps.then(|| Log::reopen(at(&root, 0), mark.frames)).transpose()?;
        let lines = Log::reopen(at(&root, 1), mark.lines)?;
        let (key, earlier_s) = (mark.key, mark.wall_s);
        Ok(Journal { root, key, layout, frames, lines, schedule, begun, earlier_s })
    }
}
