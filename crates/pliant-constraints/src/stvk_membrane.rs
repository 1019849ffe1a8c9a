//! [`StVkMembrane`]: a triangle of cloth that resists stretching and shearing.
//!
//! ```text
//! F = [x1−x0, x2−x0] D̄⁻¹    E = ½(FᵀF − I)    ε = (E11, E22, E12)    energy = ½ V εᵀKε
//! K/κ = L Lᵀ (Cholesky)    C = Lᵀε = (l11 E11 + l21 E22, l22 E22, l33 E12)    α = 1/(κV)
//! ∂E_ab/∂x_j = ½(b_ja f_b + b_jb f_a)      f_a: the columns of F, b_j: the rows of D̄⁻¹
//! ```
//!
//! Three rows, solved together: the Green strains *whitened* (see [`elastic`](crate::elastic)). V is
//! thickness times rest area, K the stiffness matrix of the sheet ([`PlaneStiffness`]) and κ its largest
//! diagonal entry, so that no entry of L is above 1. Unit of C: 1 (a strain). Unit of the compliance: 1/J.
//!
//! Woven cloth has a warp: its direction at rest is the first axis of the material frame, the weft the second.
//!
//! *Hazard.* The energy is a polynomial of degree four, finite for flat and inverted triangles, but a
//! triangle pressed below about 58 % of its length gets softer, and may come to rest with its material
//! mirrored, which in a sheet looks like a fold. There is no resistance to bending. A scalar constraint
//! √(2·energy) has no gradient at rest: do not use it.
//!
//! Source: Bender, Koschier, Charrier & Weber, "Position-based simulation of continuous materials" (2014),
//! section 4; Macklin et al. 2016, eq. 15.

use nalgebra::Vector3;

use crate::blocks::{Blocks, add_identity, gauss_newton};
use crate::constraint::{BlockConstraint, BuiltIn, Deformation, Kind};
use crate::elastic::{Elastic, ElasticError};
use crate::elastic_moduli::{Lame, Orthotropic, PlaneStiffness, positive};
use crate::real::Real;
use crate::rest_shape::RestTriangle;
use crate::triangle_deformation::{deformation_gradient, shortest_row};

/// Keeps the Green strain of a triangle at zero.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Lame, Orthotropic, StVkMembrane};
///
/// let rest = [Vector3::zeros(), Vector3::x(), Vector3::y()];
/// // Half a millimetre of something rubbery.
/// let sheet = StVkMembrane::isotropic(&rest, Lame::plane_stress(1e6, 0.3)?, 5e-4)?;
/// let turned = [rest[0], Vector3::z(), rest[2]];
/// assert!(sheet.energy(&turned) < 1e-25);
///
/// // Cloth with its warp along x: stretched by 10 % it takes three times the energy that it takes along y.
/// let cloth = Orthotropic { warp: 3e6, weft: 1e6, poisson: 0.0, shear: 2e4 };
/// let cloth = StVkMembrane::orthotropic(&rest, &cloth, &Vector3::x(), 5e-4)?;
/// let (along, across) = ([rest[0], rest[1] * 1.1, rest[2]], [rest[0], rest[1], rest[2] * 1.1]);
/// assert!((cloth.energy(&along) / cloth.energy(&across) - 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StVkMembrane<T> {
    /// D̄⁻¹ of the rest shape in the material frame, 1/m: `inverse[j][a]` belongs to the edge x_{j+1} − x0
    /// and the axis a.
    pub inverse: [[T; 2]; 2],
    /// The entries l11, l21, l22 and l33 of L.
    pub root: [T; 4],
}

impl StVkMembrane<f64> {
    /// A triangle of an isotropic sheet with the given rest positions, m, plane-stress moduli and thickness,
    /// m, with its compliance.
    ///
    /// # Errors
    ///
    /// If the rest triangle is flat, the thickness not positive, or the moduli are not those of a sheet.
    pub fn isotropic(
        rest: &[Vector3<f64>; 3],
        moduli: Lame,
        thickness: f64,
    ) -> Result<Elastic<Self>, ElasticError> {
        Self::from_stiffness(&RestTriangle::new(rest)?, &PlaneStiffness::isotropic(moduli)?, thickness)
    }

    /// A triangle of a woven sheet whose warp has the direction `warp` at rest (only its part in the plane of
    /// the triangle counts).
    ///
    /// # Errors
    ///
    /// As for an isotropic one, and if the warp is at right angles to the triangle.
    pub fn orthotropic(
        rest: &[Vector3<f64>; 3],
        moduli: &Orthotropic,
        warp: &Vector3<f64>,
        thickness: f64,
    ) -> Result<Elastic<Self>, ElasticError> {
        let shape = RestTriangle::new(rest)?.with_warp(rest, warp)?;
        Self::from_stiffness(&shape, &moduli.stiffness()?, thickness)
    }

    /// From a rest shape, whose frame is that of the material, a stiffness matrix and a thickness, m.
    ///
    /// # Errors
    ///
    /// If the thickness or the stiffness is not positive.
    pub(crate) fn from_stiffness(
        rest: &RestTriangle,
        stiffness: &PlaneStiffness,
        thickness: f64,
    ) -> Result<Elastic<Self>, ElasticError> {
        positive("the thickness", thickness)?;
        let (stiffness, volume) = (stiffness.checked()?, thickness * rest.area);
        positive("the volume of the sheet", volume)?;
        Ok(Self::of(rest.inverse_rows(), &stiffness, volume))
    }

    /// From the rows of D̄⁻¹, 1/m, a stiffness matrix that has been checked, and a volume, m³.
    pub(crate) fn of(inverse: [[f64; 2]; 2], stiffness: &PlaneStiffness, volume: f64) -> Elastic<Self> {
        let PlaneStiffness { k11, k12, k22, k33 } = *stiffness;
        let modulus = k11.max(k22).max(k33);
        let l11 = (k11 / modulus).sqrt();
        let l21 = k12 / modulus / l11;
        let l22 = ((k22 - k12 * (k12 / k11)) / modulus).sqrt();
        let l33 = (k33 / modulus).sqrt();
        Elastic { kind: Self { inverse, root: [l11, l21, l22, l33] }, compliance: 1.0 / (modulus * volume) }
    }
}

impl<T: Real> StVkMembrane<T> {
    #[inline(always)]
    fn rows(&self, f: &[Vector3<T>; 2]) -> [T; 3] {
        let half = T::splat(0.5);
        let e11 = half * (f[0].dot(&f[0]) - T::one());
        let e22 = half * (f[1].dot(&f[1]) - T::one());
        let e12 = half * f[0].dot(&f[1]);
        let [l11, l21, l22, l33] = self.root;
        [l11 * e11 + l21 * e22, l22 * e22, l33 * e12]
    }

    /// The gradients of a row with ∂C/∂F = [a, b].
    #[inline(always)]
    fn point_gradients(&self, a: Vector3<T>, b: Vector3<T>) -> [Vector3<T>; 3] {
        let [r1, r2] = &self.inverse;
        let (g1, g2) = (a * r1[0] + b * r1[1], a * r2[0] + b * r2[1]);
        [-(g1 + g2), g1, g2]
    }
}

impl<T: Real> BlockConstraint<T, 3, 3> for StVkMembrane<T> {
    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 3]) -> [T; 3] {
        self.rows(&deformation_gradient(&self.inverse, x))
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 3]) -> ([T; 3], [[Vector3<T>; 3]; 3]) {
        let f = deformation_gradient(&self.inverse, x);
        let [l11, l21, l22, l33] = self.root;
        let shear = T::splat(0.5) * l33;
        let across = f[1] * l22;
        let (a1, a2) = (across * self.inverse[0][1], across * self.inverse[1][1]);
        let gradients = [
            self.point_gradients(f[0] * l11, f[1] * l21),
            [-(a1 + a2), a1, a2],
            self.point_gradients(f[1] * shear, f[0] * shear),
        ];
        (self.rows(&f), gradients)
    }

    /// Besides ∇Cᵀ∇C the tensile part of the stress S stiffens what turns, (b_j·S b_k) I with the rows b of D̄⁻¹.
    #[inline(always)]
    fn stiffness(
        &self,
        _x: &[Vector3<T>; 3],
        gradients: &[[Vector3<T>; 3]; 3],
        tension: &[T; 3],
        stiffness: T,
    ) -> Blocks<T, 3> {
        let mut blocks = gauss_newton(gradients, stiffness);
        let (zero, half) = (T::zero(), T::splat(0.5));
        let [l11, l21, l22, l33] = self.root;
        let (s11, s22) = (tension[0] * l11, tension[0] * l21 + tension[1] * l22);
        let s12 = tension[2] * l33 * half;
        // S = mean ± radius in its own axes; of the two, what is positive.
        let (mean, across) = ((s11 + s22) * half, (s11 - s22) * half);
        let radius = (across * across + s12 * s12).sqrt();
        let (high, low) = ((mean + radius).max(zero), (mean - radius).max(zero));
        let round = radius.le(zero);
        let share = T::select(round, zero, (high - low) * half / T::select(round, T::one(), radius));
        let level = (high + low) * half;
        let (p11, p22, p12) = (level + across * share, level - across * share, s12 * share);
        let [r1, r2] = self.inverse;
        let rows = [[-(r1[0] + r2[0]), -(r1[1] + r2[1])], r1, r2];
        for j in 0..3 {
            let [a, b] = rows[j];
            let (u, v) = (p11 * a + p12 * b, p12 * a + p22 * b);
            for k in j..3 {
                add_identity(&mut blocks[j][k], u * rows[k][0] + v * rows[k][1]);
            }
        }
        blocks
    }
}

impl Kind<3, 3> for StVkMembrane<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = StVkMembrane<T>;
    const UNIT: &'static str = "1";
    const REST: usize = 8;

    /// That of a triangle whose points are within 1e-7 of its size, in its softest row.
    fn gradient_floor(&self) -> f64 {
        let [l11, _, l22, l33] = self.root;
        let smallest = 1e-7 * l11.min(l22).min(l33) * shortest_row(&self.inverse);
        smallest * smallest
    }

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        let [[a, b], [c, d]] = constraint.inverse;
        (rest[0], rest[1], rest[2], rest[3]) = (a, b, c, d);
        let [l11, l21, l22, l33] = constraint.root;
        (rest[4], rest[5], rest[6], rest[7]) = (l11, l21, l22, l33);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> StVkMembrane<T> {
        StVkMembrane {
            inverse: [[rest[0], rest[1]], [rest[2], rest[3]]],
            root: [rest[4], rest[5], rest[6], rest[7]],
        }
    }

    /// The principal stretch that differs most from 1, less 1.
    #[inline(always)]
    fn deformation<T: Real>(sheet: &Self::At<T>, values: &[T; 3]) -> Deformation<T> {
        let [l11, l21, l22, l33] = sheet.root;
        let e22 = values[1] / l22;
        let e11 = (values[0] - l21 * e22) / l11;
        let e12 = values[2] / l33;
        let half = T::splat(0.5);
        let (mean, half_difference) = (half * (e11 + e22), half * (e11 - e22));
        let radius = (half_difference * half_difference + e12 * e12).sqrt();
        let two = T::splat(2.0);
        let longest = (T::one() + two * (mean + radius)).max(T::zero()).sqrt() - T::one();
        let shortest = (T::one() + two * (mean - radius)).max(T::zero()).sqrt() - T::one();
        Deformation::Stretch(T::select(shortest.abs().le(longest.abs()), longest, shortest))
    }
}
