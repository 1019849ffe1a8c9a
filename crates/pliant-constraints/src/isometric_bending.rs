//! [`IsometricBending`]: bending of an inextensible sheet, quadratic in the positions.
//!
//! ```text
//! C = Σ_i K_i x_i  (three rows, one per axis)      α = (A0+A1)/(3k)      energy = ½ k · 3/(A0+A1) |C|²
//! K = (c03+c04, c01+c02, −c01−c03, −c02−c04)       c_jk = cotangent of the interior angle between the edges j and k
//! e0 = x0x1, e1 = x0x2, e2 = x0x3, e3 = x1x2, e4 = x1x3
//! ```
//!
//! The shared edge is x0x1, the wings are x2 and x3; A0 and A1 are the areas of the two rest triangles. Unit
//! of C: m. Unit of the compliance: m/N. C is the discrete Laplacian of the positions: zero in the plane,
//! along the mean of the normals where the sheet is bent. While the triangles keep their shape the energy
//! depends on the angle between them only. The gradient is constant, so one projection is exact.
//!
//! *How stiff.* A mesh of equilateral triangles bent to a cylinder of curvature c stores ½·3k·c² per area, in
//! every direction and at every resolution: for a plate of flexural rigidity D
//! ([`flexural_rigidity`](crate::flexural_rigidity)) take k = D/3. Other meshes have that energy on the
//! average over directions, as far as their edges favour none; a grid of right triangles has 1 + s + s² times
//! it, s the sine of twice the angle from a leg to the direction of the curvature, so along its diagonals it
//! is four times as stiff as at right angles to them. Spheres and saddles are those of a plate with ν = −⅓,
//! which a sheet that does not stretch cannot show.
//!
//! *Hazards.* The rest shape is flat: a folded sheet made with this constraint unfolds; use
//! [`Dihedral`](crate::Dihedral) for curved rest shapes. The rows turn with the body: Σ x_j × ∂C_a/∂x_j = C ×
//! e_a is not zero, though the torque of the energy is. A projection therefore changes angular momentum by C
//! × Δλ, which vanishes where Δλ is parallel to C, as it is from λ = 0.
//!
//! Source: Bergou, Wardetzky, Harmon, Zorin & Grinspun, "A quadratic bending model for inextensible surfaces"
//! (2006), eq. 6. Bender's PositionBasedDynamics library has half of it and the opposite sign.

use nalgebra::Vector3;

use crate::constraint::{BlockConstraint, BuiltIn, Kind};
use crate::elastic::{Elastic, ElasticError};
use crate::elastic_moduli::positive;
use crate::real::Real;
use crate::rest_shape::{Foot, RestShapeError};
use crate::vector::axis_rows;

/// Keeps a hinge flat.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{BlockConstraint, IsometricBending};
///
/// let (o, x, y) = (Vector3::zeros(), Vector3::<f64>::x(), Vector3::<f64>::y());
/// let bend = IsometricBending::elastic(&[o, x, y, -y], 3.0)?;
/// assert!((bend.compliance - 1.0 / 9.0).abs() < 1e-15);
/// // Turned and moved, but flat:
/// assert_eq!(bend.kind.values(&[y, y + x, y + Vector3::z(), y - Vector3::z()]), [0.0; 3]);
/// // Folded to a right angle:
/// assert_eq!(bend.kind.values(&[o, x, y, Vector3::z()]), [0.0, -1.0, -1.0]);
/// # Ok::<(), pliant_constraints::ElasticError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IsometricBending<T> {
    /// K1, K2 and K3, of the edge's second point and the wings; K0 = −K1 − K2 − K3.
    pub weights: [T; 3],
}

impl IsometricBending<f64> {
    /// The constraint of a hinge with the given rest positions, m (shared edge x0x1, wings x2, x3), with its
    /// compliance.
    ///
    /// `stiffness` is k, J. The hinge may be folded at rest: only the shapes of its two triangles count.
    ///
    /// # Errors
    ///
    /// If the edge has no length, a wing no height, a position is not finite, or the stiffness not positive.
    pub fn elastic(rest: &[Vector3<f64>; 4], stiffness: f64) -> Result<Elastic<Self>, ElasticError> {
        let (kind, area) = Self::with_area(rest)?;
        positive("the bending stiffness", stiffness)?;
        Ok(Elastic { kind, compliance: area / (3.0 * stiffness) })
    }

    /// The constraint of a hinge and the area A0 + A1 of its rest triangles, m².
    ///
    /// # Errors
    ///
    /// If the edge has no length, a wing no height, or a position is not finite.
    pub fn with_area(rest: &[Vector3<f64>; 4]) -> Result<(Self, f64), RestShapeError> {
        let (a, b) = (Foot::new(&rest[2], &rest[0], &rest[1])?, Foot::new(&rest[3], &rest[0], &rest[1])?);
        let (ha, hb) = (a.height()?, b.height()?);
        // Of a wing of height h over the foot s: cotangent s/h at x0, (L − s)/h at x1, and L/h both together.
        let weights = [a.along / ha + b.along / hb, -a.length / ha, -b.length / hb];
        Ok((Self { weights }, 0.5 * a.length * (ha + hb)))
    }
}

impl<T: Real> IsometricBending<T> {
    /// All four weights; they sum to zero.
    #[inline(always)]
    fn all(&self) -> [T; 4] {
        let [k1, k2, k3] = self.weights;
        [-(k1 + k2 + k3), k1, k2, k3]
    }
}

impl<T: Real> BlockConstraint<T, 4, 3> for IsometricBending<T> {
    const IS_VECTOR: bool = true;

    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 4]) -> [T; 3] {
        let [k1, k2, k3] = self.weights;
        // From differences, so that no digits are lost far from the origin.
        let c = (x[1] - x[0]) * k1 + (x[2] - x[0]) * k2 + (x[3] - x[0]) * k3;
        [c.x, c.y, c.z]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 4]) -> ([T; 3], [[Vector3<T>; 4]; 3]) {
        (self.values(x), axis_rows(&self.all()))
    }
}

impl Kind<4, 3> for IsometricBending<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = IsometricBending<T>;
    const UNIT: &'static str = "m";
    const REST: usize = 3;

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        let [k1, k2, k3] = constraint.weights;
        (rest[0], rest[1], rest[2]) = (k1, k2, k3);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> IsometricBending<T> {
        IsometricBending { weights: [rest[0], rest[1], rest[2]] }
    }
}
