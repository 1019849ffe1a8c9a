//! [`SceneModel`]: the whole file.

use std::path::PathBuf;

use pliant_solver::Concern;
use serde::{Deserialize, Serialize};

use super::unit::PerSecond;
use super::{
    AttachmentModel, BodyModel, Bounded, CollideBodyModel, ContactModel, Frames, ObstacleModel, OutputModel,
    Positive, SeamModel, SolverModel, StageModel, StitchModel,
};

/// A scene of Pliant: soft bodies, obstacles, how they are solved, and what is written.
///
/// Lengths are metres, masses kilograms, times seconds, angles degrees; y points up. Paths are relative to
/// the scene file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schemars", schemars(title = "Pliant scene"))]
pub struct SceneModel {
    /// Name of the scene, used in file names: letters, digits, `-` and `_`. Default: the name of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Number of frames to simulate. Default: 120.
    pub frames: Frames,
    /// Frames per second. Default: 60.
    pub frame_rate: Positive<PerSecond>,
    /// Precision of the simulation. Default: `"auto"`.
    pub precision: Precision,
    /// Bounds that the answer must keep in every frame, such as `"residual.edges<=1e-5"` or
    /// `"stretch.max<=0.01"`; `pliant run` ends with status 3 if it does not. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub require: Vec<String>,
    /// Reasons for which the verdict may be "not to be trusted" and `pliant run` still ends with status 0
    /// instead of 4. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accept: Vec<AcceptModel>,
    /// The folder of a finished run, relative to the scene file: bodies start where those of the same name ended
    /// there, as fast as they were, and pairs of seams that were closed start closed. Rest shapes, pins and
    /// motions are those of the scene. Default: none, bodies start as their meshes are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<PathBuf>,
    /// How the scene is solved.
    pub solver: SolverModel,
    /// Parts of the run with settings of their own, one `[[stage]]` each, in order of time.
    #[serde(rename = "stage", skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageModel>,
    /// The soft bodies: pieces of cloth and soft solids, one `[[body]]` each.
    #[serde(rename = "body", skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodyModel>,
    /// What the bodies collide with, one `[[obstacle]]` each.
    #[serde(rename = "obstacle", skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<ObstacleModel>,
    /// Stitches that sew bodies together, one `[[stitch]]` each.
    #[serde(rename = "stitch", skip_serializing_if = "Vec::is_empty")]
    pub stitches: Vec<StitchModel>,
    /// Panels that are sewn together for good, one `[[seam]]` each.
    #[serde(rename = "seam", skip_serializing_if = "Vec::is_empty")]
    pub seams: Vec<SeamModel>,
    /// Attachments of vertices of a body to places of another, one `[[attachment]]` each.
    #[serde(rename = "attachment", skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<AttachmentModel>,
    /// Contact settings of pairs of bodies, in place of those of the two bodies, one `[[contact]]` each.
    #[serde(rename = "contact", skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<ContactModel>,
    /// What is written.
    pub output: OutputModel,
}

impl SceneModel {
    /// Names of the groups of bodies that collide, in their order; the first, without a name, is that of
    /// bodies without `groups`.
    #[must_use]
    pub fn groups(&self) -> Vec<&str> {
        let mut known = vec![""];
        for body in &self.bodies {
            let Some(CollideBodyModel::Table(table)) = &body.collide else { continue };
            for group in &table.groups {
                if !known.contains(&group.as_str()) {
                    known.push(group);
                }
            }
        }
        known
    }
}

impl SceneModel {
    /// The stage of the frame that follows on so many, if there are stages: the last that starts when that
    /// begins, or before. Of stages whose start is not known beforehand, because one before them lasts
    /// [until](StageModel::until) something has come, none has started.
    #[must_use]
    pub fn stage_after(&self, frames: u32) -> Option<&StageModel> {
        // What starts with a frame starts with it, however times are rounded.
        let begins = (f64::from(frames) + 1e-6) / self.frame_rate.get();
        let started = |stage: &&StageModel| stage.start.map_or(0.0, Bounded::get) <= begins;
        let known =
            self.stages.iter().position(|stage| stage.until.is_some()).map_or(self.stages.len(), |i| i + 1);
        self.stages[..known].iter().rfind(started).or_else(|| self.stages.first())
    }

    /// Whether the stage after number `i` is one with a start, and has started when the frame that follows on
    /// so many begins.
    pub(crate) fn has_started(&self, i: usize, frames: u32) -> bool {
        let begins = (f64::from(frames) + 1e-6) / self.frame_rate.get();
        self.stages.get(i).and_then(|stage| stage.start).is_some_and(|start| start.get() <= begins)
    }
}

impl SceneModel {
    /// Whether a run keeps the state at its end.
    #[must_use]
    pub fn keeps_end(&self) -> bool {
        self.output.end_state.unwrap_or(!self.stages.is_empty() || !self.seams.is_empty())
    }
}

impl Default for SceneModel {
    fn default() -> Self {
        Self {
            name: None,
            frames: Frames::known(120),
            frame_rate: Positive::known(60.0),
            precision: Precision::default(),
            require: Vec::new(),
            accept: Vec::new(),
            from: None,
            solver: SolverModel::default(),
            stages: Vec::new(),
            bodies: Vec::new(),
            obstacles: Vec::new(),
            stitches: Vec::new(),
            seams: Vec::new(),
            attachments: Vec::new(),
            contacts: Vec::new(),
            output: OutputModel::default(),
        }
    }
}

impl SceneModel {
    /// Whether the scene accepts that its run is not to be trusted for this reason.
    #[must_use]
    pub fn accepts(&self, concern: Concern) -> bool {
        self.accept.iter().any(|accepted| accepted.covers(concern))
    }
}

/// The number type that positions and velocities are stored in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Single precision if it is enough; double if substeps are so short, or elements so small or so far from
    /// the origin, that rounding would show.
    #[default]
    Auto,
    /// Single precision: faster, and accurate enough for pictures and more. Double where rounding could ruin the run,
    /// unless [`AcceptModel::Resolution`] is accepted.
    F32,
    /// Double precision: for comparison with formulas, and for very many substeps.
    F64,
}

impl Precision {
    /// `"auto"`, `"f32"` or `"f64"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

/// A reason not to trust the answer of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AcceptModel {
    /// Any reason.
    All,
    /// A start inside an obstacle.
    Start,
    /// Rounding of positions or velocities.
    Resolution,
    /// Particles that move too far in a substep.
    Speed,
    /// Energy that the solver created.
    Energy,
    /// Tetrahedra that are inside out.
    Inversion,
    /// A material that is not meant for what happens to it.
    Material,
    /// Volumes that are far from what they should be.
    Volume,
    /// Constraints that are far from solved.
    Constraints,
    /// Surfaces that pass through each other.
    Contact,
}

impl AcceptModel {
    /// Whether it accepts a concern.
    #[must_use]
    pub fn covers(self, concern: Concern) -> bool {
        match self {
            Self::All => true,
            Self::Start => concern == Concern::Start,
            Self::Resolution => concern == Concern::Resolution,
            Self::Speed => concern == Concern::Speed,
            Self::Energy => concern == Concern::Energy,
            Self::Inversion => concern == Concern::Inversion,
            Self::Material => concern == Concern::Material,
            Self::Volume => concern == Concern::Volume,
            Self::Constraints => concern == Concern::Constraints,
            Self::Contact => concern == Concern::Contact,
        }
    }
}
