//! [`Scalar`]: the functions that are compiled once for a kind of constraint, and how they are found.
//!
//! A generic function is compiled in the crate that calls it, with all that it calls, and again in every
//! other that calls it. Kernels are most of the code, so those of the kinds of `pliant-constraints` are
//! compiled here and found by their type; those of a caller's own kind are compiled where it is packed.

use std::any::{Any, TypeId};

use nalgebra::Vector3;
use pliant_constraints::{Kind, impulses_of_rows};

use crate::assembly::Assembly;
use crate::batch::Batch;
use crate::dynamic::DynamicPacks;
use crate::item::{Give, Item, Sweep};
use crate::lanes::{Simd, Wide};
use crate::linear::{Linearise, LineariseOf, linearise_here};
use crate::packs::{PackPlan, Packs};
use crate::particles::Particle;
use crate::summary::{State, Summary, evaluate_here, residuals_here, summarise_here};
use crate::team::Team;

/// `f32` or `f64`: a number that particles are stored in, with lanes that walk them and kernels for the built-in kinds.
pub trait Scalar: Wide {
    /// Whether this crate compiles the functions of the built-in kinds; where it does not, they are compiled
    /// by the crate that uses them.
    #[doc(hidden)]
    const COMPILED: bool;

    /// The functions that this crate compiles for a built-in kind.
    #[doc(hidden)]
    fn built_in(kind: TypeId) -> Option<&'static dyn Any>;
}

/// Makes packs of constraints, as [`Packs::new`] says.
type Pack<T, K, const N: usize, const M: usize> =
    fn(usize, &Give<'_, T, K, N, M>, Option<T>, PackPlan, usize) -> Packs<T, K, N, M>;
/// A sweep over constraints one after the other.
type SweepBatch<T, K, const N: usize, const M: usize> =
    fn(&mut Batch<T, K, N, M>, &mut [Particle<T>], &[Particle<T>], Sweep<T>);
/// A sweep over constraints of the type `C`.
type SweepOf<T, C> = fn(&mut C, &mut [Particle<T>], &[Particle<T>], Sweep<T>, Team<'_>);
/// An evaluation of constraints of the type `C`.
type EvaluatePacksOf<T, C> = fn(&C, &State<'_, T>, Option<&mut [Particle<T>]>, Simd, Team<'_>) -> Summary;

/// The values of a constraint and their gradients.
type EvaluateOf<T, K, const N: usize, const M: usize> =
    fn(&Item<T, K, N, M>, &[Particle<T>]) -> ([T; M], [[Vector3<T>; N]; M]);
/// The values of a constraint and its residuals.
type ResidualsOf<T, K, const N: usize, const M: usize> =
    fn(&Item<T, K, N, M>, &State<'_, T>) -> ([T; M], [T; M]);
/// Adds a constraint to a summary.
type SummariseOf<T, K, const N: usize, const M: usize> = fn(&mut Summary, &Item<T, K, N, M>, &State<'_, T>);

/// The functions of a kind.
struct Compiled<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> {
    pack: Pack<T, K, N, M>,
    sweep: SweepOf<T, Packs<T, K, N, M>>,
    evaluate_packs: EvaluatePacksOf<T, Packs<T, K, N, M>>,
    sweep_batch: SweepBatch<T, K, N, M>,
    linearise: LineariseOf<T, K, N, M>,
    evaluate: EvaluateOf<T, K, N, M>,
    residuals: ResidualsOf<T, K, N, M>,
    summarise: SummariseOf<T, K, N, M>,
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> Compiled<T, K, N, M> {
    /// Compiled by the crate that names it.
    const HERE: Self = Self {
        pack: Packs::new_here,
        sweep: Packs::sweep_here,
        evaluate_packs: Packs::evaluate_here,
        sweep_batch: Batch::sweep_here,
        linearise: linearise_here,
        evaluate: evaluate_here,
        residuals: residuals_here,
        summarise: summarise_here,
    };

    /// The functions of this kind.
    fn get() -> &'static Self {
        // Of a constant condition only one side is compiled. The unit tests do without most kinds.
        if const { K::BUILT_IN.is_some() && T::COMPILED } {
            let found = T::built_in(TypeId::of::<K>()).and_then(<dyn Any>::downcast_ref);
            found.expect("the list of pliant-constraints has all built-in kinds")
        } else {
            const { &Self::HERE }
        }
    }
}

macro_rules! scalar {
    ($($float:ty: $compiled:expr;)*) => {
        $(impl Scalar for $float {
            const COMPILED: bool = $compiled;

            fn built_in(kind: TypeId) -> Option<&'static dyn Any> {
                built_in::<Self>(kind)
            }
        })*
    };
}

scalar! {
    f32: !cfg!(test);
    f64: cfg!(feature = "f64") && !cfg!(test);
}

/// The functions of a built-in kind, by its type.
fn built_in<T: Scalar>(kind: TypeId) -> Option<&'static dyn Any> {
    macro_rules! find {
        ($($Kind:ty, $n:literal, $m:literal;)*) => {
            $(if kind == TypeId::of::<$Kind>() {
                return Some(const { &Compiled::<T, $Kind, $n, $m>::HERE });
            })*
        };
    }
    if const { T::COMPILED } {
        pliant_constraints::built_in_kinds!(find);
    }
    None
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> Item<T, K, N, M> {
    /// The values of the constraint, in its unit, and their gradients: row after row, one for each point.
    ///
    /// # Panics
    ///
    /// If a particle does not exist.
    pub fn evaluate(&self, now: &[Particle<T>]) -> ([T; M], [[Vector3<T>; N]; M]) {
        (Compiled::get().evaluate)(self, now)
    }

    /// The residuals C + α̃λ of its rows, damping included.
    ///
    /// # Panics
    ///
    /// If a particle does not exist.
    pub fn residuals(&self, state: &State<'_, T>) -> [T; M] {
        (Compiled::get().residuals)(self, state).1
    }

    /// Adds residuals, strain and energy of the constraint to a summary.
    ///
    /// # Panics
    ///
    /// If a particle does not exist.
    pub fn summarise(&self, state: &State<'_, T>, summary: &mut Summary) {
        (Compiled::get().summarise)(summary, self, state);
    }

    /// Adds the impulses of the constraint on its particles, ∇Cᵀλ in kg·m, to `impulses`.
    ///
    /// # Panics
    ///
    /// If a particle does not exist.
    pub fn add_impulses(&self, now: &[Particle<T>], impulses: &mut [Particle<T>]) {
        let (_, gradients) = self.evaluate(now);
        for (&v, by) in self.stencil.iter().zip(impulses_of_rows(&gradients, self.lambda())) {
            impulses[v as usize].x += by;
        }
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    /// Adds up the impulses of all constraints and their stiffness, as a Newton step sees them. Returns
    /// whether one is treated as rigid, which is known only with stiffnesses.
    ///
    /// # Panics
    ///
    /// If there are fewer particles, or places for their impulses, than the packs were made for; if a block
    /// is named for more than two particles.
    pub fn assemble(&mut self, at: &Linearise<'_, T>, into: &mut Assembly<'_, T>, team: Team<'_>) -> bool {
        self.assemble_with(at, into, Compiled::get().linearise, team)
    }

    /// Packs `count` constraints, of which `item` gives one by its place, as planned, over `particles`
    /// particles of which the last are dummies without mass. `uniform` is the compliance of all, if it is the
    /// same.
    ///
    /// # Panics
    ///
    /// If the plan breaks the invariant, which is a bug of the planner.
    pub fn new(
        count: usize,
        item: impl Fn(usize) -> Item<T, K, N, M>,
        uniform: Option<T>,
        plan: PackPlan,
        particles: usize,
    ) -> Self {
        (Compiled::get().pack)(count, &item, uniform, plan, particles)
    }

    /// Projects every constraint once, cluster by cluster. Each starts when those before it that it shares
    /// particles with are finished, so the result for a particle does not depend on which thread does the
    /// work.
    ///
    /// # Panics
    ///
    /// If there are fewer particles than the packs were made for.
    pub fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        (Compiled::get().sweep)(self, particles, previous, sweep, team);
    }

    /// Residuals, strains and energy of all constraints. Adds their impulses on every particle, Σ ∇Cᵀλ in
    /// kg·m, to `impulses`, if that is given.
    ///
    /// # Panics
    ///
    /// If there are fewer particles than the packs were made for.
    pub fn evaluate(
        &self,
        state: &State<'_, T>,
        impulses: Option<&mut [Particle<T>]>,
        simd: Simd,
        team: Team<'_>,
    ) -> Summary {
        (Compiled::get().evaluate_packs)(self, state, impulses, simd, team)
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> Batch<T, K, N, M> {
    /// Adds up the impulses of all constraints and their stiffness, as [`Packs::assemble`] does.
    ///
    /// # Panics
    ///
    /// If there are fewer particles, or places for their impulses, than the batch was made for.
    pub fn assemble(&mut self, at: &Linearise<'_, T>, into: &mut Assembly<'_, T>) -> bool {
        self.assemble_with(at, into, Compiled::get().linearise)
    }

    /// Projects every constraint once, one after the other, by the thread that calls.
    ///
    /// # Panics
    ///
    /// If there are fewer particles than the batch was made for.
    pub fn sweep(&mut self, particles: &mut [Particle<T>], previous: &[Particle<T>], sweep: Sweep<T>) {
        (Compiled::get().sweep_batch)(self, particles, previous, sweep);
    }
}

impl<T: Scalar, K: Kind<N, M>, const N: usize, const M: usize> DynamicPacks<T, K, N, M> {
    /// Residuals, strains and energy of all constraints.
    ///
    /// # Panics
    ///
    /// If there are fewer particles than the packs were made for.
    pub fn summarise(&self, state: &State<'_, T>) -> Summary {
        let mut summary = Summary::default();
        self.for_each(&mut |_, item| item.summarise(state, &mut summary));
        summary
    }
}
