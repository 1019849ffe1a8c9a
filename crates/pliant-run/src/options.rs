//! [`Options`]: the options of a run that are not in its scene.

use std::ops::RangeInclusive;
use std::time::Instant;

use crate::checkpoints::Checkpoints;

/// The most substeps of a frame with [`SubstepRange::Usual`], as a multiple of the scene's.
pub(crate) const MOST: u32 = 64;
/// The most substeps that frames spend on average with it, as a multiple of the scene's.
pub(crate) const AVERAGE: u32 = 12;

/// The options of a run that are not in its scene.
///
/// The files of a run, and whether it can be resumed, depend on all of them except
/// [`checkpoints`](Self::checkpoints) and [`begun`](Self::begun).
#[derive(Debug, Clone)]
pub struct Options {
    /// Requirements in addition to those of the scene, such as `residual.edges<=1e-5`.
    pub require: Vec<String>,
    /// Every n-th frame is certified, and the last; 0: the last only.
    pub report_every: u32,
    /// If given, the substeps of every frame are chosen so that the requirements are met.
    pub adaptive: Option<SubstepRange>,
    /// Whether the state of every written frame is kept with its multipliers, so that residuals can be checked later.
    pub save_multipliers: bool,
    /// When checkpoints are made.
    pub checkpoints: Checkpoints,
    /// When the work began, including reading the scene and building the simulation: the times of the report
    /// count from then.
    pub begun: Instant,
}

/// How many substeps a frame may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubstepRange {
    /// From those of the scene to 64 times as many, 12 times as many on average.
    Usual,
    /// Within these limits.
    Within(RangeInclusive<u32>),
}

impl Default for Options {
    fn default() -> Self {
        Self {
            require: Vec::new(),
            report_every: 1,
            adaptive: None,
            save_multipliers: false,
            checkpoints: Checkpoints::Auto,
            begun: Instant::now(),
        }
    }
}

impl Options {
    /// What files and answers depend on, by name.
    pub(crate) fn named(&self) -> [(&'static str, String); 4] {
        [
            ("Options::require", self.require.join(", ")),
            ("Options::report_every", self.report_every.to_string()),
            ("Options::adaptive", format!("{:?}", self.adaptive)),
            ("Options::save_multipliers", self.save_multipliers.to_string()),
        ]
    }

    /// The number of substeps by which the precision of a run is chosen, from that of its scene: the upper
    /// limit, or what frames spend on average if no limits are given. For
    /// [`pliant_scene::Scene::build_precise_for`].
    #[must_use]
    pub fn substeps_to_resolve(&self, substeps: u32) -> u32 {
        match &self.adaptive {
            None => substeps,
            Some(SubstepRange::Within(limits)) => *limits.end(),
            Some(SubstepRange::Usual) => substeps.saturating_mul(AVERAGE),
        }
    }
}
