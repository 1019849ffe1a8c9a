//! [`pipeline`]: packs of a cluster one after the other, each loaded before the one before it is stored.
//!
//! A projection is a long chain: differences, a norm, a root or a division, and only then the points that are
//! stored. An out-of-order processor starts the next pack meanwhile, unless its window is full of
//! instructions that wait for the chain: eight stores and as many shuffles for every point. So the next pack
//! is loaded first. That is allowed if it shares no particle with the current pack, which holds for all packs
//! of one colour; [`Unit::linked`] is determined when the packs are made. Otherwise the order is the plain
//! one. Either way every particle goes through the same constraints in the same order.

use std::marker::PhantomData;

use crate::lanes::{Lanes, PACK, fetch_points_ahead, fetch_rows_ahead};
use crate::number::Number;
use crate::particles::Particle;

/// The data of consecutive packs, and what is prefetched while they are projected.
pub(super) struct Stretch<'a, T> {
    pub(super) points: &'a [[u32; PACK]],
    pub(super) rows: &'a [[T; PACK]],
    pub(super) multipliers: &'a mut [[T; PACK]],
    /// An offset for every pack, see [`Ahead`](super::ahead::Ahead).
    pub(super) lines: &'a [u32],
    /// Those of [`Unit`]s, at the first pack of each.
    pub(super) linked: &'a [bool],
}

/// `P` packs that are projected together, with `R` rows of points.
pub(super) struct Unit<'a, T, const P: usize, const R: usize> {
    pub(super) points: &'a [[u32; PACK]; R],
    pub(super) rows: &'a [[T; PACK]],
    pub(super) multipliers: &'a mut [[T; PACK]],
    lines: &'a [u32; P],
    /// Whether it shares a particle with the unit that was walked before it.
    linked: bool,
}

impl<'a, T: Number> Stretch<'a, T> {
    /// The first `packs`, which have so many rows of `points` and each `stride` rows and `M` multipliers, and
    /// the others.
    #[inline(always)]
    pub(super) fn cut<const M: usize>(self, packs: usize, points: usize, stride: usize) -> (Self, Self) {
        let points = self.points.split_at(points);
        let rows = self.rows.split_at(packs * stride);
        let multipliers = self.multipliers.split_at_mut(packs * M);
        let lines = self.lines.split_at(packs);
        let linked = self.linked.split_at(packs);
        (
            Self {
                points: points.0,
                rows: rows.0,
                multipliers: multipliers.0,
                lines: lines.0,
                linked: linked.0,
            },
            Self {
                points: points.1,
                rows: rows.1,
                multipliers: multipliers.1,
                lines: lines.1,
                linked: linked.1,
            },
        )
    }

    /// All of it in units of `P` packs with `stride` rows and `M` multipliers each, and `R` rows of points
    /// together, from the first to the last or the other way round.
    #[inline(always)]
    pub(super) fn units<const P: usize, const R: usize, const M: usize>(
        self,
        stride: usize,
        backward: bool,
    ) -> Units<'a, T, P, R, M> {
        let count = self.lines.len() / P;
        // What the iterator relies on.
        assert!(self.points.len() >= count * R && self.rows.len() >= count * P * stride);
        assert!(self.multipliers.len() >= count * P * M && self.linked.len() >= count * P);
        let first = if backward { count.saturating_sub(1) } else { 0 };
        Units {
            points: self.points.as_ptr().wrapping_add(first * R),
            rows: self.rows.as_ptr().wrapping_add(first * P * stride),
            multipliers: self.multipliers.as_mut_ptr().wrapping_add(first * P * M),
            lines: self.lines.as_ptr().wrapping_add(first * P),
            linked: self.linked.as_ptr().wrapping_add(first * P),
            left: count,
            stride,
            way: if backward { -1 } else { 1 },
            carried: false,
            stretch: PhantomData,
        }
    }
}

/// The units of a stretch, one after the other in either direction: the same instructions for both, so that
/// no kernel is compiled twice.
pub(super) struct Units<'a, T, const P: usize, const R: usize, const M: usize> {
    points: *const [u32; PACK],
    rows: *const [T; PACK],
    multipliers: *mut [T; PACK],
    lines: *const u32,
    linked: *const bool,
    left: usize,
    stride: usize,
    /// One unit forward or backward.
    way: isize,
    /// Whether the unit that was handed out last shares a particle with the one before it in the stretch.
    carried: bool,
    stretch: PhantomData<Stretch<'a, T>>,
}

impl<'a, T: Number, const P: usize, const R: usize, const M: usize> Iterator for Units<'a, T, P, R, M> {
    type Item = Unit<'a, T, P, R>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: `left` says that there is one more unit at the pointers, which started at the first or last
        // of as many units as the lists of the stretch hold (asserted) and moved by whole units. The
        // multipliers are borrowed by the stretch for 'a, and every unit is handed out once.
        let (unit, own) = unsafe {
            let unit = Unit {
                points: &*self.points.cast::<[[u32; PACK]; R]>(),
                rows: std::slice::from_raw_parts(self.rows, P * self.stride),
                multipliers: std::slice::from_raw_parts_mut(self.multipliers, P * M),
                lines: &*self.lines.cast::<[u32; P]>(),
                linked: false,
            };
            (unit, *self.linked)
        };
        // A link is kept with the later of two units, which is the earlier one on the way back.
        let before = std::mem::replace(&mut self.carried, own);
        let linked = if self.way < 0 { before } else { own };
        let by = |size: usize| self.way * size.cast_signed();
        self.points = self.points.wrapping_offset(by(R));
        self.rows = self.rows.wrapping_offset(by(P * self.stride));
        self.multipliers = self.multipliers.wrapping_offset(by(P * M));
        self.lines = self.lines.wrapping_offset(by(P));
        self.linked = self.linked.wrapping_offset(by(P));
        Some(Unit { linked, ..unit })
    }
}

/// How units of packs are loaded, projected and stored in lanes of the type `L`.
pub(super) trait Stage<T: Number, L: Lanes<T>, const P: usize, const R: usize> {
    /// Whether points are loaded early; where they are not, all units count as linked.
    const EARLY: bool = L::EARLY;

    /// Points that are loaded when the projection begins.
    type Taken;
    /// Points that have to be stored when it has ended.
    type Moved;

    /// Loads the points of the lanes from `lane` on.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::gather`].
    unsafe fn take(&self, points: &[[u32; PACK]; R], lane: usize) -> Self::Taken;

    /// Projects the constraints in these lanes.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::gather`] and [`Lanes::scatter`].
    unsafe fn project(&self, unit: &mut Unit<'_, T, P, R>, lane: usize, taken: Self::Taken) -> Self::Moved;

    /// Stores the points.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::scatter`].
    unsafe fn put(&self, points: &[[u32; PACK]; R], lane: usize, moved: Self::Moved);
}

/// Takes the units, which have lines of particles from `start` on to prefetch, through their stages; the
/// points of each are loaded before those of the last are stored unless they are linked.
///
/// # Safety
///
/// As for all functions of [`Stage`], of all units; those that are not linked share no particle that can move
/// with the one before, nor do the lanes of a unit.
#[inline(always)]
pub(super) unsafe fn pipeline<
    'a,
    T: Number,
    L: Lanes<T>,
    S: Stage<T, L, P, R>,
    const P: usize,
    const R: usize,
    const M: usize,
>(
    stage: &S,
    start: *mut Particle<T>,
    mut units: Units<'a, T, P, R, M>,
) {
    let (stride, way) = (units.stride, units.way);
    let Some(mut unit) = units.next() else { return };
    // SAFETY: as the caller promises. Points that are loaded early are not stored in between: lanes of a unit
    // and units that are not linked share no particle that can move, and what cannot move is stored as it
    // was.
    unsafe {
        let mut taken = stage.take(unit.points, 0);
        loop {
            for &line in unit.lines {
                L::fetch_to_write(start.wrapping_byte_add(line as usize));
            }
            fetch_points_ahead::<P, R>(unit.points, way);
            fetch_rows_ahead::<T, P>(unit.rows, stride, way);
            let mut lane = 0;
            let moved = loop {
                let moved = stage.project(&mut unit, lane, taken);
                if lane + L::WIDTH >= PACK {
                    break moved;
                }
                if const { S::EARLY } {
                    taken = stage.take(unit.points, lane + L::WIDTH);
                    stage.put(unit.points, lane, moved);
                } else {
                    stage.put(unit.points, lane, moved);
                    taken = stage.take(unit.points, lane + L::WIDTH);
                }
                lane += L::WIDTH;
            };
            match units.next() {
                Some(next) if S::EARLY && !next.linked => {
                    taken = stage.take(next.points, 0);
                    stage.put(unit.points, lane, moved);
                    unit = next;
                }
                Some(next) => {
                    stage.put(unit.points, lane, moved);
                    taken = stage.take(next.points, 0);
                    unit = next;
                }
                None => return stage.put(unit.points, lane, moved),
            }
        }
    }
}
