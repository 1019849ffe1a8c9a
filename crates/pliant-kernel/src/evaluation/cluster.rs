//! [`Evaluation`]: the packs of a cluster, to be evaluated.

use std::marker::PhantomData;

use pliant_constraints::Kind;

use crate::findings::Common;
use crate::lanes::PACK;
use crate::number::Number;
use crate::particles::Particle;
use crate::summary::State;
use crate::trio_count::TrioCount;

/// The packs of a cluster, to be evaluated.
pub(crate) struct Evaluation<'a, T: Number, K: Kind<N, M>, const N: usize, const M: usize> {
    /// Its number.
    pub(crate) cluster: usize,
    /// The member of the team that evaluates.
    pub(crate) member: usize,
    /// Those of [`Points`](super::points::Points).
    pub(crate) points: &'a [[u32; PACK]],
    pub(crate) rows: &'a [[T; PACK]],
    pub(crate) multipliers: &'a [[T; PACK]],
    pub(crate) source: &'a [[u32; PACK]],
    /// Offsets to prefetch at the beginning, and one for every pack; see [`Ahead`](super::ahead::Ahead).
    pub(crate) border: &'a [u32],
    pub(crate) ahead: &'a [u32],
    pub(crate) trio_count: TrioCount,
    pub(crate) stride: usize,
    pub(crate) uniform: Option<T>,
    pub(crate) state: State<'a, T>,
    pub(crate) common: &'a Common,
    /// Where the impulses are gathered, one for each particle; null where they are not needed.
    pub(crate) impulses: *mut Particle<T>,
    pub(crate) kind: PhantomData<K>,
}

/// Packs of a cluster that are still to be evaluated.
pub(super) struct Waiting<'a, T, const M: usize> {
    pub(super) points: &'a [[u32; PACK]],
    pub(super) rows: &'a [[T; PACK]],
    pub(super) multipliers: &'a [[T; PACK]],
    pub(super) source: &'a [[u32; PACK]],
    pub(super) ahead: &'a [u32],
    pub(super) stride: usize,
}

/// Rows and multipliers of a pack.
pub(super) type Rows<'a, T> = (&'a [[T; PACK]], &'a [[T; PACK]]);

/// Packs that form trios.
pub(super) struct Trios<'a, T, const P: usize> {
    /// As many rows of corners as packs.
    pub(super) corners: &'a [[u32; PACK]; P],
    pub(super) packs: [Rows<'a, T>; P],
    pub(super) source: &'a [[u32; PACK]; P],
    pub(super) ahead: &'a [u32; P],
}

impl<'a, T, const M: usize> Waiting<'a, T, M> {
    /// Cuts off the first `P`, which form trios. In slices, because indices that are checked cost as much as a shuffle.
    #[inline(always)]
    pub(super) fn cut<const P: usize>(&mut self) -> Trios<'a, T, P> {
        let (corners, other_points) = self.points.split_first_chunk::<P>().expect("corners of a trio");
        let (mut rows, other_rows) = self.rows.split_at(P * self.stride);
        let (mut multipliers, other_multipliers) = self.multipliers.split_at(P * M);
        let (source, other_source) = self.source.split_first_chunk::<P>().expect("packs of a trio");
        let (ahead, other_ahead) = self.ahead.split_first_chunk::<P>().expect("packs of a trio");
        (self.points, self.rows, self.multipliers) = (other_points, other_rows, other_multipliers);
        (self.source, self.ahead) = (other_source, other_ahead);
        let mut packs = [(rows, multipliers); P];
        for pack in &mut packs {
            ((pack.0, rows), (pack.1, multipliers)) = (rows.split_at(self.stride), multipliers.split_at(M));
        }
        Trios { corners, packs, source, ahead }
    }
}
