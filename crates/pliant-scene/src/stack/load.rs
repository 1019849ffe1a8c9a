//! Reads a file or a text into a checked [`StackFile`].

use std::path::Path;

use super::check;
use super::model::StackModel;
use crate::error::{Fault, SceneError};
use crate::load::{FileModel, load, parse};
use crate::source::Source;

/// A stack of deformers: the data of its file, and the place of the file.
///
/// ```
/// use pliant_scene::StackFile;
///
/// let text = r#"
///     frames = 20
///     [input.chain]
///     mesh = { cylinder = { radius = 0.1, height = 1.0, segments = 16, rings = 24 } }
///     blend = 0.3
///     joint = [
///         { at = [0, -0.5, 0] },
///         { at = [0, 0, 0], key = [{ time = 0 }, { time = 0.5, rotate = { axis = [0, 0, 1], degrees = 90 } }] },
///     ]
///     [[deformer]]
///     skinning = {}
///     [[deformer]]
///     relax = { iterations = 20 }
/// "#;
/// let mut built = StackFile::parse(text, ".")?.build()?;
/// let (positions, report) = built.frame(19)?;
/// assert_eq!(positions.len(), built.mesh.positions().len());
/// assert!(report[1].after.rms < report[1].before.rms);
///
/// let wrong = StackFile::parse(&text.replace("iterations = 20", "push = 2"), ".").unwrap_err();
/// assert!(wrong.to_string().starts_with("stack:13:22: the push is 2.0; expected a number from 0 to 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StackFile {
    /// The data of the file. After a change, [check](StackFile::check) it again.
    pub model: StackModel,
    pub(crate) source: Source,
}

impl StackFile {
    /// Whether a text is meant as a stack and not as a scene: whether it has an `input`. The text need not be valid.
    ///
    /// ```
    /// use pliant_scene::StackFile;
    ///
    /// assert!(StackFile::is_meant("[input.cache]\nfile = 3\n"));
    /// assert!(!StackFile::is_meant("frames = 10\n[[body]]\n"));
    /// ```
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        toml::de::DeTable::parse(text)
            .is_ok_and(|table| table.get_ref().iter().any(|(key, _)| key.get_ref() == "input"))
    }

    /// Reads and checks a stack file. Relative paths in it start from its directory.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not TOML, or has an invalid value. The files that it names are not read:
    /// [`build`](StackFile::build) does that.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::load_here(path.as_ref())
    }

    // Not generic, so that the reader is compiled in this crate only.
    fn load_here(path: &Path) -> Result<Self, SceneError> {
        let (model, source) = load(path)?;
        Ok(Self { model, source })
    }

    /// Reads and checks a stack from text; relative paths in it start from `base_dir`.
    ///
    /// # Errors
    ///
    /// As [`load`](StackFile::load).
    pub fn parse(text: &str, base_dir: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::parse_named("stack", text, base_dir)
    }

    /// Like [`parse`](StackFile::parse), with the name of the text in errors.
    ///
    /// # Errors
    ///
    /// As [`load`](StackFile::load).
    pub fn parse_named(name: &str, text: &str, base_dir: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::parse_here(name, text, base_dir.as_ref())
    }

    fn parse_here(name: &str, text: &str, base_dir: &Path) -> Result<Self, SceneError> {
        let (model, source) = parse(name, text, base_dir)?;
        Ok(Self { model, source })
    }

    /// Checks every choice and name of the stack, and numbers that depend on others, as far as that needs no meshes.
    ///
    /// # Errors
    ///
    /// The first error that can be found without meshes.
    pub fn check(&self) -> Result<(), SceneError> {
        self.model.check().map_err(|fault| self.locate(fault))
    }

    /// The stack's name, `"stack"` if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.model.name.as_deref().unwrap_or("stack")
    }

    /// The text that the stack was read from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The name of the stack in errors: its path.
    #[must_use]
    pub fn source_name(&self) -> &str {
        &self.source.name
    }

    /// The directory that relative paths start from.
    #[must_use]
    pub fn base_dir(&self) -> &Path {
        &self.source.base
    }

    pub(crate) fn locate(&self, fault: Fault) -> SceneError {
        self.source.locate(fault)
    }
}

impl FileModel for StackModel {
    const WHAT: &'static str = "stack";

    fn name(&self) -> &Option<String> {
        &self.name
    }

    fn name_mut(&mut self) -> &mut Option<String> {
        &mut self.name
    }

    fn check(&self) -> Result<(), Fault> {
        check::check(self)
    }
}
