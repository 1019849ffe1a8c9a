//! [`Strained`]: the particles of constraints that are far from zero.

use std::sync::atomic::{AtomicBool, Ordering};

use nalgebra::Vector3;

use crate::lanes::{LaneJob, Lanes, PACK, Portable, side_by_side};
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

/// Looks which of eight constraints have displacements above a share of their size.
pub(super) struct Look<'a, T: Number, const N: usize, const M: usize> {
    pub(super) eight: &'a Eight<T, N, M>,
    /// The share over ε.
    pub(super) share: f64,
}

/// A vector, from lanes.
#[inline(always)]
fn vector<T: Number, L: Lanes<T>>(rows: &[[T; PACK]; 3], lane: usize) -> Vector3<L> {
    Vector3::new(L::load(&rows[0][lane..]), L::load(&rows[1][lane..]), L::load(&rows[2][lane..]))
}

impl<T: Number, const N: usize, const M: usize> LaneJob<T> for Look<'_, T, N, M> {
    /// For each lane a number above zero if it has one.
    type Out = [T; PACK];
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) -> Self::Out {
        let Self { eight: Eight { x, w, impulses, .. }, share } = self;
        let mut found = [T::zero(); PACK];
        for lane in (0..PACK).step_by(L::WIDTH) {
            let first = vector::<T, L>(&x[0], lane);
            let (mut size, mut moved) = (L::zero(), L::zero());
            for j in 0..N {
                let along = vector::<T, L>(&x[j], lane) - first;
                size = size.max(along.x * along.x + along.y * along.y + along.z * along.z);
                let pull = vector::<T, L>(&impulses[j], lane) * L::load(&w[j][lane..]);
                moved = moved.max(pull.x * pull.x + pull.y * pull.y + pull.z * pull.z);
            }
            let is_far = (size * L::splat(share * share)).lt(moved);
            L::select(is_far, L::one(), L::zero()).store(&mut found[lane..]);
        }
        found
    }
}
