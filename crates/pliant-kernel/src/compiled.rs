//! [`Compiled`]: what is compiled for a kind of constraint, once.
//!
//! A generic function is compiled in the crate that calls it, with all that it calls, and again in every other that calls it. Kernels are most of the code there is, so those of the kinds of
//! `pliant-constraints` are compiled here and found by their type; those of a kind of the caller's own are compiled where it is packed.

use std::any::{Any, TypeId};

use pliant_constraints::Kind;

use crate::batch::{Batch, Item, Sweep};
use crate::lanes::Simd;
use crate::packs::{PackPlan, Packs};
use crate::particles::Particle;
use crate::scalar::Scalar;
use crate::summary::{State, Summary};
use crate::team::Team;

/// Makes packs of constraints, as [`Packs::new`] says.
type Pack<T, K, const N: usize, const M: usize> =
    fn(usize, &Give<'_, T, K, N, M>, Option<T>, PackPlan, usize) -> Packs<T, K, N, M>;
/// A sweep over constraints of the type `C`.
type SweepOf<T, C> = fn(&mut C, &mut [Particle<T>], &[Particle<T>], Sweep<T>, Team<'_>);
/// A survey of constraints of the type `C`.
type SurveyOf<T, C> = fn(&C, &State<'_, T>, Option<&mut [Particle<T>]>, Simd, Team<'_>) -> Summary;
/// Gives a constraint by its place in a list.
pub(crate) type Give<'a, T, K, const N: usize, const M: usize> = dyn Fn(usize) -> Item<T, K, N, M> + 'a;

/// The functions of a kind.
pub(crate) struct Compiled<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> {
    pub(crate) pack: Pack<T, K, N, M>,
    pub(crate) sweep: SweepOf<T, Packs<T, K, N, M>>,
    pub(crate) survey: SurveyOf<T, Packs<T, K, N, M>>,
    pub(crate) sweep_batch: SweepOf<T, Batch<T, K, N, M>>,
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> Compiled<T, K, N, M> {
    /// Compiled by whoever names it.
    const HERE: Self = Self {
        pack: Packs::new_here,
        sweep: Packs::sweep_here,
        survey: Packs::survey_here,
        sweep_batch: Batch::sweep_here,
    };

    /// The functions of this kind.
    pub(crate) fn get() -> &'static Self {
        // Of a constant condition only one side is compiled. The unit tests do without most kinds.
        if const { K::BUILT_IN.is_some() && !cfg!(test) } {
            let found = T::built_in(TypeId::of::<K>()).and_then(<dyn Any>::downcast_ref);
            found.expect("the list of pliant-constraints has all built-in kinds")
        } else {
            const { &Self::HERE }
        }
    }
}

/// The functions of a built-in kind, by its type.
pub(crate) fn built_in<T: Scalar>(kind: TypeId) -> Option<&'static dyn Any> {
    macro_rules! find {
        ($($Kind:ty, $n:literal, $m:literal;)*) => {
            $(if kind == TypeId::of::<$Kind>() {
                return Some(const { &Compiled::<T, $Kind, $n, $m>::HERE });
            })*
        };
    }
    if const { !cfg!(test) } {
        pliant_constraints::built_in_kinds!(find);
    }
    None
}
