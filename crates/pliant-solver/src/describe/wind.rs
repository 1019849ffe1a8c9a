//! [`Wind`]: air moving past triangles.

use nalgebra::Vector3;

/// Air moving past triangles.
///
/// With the velocity r of the air relative to a triangle of area A and its unit normal n turned so that r·n ≥
/// 0, the force is
///
/// ```text
/// F = ½ ρ A (r·n) [(c_D − c_L) r + c_L |r| n]
/// ```
///
/// which is the full dynamic pressure c_D ½ρA|r|² for air that meets the triangle squarely and nothing for
/// air that grazes it. After Wilson et al., "Simulating wind effects on cloth and hair in Disney's Frozen"
/// (2014), whose lift term lacks the factor r·n/|r| and therefore jumps where the flow is tangential.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wind {
    /// Velocity of the air, m/s.
    pub velocity: Vector3<f64>,
    /// Density of the air, kg/m³; 1.2 at sea level.
    pub density: f64,
    /// Drag coefficient, the share of the dynamic pressure that pushes along the wind.
    pub drag: f64,
    /// Lift coefficient, the share that pushes along the normal.
    pub lift: f64,
}

impl Default for Wind {
    fn default() -> Self {
        Self { velocity: Vector3::zeros(), density: 1.2, drag: 1.0, lift: 0.5 }
    }
}
