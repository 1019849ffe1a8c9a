//! [`MembraneEnergy`]: energy, gradient and Hessian of a Saint Venant–Kirchhoff triangle.
//!
//! ```text
//! F = [x1−x0, x2−x0] D̄⁻¹    E = ½(FᵀF − I)    ε = (E11, E22, E12)    Ψ = ½ εᵀKε    energy = ΨV    S = Kε
//! ∂E_ab/∂x_j = ½(b_ja f_b + b_jb f_a)         ∂²E_ab/∂x_j∂x_k = ½(b_ja b_kb + b_jb b_ka) I
//! Hessian = V (Σ_pq K_pq ∂ε_p ∂ε_qᵀ + Σ_p S_p ∂²ε_p)
//! ```
//!
//! with f_a the columns of F, b_j the rows of D̄⁻¹ for the points 1 and 2, and b_0 = −b_1 − b_2. For an
//! isotropic sheet Ψ = μ tr(E²) + ½λ(tr E)². V is the area times the thickness for cloth, and twice the
//! *half*-thickness for a vertex–edge stitch.
//!
//! This is the energy for Newton-type methods, statics and reports; [`StVkMembrane`] is the same for XPBD, by
//! rows. The energy is finite and smooth for every triangle, flat and inverted ones included, but the Hessian
//! is not positive in compression: the [projected](MembraneEnergy::projected_hessian) one is.
//!
//! *Hazard.* Computed from the Gram matrix of the edges the strain B̄⁻¹A − I is not symmetric; its tr(E²) is
//! the trace of the square, not the Frobenius norm, and the inverse loses thin triangles. Here E is symmetric
//! and both agree.
//!
//! Source: Bonet & Wood 2008, section 6.4; as a stitch between meshes: libuipc, constitution 29, "Soft Vertex
//! Edge Stitch". Projection of Hessians: Teran, Sifakis, Irving & Fedkiw, "Robust quasistatic finite elements
//! and flesh simulation" (2005).

use nalgebra::{Matrix3, SMatrix, SymmetricEigen, Vector3};

use crate::elastic::{Elastic, ElasticError};
use crate::elastic_moduli::{PlaneStiffness, positive};
use crate::rest_shape::RestTriangle;
use crate::stvk_membrane::StVkMembrane;

/// A matrix of second derivatives by the coordinates of three points: row 3j + a is axis a of point j.
pub type Hessian9 = SMatrix<f64, 9, 9>;

/// The pairs of axes (a, b) of the strains ε = (E11, E22, E12).
const PAIRS: [(usize, usize); 3] = [(0, 0), (1, 1), (0, 1)];

/// The elastic energy of a triangle.
///
/// The triangle of libuipc's test scene, with x0 displaced:
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Lame, MembraneEnergy, PlaneStiffness, RestTriangle};
///
/// let rest = [Vector3::new(0.25, 0.5, 0.0), Vector3::zeros(), Vector3::x()];
/// let shape = RestTriangle::lifted(&rest, 0.1)?;
/// let stiffness = PlaneStiffness::isotropic(Lame::plane_stress(1e6, 0.49)?)?;
/// // Half-thickness 0.1 m on both sides.
/// let stitch = MembraneEnergy::new(&shape, &stiffness, 2.0 * 0.1 * shape.area)?;
///
/// let x = [rest[0] + Vector3::new(0.05, -0.1, 0.02), rest[1], rest[2]];
/// assert!((stitch.density(&x) - 21_644.7164101).abs() < 1e-6);
/// assert!((stitch.energy(&x) - 1_082.2358205).abs() < 1e-6);
/// # Ok::<(), pliant_constraints::ElasticError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MembraneEnergy {
    /// Rows of D̄⁻¹ for the points 0, 1 and 2, 1/m; the first is minus the sum of the others.
    rows: [[f64; 2]; 3],
    stiffness: PlaneStiffness,
    volume: f64,
}

impl MembraneEnergy {
    /// The energy of a triangle at rest, of material of the given stiffness in the frame of the triangle, and
    /// of the volume `volume`, m³.
    ///
    /// # Errors
    ///
    /// If the volume or the stiffness is not positive.
    pub fn new(rest: &RestTriangle, stiffness: &PlaneStiffness, volume: f64) -> Result<Self, ElasticError> {
        let stiffness = stiffness.checked()?;
        positive("the volume of the sheet", volume)?;
        let [r1, r2] = rest.inverse_rows();
        Ok(Self { rows: [[-r1[0] - r2[0], -r1[1] - r2[1]], r1, r2], stiffness, volume })
    }

    /// The same material as XPBD rows with their compliance.
    #[must_use]
    pub fn rows(&self) -> Elastic<StVkMembrane<f64>> {
        StVkMembrane::of([self.rows[1], self.rows[2]], &self.stiffness, self.volume)
    }

    /// The strains ε = (E11, E22, E12) in the frame of the material.
    #[must_use]
    pub fn strain(&self, x: &[Vector3<f64>; 3]) -> [f64; 3] {
        let f = self.deformation(x);
        PAIRS.map(|(a, b)| 0.5 * (f[a].dot(&f[b]) - if a == b { 1.0 } else { 0.0 }))
    }

    /// Energy per volume Ψ, Pa.
    #[must_use]
    pub fn density(&self, x: &[Vector3<f64>; 3]) -> f64 {
        let strain = self.strain(x);
        let stress = self.stiffness.stress(strain);
        0.5 * (strain[0] * stress[0] + strain[1] * stress[1] + strain[2] * stress[2])
    }

    /// Energy, J.
    #[must_use]
    pub fn energy(&self, x: &[Vector3<f64>; 3]) -> f64 {
        self.volume * self.density(x)
    }

    /// Gradient of the energy, N: minus the force on every point.
    #[must_use]
    pub fn gradient(&self, x: &[Vector3<f64>; 3]) -> [Vector3<f64>; 3] {
        let stress = self.stiffness.stress(self.strain(x));
        let slopes = self.slopes(&self.deformation(x));
        std::array::from_fn(|j| {
            let sum = slopes[0][j] * stress[0] + slopes[1][j] * stress[1] + slopes[2][j] * stress[2];
            sum * self.volume
        })
    }

    /// Hessian of the energy, N/m.
    #[must_use]
    pub fn hessian(&self, x: &[Vector3<f64>; 3]) -> Hessian9 {
        let stress = self.stiffness.stress(self.strain(x));
        let slopes = self.slopes(&self.deformation(x));
        let PlaneStiffness { k11, k12, k22, k33 } = self.stiffness;
        let k = Matrix3::new(k11, k12, 0.0, k12, k22, 0.0, 0.0, 0.0, k33);
        let mut hessian = Hessian9::zeros();
        for j in 0..3 {
            for l in 0..3 {
                let mut block = Matrix3::zeros();
                for p in 0..3 {
                    for q in 0..3 {
                        block += slopes[p][j] * slopes[q][l].transpose() * k[(p, q)];
                    }
                    let (a, b) = PAIRS[p];
                    let bend = self.rows[j][a] * self.rows[l][b] + self.rows[j][b] * self.rows[l][a];
                    block += Matrix3::from_diagonal_element(0.5 * bend * stress[p]);
                }
                hessian.fixed_view_mut::<3, 3>(3 * j, 3 * l).copy_from(&(block * self.volume));
            }
        }
        hessian
    }

    /// The positive semi-definite matrix nearest to the Hessian, N/m: its negative eigenvalues are replaced by zero.
    ///
    /// A Newton step with it never increases the energy to first order. If a position is not finite, the
    /// result is not finite either.
    #[must_use]
    pub fn projected_hessian(&self, x: &[Vector3<f64>; 3]) -> Hessian9 {
        positive_part(self.hessian(x))
    }

    /// The columns of F.
    fn deformation(&self, x: &[Vector3<f64>; 3]) -> [Vector3<f64>; 2] {
        let (e1, e2) = (x[1] - x[0], x[2] - x[0]);
        let [_, r1, r2] = &self.rows;
        [e1 * r1[0] + e2 * r2[0], e1 * r1[1] + e2 * r2[1]]
    }

    /// ∂ε_p/∂x_j as `[p][j]`.
    fn slopes(&self, f: &[Vector3<f64>; 2]) -> [[Vector3<f64>; 3]; 3] {
        PAIRS.map(|(a, b)| self.rows.map(|r| (f[b] * r[a] + f[a] * r[b]) * 0.5))
    }
}

/// Sets the negative eigenvalues of a symmetric matrix to zero.
fn positive_part(matrix: Hessian9) -> Hessian9 {
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return matrix;
    }
    // The implicit QR algorithm needs two or three sweeps per eigenvalue.
    let Some(eigen) = SymmetricEigen::try_new(matrix, f64::EPSILON, 1000) else {
        return matrix;
    };
    let mut sum = Hessian9::zeros();
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if *value > 0.0 {
            sum += vector * vector.transpose() * *value;
        }
    }
    sum
}
