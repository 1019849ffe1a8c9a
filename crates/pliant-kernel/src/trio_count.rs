//! [`TrioCount`]: the trios of a cluster, packs that hold the sides of triangles.

use pliant_constraints::Kind;

/// Whether constraints of a kind join two points that may change places: those can be sides of triangles, and
/// pull as much at one end as at the other.
pub(crate) const fn sides<K: Kind<N, M>, const N: usize, const M: usize>() -> bool {
    K::SYMMETRIC && N == 2 && M == 1
}

/// How many trios a cluster begins with.
///
/// A trio is three packs of constraints between two points, which hold in every lane the sides a–b, b–c and
/// a–c of a triangle, or nothing. First come pairs of trios that share no particle, which are walked in step:
/// a–b of one and of the other, b–c of both, a–c of both; then single trios; then packs that belong to none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrioCount {
    /// Pairs of trios, six packs each.
    pub pairs: usize,
    /// Single trios, three packs each.
    pub single: usize,
}

impl TrioCount {
    /// Packs in trios.
    pub fn packs(self) -> usize {
        6 * self.pairs + 3 * self.single
    }

    /// Which corners a pack of a trio joins, by their place among the corners of all trios: a, d, b, e, c, f
    /// for a pair and a, b, c for a single one. `None` for packs that belong to none.
    pub(crate) fn ends(self, pack: usize) -> Option<[usize; 2]> {
        const ENDS: [[usize; 2]; 3] = [[0, 1], [1, 2], [0, 2]];
        if pack < 6 * self.pairs {
            let (first, side, way) = (pack / 6 * 6, pack % 6 / 2, pack % 2);
            Some(ENDS[side].map(|corner| first + 2 * corner + way))
        } else if pack < self.packs() {
            let first = 6 * self.pairs;
            let (trio, side) = ((pack - first) / 3 * 3, (pack - first) % 3);
            Some(ENDS[side].map(|corner| first + trio + corner))
        } else {
            None
        }
    }

    /// The places of the packs of every trio, from the first pack of a cluster.
    pub fn trios(self) -> impl Iterator<Item = [usize; 3]> {
        let pairs = (0..self.pairs).flat_map(|p| [0, 1].map(|way| [0, 2, 4].map(|side| 6 * p + side + way)));
        let single = (0..self.single).map(move |t| [0, 1, 2].map(|side| 6 * self.pairs + 3 * t + side));
        pairs.chain(single)
    }
}
