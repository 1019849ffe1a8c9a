//! [`Recorder`]: what is seen, written to folders of runs.

use std::path::{Path, PathBuf};

use pliant_run::{Recording, RunError, RunFolder};
use pliant_scene::{BuiltBody, Scene};
use serde_json::{Value, json};

use crate::act::Act;

/// The recording in progress, and the last one.
#[derive(Default)]
pub(super) struct Recorder {
    /// Whether pages may begin one.
    by_pages: bool,
    now: Option<Recording>,
    /// Folder and frames of the last.
    last: Option<(PathBuf, u32)>,
}

impl Recorder {
    /// Whether pages may begin a recording.
    pub(super) fn may_begin(&self) -> bool {
        self.by_pages
    }

    /// What pages say about it.
    pub(super) fn to_json(&self) -> Value {
        let told =
            |folder: &Path, frames: u32| json!({ "folder": folder.display().to_string(), "frames": frames });
        json!({
            "now": self.now.as_ref().map(|now| told(now.folder(), now.frames())),
            "last": self.last.as_ref().map(|(folder, frames)| told(folder, *frames)),
        })
    }

    /// Lets pages begin one.
    pub(super) fn allow_pages(&mut self) {
        self.by_pages = true;
    }

    /// Begins a recording of a simulation of a scene, if there is one.
    pub(super) fn begin(
        &mut self,
        act: &dyn Act,
        scene: Option<&Scene>,
        bodies: &[BuiltBody],
        to: &RunFolder,
    ) -> Result<(), RunError> {
        let refuse = |text: String| Err(RunError::Refused(text));
        let Some(scene) = scene else {
            return refuse("this simulation was built by a program; only scenes can be recorded".to_owned());
        };
        if let Some(now) = &self.now {
            let folder = now.folder().display();
            return refuse(format!("it is being recorded to {folder} already; end that first"));
        }
        self.now = Some(act.record(scene, bodies, to)?);
        Ok(())
    }

    /// Completes the files of the recording, if one is in progress.
    pub(super) fn end(&mut self) -> Result<Option<PathBuf>, RunError> {
        let Some(now) = self.now.take() else { return Ok(None) };
        let frames = now.frames();
        let folder = now.finish()?;
        self.last = Some((folder.clone(), frames));
        Ok(Some(folder))
    }

    /// Records the present frame, which took so many milliseconds. A recording that cannot be written stops.
    pub(super) fn write(&mut self, act: &dyn Act, ms: f64) -> Result<(), RunError> {
        let Some(now) = &mut self.now else { return Ok(()) };
        let written = act.write_to(now, ms);
        if written.is_err() {
            self.now = None;
        }
        written
    }
}
