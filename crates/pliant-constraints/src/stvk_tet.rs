//! [`StVkTet`]: a solid tetrahedron of Saint Venant–Kirchhoff material.
//!
//! ```text
//! F = D D̄⁻¹    E = ½(FᵀF − I)    energy = V₀ (μ E:E + ½λ (tr E)²)
//! C_aa = E_aa + q tr E    C_ab = √2 E_ab    q = (√(1 + 3λ/(2μ)) − 1)/3    α = 1/(2μV₀)
//! ∂E_ab/∂F = ½(f_a e_bᵀ + f_b e_aᵀ)         f_a: the columns of F
//! ```
//!
//! Six rows (11, 22, 33, 12, 13, 23), solved together. They are the strains *whitened* (see
//! [`elastic`](crate::elastic)) by the symmetric square root of K/(2μ), which for an isotropic material is
//! given by the single number q. Unit of C: 1 (a strain). Unit of the compliance: 1/J.
//!
//! The strain is that of Green: it does not notice rotations, and is exact for large ones.
//!
//! *Hazard.* The energy is a polynomial of degree four in the positions, finite for every shape, but it does
//! not distinguish a tetrahedron from its mirror image, and gets *softer* below about 58 % of the rest
//! length: a body that was pressed flat may come out inverted and stay so.
//! [`NeoHookeanTet`](crate::NeoHookeanTet) turns inverted elements back.
//!
//! Source: Bonet & Wood, *Nonlinear Continuum Mechanics for Finite Element Analysis* (2008), section 6.4; as
//! XPBD rows: Bender, Koschier, Charrier & Weber, "Position-based simulation of continuous materials" (2014),
//! and Macklin et al. 2016, eq. 15.

use nalgebra::Vector3;

use crate::blocks::{Blocks, add_identity, gauss_newton};
use crate::constraint::{BlockConstraint, BuiltIn, Kind, Rigidity};
use crate::elastic::{Elastic, ElasticError};
use crate::elastic_moduli::Lame;
use crate::real::Real;
use crate::rest_shape::RestTet;
use crate::tet_deformation::{
    deformation_gradient, point_gradients, read_inverse, rows, shortest_row, write_inverse,
};

/// Keeps the Green strain of a tetrahedron at zero.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{BlockConstraint, Lame, StVkTet};
///
/// let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// let tet = StVkTet::elastic(&rest, Lame::solid(1e6, 0.0)?)?;
/// assert_eq!(tet.compliance, 6e-6);
/// let stretched = [rest[0], rest[1] * 2.0, rest[2], rest[3]];
/// assert_eq!(tet.kind.values(&stretched), [1.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StVkTet<T> {
    /// D̄⁻¹ of the rest shape, 1/m: `inverse[j][a]` belongs to the edge x_{j+1} − x0 and the axis a.
    pub inverse: [[T; 3]; 3],
    /// q: the share of the trace in the rows of normal strain; above −⅓, and 0 where Poisson's ratio is.
    pub trace: T,
}

impl StVkTet<f64> {
    /// The constraint of a tetrahedron with the given rest positions, m, and moduli, with its compliance.
    ///
    /// # Errors
    ///
    /// If the rest shape is flat or inside out, or no solid can have the moduli.
    pub fn elastic(rest: &[Vector3<f64>; 4], moduli: Lame) -> Result<Elastic<Self>, ElasticError> {
        let shape = RestTet::new(rest)?;
        let Lame { mu, lambda } = moduli.checked_solid()?;
        let trace = ((1.0 + 1.5 * lambda / mu).sqrt() - 1.0) / 3.0;
        let kind = Self { inverse: rows(&shape.inverse), trace };
        Ok(Elastic { kind, compliance: 1.0 / (2.0 * mu * shape.volume) })
    }
}

impl<T: Real> StVkTet<T> {
    #[inline(always)]
    fn rows(&self, f: &[Vector3<T>; 3]) -> [T; 6] {
        let (half, sqrt_half) = (T::splat(0.5), T::splat(std::f64::consts::FRAC_1_SQRT_2));
        let e11 = half * (f[0].dot(&f[0]) - T::one());
        let e22 = half * (f[1].dot(&f[1]) - T::one());
        let e33 = half * (f[2].dot(&f[2]) - T::one());
        let pressure = self.trace * (e11 + e22 + e33);
        [
            e11 + pressure,
            e22 + pressure,
            e33 + pressure,
            sqrt_half * f[0].dot(&f[1]),
            sqrt_half * f[0].dot(&f[2]),
            sqrt_half * f[1].dot(&f[2]),
        ]
    }
}

/// The gradients of single rows; the axes are constants where they are called, so that nothing is left of
/// them in a kernel.
impl<T: Real> StVkTet<T> {
    /// Of E_aa + q tr E.
    #[inline(always)]
    fn normal(&self, f: &Vector3<T>, a: usize, trace: &[Vector3<T>; 4]) -> [Vector3<T>; 4] {
        let [i1, i2, i3] = &self.inverse;
        let (g1, g2, g3) = (*f * i1[a], *f * i2[a], *f * i3[a]);
        [trace[0] - (g1 + g2 + g3), trace[1] + g1, trace[2] + g2, trace[3] + g3]
    }

    /// Of √2 E_ab.
    #[inline(always)]
    fn shear(&self, f: &[Vector3<T>; 3], a: usize, b: usize) -> [Vector3<T>; 4] {
        let [i1, i2, i3] = &self.inverse;
        let sqrt_half = T::splat(std::f64::consts::FRAC_1_SQRT_2);
        let (fa, fb) = (f[a] * sqrt_half, f[b] * sqrt_half);
        let g1 = fa * i1[b] + fb * i1[a];
        let g2 = fa * i2[b] + fb * i2[a];
        let g3 = fa * i3[b] + fb * i3[a];
        [-(g1 + g2 + g3), g1, g2, g3]
    }
}

impl<T: Real> BlockConstraint<T, 4, 6> for StVkTet<T> {
    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 4]) -> [T; 6] {
        self.rows(&deformation_gradient(&self.inverse, x))
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 4]) -> ([T; 6], [[Vector3<T>; 4]; 6]) {
        let f = deformation_gradient(&self.inverse, x);
        let values = self.rows(&f);
        // Through the trace: ∂(tr E)/∂F = F.
        let [t0, t1, t2, t3] = point_gradients(&self.inverse, &f);
        let q = self.trace;
        let trace = [t0 * q, t1 * q, t2 * q, t3 * q];
        let gradients = [
            self.normal(&f[0], 0, &trace),
            self.normal(&f[1], 1, &trace),
            self.normal(&f[2], 2, &trace),
            self.shear(&f, 0, 1),
            self.shear(&f, 0, 2),
            self.shear(&f, 1, 2),
        ];
        (values, gradients)
    }

    /// Besides ∇Cᵀ∇C the stress S stiffens what turns, (b_j·S b_k) I with the rows b of D̄⁻¹, where it is
    /// tension in all directions.
    #[inline(always)]
    fn stiffness(
        &self,
        _x: &[Vector3<T>; 4],
        gradients: &[[Vector3<T>; 4]; 6],
        tension: &[T; 6],
        stiffness: T,
    ) -> Blocks<T, 4> {
        let mut blocks = gauss_newton(gradients, stiffness);
        let zero = T::zero();
        let pressure = self.trace * (tension[0] + tension[1] + tension[2]);
        let half = T::splat(std::f64::consts::FRAC_1_SQRT_2);
        let (s11, s22, s33) = (tension[0] + pressure, tension[1] + pressure, tension[2] + pressure);
        let (s12, s13, s23) = (tension[3] * half, tension[4] * half, tension[5] * half);
        let minor = s11 * s22 - s12 * s12;
        let det = s33 * minor + s12 * s13 * s23 * T::splat(2.0) - s11 * s23 * s23 - s22 * s13 * s13;
        // Positive where all leading minors are.
        let keep = s11.min(minor).min(det);
        let on = T::select(keep.le(zero), zero, T::one());
        let [b1, b2, b3] = self.inverse.map(Vector3::from);
        let rows = [-(b1 + b2 + b3), b1, b2, b3];
        for j in 0..4 {
            let b = rows[j];
            let stressed = Vector3::new(
                s11 * b.x + s12 * b.y + s13 * b.z,
                s12 * b.x + s22 * b.y + s23 * b.z,
                s13 * b.x + s23 * b.y + s33 * b.z,
            ) * on;
            for k in j..4 {
                add_identity(&mut blocks[j][k], stressed.dot(&rows[k]));
            }
        }
        blocks
    }
}

impl Kind<4, 6> for StVkTet<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = StVkTet<T>;
    const UNIT: &'static str = "1";
    const RIGIDITY: Rigidity = Rigidity::Holds;
    const REST: usize = 10;

    /// That of a tetrahedron whose points are within 1e-7 of its size.
    fn gradient_floor(&self) -> f64 {
        let shortest = 1e-7 * shortest_row(&self.inverse);
        shortest * shortest
    }

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        write_inverse(&constraint.inverse, rest);
        rest[9] = constraint.trace;
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> StVkTet<T> {
        StVkTet { inverse: read_inverse(rest), trace: rest[9] }
    }
}
