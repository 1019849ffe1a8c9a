//! [`BodyModel`]: a piece of cloth or a soft solid.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::unit::{KilogramPerCubicMetre, KilogramPerSquareMetre, Metre, MetrePerSecond, Second};
use super::{
    BendingModel, CollideBodyModel, CollideTable, ElasticityModel, Finite, MaterialModel, MeshModel,
    MotionModel, NonNegative, PinModel, Positive, PressureModel, Rotation, ScaleModel, ShapeModel,
    StrainLimitModel, TethersModel, UvScaleModel, VaryModel, Vector, VisualModel, VolumesModel,
};

/// A piece of cloth or a soft solid, whichever its mesh makes it: triangles are cloth, tetrahedra a solid.
///
/// The mesh is placed in this order: centred, scaled (or fitted), rotated about the origin, translated, put to rest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BodyModel {
    /// Name in reports and of output files: letters, digits, `-` and `_`. Default: `body-1`, `body-2` and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The mesh: the path of a file, or a table with exactly one of `file` and the generated shapes.
    pub mesh: MeshModel,

    /// Move the middle of the mesh's bounding box to the origin first. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<bool>,
    /// Scale factor, one for all axes or one for each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScaleModel>,
    /// Instead of `scale`: make the largest extent of the mesh this many metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<Positive<Metre>>,
    /// Rotation about the origin: `{ axis = [0, 1, 0], degrees = 90 }`, or three angles in degrees about x,
    /// then y, then z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<Rotation>,
    /// Translation, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate: Option<Vector<Metre>>,
    /// Last of all, move the body up or down so that its lowest vertex is at this height, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_on: Option<Finite<Metre>>,

    /// Shape without stress, if it is not the mesh: the path of a mesh file with the same vertices and
    /// elements in other positions, placed as the mesh is, or for cloth `"uv"`, the texture coordinates of
    /// its mesh file. Lengths, areas, angles, volumes and masses are those of this shape. Default: the mesh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<PathBuf>,
    /// With `rest = "uv"`: how long a unit of the texture coordinates is, m, or two lengths, along u and v. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uv_scale: Option<UvScaleModel>,

    /// Density of a solid, or of the material of a sheet whose thickness is given, kg/m³. Default: that of
    /// the material, 1000 (water) if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Positive<KilogramPerCubicMetre>>,
    /// Density of cloth, kg/m². Default: that of the material, 0.2 if it is not known (shirting is 0.15, denim 0.4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_density: Option<Positive<KilogramPerSquareMetre>>,
    /// How masses follow from the mesh. Default: `"lumped"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masses: Option<Masses>,

    /// What the body is made of: the name of a material, or its moduli. Every body needs this or `edges`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<MaterialModel>,
    /// Resistance of edges to a change of length, m/N (compliance) or N/m (stiffness), instead of a material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<ElasticityModel>,
    /// Resistance of cloth to bending. Default: that of the material, none with `edges`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending: Option<BendingModel>,
    /// Resistance of a solid's tetrahedra to a change of volume, Pa (bulk modulus), m³/Pa (compliance) or
    /// Pa/m³ (stiffness). Default: the bulk modulus of water, 2.2e9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volumes: Option<VolumesModel>,
    /// Time in which oscillations of the material decay, s, whatever the number of substeps. Default: 0, no
    /// damping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_time: Option<NonNegative<Second>>,
    /// Parts that are stiffer or softer, one `[[body.vary]]` each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vary: Vec<VaryModel>,

    /// Keep every vertex within reach of the nearest pin, so that cloth stretches less at few substeps. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tethers: Option<TethersModel>,
    /// Limits of its stretch and compression. Default: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strain_limit: Option<StrainLimitModel>,
    /// What fills the closed surface of cloth, or the boundary of a solid. Default: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<PressureModel>,
    /// Groups of vertices that keep their shape, one `[[body.shape]]` each.
    #[serde(default, rename = "shape", skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeModel>,

    /// Velocity of the whole body at the start, m/s. Default: at rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vector<MetrePerSecond>>,
    /// Gap that the body keeps from obstacles and, where it collides, from other bodies and itself, m: half
    /// the thickness of cloth. Default: 0, or a tenth of the mean length of its edges for a body that
    /// collides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_radius: Option<NonNegative<Metre>>,
    /// Whether the body collides with the other bodies that collide, and with itself: `true`, `false` or a
    /// table. Default: false; true for an obstacle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collide: Option<CollideBodyModel>,
    /// Whether the body is an obstacle of any shape: all its vertices are held, and it needs no material.
    /// Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<bool>,
    /// How an obstacle moves. Default: it does not move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionModel>,
    /// Have an obstacle start thinner than it is, and grow, so that a garment can be sewn round it. Default: it
    /// has its size from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrink: Option<ShrinkModel>,
    /// A fine surface that the body carries along; it is what is written for viewing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visual: Option<VisualModel>,
    /// Vertices that are held or moved, one `[[body.pin]]` each.
    #[serde(default, rename = "pin", skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<PinModel>,
}

impl BodyModel {
    /// Whether the texture coordinates of its mesh file are its rest shape.
    #[must_use]
    pub(crate) fn rests_in_texture(&self) -> bool {
        self.rest.as_ref().is_some_and(|rest| rest.as_os_str() == "uv")
    }

    /// Its collision settings, if it collides.
    #[must_use]
    pub fn meets(&self) -> Option<CollideTable> {
        match &self.collide {
            Some(collide) => collide.table(),
            None => (self.obstacle == Some(true)).then(CollideTable::default),
        }
    }
}

/// A body that starts thinner than it is: every vertex is moved inwards along the normal of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShrinkModel {
    /// How far inwards vertices start, m: less than half of what the thinnest part measures.
    pub by: Positive<Metre>,
    /// When the body has its size, s; its motion goes on meanwhile.
    pub until: Positive<Second>,
}

/// How the masses of vertices follow from a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Masses {
    /// Every element gives its vertices equal shares of its mass.
    #[default]
    Lumped,
    /// The book's sum of the inverses of the shares, at unit density; far too light. For comparison with the book.
    SumOfInverses,
}
