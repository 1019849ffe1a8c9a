//! [`Row`]: a scene with bounds on its errors.

use serde::{Deserialize, Serialize};

use super::Way;
use crate::bench::Scene;

/// A scene with bounds on its errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Row {
    /// A hung block of 48 000 tetrahedra with rigid edges and volumes
    Block50k,
    /// One of 511 000
    Block500k,
    /// One of 1 971 000
    Block2m,
    /// A sheet of 100 × 100 vertices with rigid edges, hung by two corners
    Sheet100,
    /// One of 316 × 316
    Sheet316,
    /// The same, with closer bounds
    Sheet316Fine,
    /// An implicit step of an elastic block of 48 000 tetrahedra
    Elastic50k,
    /// One of 511 000
    Elastic500k,
    /// One of 1 971 000
    Elastic2m,
    /// The same of a dolphin of irregular tetrahedra, slivers included
    Dolphin,
    /// The same of a bunny that is filled with tetrahedra at 48 cells
    Bunny,
    /// The same of a dress that is sewn and hangs by its shoulders
    Dress,
    /// That dress with rigid edges
    DressRigid,
}

/// The kind of measurement of a row.
pub(crate) enum Kind {
    /// Frames, with bounds on their errors.
    Frames(Hung, &'static [Bound]),
    /// One implicit step of an elastic body.
    Step(Specimen),
}

/// What hangs in a row of frames.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hung {
    Scene(Scene),
    /// A garment among the reference data, and the list of its stitches.
    Sewn(&'static str, &'static str),
}

/// The body of an implicit step.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Specimen {
    /// A cube of so many cells along its edges.
    Block(usize),
    /// A mesh of tetrahedra among the reference data.
    Tets(&'static str),
    /// A surface among the reference data, filled at so many cells.
    Filled(&'static str, usize),
    /// A garment among the reference data, and the list of its stitches.
    Sewn(&'static str, &'static str),
}

/// A bound on an error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    /// The error by its name.
    pub(crate) error: &'static str,
    /// Of which frames: 0 the median, 1 the 95th percentile, 2 the worst.
    pub(crate) of: usize,
    pub(crate) at_most: f64,
}

/// The frames that a bound is for, in words.
pub(crate) const OF: [&str; 3] = ["in the median frame", "in 95 % of the frames", "in the worst frame"];

/// The dress of the reference data, as it hangs on a body, and its stitches.
const DRESS: &str = "meshes/garment/dress_draped.obj";
const STITCHES: &str = "meshes/garment/dress_stitches.csv";

/// Names of errors.
pub(crate) const STRETCH_MEAN: &str = "mean stretch";
pub(crate) const STRETCH_MAX: &str = "largest stretch";
pub(crate) const VOLUME_MEAN: &str = "mean volume error";
pub(crate) const VOLUME_MAX: &str = "largest volume error";
pub(crate) const POSITION: &str = "position error";

/// The bound on the position error of an implicit step.
pub(crate) const STEP: [Bound; 1] = [Bound { error: POSITION, of: 0, at_most: 1e-2 }];

impl Row {
    pub(crate) const ALL: [Self; 13] = [
        Self::Block50k,
        Self::Block500k,
        Self::Block2m,
        Self::Sheet100,
        Self::Sheet316,
        Self::Sheet316Fine,
        Self::Elastic50k,
        Self::Elastic500k,
        Self::Elastic2m,
        Self::Dolphin,
        Self::Bunny,
        Self::Dress,
        Self::DressRigid,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Block50k => "block50k",
            Self::Block500k => "block500k",
            Self::Block2m => "block2m",
            Self::Sheet100 => "sheet100",
            Self::Sheet316 => "sheet316",
            Self::Sheet316Fine => "sheet316-fine",
            Self::Elastic50k => "elastic50k",
            Self::Elastic500k => "elastic500k",
            Self::Elastic2m => "elastic2m",
            Self::Dolphin => "dolphin",
            Self::Bunny => "bunny",
            Self::Dress => "dress",
            Self::DressRigid => "dress-rigid",
        }
    }

    /// The description on the page.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::Block50k => "A block of 48 000 tetrahedra, rigid edges and volumes, hung by its top layer",
            Self::Block500k => "A block of 511 000 tetrahedra, the same",
            Self::Block2m => "A block of 1 971 000 tetrahedra, the same",
            Self::Sheet100 => "A sheet of 100 × 100 vertices with rigid edges, hung by two corners",
            Self::Sheet316 => "A sheet of 316 × 316 vertices, the same",
            Self::Sheet316Fine => "The sheet of 316 × 316 vertices, with closer bounds",
            Self::Elastic50k => "One implicit step of 1/600 s of an elastic block of 48 000 tetrahedra",
            Self::Elastic500k => "One implicit step of an elastic block of 511 000 tetrahedra",
            Self::Elastic2m => "One implicit step of an elastic block of 1 971 000 tetrahedra",
            Self::Dolphin => "One implicit step of an elastic dolphin of 36 000 irregular tetrahedra",
            Self::Bunny => "One implicit step of an elastic bunny, filled at 48 cells",
            Self::Dress => "One implicit step of a sewn dress that hangs by its shoulders",
            Self::DressRigid => "The dress with rigid edges, hung by its shoulders",
        }
    }

    pub(crate) fn kind(self) -> Kind {
        const BLOCK50K: [Bound; 2] = [
            Bound { error: STRETCH_MEAN, of: 0, at_most: 1e-3 },
            Bound { error: VOLUME_MEAN, of: 0, at_most: 3e-3 },
        ];
        const LARGE_BLOCK: [Bound; 2] = [
            Bound { error: STRETCH_MEAN, of: 0, at_most: 1e-3 },
            Bound { error: VOLUME_MAX, of: 0, at_most: 1e-2 },
        ];
        const SHEET100: [Bound; 2] = [
            Bound { error: STRETCH_MAX, of: 1, at_most: 1e-2 },
            Bound { error: STRETCH_MAX, of: 2, at_most: 2e-2 },
        ];
        const SHEET316: [Bound; 1] = [Bound { error: STRETCH_MEAN, of: 0, at_most: 3e-3 }];
        const FINE: [Bound; 2] = [
            Bound { error: STRETCH_MEAN, of: 0, at_most: 1e-4 },
            Bound { error: STRETCH_MAX, of: 1, at_most: 2e-2 },
        ];
        match self {
            Self::Block50k => Kind::Frames(Hung::Scene(Scene::Block50k), &BLOCK50K),
            Self::Block500k => Kind::Frames(Hung::Scene(Scene::Block500k), &LARGE_BLOCK),
            Self::Block2m => Kind::Frames(Hung::Scene(Scene::Block2m), &LARGE_BLOCK),
            Self::Sheet100 => Kind::Frames(Hung::Scene(Scene::Cloth100), &SHEET100),
            Self::Sheet316 => Kind::Frames(Hung::Scene(Scene::Cloth316), &SHEET316),
            Self::Sheet316Fine => Kind::Frames(Hung::Scene(Scene::Cloth316), &FINE),
            Self::Elastic50k => Kind::Step(Specimen::Block(20)),
            Self::Elastic500k => Kind::Step(Specimen::Block(44)),
            Self::Elastic2m => Kind::Step(Specimen::Block(69)),
            Self::Dolphin => Kind::Step(Specimen::Tets("meshes/real/dolphin5K.msh")),
            Self::Bunny => Kind::Step(Specimen::Filled("meshes/real/bunny_10k.obj", 48)),
            Self::Dress => Kind::Step(Specimen::Sewn(DRESS, STITCHES)),
            Self::DressRigid => Kind::Frames(Hung::Sewn(DRESS, STITCHES), &SHEET100),
        }
    }

    /// The bounds.
    pub(crate) fn bounds(self) -> &'static [Bound] {
        match self.kind() {
            Kind::Frames(_, bounds) => bounds,
            Kind::Step(_) => &STEP,
        }
    }

    /// The methods that apply.
    pub(crate) fn ways(self) -> &'static [Way] {
        match self {
            Self::Block50k | Self::Block500k => &[Way::Textbook, Way::Sweeps, Way::Coarse, Way::Auto],
            // Sweeps do not reach the smaller ones.
            Self::Block2m => &[Way::Coarse],
            Self::Elastic2m => &[Way::Newton],
            Self::Sheet100 | Self::Sheet316 | Self::Sheet316Fine => &[
                Way::Textbook,
                Way::Sweeps,
                Way::Tethers,
                Way::Coarse,
                Way::CoarseTethers,
                Way::Newton,
                Way::Auto,
            ],
            // Not the textbook: in single precision it stands still where substeps are short, which would hold the bounds.
            Self::DressRigid => {
                &[Way::Sweeps, Way::Tethers, Way::Coarse, Way::CoarseTethers, Way::Newton, Way::Auto]
            }
            _ => &[Way::Sweeps, Way::Newton],
        }
    }
}

impl Way {
    /// Values of its setting for frames, from cheap to expensive.
    pub(crate) fn ladder_of_frames(self) -> Vec<f64> {
        match self {
            Self::Auto => accuracies(),
            Self::Newton => (1..=12).map(f64::from).collect(),
            _ => powers(12),
        }
    }

    /// The same for implicit steps.
    pub(crate) fn ladder_of_steps(self) -> Vec<f64> {
        match self {
            Self::Newton => accuracies(),
            _ => powers(14),
        }
    }

    /// The meaning of its setting.
    pub(crate) fn setting(self, step: bool) -> &'static str {
        match self {
            Self::Auto => "accuracy",
            Self::Newton if step => "accuracy",
            _ if step => "iterations",
            _ => "substeps",
        }
    }
}

/// Whole numbers up to 2^`exponent`, four to each doubling where there are as many.
fn powers(exponent: u32) -> Vec<f64> {
    let mut numbers: Vec<f64> =
        (0..=4 * exponent).map(|i| f64::round(f64::powf(2.0, f64::from(i) / 4.0))).collect();
    numbers.dedup();
    numbers
}

/// Accuracies from 0.5 to about 0.001, from cheap to expensive: four to each half, of two digits.
fn accuracies() -> Vec<f64> {
    let exact = (0..=36).map(|i| 0.5 * f64::powf(2.0, -f64::from(i) / 4.0));
    exact.map(|accuracy| format!("{accuracy:.1e}").parse().expect("what was printed is a number")).collect()
}
