//! [`Elasticity`]: how strongly a kind of constraint of a body resists.

use crate::constraints::Response;

/// The resistance of a kind of constraint: a compliance, or a stiffness of position based dynamics.
///
/// The unit is that of the constraint: m/N for lengths, rad²/J for angles, m³/Pa for volumes. A number converts into a compliance.
///
/// ```
/// use pliant_solver::Elasticity;
///
/// assert_eq!(Elasticity::stiffness(2000.0), Elasticity::from(0.0005));
/// assert_eq!(Elasticity::rigid(), Elasticity::compliance(0.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Elasticity {
    pub(crate) compliance: f64,
    pub(crate) response: Response,
}

impl Elasticity {
    /// As stiff as the solver's substeps allow: compliance zero.
    #[must_use]
    pub fn rigid() -> Self {
        Self::default()
    }

    /// By compliance, the inverse of a stiffness.
    #[must_use]
    pub fn compliance(compliance: f64) -> Self {
        Self { compliance, response: Response::Compliant }
    }

    /// By stiffness: N/m, J/rad² or Pa/m³.
    #[must_use]
    pub fn stiffness(stiffness: f64) -> Self {
        Self::compliance(1.0 / stiffness)
    }

    /// By the stiffness k ∈ [0, 1] of position based dynamics, which every projection applies anew.
    #[must_use]
    pub fn pbd(stiffness: f64) -> Self {
        Self { compliance: 0.0, response: Response::Pbd { stiffness, iteration_independent: false } }
    }

    /// By the stiffness k ∈ [0, 1] of position based dynamics, reached by all iterations of a substep together.
    #[must_use]
    pub fn pbd_per_substep(stiffness: f64) -> Self {
        Self { compliance: 0.0, response: Response::Pbd { stiffness, iteration_independent: true } }
    }
}

impl From<f64> for Elasticity {
    fn from(compliance: f64) -> Self {
        Self::compliance(compliance)
    }
}
