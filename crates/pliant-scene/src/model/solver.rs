//! [`SolverModel`]: how a scene is solved.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::out_of_bounds::OutOfBounds;
use super::unit::{KilogramPerCubicMetre, Metre, MetrePerSecond, MetrePerSecondSquared, PerSecond};
use super::{Accuracy, NonNegative, Positive, Steps, Vector};

/// A seed that a scene can be written with again.
fn seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let seed = u64::deserialize(deserializer)?;
    let error =
        || OutOfBounds { value: seed.to_string(), expected: format!("a whole number up to {}", i64::MAX) };
    if i64::try_from(seed).is_ok() { Ok(Some(seed)) } else { Err(D::Error::custom(error())) }
}

/// How the scene is solved. A key that is left out has the value of the preset, or of plain XPBD without one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SolverModel {
    /// Start from the settings of the programs of the book "Physics-Based Simulation" (masses, multiplier,
    /// bending and floor as its listings have them), to reproduce its figures. Keys given beside it replace
    /// single settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// Substeps per frame. More substeps make everything stiffer and more accurate. Default: 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substeps: Option<Steps>,
    /// Iterations per substep. More substeps are usually worth more. Default: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<Steps>,
    /// Acceleration of gravity, m/s². Default: [0, -9.81, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vector<MetrePerSecondSquared>>,
    /// Order in which constraints are projected. Default: `"auto"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanModel>,
    /// Rate at which all motion except the rigid motion of each body decays, 1/s; it conserves momentum.
    /// Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<NonNegative<PerSecond>>,
    /// Rate at which all motion decays, 1/s, as in a thick medium. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drag: Option<NonNegative<PerSecond>>,
    /// Whether the multipliers of a substep add up over its iterations (XPBD) or are forgotten (as in the
    /// book). Default: `"accumulated"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<MultiplierModel>,
    /// How errors are reduced: by sweeps; on coarse levels of bodies with rigid edges and then by sweeps; by
    /// Newton's method on the implicit step between sweeps; or in every frame by the one of these that
    /// reaches the accuracy with the least work. Default: `"sweeps"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<MethodModel>,
    /// Required accuracy of the answer, above 0 and below 1. With the method `"auto"`: the largest residual,
    /// as a share of the size of the elements. With `"newton"`: approximately the relative error of the
    /// positions at which the iterations of a substep end. Default: 0.01.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<Accuracy>,
    /// In which direction sweeps go through the constraints (`"random"`, `"fixed"`, `"symmetric"`), or in
    /// which order through their groups (a list), or both (a table). Default: `"auto"`, and the groups edges,
    /// membranes, bending, volumes, solids, shapes, pressure, ties, limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderModel>,
    /// Seed of the random directions: any whole number below 2^63, the largest that TOML has. Default: 0.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "seed")]
    pub seed: Option<u64>,
    /// Whether tetrahedra that are inside out or nearly flat are opened again, but in solids with rigid edges and
    /// volumes. Default: true; false in the presets of the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recover: Option<bool>,
    /// What is done with surfaces that collide and cross at the start: released, driven apart and reported,
    /// or refused. Default: `"release"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossing_start: Option<CrossingStartModel>,
    /// What is done in a frame in which pins and obstacles leave bodies that collide no room: it is reported,
    /// the frame is divided into more substeps, or the run stops. Default: `"report"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinch: Option<PinchModel>,
    /// The farthest that pins and obstacles that are meshes go in a substep, m: a frame in which they would go farther
    /// gets more substeps. Two to four times the thickness of cloth is a good start. Default: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion_limit: Option<Positive<Metre>>,
    /// Which instructions the solver uses: those of this processor, or such as every processor has. The frames are
    /// the same to the last bit. Default: `"auto"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lanes: Option<LanesModel>,
    /// Moving air. Default: no air; a velocity of zero is still air.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind: Option<WindModel>,
}

/// How errors are reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MethodModel {
    /// By sweeps over the constraints.
    Sweeps,
    /// Bodies with rigid edges first on coarse levels, then all by sweeps.
    Coarse,
    /// All elastic constraints together, by Newton's method on the implicit step between two sweeps.
    Newton,
    /// In every frame by one of these, in as many substeps as the accuracy needs.
    Auto,
}

/// What is done with surfaces that cross at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CrossingStartModel {
    /// They are released, driven apart and reported.
    Release,
    /// The scene is refused with an error that names the first pair.
    Refuse,
}

/// What is done where pins and obstacles leave bodies that collide no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PinchModel {
    /// The pairs without room are counted.
    Report,
    /// The frame is stepped again with twice as many substeps, up to 32 times as many.
    Substep,
    /// The run ends with an error that names the first pair.
    Stop,
}

/// Which instructions the solver uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LanesModel {
    /// The widest that the processor has.
    Auto,
    /// Such as every processor has; for comparison.
    Portable,
}

/// Settings of a program of the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The cloth chapter: 15 substeps of one iteration; predictions below y = 0 are put back.
    BookCloth,
    /// The chapter on volumetric meshes: 10 substeps of five iterations, predictions clamped to x, z ∈ [-2.5,
    /// 2.5], y ∈ [0, 5].
    BookSolid,
}

/// The order in which the constraints of a group are projected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PlanModel {
    /// The solver chooses.
    Auto,
    /// In the order of the mesh, by one thread.
    Sequential,
    /// In the order of the mesh, eight constraints side by side as far as that gives the same result, by one thread.
    Ordered,
    /// In clusters of near particles, eight constraints side by side: the fastest, and what the solver chooses.
    Clustered,
}

/// The order of a sweep: a direction, a list of groups, or a table of both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum OrderModel {
    /// The direction, with the usual order of the groups.
    Direction(DirectionModel),
    /// The order of the groups; those left out come last.
    Groups(Vec<CategoryModel>),
    /// Both.
    Both(OrderTable),
}

impl OrderModel {
    /// The direction, if one is given.
    #[must_use]
    pub fn direction(&self) -> Option<DirectionModel> {
        match self {
            Self::Direction(direction) => Some(*direction),
            Self::Groups(_) => None,
            Self::Both(both) => Some(both.direction),
        }
    }

    /// The order of the groups, if one is given.
    #[must_use]
    pub fn groups(&self) -> Option<&[CategoryModel]> {
        match self {
            Self::Direction(_) => None,
            Self::Groups(groups) => Some(groups),
            Self::Both(both) => Some(&both.groups),
        }
    }
}

/// The direction of sweeps and the order of the groups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OrderTable {
    /// The direction.
    pub direction: DirectionModel,
    /// The order of the groups; those left out come last.
    pub groups: Vec<CategoryModel>,
}

/// The direction in which sweeps go through the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DirectionModel {
    /// Symmetric if volumes of tetrahedra are constrained in a body whose edges are so soft that it flows, or are exactly
    /// rigid between edges that swing more slowly than substeps pass; random with other constraints of volumes in
    /// substeps that are below 1 ms or shorter than the softest edge swings, and in all below 20 µs; else fixed. Always
    /// fixed for the plans `"sequential"` and `"ordered"`, which promise the order of the mesh.
    Auto,
    /// Drawn again every eight substeps: stops the growth of modes that a fixed order feeds, at no cost.
    Random,
    /// Always the same. Bodies of edges and volumes may gain energy if there are many substeps.
    Fixed,
    /// Forward and backward in every iteration: provably stable at rest, at twice the cost.
    Symmetric,
}

/// What is done with the multipliers between the iterations of a substep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MultiplierModel {
    /// Accumulated: stiffness does not depend on the number of iterations.
    Accumulated,
    /// Forgotten: a compliant constraint gets stiffer with every iteration.
    Forgotten,
}

/// A group of constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CategoryModel {
    /// Lengths of edges.
    Edges,
    /// Angles (or distances) across edges of cloth.
    Bending,
    /// Volumes of tetrahedra.
    Volumes,
    /// Triangles of a material.
    Membranes,
    /// Tetrahedra of a material.
    Solids,
    /// Groups of vertices that keep their shape.
    Shapes,
    /// Volume inside closed surfaces.
    Pressure,
    /// Stitches and attachments.
    Ties,
    /// Limits of the strain.
    Limits,
}

/// Air that pushes on triangles by drag and lift.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WindModel {
    /// Velocity of the air, m/s.
    pub velocity: Vector<MetrePerSecond>,
    /// Density of the air, kg/m³. Default: 1.2.
    #[serde(default = "air_density")]
    pub density: NonNegative<KilogramPerCubicMetre>,
    /// Drag coefficient: the share of the dynamic pressure that pushes along the wind. Default: 1.
    #[serde(default = "drag_coefficient")]
    pub drag: NonNegative,
    /// Lift coefficient: the share that pushes along the normal of the triangle. Default: 0.5.
    #[serde(default = "lift_coefficient")]
    pub lift: NonNegative,
}

impl WindModel {
    /// Wind of a velocity, m/s, with the other numbers at their defaults.
    #[must_use]
    pub fn of_velocity(velocity: Vector<MetrePerSecond>) -> Self {
        Self { velocity, density: air_density(), drag: drag_coefficient(), lift: lift_coefficient() }
    }
}

fn air_density() -> NonNegative<KilogramPerCubicMetre> {
    NonNegative::known(1.2)
}

fn drag_coefficient() -> NonNegative {
    NonNegative::known(1.0)
}

fn lift_coefficient() -> NonNegative {
    NonNegative::known(0.5)
}
