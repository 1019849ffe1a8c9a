//! Commented example stacks.

use super::StackFile;
use crate::error::SceneError;
use crate::schema::STACK_SCHEMA_FILE;

/// A commented example of a stack of deformers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackTemplate {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    source: &'static str,
}

macro_rules! template {
    ($name:literal, $about:literal) => {
        StackTemplate {
            name: $name,
            about: $about,
            source: include_str!(concat!("../../templates/stacks/", $name, ".toml")),
        }
    };
}

const TEMPLATES: &[StackTemplate] = &[
    template!("elbow", "an arm that bends by a chain of joints, relaxed and smoothed"),
    template!("candy-wrapper", "a tube twisted by half a turn: dual quaternions keep it open"),
    template!("blob", "a soft ball that is jerked about and jiggles"),
    template!("character", "a skinned and animated glTF character of your own"),
];

/// The example stacks.
#[must_use]
pub fn stack_templates() -> &'static [StackTemplate] {
    TEMPLATES
}

impl StackTemplate {
    /// The example with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TEMPLATES.iter().find(|template| template.name == name)
    }

    /// The text of the stack file. Its first line points to the [schema](crate::stack_schema) beside it.
    #[must_use]
    pub fn text(&self) -> String {
        // In the sources the line points to the schema's place there.
        let body = self.source.split_once('\n').map_or("", |(_, body)| body);
        format!("#:schema {STACK_SCHEMA_FILE}\n{body}")
    }

    /// The stack, its relative paths starting from the current directory.
    ///
    /// # Errors
    ///
    /// None, unless this crate is broken: its tests read every template.
    pub fn stack(&self) -> Result<StackFile, SceneError> {
        StackFile::parse_named(self.name, &self.text(), "")
    }
}
