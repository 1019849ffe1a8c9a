//! The traits of constraints: [`Constraint`] (one row), [`BlockConstraint`] (several), and [`Kind`] (its rest data).

use nalgebra::Vector3;

use crate::blocks::{Blocks, gauss_newton};
use crate::bound::Bound;
use crate::real::Real;
use crate::vector;

/// A scalar constraint C on the positions of `N` points.
///
/// Implementations are pure functions of the positions and of their own rest data.
pub trait Constraint<T: Real, const N: usize> {
    /// Whether the constraint is the equation C = 0 or the inequality C ≥ 0.
    const BOUND: Bound = Bound::Equality;

    /// The value C, in the constraint's unit (metres for a length, m³ for a volume, radians for an angle).
    fn value(&self, x: &[Vector3<T>; N]) -> T;

    /// The value and its gradients ∂C/∂x_j, one per point.
    fn value_and_gradient(&self, x: &[Vector3<T>; N]) -> (T, [Vector3<T>; N]);

    /// Σ w_j |∂C/∂x_j|², the inverse of the effective mass of a projection. Override it only if the lengths
    /// of the gradients are known beforehand.
    #[inline(always)]
    fn inverse_mass(&self, w: &[T; N], gradient: &[Vector3<T>; N]) -> T {
        weighted_product(w, gradient, gradient)
    }

    /// How the pull of the row under a tension changes with displacements; see [`BlockConstraint::stiffness`].
    #[inline(always)]
    fn stiffness(
        &self,
        _x: &[Vector3<T>; N],
        gradient: &[Vector3<T>; N],
        _tension: T,
        stiffness: T,
    ) -> Blocks<T, N> {
        gauss_newton(&[*gradient], stiffness)
    }

    /// The row as a projection needs it, times a factor. Override it only if a factor other than one makes it cheaper.
    #[inline(always)]
    fn scaled_row(&self, x: &[Vector3<T>; N], w: &[T; N]) -> ScaledRows<T, N, 1> {
        let (value, gradient) = self.value_and_gradient(x);
        let inverse_mass = [[self.inverse_mass(w, &gradient)]];
        ScaledRows { factor: T::one(), values: [value], gradients: [gradient], inverse_mass }
    }
}

/// What a projection needs of a block, with gradients of a length that the constraint chooses: s ∇C instead
/// of ∇C, for a factor s > 0.
///
/// (J W Jᵀ + α̃) Δλ = −(C + α̃λ) is solved as (s J W Jᵀ + s α̃) δ = −(C + α̃λ) with Δλ = s δ, and the
/// displacements W (s J)ᵀ δ are the same. So a constraint that would divide its gradient by a length, or
/// every entry by six, may leave it as it is. One factor holds for all rows; in lanes each has its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScaledRows<T: Real, const N: usize, const M: usize> {
    /// The factor s.
    pub factor: T,
    /// C of every row.
    pub values: [T; M],
    /// s ∂C/∂x: `gradients[row][point]`.
    pub gradients: [[Vector3<T>; N]; M],
    /// Lower triangle of s J W Jᵀ.
    pub inverse_mass: [[T; M]; M],
}

/// `M` constraint rows on the positions of `N` points that are solved together.
///
/// Every [`Constraint`] is a block of one row.
pub trait BlockConstraint<T: Real, const N: usize, const M: usize> {
    /// Whether the rows are equations C = 0 or, for a single row, the inequality C ≥ 0, or have multipliers in a cone.
    const BOUND: Bound = Bound::Equality;

    /// Whether the rows are the three axes of one vector Σ b_j x_j + c: ∂C_a/∂x_j = b_j e_a at all positions. Then J W Jᵀ
    /// is a multiple of the identity and every axis is solved by itself, which takes a quarter of the operations.
    const IS_VECTOR: bool = false;

    /// The values of the rows.
    fn values(&self, x: &[Vector3<T>; N]) -> [T; M];

    /// The values and the Jacobian: `gradients[row][point]`.
    fn values_and_gradients(&self, x: &[Vector3<T>; N]) -> ([T; M], [[Vector3<T>; N]; M]);

    /// The lower triangle of J W Jᵀ. Override it only if the lengths of the gradients are known beforehand.
    #[inline(always)]
    fn inverse_mass_matrix(&self, w: &[T; N], gradients: &[[Vector3<T>; N]; M]) -> [[T; M]; M] {
        if Self::IS_VECTOR {
            return vector::inverse_mass(w, gradients);
        }
        let mut matrix = [[T::zero(); M]; M];
        for (row, entries) in matrix.iter_mut().enumerate() {
            for (column, entry) in entries.iter_mut().enumerate().take(row + 1) {
                *entry = weighted_product(w, &gradients[row], &gradients[column]);
            }
        }
        matrix
    }

    /// What a projection adds to the diagonal of J W Jᵀ: α̃, or more if it must also account for a stiffness
    /// that the rows do not show, as in [`StabilisedNeoHookeanTet`](crate::StabilisedNeoHookeanTet). It
    /// changes how far one projection goes, and not what many converge to.
    #[inline(always)]
    fn diagonal(&self, _w: &[T; N], alpha_tilde: T) -> T {
        alpha_tilde
    }

    /// The multipliers nearest to these that the bound allows: unchanged for an equation, none below zero for
    /// an inequality.
    #[inline(always)]
    fn admissible(&self, lambda: [T; M]) -> [T; M] {
        let mut lambda = lambda;
        if matches!(Self::BOUND, Bound::AtLeastZero) {
            for value in &mut lambda {
                *value = value.max(T::zero());
            }
        }
        lambda
    }

    /// The residual of the equation of every row, in the unit of C; see [`Bound::residual`].
    #[inline(always)]
    fn residuals(&self, values: &[T; M], alpha_tilde: T, lambda: &[T; M]) -> [T; M] {
        Self::BOUND.residual(values, alpha_tilde, lambda)
    }

    /// The part of the values that is a violation: an elastic energy is Σ ½ violation²/α; see [`Bound::violation`].
    #[inline(always)]
    fn violations(&self, values: [T; M]) -> [T; M] {
        let mut values = values;
        for value in &mut values {
            *value = Self::BOUND.violation(*value);
        }
        values
    }

    /// How the pull of rows under tension changes with displacements: `stiffness` ∇Cᵀ∇C plus as much of Σ τ
    /// ∂²C as leaves the sum positive semi-definite. `gradients` are those at `x`. By default nothing of the
    /// second term, which is exact where second derivatives vanish or C = 0; see
    /// [`linearise`](crate::linearise).
    #[inline(always)]
    fn stiffness(
        &self,
        _x: &[Vector3<T>; N],
        gradients: &[[Vector3<T>; N]; M],
        _tension: &[T; M],
        stiffness: T,
    ) -> Blocks<T, N> {
        if Self::IS_VECTOR {
            return vector::gauss_newton(gradients, stiffness);
        }
        gauss_newton(gradients, stiffness)
    }

    /// The rows as a projection needs them, times a factor.
    #[inline(always)]
    fn scaled_rows(&self, x: &[Vector3<T>; N], w: &[T; N]) -> ScaledRows<T, N, M> {
        let (values, gradients) = self.values_and_gradients(x);
        let inverse_mass = self.inverse_mass_matrix(w, &gradients);
        ScaledRows { factor: T::one(), values, gradients, inverse_mass }
    }
}

impl<T: Real, C: Constraint<T, N>, const N: usize> BlockConstraint<T, N, 1> for C {
    const BOUND: Bound = <C as Constraint<T, N>>::BOUND;

    #[inline(always)]
    fn values(&self, x: &[Vector3<T>; N]) -> [T; 1] {
        [self.value(x)]
    }

    #[inline(always)]
    fn values_and_gradients(&self, x: &[Vector3<T>; N]) -> ([T; 1], [[Vector3<T>; N]; 1]) {
        let (value, gradient) = self.value_and_gradient(x);
        ([value], [gradient])
    }

    #[inline(always)]
    fn inverse_mass_matrix(&self, w: &[T; N], gradients: &[[Vector3<T>; N]; 1]) -> [[T; 1]; 1] {
        [[self.inverse_mass(w, &gradients[0])]]
    }

    #[inline(always)]
    fn stiffness(
        &self,
        x: &[Vector3<T>; N],
        gradients: &[[Vector3<T>; N]; 1],
        tension: &[T; 1],
        stiffness: T,
    ) -> Blocks<T, N> {
        Constraint::stiffness(self, x, &gradients[0], tension[0], stiffness)
    }

    #[inline(always)]
    fn scaled_rows(&self, x: &[Vector3<T>; N], w: &[T; N]) -> ScaledRows<T, N, 1> {
        self.scaled_row(x, w)
    }
}

/// Σ w_j a_j·b_j.
#[inline(always)]
pub(crate) fn weighted_product<T: Real, const N: usize>(
    w: &[T; N],
    a: &[Vector3<T>; N],
    b: &[Vector3<T>; N],
) -> T {
    let mut sum = w[0] * a[0].dot(&b[0]);
    for j in 1..N {
        sum += w[j] * a[j].dot(&b[j]);
    }
    sum
}

/// Marks a kind of this crate; no other crate can construct it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn(());

impl BuiltIn {
    pub(crate) const HERE: Self = Self(());
}

/// What a body does where constraints of a kind are rigid, which decides how stiff springs stand for them in a Newton step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rigidity {
    /// It folds, as it does where lengths or angles are kept. Steps are rough there: folds change more from substep to
    /// substep than further iterations would correct.
    Folds,
    /// It changes its shape in ways that turn the gradients, as that of volumes does. Along a straight step the values then
    /// change in second order, so the stiffer the springs, the shorter are the steps that they let through.
    Flows,
    /// It is held together, as by attachments, or resists in all ways, as by an elastic law, which is never rigid.
    Holds,
}

/// A kind of constraint: its rest data in `f64`, and how to convert it to another scalar.
///
/// A solver keeps constraints by kind, in the scalar or the lanes that it computes with. The rest data of a kind
/// is a fixed number of reals, so that eight constraints can be packed side by side without knowing what they mean.
///
/// ```
/// use pliant_constraints::{Constraint, Distance, Kind};
/// use nalgebra::Vector3;
///
/// let edge: Distance<f32> = Distance { rest: 2.0_f64 }.at::<f32>();
/// assert_eq!(edge.value(&[Vector3::zeros(), Vector3::x()]), -1.0_f32);
/// ```
pub trait Kind<const N: usize, const M: usize>: Copy + Send + Sync + 'static {
    /// Implemented only by the kinds of this crate: a solver can compile them once for all users.
    #[doc(hidden)]
    const BUILT_IN: Option<BuiltIn> = None;

    /// The constraint at a scalar type.
    type At<T: Real>: BlockConstraint<T, N, M> + Copy + Send + Sync;

    /// Whether the constraint is an equation or an inequality: what its [`Constraint::BOUND`] says.
    const BOUND: Bound = <Self::At<f64> as BlockConstraint<f64, N, M>>::BOUND;

    /// Unit of the values, as it is printed beside a residual.
    const UNIT: &'static str;

    /// Number of reals in the rest data, at most [`MAX_REST`].
    const REST: usize;

    /// Whether the solver has to compare gradients with [`gradient_floor`](Kind::gradient_floor). False only
    /// if the gradient never vanishes.
    const GRADIENT_VANISHES: bool = true;

    /// Whether the two points may be exchanged: the values stay the same and the gradients are exchanged too,
    /// to the last bit, except for points that coincide. Solvers may then choose which is the first.
    const SYMMETRIC: bool = false;

    /// How constraints of this kind take part in a Newton step where they are rigid.
    const RIGIDITY: Rigidity = Rigidity::Folds;

    /// Bound on the squared length of a gradient, below which it is rounding noise that must not be divided by (see
    /// [`project`](crate::project)); zero where the gradient cannot vanish.
    fn gradient_floor(&self) -> f64 {
        0.0
    }

    /// The smallest floor above zero of several constraints; zero without any.
    fn least_gradient_floor(kinds: &[Self]) -> f64 {
        let floors = kinds.iter().map(Self::gradient_floor).filter(|&floor| floor > 0.0);
        floors.reduce(f64::min).unwrap_or(0.0)
    }

    /// The constraint in `f64`, which is the value itself.
    fn constraint(&self) -> Self::At<f64>;

    /// Writes the rest data of a constraint into the first [`REST`](Kind::REST) places.
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]);

    /// The constraint from its rest data.
    fn from_rest<T: Real>(rest: &[T]) -> Self::At<T>;

    /// The deformation of the element that the values give, for reports.
    fn deformation<T: Real>(_constraint: &Self::At<T>, _values: &[T; M]) -> Deformation<T> {
        Deformation::Nothing
    }

    /// Writes the rest data into the first [`REST`](Kind::REST) places.
    #[inline]
    fn write_rest(&self, rest: &mut [f64]) {
        Self::rest_of(&self.constraint(), rest);
    }

    /// The constraint in another scalar, rounded to nearest.
    #[inline]
    fn at<T: Real>(&self) -> Self::At<T> {
        let mut rest = [0.0; MAX_REST];
        self.write_rest(&mut rest[..Self::REST]);
        let mut rounded = [T::zero(); MAX_REST];
        for (rounded, rest) in rounded.iter_mut().zip(&rest[..Self::REST]) {
            *rounded = T::splat(*rest);
        }
        Self::from_rest(&rounded[..Self::REST])
    }
}

/// The rest data of a [`Kind`] whose constraint is a struct with the one field `rest`.
macro_rules! rest_is_one_number {
    ($Constraint:ident) => {
        const REST: usize = 1;

        #[inline(always)]
        fn constraint(&self) -> Self {
            *self
        }

        #[inline(always)]
        fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
            rest[0] = constraint.rest;
        }

        #[inline(always)]
        fn from_rest<T: Real>(rest: &[T]) -> $Constraint<T> {
            $Constraint { rest: rest[0] }
        }
    };
}
pub(crate) use rest_is_one_number;

/// A deformation that a report can compare between elements of different size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Deformation<T> {
    /// The constraint has no such measure.
    Nothing,
    /// Relative change of a length: (L − L₀)/L₀.
    Stretch(T),
    /// Relative change of a signed volume: (V − V₀)/V₀; at most −1 when the element is flat or inverted.
    Volume(T),
}

/// The largest number of reals that a [`Kind`] may keep as rest data.
pub const MAX_REST: usize = 24;
