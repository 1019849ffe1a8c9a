//! [`StabilisedNeoHookeanTet`]: a neo-Hookean tetrahedron that long substeps cannot shake apart.
//!
//! A projection knows the stiffness JᵀJ/α of its rows and leaves out Σ λ ∂²C/∂x², the *geometric* stiffness
//! that comes from turning gradients. For most kinds it is zero at rest, where C = 0 and so λ = 0. The two
//! rows of [`NeoHookeanTet`] pull against each other at rest, and both their gradients are a change of volume
//! there: the whole resistance to *shear*, 2μ, is geometric. It acts as in explicit integration, and an
//! element gains energy from one substep to the next where
//!
//! ```text
//! s = 2 Σ w_j |b_j|² / α̃ = h² · 2μV₀ Σ w_j |b_j|²       (b_j: the rows of D̄⁻¹, b_0 = −Σ b_j)
//! ```
//!
//! is more than a few: where the element is stiff, thin or light for the substep h. This kind compensates for
//! it by a projection with ½ + s times the compliance, where s is more than ½:
//!
//! ```text
//! (J W Jᵀ + α̃ + ρ) Δλ = −(C + α̃λ)       ρ = max(0, 2 Σ w_j |b_j|² − α̃/2)
//! ```
//!
//! which is implicit for shear too: 2μ is the largest eigenvalue of the geometric stiffness at rest, and the
//! trace bounds that of the rest. Energy, forces, momentum and what iterations converge to are those of
//! [`NeoHookeanTet`], of which no bit is changed where s is at most ½. Where it is more, one projection
//! applies only the share 1/(1+ρ/α̃) of the rows' tension, and the residual C + α̃λ, which is then about √3,
//! shows that the substeps do not resolve the element.
//!
//! *Hazard.* The bound holds near the rest shape. An element that is drawn out to several times its size, or
//! whose volume is changed by a multiple of μ/λ, has more geometric stiffness than that.
//!
//! Source of the rows: see [`neo_hookean`](crate::neo_hookean). That the local solve of XPBD leaves out the
//! geometric stiffness: Macklin et al. 2016, section 4.1; the eigenvalues of ∂²det F/∂F² at F = I are 2, 1
//! (three times) and −1 (five times): Smith, de Goes & Kim 2018, section 4.5.

use nalgebra::Vector3;

use crate::blocks::Blocks;
use crate::constraint::{BlockConstraint, BuiltIn, Deformation, Kind, Rigidity};
use crate::neo_hookean::NeoHookeanTet;
use crate::real::Real;

/// The share of α̃ below which the geometric stiffness is ignored.
const HARMLESS: f64 = 0.5;

/// A [`NeoHookeanTet`] that stays stable where it is too stiff for the substeps.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{NeoHookeanTet, StabilisedNeoHookeanTet, Update, project};
///
/// // A stiff tetrahedron of a centimetre, with points of a gram, sheared a little.
/// let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()].map(|x| x * 0.01);
/// let tet = NeoHookeanTet::elastic(&rest, 1e6, 0.45)?;
/// let x = [rest[0], rest[1], rest[2], rest[3] + Vector3::x() * 1e-4];
/// let (h, w) = (1.0 / 600.0, [1000.0; 4]);
/// let alpha_tilde = tet.compliance / (h * h);
///
/// // The remaining shear: explicit integration throws it to the other side, and farther.
/// let shear = |dx: [Vector3<f64>; 4]| (x[3] + dx[3] - x[0] - dx[0]).x / 1e-4;
/// let plain = shear(project(&tet.kind, &x, &w, alpha_tilde, Update::xpbd(), &mut [0.0; 2]));
/// let steady = shear(project(&StabilisedNeoHookeanTet(tet.kind), &x, &w, alpha_tilde, Update::xpbd(), &mut [0.0; 2]));
/// assert!(plain < -1.0 && (0.0..1.0).contains(&steady));
/// # Ok::<(), pliant_constraints::ElasticError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StabilisedNeoHookeanTet<T>(pub NeoHookeanTet<T>);

impl<T: Real> BlockConstraint<T, 4, 2> for StabilisedNeoHookeanTet<T> {
    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; 4]) -> [T; 2] {
        self.0.values(x)
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; 4]) -> ([T; 2], [[Vector3<T>; 4]; 2]) {
        self.0.values_and_gradients(x)
    }

    #[inline(always)]
    fn stiffness(
        &self,
        x: &[Vector3<T>; 4],
        gradients: &[[Vector3<T>; 4]; 2],
        tension: &[T; 2],
        stiffness: T,
    ) -> Blocks<T, 4> {
        self.0.stiffness(x, gradients, tension, stiffness)
    }

    #[inline(always)]
    fn diagonal(&self, w: &[T; 4], alpha_tilde: T) -> T {
        let [b1, b2, b3] = self.0.inverse.map(Vector3::from);
        let b0 = b1 + b2 + b3;
        let sum = w[0] * b0.dot(&b0) + w[1] * b1.dot(&b1) + w[2] * b2.dot(&b2) + w[3] * b3.dot(&b3);
        (sum + sum + T::splat(1.0 - HARMLESS) * alpha_tilde).max(alpha_tilde)
    }
}

type Plain = NeoHookeanTet<f64>;

impl Kind<4, 2> for StabilisedNeoHookeanTet<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = StabilisedNeoHookeanTet<T>;
    const UNIT: &'static str = <Plain as Kind<4, 2>>::UNIT;
    const RIGIDITY: Rigidity = Rigidity::Holds;
    const REST: usize = <Plain as Kind<4, 2>>::REST;

    fn gradient_floor(&self) -> f64 {
        self.0.gradient_floor()
    }

    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        <Plain as Kind<4, 2>>::rest_of(&constraint.0, rest);
    }

    #[inline(always)]
    fn from_rest<T: Real>(rest: &[T]) -> StabilisedNeoHookeanTet<T> {
        StabilisedNeoHookeanTet(<Plain as Kind<4, 2>>::from_rest(rest))
    }

    #[inline(always)]
    fn deformation<T: Real>(tet: &Self::At<T>, values: &[T; 2]) -> Deformation<T> {
        <Plain as Kind<4, 2>>::deformation(&tet.0, values)
    }
}
