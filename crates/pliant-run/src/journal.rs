//! [`Journal`]: what a run keeps beside its files so that it can be resumed, and [`Past`]: what a resumed run finds
//! there.
//!
//! Animation files are no memory: they hold fewer digits than the simulation, and some of them appear at the end only.
//! So during a run, the folder `continue/` in
//! its own holds
//!
//! * `frames.bin`: every frame that was written, as the simulation has it;
//! * `frames.jsonl`: a line for every frame that was simulated, with its numbers;
//! * `state.bin`: the last checkpoint, replaced in one step: the state to resume from, and how much of the
//!   other two files belongs to it.
//!
//! A resumed run writes its files again from there up to the checkpoint, and simulates from it. Since nothing in a
//! simulation depends on when it runs, its
//! files are those of a run that was never interrupted, to the last bit. A whole run needs none of this, and the folder goes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nalgebra::Vector3;
use pliant_solver::{Adaptive, Seal, SealError};
use serde::{Deserialize, Serialize};

use crate::chosen::Chosen;
use crate::error::RunError;
use crate::files::{from_slashes, visible_file};
use crate::folder::Folder;
use crate::names::{JOURNAL, JOURNAL_FILES as FILES, has_checkpoint};
use crate::report::Line;
use crate::state::{Layout, State};

/// From one checkpoint to the next, where the command line does not say.
const PAUSE: Duration = Duration::from_secs(5);

/// The form of a checkpoint: a [`Mark`], and behind it a snapshot as the solver writes it. Whatever changes the mark is another version.
const SEAL: Seal = Seal { magic: *b"pliant-c", version: 1 };

/// What the certifier has to remember beside the frames.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Substeps spent on all frames, and on those since the last certified one.
    pub(crate) total: u64,
    pub(crate) since: u32,
    /// How many frames were done more than once.
    pub(crate) repeated: u32,
    /// What was chosen, where methods are.
    pub(crate) chosen: Option<Chosen>,
}

/// What belongs to a checkpoint beside the state of the simulation.
#[derive(Debug, Serialize, Deserialize)]
struct Mark {
    /// What the run was made from; a resumed run must be made from the same.
    key: Vec<(String, String)>,
    /// Frames simulated, and frames written.
    frame: u32,
    written: u64,
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
    frames: BufWriter<File>,
    lines: BufWriter<File>,
    written: u64,
    every: Option<u32>,
    last: Instant,
    begun: Instant,
    /// Time that the run had taken before it was resumed, s.
    earlier_s: f64,
}

impl Journal {
    /// Begins the journal of a run, with a checkpoint every so many frames; none: every few seconds.
    pub(crate) fn begin(
        folder: &Folder,
        key: Vec<(String, String)>,
        layout: Layout,
        every: Option<u32>,
        begun: Instant,
    ) -> Result<Self, RunError> {
        let root = folder.path().to_owned();
        let inner = root.join(JOURNAL);
        fs::create_dir_all(&inner).map_err(RunError::unwritable(&inner))?;
        let create = |name: &str| {
            let path = root.join(from_slashes(name));
            File::create(&path).map(BufWriter::new).map_err(RunError::unwritable(&path))
        };
        let (frames, lines) = (create(FILES[0])?, create(FILES[1])?);
        Ok(Self { root, key, layout, frames, lines, written: 0, every, last: begun, begun, earlier_s: 0.0 })
    }

    fn path(&self, k: usize) -> PathBuf {
        self.root.join(from_slashes(FILES[k]))
    }

    /// Keeps a frame that was written.
    pub(crate) fn write(&mut self, state: &State) -> Result<(), RunError> {
        if self.is_off() {
            return Ok(());
        }
        let path = self.path(0);
        let wide = self.layout.wide;
        let out = &mut self.frames;
        let mut put = || -> io::Result<()> {
            out.write_all(&state.time.to_le_bytes())?;
            let vectors = state.positions.iter().chain(&state.velocities).flat_map(Vector3::iter);
            for &c in vectors.chain(&state.residuals) {
                if wide {
                    out.write_all(&c.to_le_bytes())?;
                } else {
                    // It was one before: no bit is lost.
                    out.write_all(&(c as f32).to_le_bytes())?;
                }
            }
            Ok(())
        };
        put().map_err(RunError::io(&path))?;
        self.written += 1;
        Ok(())
    }

    /// Keeps the numbers of a frame that was simulated.
    pub(crate) fn note(&mut self, line: &Line) -> Result<(), RunError> {
        if self.is_off() {
            return Ok(());
        }
        let path = self.path(1);
        let mut text = serde_json::to_string(line).expect("numbers, texts and lists have a form in JSON");
        text.push('\n');
        self.lines.write_all(text.as_bytes()).map_err(RunError::io(&path))
    }

    /// Whether no checkpoints are wanted.
    pub(crate) fn is_off(&self) -> bool {
        self.every == Some(0)
    }

    /// Whether it is time for a checkpoint after a frame.
    pub(crate) fn is_due(&self, frame: u32) -> bool {
        match self.every {
            Some(every) => every != 0 && frame.is_multiple_of(every),
            None => self.last.elapsed() >= PAUSE,
        }
    }

    /// Makes a checkpoint after a frame: from now on the run can be resumed from here.
    pub(crate) fn checkpoint(
        &mut self,
        frame: u32,
        state: &[u8],
        tally: Tally,
        memory: Option<[f64; Adaptive::MEMORY]>,
    ) -> Result<(), RunError> {
        for k in 0..2 {
            let path = self.path(k);
            let file = if k == 0 { &mut self.frames } else { &mut self.lines };
            file.flush().and_then(|()| file.get_ref().sync_data()).map_err(RunError::io(&path))?;
        }
        let wall_s = self.earlier_s + self.begun.elapsed().as_secs_f64();
        let mark = Mark { key: self.key.clone(), frame, written: self.written, tally, memory, wall_s };
        let path = self.path(2);
        let mut file = visible_file(&self.root.join(JOURNAL)).map_err(RunError::io(&path))?;
        file.write_all(&SEAL.close(&mark))
            .and_then(|()| file.write_all(state))
            .map_err(RunError::io(&path))?;
        file.as_file().sync_data().map_err(RunError::io(&path))?;
        file.persist(&path).map_err(|error| RunError::io(&path)(error.error))?;
        self.last = Instant::now();
        Ok(())
    }

    /// Time that the run has taken, with what came before an interruption, s.
    pub(crate) fn wall_s(&self) -> f64 {
        self.earlier_s + self.begun.elapsed().as_secs_f64()
    }
}

/// What a resumed run finds.
pub(crate) struct Past {
    root: PathBuf,
    mark: Mark,
    layout: Layout,
    /// The state of the simulation at the checkpoint, as [`Snapshot::from_bytes`](pliant_solver::Snapshot::from_bytes) reads it.
    pub(crate) state: Vec<u8>,
    /// The frames that were simulated.
    pub(crate) lines: Vec<Line>,
    line_bytes: u64,
    frames: BufReader<File>,
}

impl Past {
    /// Reads the checkpoint of the run in a folder, which must be made from `key`.
    pub(crate) fn read(root: &Path, key: &[(String, String)], layout: Layout) -> Result<Self, RunError> {
        let at = |k: usize| root.join(from_slashes(FILES[k]));
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
        let bytes = fs::read(at(2)).map_err(|error| damaged(&error.to_string()))?;
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
        let text = fs::read_to_string(at(1)).map_err(RunError::io(&at(1)))?;
        // A line without an end may be half a line.
        let whole_lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let mut line_bytes = 0;
        let lines: Vec<Line> = whole_lines
            .take(mark.frame as usize)
            .inspect(|line| line_bytes += line.len() as u64)
            .map(|line| serde_json::from_str(line).map_err(|error| damaged(&error.to_string())))
            .collect::<Result<_, RunError>>()?;
        let frames = File::open(at(0)).map_err(RunError::io(&at(0)))?;
        let length = frames.metadata().map_err(RunError::io(&at(0)))?.len();
        let whole = layout.frame_bytes().checked_mul(mark.written).is_some_and(|bytes| bytes <= length);
        if lines.len() != mark.frame as usize || !whole {
            return Err(damaged("its frames are not all there"));
        }
        let frames = BufReader::new(frames);
        Ok(Self { root: root.to_owned(), mark, layout, state: state.to_vec(), lines, line_bytes, frames })
    }

    /// Frames simulated.
    pub(crate) fn frame(&self) -> u32 {
        self.mark.frame
    }

    /// Frames written.
    pub(crate) fn written(&self) -> u64 {
        self.mark.written
    }

    pub(crate) fn tally(&self) -> Tally {
        self.mark.tally
    }

    /// What was learnt about the number of substeps.
    pub(crate) fn memory(&self) -> Option<[f64; Adaptive::MEMORY]> {
        self.mark.memory
    }

    /// The next frame that was written, of [`written`](Self::written).
    pub(crate) fn next(&mut self) -> Result<State, RunError> {
        let path = self.root.join(from_slashes(FILES[0]));
        let Layout { particles, velocities, residuals, wide } = self.layout;
        let read = |file: &mut BufReader<File>| -> io::Result<State> {
            let mut time = [0; 8];
            file.read_exact(&mut time)?;
            let number = |file: &mut BufReader<File>| -> io::Result<f64> {
                let (mut eight, mut four) = ([0; 8], [0; 4]);
                if wide {
                    file.read_exact(&mut eight)?;
                    Ok(f64::from_le_bytes(eight))
                } else {
                    file.read_exact(&mut four)?;
                    Ok(f64::from(f32::from_le_bytes(four)))
                }
            };
            let mut vectors = |count: usize| -> io::Result<Vec<Vector3<f64>>> {
                (0..count).map(|_| Ok(Vector3::new(number(file)?, number(file)?, number(file)?))).collect()
            };
            let positions = vectors(particles)?;
            let velocities = vectors(if velocities { particles } else { 0 })?;
            let residuals = (0..residuals * particles).map(|_| number(file)).collect::<io::Result<_>>()?;
            Ok(State { time: f64::from_le_bytes(time), positions, velocities, residuals })
        };
        read(&mut self.frames).map_err(RunError::io(&path))
    }

    /// The journal, to continue it.
    pub(crate) fn reopen(self, every: Option<u32>, begun: Instant) -> Result<Journal, RunError> {
        let open = |k: usize, bytes: u64| -> Result<BufWriter<File>, RunError> {
            let path = self.root.join(from_slashes(FILES[k]));
            let file = OpenOptions::new().append(true).open(&path).map_err(RunError::unwritable(&path))?;
            // What was written after the checkpoint is written again.
            file.set_len(bytes).map_err(RunError::unwritable(&path))?;
            Ok(BufWriter::new(file))
        };
        let frames = open(0, self.layout.frame_bytes() * self.mark.written)?;
        let lines = open(1, self.line_bytes)?;
        Ok(Journal {
            root: self.root,
            key: self.mark.key,
            layout: self.layout,
            frames,
            lines,
            written: self.mark.written,
            every,
            last: Instant::now(),
            begun,
            earlier_s: self.mark.wall_s,
        })
    }
}
