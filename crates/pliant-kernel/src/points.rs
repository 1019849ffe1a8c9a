//! [`Points`]: which particles the packs of every cluster act on.

use crate::lanes::PACK;
use crate::woven::Woven;

/// Rows of eight offsets of particles, in bytes from the first.
///
/// A pack has a row for each point of its constraints. The three packs of a trio have together a row for each corner of their triangles: a, b, c; a pair of
/// trios a, d, b, e, c, f. Large meshes wait for memory, and six rows would hold the same information.
pub(super) struct Points<const N: usize> {
    rows: Vec<[u32; PACK]>,
    /// Where the rows of every cluster begin, and where the last end.
    starts: Vec<usize>,
    woven: Vec<Woven>,
}

impl<const N: usize> Default for Points<N> {
    fn default() -> Self {
        Self { rows: Vec::new(), starts: vec![0], woven: Vec::new() }
    }
}

impl<const N: usize> Points<N> {
    /// For clusters with the given numbers of packs and trios, which [`push`](Self::push) is to add.
    pub(super) fn for_clusters(clusters: impl Iterator<Item = (usize, Woven)>) -> Self {
        let rows = clusters.map(|(packs, woven)| woven.packs() + N * (packs - woven.packs())).sum();
        Self { rows: Vec::with_capacity(rows), ..Self::default() }
    }

    /// Adds a cluster whose packs have these rows, trios first as `woven` says. The sides of a triangle begin and end where the corners a–b, b–c and a–c are;
    /// of lanes that hold none, the offsets of the first two packs are kept.
    pub(super) fn push(&mut self, woven: Woven, packs: &[[[u32; PACK]; N]]) {
        let first = self.rows.len();
        self.rows.resize(first + woven.packs(), [0; PACK]);
        for [ab, bc, _] in woven.trios() {
            for (pack, end) in [(ab, 0), (ab, 1), (bc, 1)] {
                if let Some(rows) = woven.ends(pack) {
                    self.rows[first + rows[end]] = packs[pack][end * (N - 1)];
                }
            }
        }
        self.rows.extend(packs[woven.packs()..].iter().flatten());
        self.starts.push(self.rows.len());
        self.woven.push(woven);
    }

    /// The trios of a cluster.
    pub(super) fn woven(&self, cluster: usize) -> Woven {
        self.woven[cluster]
    }

    /// All rows of a cluster, of which it has at least as many as packs.
    pub(super) fn of(&self, cluster: usize) -> &[[u32; PACK]] {
        &self.rows[self.starts[cluster]..self.starts[cluster + 1]]
    }

    /// The rows of one pack of a cluster, which is the `place`-th.
    pub(super) fn pack(&self, cluster: usize, place: usize) -> [[u32; PACK]; N] {
        let (rows, woven) = (self.of(cluster), self.woven[cluster]);
        let row = |j: usize| match woven.ends(place) {
            Some(ends) => ends[usize::from(j > 0)],
            None => woven.packs() + N * (place - woven.packs()) + j,
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
        let woven = Woven { pairs: 1, single: 1 };
        // a–b, d–e, b–c, e–f, a–c, d–f of a pair, then g–h, h–i, g–i, then one that belongs to no triangle.
        let ends = [[0, 1], [3, 4], [1, 2], [4, 5], [0, 2], [3, 5], [6, 7], [7, 8], [6, 8], [9, 10]]
            .map(|e| e.map(row));
        let mut points = Points::<2>::for_clusters([(2, Woven::default()), (10, woven)].into_iter());
        points.push(Woven::default(), &ends[..2]);
        points.push(woven, &ends);
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
        let mut points = Points::<4>::for_clusters([(2, Woven::default())].into_iter());
        points.push(Woven::default(), &packs);
        assert_eq!([points.pack(0, 0), points.pack(0, 1)], packs);
    }
}
