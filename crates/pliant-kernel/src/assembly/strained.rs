//! [`Strained`]: the particles of constraints that are far from zero.

use std::sync::atomic::{AtomicBool, Ordering};

use nalgebra::Vector3;

use crate::lanes::PACK;
use crate::linear::Eight;
use crate::number::Number;

/// Where the particles of constraints are noted that would move one of them far, had they nothing but the masses
/// against them.
///
/// A rigid constraint that is a spring of the compliance ε ∇C·W∇C (see [`Linearise`](super::Linearise)) pulls with
/// ∇Cᵀλ' = −∇Cᵀ C / (ε ∇C·W∇C). Alone it would move the particle i by ε wᵢ |∇ᵢCᵀλ'|.
#[derive(Clone, Copy)]
pub struct Strained<'a> {
    /// The displacement from which on they are noted, as a share of the distance from the first point of the constraint to
    /// the farthest of its others.
    pub share: f64,
    /// For every particle whether it has such a constraint. Those that have none are left as they are.
    pub particles: &'a [AtomicBool],
}

impl Strained<'_> {
    /// Notes the particles of a constraint.
    pub(super) fn note(&self, stencil: impl IntoIterator<Item = u32>) {
        for v in stencil {
            if let Some(particle) = self.particles.get(v as usize) {
                particle.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl<T: Number, const N: usize, const M: usize> Eight<T, N, M> {
    /// Which of the constraints would move a point farther than that share of their size.
    pub(super) fn are_strained(&self, share: f64, epsilon: f64) -> [bool; PACK] {
        are_strained(&self.x, &self.impulses, &self.w, share / epsilon)
    }
}

/// Which of eight constraints have a pull times inverse mass above a share of their size. Compiled once, and not for each kind
/// of constraint in each width of lanes: only rigid ones are asked.
#[inline(never)]
fn are_strained<T: Number>(
    x: &[[[T; PACK]; 3]],
    impulses: &[[[T; PACK]; 3]],
    w: &[[T; PACK]],
    share: f64,
) -> [bool; PACK] {
    let share = T::splat(share * share);
    std::array::from_fn(|lane| {
        let at = |rows: &[[T; PACK]; 3]| Vector3::new(rows[0][lane], rows[1][lane], rows[2][lane]);
        let (first, mut size, mut moved) = (at(&x[0]), T::zero(), T::zero());
        for ((x, impulse), w) in x.iter().zip(impulses).zip(w) {
            let (along, pull) = (at(x) - first, at(impulse) * w[lane]);
            size = size.max(along.dot(&along));
            moved = moved.max(pull.dot(&pull));
        }
        moved > size * share
    })
}
