//! [`Elastic`]: a constraint together with the compliance that its material and size give it.
//!
//! XPBD requires the energy of a material to have the form ½ Cᵀ α⁻¹ C. Finite elements have the energy ½ V
//! εᵀKε, with the strain ε, the rest volume V and the material's stiffness matrix K; read literally, that is
//! a block of rows C = ε with a compliance *matrix* α = K⁻¹/V.
//!
//! The solver has one compliance per constraint. Nothing is lost by it, because rows may be mixed: with any
//! matrix square root K/κ = L Lᵀ (κ a modulus of the material, Pa) take
//!
//! ```text
//! C = Lᵀ ε        α = 1/(κV)        ½ CᵀC/α = ½ V εᵀ (κ L Lᵀ) ε = ½ V εᵀKε
//! ```
//!
//! This *whitening* is a change of variables: with J_C = LᵀJ_ε and λ_ε = L λ_C the equation (J W Jᵀ + α̃) Δλ
//! = −(C + α̃λ) of the whitened rows is Lᵀ times that of the strain rows, so Δx and the energy are the same
//! to rounding. Rows stay dimensionless and of the size of a strain.
//!
//! Elements with an energy of several kinds, such as [`NeoHookeanTet`](crate::NeoHookeanTet), are whitened
//! row by row in the same way.

use nalgebra::Vector3;
use thiserror::Error;

use crate::constraint::BlockConstraint;
use crate::elastic_moduli::ModuliError;
use crate::rest_shape::RestShapeError;

/// Why an elastic element could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ElasticError {
    /// Of its rest shape.
    #[error(transparent)]
    RestShape(#[from] RestShapeError),
    /// Of its material.
    #[error(transparent)]
    Moduli(#[from] ModuliError),
}

/// A kind of constraint with its compliance.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Lame, StVkTet};
///
/// let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// let tet = StVkTet::elastic(&rest, Lame::solid(1e5, 0.25)?)?;
/// assert_eq!(tet.energy(&rest), 0.0);
/// // Stretched by a hundredth along one edge: a strain of about 0.01 on a sixth of a cubic metre.
/// let stretched = [rest[0], rest[1] * 1.01, rest[2], rest[3]];
/// assert!((tet.energy(&stretched) - 1.01).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elastic<K> {
    /// The constraint.
    pub kind: K,
    /// Its compliance α, in the unit that the kind says. Positive.
    pub compliance: f64,
}

impl<K> Elastic<K> {
    /// Energy ½ CᵀC/α of the element, J.
    #[must_use]
    pub fn energy<const N: usize, const M: usize>(&self, x: &[Vector3<f64>; N]) -> f64
    where
        K: BlockConstraint<f64, N, M>,
    {
        let squares: f64 = self.kind.values(x).iter().map(|c| c * c).sum();
        0.5 * squares / self.compliance
    }

    /// Gradient of the energy, N: minus the force on every point.
    #[must_use]
    pub fn energy_gradient<const N: usize, const M: usize>(&self, x: &[Vector3<f64>; N]) -> [Vector3<f64>; N]
    where
        K: BlockConstraint<f64, N, M>,
    {
        let (values, gradients) = self.kind.values_and_gradients(x);
        let mut sum = [Vector3::zeros(); N];
        for (value, row) in values.iter().zip(&gradients) {
            for (sum, g) in sum.iter_mut().zip(row) {
                *sum += g * (value / self.compliance);
            }
        }
        sum
    }
}
