//! The sheet between two level circles.

use serde::{Deserialize, Serialize};

use super::unit::Metre;
use super::{NonNegative, Parts, Positive, Sector};

/// The sheet between two level circles: a skirt, a cape, or a flat ring.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConeModel {
    /// Radius of the upper circle, m.
    pub top: Positive<Metre>,
    /// Radius of the lower circle, m.
    pub bottom: Positive<Metre>,
    /// Height between the circles, m; 0 for a flat ring.
    pub height: NonNegative<Metre>,
    /// Number of parts around, at least 3.
    pub segments: Parts<3>,
    /// Number of strips from the bottom to the top.
    pub rings: Parts,
    /// How much of a turn, degrees. Less than 360 leaves it open, in the middle of the side that faces +z.
    /// Default: 360.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sector: Option<Sector>,
}

impl ConeModel {
    /// How much of a turn, radians.
    pub(crate) fn angle(&self) -> f64 {
        let whole = std::f64::consts::TAU;
        self.sector.map_or(whole, |sector| whole * (sector.get() / 360.0))
    }
}
