//! [`NeoHookeanTet`]: a solid tetrahedron of stable neo-Hookean material.
//!
//! ```text
//! F = D D̄⁻¹    energy = V₀ (½λ (det F − γ)² + ½μ tr FᵀF)    γ = 1 + μ/λ
//! C_H = det F − γ      ∂C_H/∂F = [f2×f3, f3×f1, f1×f2]      α_H = 1/(λV₀)        (hydrostatic: resists a change of volume)
//! C_D = √(tr FᵀF)      ∂C_D/∂F = F/C_D                      α_D = 1/(μV₀)        (deviatoric: resists every change of shape)
//! ```
//!
//! Two rows, *solved together*: at rest both pull, and only their sum is zero, so one after the other they
//! cancel each other slowly. So that both have the compliance α = 1/(μV₀), they are whitened (see
//! [`elastic`](crate::elastic)): the rows are √(λ/μ)·C_H and C_D. Unit of C: 1. Unit of the compliance: 1/J.
//!
//! At rest C_D is √3, not 0, and the energy is not zero either; what vanishes is its gradient, which γ is
//! for. Subtracting √3 would leave no resistance to shear near the rest shape.
//!
//! For small deformations this is linear elasticity with Lamé's moduli μ and λ − μ. To have Young's modulus
//! and Poisson's ratio come out right take λ' = λ + μ instead of λ, as [`NeoHookeanTet::elastic`] does;
//! forgetting it costs 5 to 21 % of the deflection of a cantilever.
//!
//! *Hazards.* Nothing is infinite: flat and inverted elements have a finite energy and are turned back. But
//! the energy has a second minimum at F = 0, where all four points coincide: an element that is squeezed in
//! *every* direction below the share s of its size, s³ + s² + s = μ/λ (0.54 for ν = 0, 0.29 for 0.3, 0.09 for
//! 0.45), collapses to a point unless its neighbours pull it open; an inverted one shrinks while it turns and
//! may end there when ν is small. At the point itself neither row has a direction. In single precision the
//! two rows cancel to about 1e-7 · w|∂C|²/α̃ of the element's size, so a very stiff material needs small
//! substeps or `f64`.
//!
//! Source: Macklin & Müller, "A constraint-based formulation of stable neo-Hookean materials" (2021), eqs.
//! 8–14; Smith, de Goes & Kim, "Stable neo-Hookean flesh simulation" (2018), for the energy.

use nalgebra::Vector3;

use crate::blocks::{Blocks, add_cross, add_identity, gauss_newton};
use crate::constraint::{BlockConstraint, BuiltIn, Deformation, Kind, Rigidity};
use crate::elastic::{Elastic, ElasticError};
use crate::elastic_moduli::Lame;
use crate::real::{Real, cross};
use crate::rest_shape::RestTet;
use crate::tet_deformation::{
    deformation_gradient, point_gradients, read_inverse, rows, shortest_row, write_inverse,
};

/// Keeps a tetrahedron near its rest shape, and turns it back when it is inverted.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Kind, Deformation, NeoHookeanTet, BlockConstraint};
///
/// let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// // Rubber: E = 1 MPa, ν = 0.45.
/// let tet = NeoHookeanTet::elastic(&rest, 1e6, 0.45)?;
/// let forces = tet.energy_gradient(&rest);
/// assert!(forces.iter().all(|f| f.norm() < 1e-9 * 1e6), "free of stress at rest");
///
/// let inverted = [rest[0], rest[1], rest[2], -rest[3]];
/// let Deformation::Volume(change) = NeoHookeanTet::deformation(&tet.kind, &tet.kind.values(&inverted)) else { panic!() };
/// assert!((change + 2.0).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NeoHookeanTet<T> {
    /// D̄⁻¹ of the rest shape, 1/m: `inverse[j][a]` belongs to the edge x_{j+1} − x0 and the axis a.
    pub inverse: [[T; 3]; 3],
    /// γ = 1 + μ/λ: the ratio of volumes at which the hydrostatic row alone would rest.
    pub gamma: T,
    /// √(λ/μ): what the hydrostatic row is multiplied by.
    pub scale: T,
}

impl NeoHookeanTet<f64> {
    /// The constraint of a tetrahedron with the given rest positions, m, that behaves for small deformations
    /// as a solid of Young's modulus `young`, Pa, and Poisson's ratio `poisson` in (−1, ½), with its
    /// compliance.
    ///
    /// # Errors
    ///
    /// If the rest shape is flat or inside out, or a modulus is outside its range.
    pub fn elastic(
        rest: &[Vector3<f64>; 4],
        young: f64,
        poisson: f64,
    ) -> Result<Elastic<Self>, ElasticError> {
        Self::with_moduli(rest, Lame::neo_hookean(young, poisson)?)
    }

    /// The same from the moduli of the energy above, which are used as they are.
    ///
    /// # Errors
    ///
    /// If the rest shape is flat or inside out, or a modulus not positive.
    pub fn with_moduli(rest: &[Vector3<f64>; 4], moduli: Lame) -> Result<Elastic<Self>, ElasticError> {
        let shape = RestTet::new(rest)?;
        let Lame { mu, lambda } = moduli.checked_neo_hookean()?;
        let kind =
            Self { inverse: rows(&shape.inverse), gamma: 1.0 + mu / lambda, scale: (lambda / mu).sqrt() };
        Ok(Elastic { kind, compliance: 1.0 / (mu * shape.volume) })
    }
}

/// det F and its gradient ∂det F/∂F, the matrix of cofactors, by columns.
#[inline(always)]
fn determinant<T: Real>(f: &[Vector3<T>; 3]) -> (T, [Vector3<T>; 3]) {
    let cofactors = [cross(&f[1], &f[2]), cross(&f[2], &f[0]), cross(&f[0], &f[1])];
    (cofactors[2].dot(&f[2]), cofactors)
}

/// C_D = √(tr FᵀF).
#[inline(always)]
fn deviatoric<T: Real>(f: &[Vector3<T>; 3]) -> T {
    (f[0].dot(&f[0]) + f[1].dot(&f[1]) + f[2].dot(&f[2])).sqrt()
}

impl<T: Real> NeoHookeanTet<T> {
    /// The rows before they are whitened: C_H = det F − γ and C_D, with their gradients.
    #[inline(always)]
    pub fn unscaled(&self, x: &[Vector3<T>; 4]) -> ([T; 2], [[Vector3<T>; 4]; 2]) {
        let f = deformation_gradient(&self.inverse, x);
        let (det, cofactors) = determinant(&f);
        let c_d = deviatoric(&f);
        let inverse = T::select(c_d.le(T::zero()), T::zero(), T::one() / c_d);
        let stress = [f[0] * inverse, f[1] * inverse, f[2] * inverse];
        (
            [det - self.gamma, c_d],
            [point_gradients(&self.inverse, &cofactors), point_gradients(&self.inverse, &stress)],
        )
    }
}

impl<T: Real> BlockConstraint<T, 4, 2> for NeoHookeanTet<T> {
    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 4]) -> [T; 2] {
        let f = deformation_gradient(&self.inverse, x);
        let (det, _) = determinant(&f);
        [self.scale * (det - self.gamma), deviatoric(&f)]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 4]) -> ([T; 2], [[Vector3<T>; 4]; 2]) {
        let ([c_h, c_d], [g_h, g_d]) = self.unscaled(x);
        let s = self.scale;
        ([s * c_h, c_d], [[g_h[0] * s, g_h[1] * s, g_h[2] * s, g_h[3] * s], g_d])
    }

    /// The rows pull against each other at rest, and the resistance to shear there is entirely in their
    /// second derivatives. With the stiffness k the energy is k times
    ///
    /// ```text
    /// ½ s² (det F − γ)² + ½ tr FᵀF        ∂²/∂F² = I + s² g gᵀ + c ∂² det F/∂F²        g = ∂det F/∂F,  c = s² (det F − γ)
    /// ```
    ///
    /// The eigenvalues of ∂² det F/∂F² are ± the singular values of F, except for three in the space of
    /// stretches, of which the largest belongs to g. So the sum is positive semi-definite, to within a tenth
    /// where the element is inside out, if |c| is at most one over the largest singular value, and s² at
    /// least 2/|g|². At rest neither bound changes anything.
    #[inline(always)]
    fn stiffness(
        &self,
        x: &[Vector3<T>; 4],
        gradients: &[[Vector3<T>; 4]; 2],
        tension: &[T; 2],
        stiffness: T,
    ) -> Blocks<T, 4> {
        let (zero, one) = (T::zero(), T::one());
        let f = deformation_gradient(&self.inverse, x);
        let (det, g) = determinant(&f);
        let largest = largest_singular_value(&f).max(T::splat(1e-6));
        // ∇C_H holds s g: more of it where g is short.
        let squared = self.scale * self.scale;
        let length = g[0].dot(&g[0]) + g[1].dot(&g[1]) + g[2].dot(&g[2]);
        let wanted = T::splat(2.0) / length.max(T::splat(1e-12));
        let more = stiffness * (wanted.min(T::splat(1e6)) / squared).max(one);
        let mut blocks = gauss_newton(&[gradients[0]], more);
        let bound = stiffness / largest * T::select(det.le(zero), T::splat(0.8), one);
        let c = (tension[0] * self.scale).max(-bound).min(bound);

        let [b1, b2, b3] = self.inverse.map(Vector3::from);
        let rows = [-(b1 + b2 + b3), b1, b2, b3];
        for j in 0..4 {
            let scaled = rows[j] * stiffness;
            for k in j..4 {
                add_identity(&mut blocks[j][k], scaled.dot(&rows[k]));
            }
        }
        // det F = det D det D̄⁻¹, whose second derivatives are edges.
        let c = c * cross(&b1, &b2).dot(&b3);
        let (d1, d2, d3) = ((x[1] - x[0]) * c, (x[2] - x[0]) * c, (x[3] - x[0]) * c);
        add_cross(&mut blocks[0][1], &(d2 - d3));
        add_cross(&mut blocks[0][2], &(d3 - d1));
        add_cross(&mut blocks[0][3], &(d1 - d2));
        add_cross(&mut blocks[1][2], &-d3);
        add_cross(&mut blocks[1][3], &d2);
        add_cross(&mut blocks[2][3], &-d1);
        blocks
    }
}

/// An upper bound on the largest singular value of F, which is the tighter the less F differs from a
/// rotation: three steps of Newton's method on the characteristic polynomial of FᵀF, from a bound above.
#[inline(always)]
fn largest_singular_value<T: Real>(f: &[Vector3<T>; 3]) -> T {
    let (c11, c22, c33) = (f[0].dot(&f[0]), f[1].dot(&f[1]), f[2].dot(&f[2]));
    let (c12, c13, c23) = (f[0].dot(&f[1]), f[0].dot(&f[2]), f[1].dot(&f[2]));
    let third = T::splat(1.0 / 3.0);
    let mean = (c11 + c22 + c33) * third;
    // Of FᵀF less its mean, so that nothing cancels near the rest shape.
    let (a, b, c) = (c11 - mean, c22 - mean, c33 - mean);
    let off = c12 * c12 + c13 * c13 + c23 * c23;
    let p = (a * a + b * b + c * c) * T::splat(0.5) + off;
    let q = a * b * c + (c12 * c13 * c23) * T::splat(2.0) - a * c23 * c23 - b * c13 * c13 - c * c12 * c12;
    // t³ − p t − q = 0, whose largest root is at most 2√(p/3).
    let mut t = (p * third).sqrt() * T::splat(2.0);
    for _ in 0..3 {
        let slope = T::splat(3.0) * t * t - p;
        let step = (t * t * t - p * t - q) / T::select(slope.le(T::zero()), T::one(), slope);
        t = T::select(slope.le(T::zero()), t, t - step.max(T::zero()));
    }
    (mean + t).max(T::zero()).sqrt()
}

impl Kind<4, 2> for NeoHookeanTet<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = NeoHookeanTet<T>;
    const UNIT: &'static str = "1";
    const RIGIDITY: Rigidity = Rigidity::Holds;
    const REST: usize = 11;

    /// That of a tetrahedron whose points are so near to a line that the gradient of its volume is below 1e-7
    /// of that at rest.
    fn gradient_floor(&self) -> f64 {
        let shortest = 1e-7 * self.scale.min(0.5) * shortest_row(&self.inverse);
        shortest * shortest
    }

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        write_inverse(&constraint.inverse, rest);
        rest[9] = constraint.gamma;
        rest[10] = constraint.scale;
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> NeoHookeanTet<T> {
        NeoHookeanTet { inverse: read_inverse(rest), gamma: rest[9], scale: rest[10] }
    }

    /// The relative change of volume det F − 1.
    #[inline(always)]
    fn deformation<T: Real>(tet: &Self::At<T>, values: &[T; 2]) -> Deformation<T> {
        Deformation::Volume(values[0] / tet.scale + (tet.gamma - T::one()))
    }
}
