//! [`Recorder`]: what is seen, written to folders of runs.

use std::path::{Path, PathBuf};

use pliant_run::{Recording, RunError, RunFolder};
use serde_json::{Value, json};

use super::{Refusal, Show};

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
}

impl From<RunError> for Refusal {
    fn from(error: RunError) -> Self {
        Self::new(error)
    }
}

impl Show<'_> {
    /// Lets pages record what they show, to `runs/NAME-1` and so on in the folder in which the program was started.
    #[must_use]
    pub fn recorded_by_pages(mut self) -> Self {
        self.recorder.by_pages = true;
        self
    }

    /// Records from here to the folder of a run, until [`end_recording`](Self::end_recording), a restart, or a change for which the
    /// simulation is built anew.
    ///
    /// ```
    /// use pliant_run::{Intent, RunFolder};
    /// use pliant_scene::Template;
    /// use pliant_view::Show;
    ///
    /// let scene = Template::named("cloth").ok_or("no such template")?.scene()?;
    /// let folder = tempfile::tempdir()?;
    /// let to = RunFolder::choose(Some(folder.path()), scene.name(), Intent::Begin)?;
    /// let mut show = Show::of_scene(scene)?;
    /// show.record(&to)?;
    /// show.step()?;
    /// assert_eq!(show.end_recording()?.as_deref(), Some(folder.path()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the simulation is not one of a scene, or the folder cannot be used.
    pub fn record(&mut self, to: &RunFolder) -> Result<(), RunError> {
        let refuse = |text: String| Err(RunError::Refused(text));
        let Some(scene) = &self.scene else {
            return refuse("this simulation was built by a program; only scenes can be recorded".to_owned());
        };
        if let Some(now) = &self.recorder.now {
            let folder = now.folder().display();
            return refuse(format!("it is being recorded to {folder} already; end that first"));
        }
        self.recorder.now = Some(self.act.record(scene, &self.bodies, to)?);
        Ok(())
    }

    /// Completes the files of the recording; returns their folder, or nothing if none was in progress.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; the folder is then marked as unfinished.
    pub fn end_recording(&mut self) -> Result<Option<PathBuf>, RunError> {
        let Some(now) = self.recorder.now.take() else { return Ok(None) };
        let frames = now.frames();
        let folder = now.finish()?;
        self.recorder.last = Some((folder.clone(), frames));
        Ok(Some(folder))
    }

    /// What a page asks for.
    pub(super) fn record_from_page(&mut self, on: bool) -> Result<Value, Refusal> {
        if !on {
            let folder = self.end_recording()?;
            return Ok(json!(folder.map(|folder| folder.display().to_string())));
        }
        if !self.recorder.by_pages {
            return Err(Refusal::new("this page cannot write files"));
        }
        let name = self.scene.as_ref().map(|scene| scene.name().to_owned()).unwrap_or_default();
        self.record(&RunFolder::Numbered(name))?;
        Ok(Value::Null)
    }

    /// Ends a recording because its simulation has ended.
    pub(super) fn cut(&mut self) {
        if let Err(error) = self.end_recording() {
            self.problem = Some(Refusal::from(error).0);
            self.version += 1;
        }
    }

    /// Records the frame that was taken. After a frame that failed the recording ends.
    pub(super) fn write_frame(&mut self, is_taken: bool) {
        let Some(now) = &mut self.recorder.now else { return };
        if !is_taken {
            return self.cut();
        }
        if let Err(error) = self.act.write_to(now, self.cost.unwrap_or_default()) {
            self.recorder.now = None;
            self.playing = false;
            self.problem = Some(Refusal::from(error).0);
            self.version += 1;
        }
    }
}
