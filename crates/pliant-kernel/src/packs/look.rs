//! Access to the constraints of packs one by one, and replacement of their data.

use std::ops::Range;

use pliant_constraints::{Kind, MAX_REST};

use super::{NONE, Packs};
use crate::assembly::Places;
use crate::item::{Item, Visit};
use crate::lanes::{PACK, particle_at};
use crate::layout::Layout;
use crate::number::Number;

/// The data of a pack, eight side by side.
pub(crate) struct Given<'a, T, const N: usize> {
    /// The caller's numbers of the constraints, [`NONE`] in lanes that hold no constraint.
    sources: &'a [u32; PACK],
    /// Offsets of the points, and the lanes whose points have changed places.
    points: [[u32; PACK]; N],
    turned: u8,
    /// A row for each of the rest data.
    pub(crate) rest: &'a [[T; PACK]],
    pub(crate) compliance: [T; PACK],
}

impl<T: Number, const N: usize> Given<'_, T, N> {
    /// Offsets of the points.
    pub(crate) fn points(&self) -> &[[u32; PACK]; N] {
        &self.points
    }

    /// The caller's number of the constraint in a lane, if it holds one.
    pub(crate) fn source(&self, lane: usize) -> Option<usize> {
        let source = self.sources[lane];
        (source != NONE).then_some(source as usize)
    }

    /// The particles of the constraint in a lane, as the caller named them; those of a dummy in a lane without one.
    #[inline]
    pub(crate) fn stencil(&self, lane: usize) -> [u32; N] {
        let mut stencil = self.points.map(|row| particle_at::<T>(row[lane]));
        if self.turned >> lane & 1 == 1 {
            stencil.reverse();
        }
        stencil
    }
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    /// The data of a pack of a cluster.
    pub(crate) fn given(&self, cluster: usize, pack: usize) -> Given<'_, T, N> {
        let stride = self.stride();
        let rows = &self.rows[pack * stride..(pack + 1) * stride];
        Given {
            sources: &self.source[pack],
            points: self.points.pack(cluster, pack - self.clusters[cluster].start),
            turned: self.turned[pack],
            rest: &rows[..K::REST],
            compliance: self.uniform.map_or_else(|| rows[K::REST], |uniform| [uniform; PACK]),
        }
    }

    /// All offsets of the points of a cluster, in no order.
    pub(crate) fn rows_of_points(&self, cluster: usize) -> &[[u32; PACK]] {
        self.points.of(cluster)
    }

    /// Where stiffnesses are added, if they were.
    pub(crate) fn places(&self) -> Option<&Places> {
        self.places.as_ref()
    }

    /// Replaces the places where stiffnesses are added.
    pub(crate) fn set_places(&mut self, places: Option<Places>) {
        self.places = places;
    }

    /// Forgets where stiffnesses are added, because the matrix is to be another.
    pub fn forget_places(&mut self) {
        self.places = None;
    }

    /// Number of particles that the packs were made for, dummies included.
    pub(crate) fn particle_count(&self) -> usize {
        self.particles
    }

    /// Number of constraints.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The layout, for inspection.
    pub fn layout(&self) -> Layout {
        let present = |pack: &[u32; PACK]| pack.iter().filter(|&&s| s != NONE).count();
        let size = |cluster: &Range<usize>| self.source[cluster.clone()].iter().map(present).sum::<usize>();
        let bytes = self.points.bytes()
            + self.source.len()
                * ((self.stride() + M) * size_of::<[T; PACK]>()
                    + size_of::<[u32; PACK]>()
                    + size_of::<u32>()
                    + 2 * size_of::<u8>());
        Layout {
            colour_sizes: self
                .colours
                .iter()
                .map(|c| self.clusters[c.clone()].iter().map(size).sum())
                .collect(),
            clusters: self.clusters.len(),
            packs: self.source.len(),
            empty_lanes: self.source.len() * PACK - self.len,
            tail_packs: self.source.iter().filter(|pack| pack.contains(&NONE)).count(),
            triangle_packs: (0..self.clusters.len())
                .map(|cluster| self.points.trio_count(cluster).packs())
                .sum(),
            bytes_per_constraint: bytes.checked_div(self.len).unwrap_or_default(),
        }
    }

    /// Calls `visit` with the constraints of a range of packs, one by one.
    pub fn for_each(&self, packs: Range<usize>, visit: &mut Visit<'_, T, K, N, M>) {
        for pack in packs {
            let points = self.points_of(pack);
            for lane in 0..PACK {
                if self.source[pack][lane] != NONE {
                    visit(pack * PACK + lane, &self.item_at(&points, pack, lane));
                }
            }
        }
    }

    /// The packs of every cluster.
    pub fn clusters(&self) -> &[Range<usize>] {
        &self.clusters
    }

    /// Number of packs.
    pub fn pack_count(&self) -> usize {
        self.source.len()
    }

    /// The constraint in a lane of a pack that holds one.
    pub fn item(&self, pack: usize, lane: usize) -> Item<T, K, N, M> {
        self.item_at(&self.points_of(pack), pack, lane)
    }

    /// Offsets of the points of a pack.
    fn points_of(&self, pack: usize) -> [[u32; PACK]; N] {
        let cluster = self.clusters.partition_point(|packs| packs.end <= pack);
        self.points.pack(cluster, pack - self.clusters[cluster].start)
    }

    fn item_at(&self, points: &[[u32; PACK]; N], pack: usize, lane: usize) -> Item<T, K, N, M> {
        let stride = self.stride();
        let rows = &self.rows[pack * stride..(pack + 1) * stride];
        let mut rest = [T::zero(); MAX_REST];
        for (value, row) in rest.iter_mut().zip(&rows[..K::REST]) {
            *value = row[lane];
        }
        let mut stencil = points.map(|row| particle_at::<T>(row[lane]));
        if self.turned[pack] >> lane & 1 == 1 {
            stencil.reverse();
        }
        Item::restore(
            stencil,
            K::from_rest(&rest[..K::REST]),
            self.uniform.unwrap_or_else(|| rows[K::REST][lane]),
            std::array::from_fn(|row| self.multipliers[pack * M + row][lane]),
            self.source[pack][lane],
        )
    }

    /// Replaces the rest data of the constraint in a lane of a pack.
    pub fn set_rest(&mut self, pack: usize, lane: usize, rest: &[T]) {
        let stride = self.stride();
        for (row, value) in self.rows[pack * stride..].iter_mut().zip(&rest[..K::REST]) {
            row[lane] = *value;
        }
    }

    /// Replaces the multipliers; `of` gives those of a constraint by its number in the caller's list.
    pub fn set_multipliers(&mut self, of: impl Fn(usize) -> [T; M]) {
        for (rows, source) in self.multipliers.chunks_exact_mut(M).zip(&self.source) {
            for (lane, &s) in source.iter().enumerate().filter(|(_, s)| **s != NONE) {
                for (row, lambda) in rows.iter_mut().zip(of(s as usize)) {
                    row[lane] = lambda;
                }
            }
        }
    }
}
