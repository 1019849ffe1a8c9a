//! [`Item`]: one constraint as it is projected; [`Sweep`]: the parameters of a projection of all of them.

use pliant_constraints::{Kind, Update};

use crate::lanes::Simd;
use crate::number::Number;

/// One constraint as it is projected: stencil, rest data, compliance and multiplier side by side.
#[derive(Clone, Copy)]
pub struct Item<T: Number, K: Kind<N, M>, const N: usize, const M: usize> {
    pub(crate) stencil: [u32; N],
    pub(crate) rest: K::At<T>,
    pub(crate) compliance: T,
    pub(crate) lambda: [T; M],
    pub(crate) source: u32,
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> Item<T, K, N, M> {
    /// A constraint on the particles `stencil`; `source` is its number in the caller's list.
    pub fn new(stencil: [u32; N], kind: &K, compliance: f64, source: u32) -> Self {
        Self { stencil, rest: kind.at(), compliance: T::splat(compliance), lambda: [T::zero(); M], source }
    }

    /// A constraint with its state: rest data in the scalar of the particles, and multipliers.
    pub fn restore(stencil: [u32; N], rest: K::At<T>, compliance: T, lambda: [T; M], source: u32) -> Self {
        Self { stencil, rest, compliance, lambda, source }
    }

    /// The same constraint with another compliance, in the unit of the kind.
    #[must_use]
    pub fn with_compliance(self, compliance: T) -> Self {
        Self { compliance, ..self }
    }

    /// Its particles.
    pub fn stencil(&self) -> [u32; N] {
        self.stencil
    }
    /// Its rest data.
    pub fn rest(&self) -> &K::At<T> {
        &self.rest
    }
    /// Its compliance, in the unit of the kind.
    pub fn compliance(&self) -> T {
        self.compliance
    }
    /// Its multipliers.
    pub fn lambda(&self) -> &[T; M] {
        &self.lambda
    }
    /// Its number in the caller's list.
    pub fn source(&self) -> usize {
        self.source as usize
    }

    /// The constraint as one of any kind, at a place.
    pub fn entry(&self, place: usize) -> Entry<'_, T> {
        Entry {
            place,
            source: self.source(),
            stencil: &self.stencil,
            compliance: self.compliance,
            lambda: &self.lambda,
        }
    }
}

/// The data of a constraint that do not depend on its kind, so that code that needs no more is compiled once
/// for all kinds.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a, T> {
    /// Its place: its number in a list that is projected one by one, eight times its pack plus its lane in packs.
    pub place: usize,
    /// Its number in the caller's list.
    pub source: usize,
    /// Its particles.
    pub stencil: &'a [u32],
    /// Its compliance, in the unit of its kind.
    pub compliance: T,
    /// Its multipliers.
    pub lambda: &'a [T],
}

/// What a sweep needs in addition to the constraints and the particles.
#[derive(Debug, Clone, Copy)]
pub struct Sweep<T> {
    /// 1/h², s⁻²: compliance times this is α̃.
    pub inverse_h2: T,
    /// How errors become corrections.
    pub update: Update<T>,
    /// γ of constraints that are damped, zero without damping; see [`Damping`](pliant_constraints::Damping).
    pub gamma: T,
    /// Whether this is the first iteration of a substep: the multipliers count as zero.
    pub first: bool,
    /// Whether it is the last one.
    pub last: bool,
    /// Whether the multipliers are needed after the substep.
    pub keep: bool,
    /// Whether the constraints are walked from the last to the first.
    pub backward: bool,
    /// The instructions that may be used.
    pub simd: Simd,
}

/// Takes constraints with their places, see [`Entry::place`].
pub type Visit<'a, T, K, const N: usize, const M: usize> = dyn FnMut(usize, &Item<T, K, N, M>) + 'a;

/// Gives a constraint by its place in a list.
pub(crate) type Give<'a, T, K, const N: usize, const M: usize> = dyn Fn(usize) -> Item<T, K, N, M> + 'a;
