//! [`Points`]: which particles the packs of every cluster act on.

use crate::lanes::PACK;
use crate::trio_count::TrioCount;

/// Rows of eight offsets of particles, in bytes from the first.
///
/// A pack has a row for each point of its constraints. The three packs of a trio have together a row for each
/// corner of their triangles: a, b, c; a pair of trios a, d, b, e, c, f. Large meshes wait for memory, and
/// six rows would hold the same information.
pub(super) struct Points<const N: usize> {
    rows: Vec<[u32; PACK]>,
    /// Where the rows of every cluster begin, and where the last end.
    starts: Vec<usize>,
    trio_counts: Vec<TrioCount>,
}

impl<const N: usize> Default for Points<N> {
    fn default() -> Self {
        Self { rows: Vec::new(), starts: vec![0], trio_counts: Vec::new() }
    }
}

impl<const N: usize> Points<N> {
    /// For clusters with the given numbers of packs and trios, which [`push`](Self::push) is to add.
    pub(super) fn for_clusters(clusters: impl Iterator<Item = (usize, TrioCount)>) -> Self {
        let rows =
            clusters.map(|(packs, trio_count)| trio_count.packs() + N * (packs - trio_count.packs())).sum();
        Self { rows: Vec::with_capacity(rows), ..Self::default() }
    }

    /// Adds a cluster whose packs have these rows, trios first as `trio_count` says. The sides of a triangle
    /// begin and end where the corners a–b, b–c and a–c are; of lanes that hold none, the offsets of the
    /// first two packs are kept.
    pub(super) fn push(&mut self, trio_count: TrioCount, packs: &[[[u32; PACK]; N]]) {
        let first = self.rows.len();
        self.rows.resize(first + trio_count.packs(), [0; PACK]);
        for [ab, bc, _] in trio_count.trios() {
            for (pack, end) in [(ab, 0), (ab, 1), (bc, 1)] {
                if let Some(rows) = trio_count.ends(pack) {
                    self.rows[first + rows[end]] = packs[pack][end * (N - 1)];
                }
            }
        }
        self.rows.extend(packs[trio_count.packs()..].iter().flatten());
        self.starts.push(self.rows.len());
        self.trio_counts.push(trio_count);
    }

    /// The trios of a cluster.
    pub(super) fn trio_count(&self, cluster: usize) -> TrioCount {
        self.trio_counts[cluster]
    }

    /// All rows of a cluster, of which it has at least as many as packs.
    pub(super) fn of(&self, cluster: usize) -> &[[u32; PACK]] {
        &self.rows[self.starts[cluster]..self.starts[cluster + 1]]
    }

    /// The rows of one pack of a cluster, which is the `place`-th.
    pub(super) fn pack(&self, cluster: usize, place: usize) -> [[u32; PACK]; N] {
        let (rows, trio_count) = (self.of(cluster), self.trio_counts[cluster]);
        let row = |j: usize| match trio_count.ends(place) {
            Some(ends) => ends[usize::from(j > 0)],
            None => trio_count.packs() + N * (place - trio_count.packs()) + j,
        };
        std::array::from_fn(|j| rows[row(j)])
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.rows[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of one number.
    fn row(number: u32) -> [u32; PACK] {
        [number; PACK]
    }

    #[test]
    fn packs_get_their_rows_back() {
        let trio_count = TrioCount { pairs: 1, single: 1 };
        // a–b, d–e, b–c, e–f, a–c, d–f of a pair, then g–h, h–i, g–i, then one that belongs to no triangle.
        let ends = [[0, 1], [3, 4], [1, 2], [4, 5], [0, 2], [3, 5], [6, 7], [7, 8], [6, 8], [9, 10]]
            .map(|e| e.map(row));
        let mut points = Points::<2>::for_clusters([(2, TrioCount::default()), (10, trio_count)].into_iter());
        points.push(TrioCount::default(), &ends[..2]);
        points.push(trio_count, &ends);
        assert_eq!(points.of(0).len(), 4);
        assert_eq!(
            points.of(1).iter().map(|row| row[0]).collect::<Vec<_>>(),
            [0, 3, 1, 4, 2, 5, 6, 7, 8, 9, 10]
        );
        for (place, ends) in ends.iter().enumerate() {
            assert_eq!(points.pack(1, place), *ends, "pack {place}");
        }
        assert_eq!(points.pack(0, 1), ends[1]);
        assert_eq!(points.bytes(), 15 * size_of::<[u32; PACK]>());
    }

    #[test]
    fn packs_of_many_points_have_a_row_for_each() {
        let packs = [[0, 1, 2, 3].map(row), [4, 5, 6, 7].map(row)];
        let mut points = Points::<4>::for_clusters([(2, TrioCount::default())].into_iter());
        points.push(TrioCount::default(), &packs);
        assert_eq!([points.pack(0, 0), points.pack(0, 1)], packs);
    }
}
