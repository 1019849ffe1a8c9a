//! [`Elasticity`]: how strongly a kind of constraint of a body resists; [`VolumeElasticity`]: the same for the volumes of tetrahedra.

use crate::build::constraints::ProjectionRule;
use crate::describe::compliance::{Compliance, Stiffness};

/// The resistance of a kind of constraint: a [`Compliance`], a [`Stiffness`], or a stiffness of position
/// based dynamics.
///
/// Calls that take it also take the first two directly. The default is [rigid](Compliance::RIGID).
///
/// ```
/// use pliant_solver::{Compliance, Elasticity, Stiffness};
///
/// assert_eq!(Elasticity::from(Stiffness::new(2000.0)), Elasticity::from(Compliance::new(0.0005)));
/// assert_eq!(Elasticity::default(), Compliance::RIGID.into());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Elasticity {
    pub(crate) compliance: f64,
    pub(crate) rule: ProjectionRule,
}

impl Elasticity {
    /// By the stiffness k ∈ [0, 1] of position based dynamics, which every projection applies again.
    #[must_use]
    pub fn pbd(stiffness: f64) -> Self {
        Self { compliance: 0.0, rule: ProjectionRule::Pbd { stiffness, iteration_independent: false } }
    }

    /// By the stiffness k ∈ [0, 1] of position based dynamics, reached by all iterations of a substep together.
    #[must_use]
    pub fn pbd_per_substep(stiffness: f64) -> Self {
        Self { compliance: 0.0, rule: ProjectionRule::Pbd { stiffness, iteration_independent: true } }
    }
}

impl From<Compliance> for Elasticity {
    fn from(compliance: Compliance) -> Self {
        Self { compliance: compliance.value(), rule: ProjectionRule::Compliant }
    }
}

impl From<Stiffness> for Elasticity {
    fn from(stiffness: Stiffness) -> Self {
        stiffness.compliance().into()
    }
}

/// Bulk modulus of water, Pa, rounded: that at 20 °C and a pressure of one atmosphere (Kell, J. Chem. Eng.
/// Data 20, 1975: 2.18 GPa).
pub const WATER: f64 = 2.2e9;

/// The resistance of tetrahedra to a change of volume.
///
/// A bulk modulus K is the same whatever the size of the elements: the energy K (V − V₀)²/(2 V₀) of a
/// tetrahedron is that of the compliance V₀/K. A [`Compliance`] in m³/Pa, a [`Stiffness`] in Pa/m³ and an
/// [`Elasticity`] convert into springs.
///
/// ```
/// use pliant_solver::{Compliance, VolumeElasticity, WATER};
///
/// assert_eq!(VolumeElasticity::default(), VolumeElasticity::BulkModulus(WATER));
/// assert_eq!(VolumeElasticity::from(Compliance::RIGID), VolumeElasticity::Spring(Compliance::RIGID.into()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VolumeElasticity {
    /// The same for every tetrahedron, whatever its size; m³/Pa as a compliance.
    Spring(Elasticity),
    /// By the bulk modulus K of the material, Pa.
    BulkModulus(f64),
}

impl VolumeElasticity {
    /// The rule by which the constraints are projected.
    pub(crate) fn rule(self) -> ProjectionRule {
        match self {
            Self::Spring(elasticity) => elasticity.rule,
            Self::BulkModulus(_) => ProjectionRule::Compliant,
        }
    }

    /// The compliance of a tetrahedron of a volume at rest, m³, in m³/Pa.
    pub(crate) fn compliance(self, rest_volume: f64) -> f64 {
        match self {
            Self::Spring(elasticity) => elasticity.compliance,
            Self::BulkModulus(modulus) => rest_volume.abs() / modulus,
        }
    }
}

/// That of water.
impl Default for VolumeElasticity {
    fn default() -> Self {
        Self::BulkModulus(WATER)
    }
}

impl From<Elasticity> for VolumeElasticity {
    fn from(elasticity: Elasticity) -> Self {
        Self::Spring(elasticity)
    }
}

impl From<Compliance> for VolumeElasticity {
    fn from(compliance: Compliance) -> Self {
        Self::Spring(compliance.into())
    }
}

impl From<Stiffness> for VolumeElasticity {
    fn from(stiffness: Stiffness) -> Self {
        Self::Spring(stiffness.into())
    }
}
