//! [`UnitGuess`]: which units would make the size of a mesh that of cloth or a soft body.

use nalgebra::Vector3;
use serde::Serialize;

/// A unit in which a mesh would have a plausible size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UnitGuess {
    /// Its name.
    pub unit: &'static str,
    /// The factor from coordinates in this unit to metres.
    pub scale: f64,
    /// The largest extent of the mesh in that unit, m.
    pub extent: f64,
}

/// The usual range of sizes in simulations, m.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = 0.01..=10.0;

/// The plausible units, if metres are not.
pub(super) fn guesses(extent: &Vector3<f64>) -> Vec<UnitGuess> {
    let largest = extent.max();
    if largest <= 0.0 || PLAUSIBLE.contains(&largest) {
        return Vec::new();
    }
    [("millimetres", 1e-3), ("centimetres", 1e-2), ("inches", 0.0254), ("kilometres", 1e3)]
        .map(|(unit, scale)| UnitGuess { unit, scale, extent: largest * scale })
        .into_iter()
        .filter(|guess| PLAUSIBLE.contains(&guess.extent))
        .collect()
}
