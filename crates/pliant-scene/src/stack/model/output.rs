//! [`StackOutputModel`]: what a stack writes.

use serde::{Deserialize, Serialize};

use crate::model::{Format, Frames};

/// What a stack writes. The mesh at rest is written beside it, as OBJ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StackOutputModel {
    /// File formats. GLB files do not contain the skin. Default: `["vtu", "pc2"]`.
    pub formats: Vec<Format>,
    /// Write every n-th frame; all are computed. Default: 1.
    pub every: Frames,
}

impl Default for StackOutputModel {
    fn default() -> Self {
        Self { formats: vec![Format::Vtu, Format::Pc2], every: Frames::known(1) }
    }
}
