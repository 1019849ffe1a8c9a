//! [`Sobol`]: points that fill a cube evenly, for any number of them (Sobol' 1967), scrambled by a seed.
//!
//! The direction numbers are those of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better
//! two-dimensional projections", SIAM J. Sci. Comput. 30 (2008), file `new-joe-kuo-6.21201`. A seed scrambles
//! the digits of every coordinate (A. B. Owen 1995) by the hash of B. Burley, "Practical Hash-based Owen
//! Scrambling", JCGT 9 (2020): the points stay as evenly spread, and the first `n` of them are the same
//! however many follow.

/// The most coordinates of a point.
pub const DIMENSIONS: usize = 1 + DIRECTIONS.len();

/// Bits of a coordinate.
const BITS: usize = 32;

/// From the second coordinate on: the coefficients a of a primitive polynomial of as many degrees as there are initial
/// direction numbers m.
const DIRECTIONS: [(u32, &[u32]); 39] = [
    (0, &[1]),
    (1, &[1, 3]),
    (1, &[1, 3, 1]),
    (2, &[1, 1, 1]),
    (1, &[1, 1, 3, 3]),
    (4, &[1, 3, 5, 13]),
    (2, &[1, 1, 5, 5, 17]),
    (4, &[1, 1, 5, 5, 5]),
    (7, &[1, 1, 7, 11, 19]),
    (11, &[1, 1, 5, 1, 1]),
    (13, &[1, 1, 1, 3, 11]),
    (14, &[1, 3, 5, 5, 31]),
    (1, &[1, 3, 3, 9, 7, 49]),
    (13, &[1, 1, 1, 15, 21, 21]),
    (16, &[1, 3, 1, 13, 27, 49]),
    (19, &[1, 1, 1, 15, 7, 5]),
    (22, &[1, 3, 1, 15, 13, 25]),
    (25, &[1, 1, 5, 5, 19, 61]),
    (1, &[1, 3, 7, 11, 23, 15, 103]),
    (4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, &[1, 1, 3, 13, 7, 35, 63]),
    (8, &[1, 3, 5, 9, 1, 25, 53]),
    (14, &[1, 3, 1, 13, 9, 35, 107]),
    (19, &[1, 3, 1, 5, 27, 61, 31]),
    (21, &[1, 1, 5, 11, 19, 41, 61]),
    (28, &[1, 3, 5, 3, 3, 13, 69]),
    (31, &[1, 1, 7, 13, 1, 19, 1]),
    (32, &[1, 3, 7, 5, 13, 19, 59]),
    (37, &[1, 1, 3, 9, 25, 29, 41]),
    (41, &[1, 3, 5, 13, 23, 1, 55]),
    (42, &[1, 3, 7, 3, 13, 59, 17]),
    (50, &[1, 3, 1, 3, 5, 53, 69]),
    (55, &[1, 1, 5, 5, 23, 33, 13]),
    (56, &[1, 1, 7, 7, 1, 61, 123]),
    (59, &[1, 1, 7, 9, 13, 61, 49]),
    (62, &[1, 3, 3, 5, 3, 55, 33]),
    (14, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (21, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (22, &[1, 3, 1, 11, 11, 11, 77, 249]),
];

/// A Sobol sequence.
///
/// ```
/// use pliant_sweep::Sobol;
///
/// let plain = Sobol::unscrambled(2);
/// assert_eq!([0, 1, 2, 3].map(|n| plain.coordinate(n, 1)), [0.0, 0.5, 0.75, 0.25]);
/// // Of the first eight points one is in each eighth, scrambled or not.
/// let sobol = Sobol::new(2, 7);
/// let mut eighths: Vec<usize> = (0..8).map(|n| (8.0 * sobol.coordinate(n, 1)) as usize).collect();
/// eighths.sort();
/// assert_eq!(eighths, [0, 1, 2, 3, 4, 5, 6, 7]);
/// ```
#[derive(Debug, Clone)]
pub struct Sobol {
    directions: Vec<[u32; BITS]>,
    seed: Option<u32>,
}

impl Sobol {
    /// Points of a number of coordinates, scrambled by a seed.
    ///
    /// # Panics
    /// If there are more than [`DIMENSIONS`] coordinates.
    #[must_use]
    pub fn new(dimensions: usize, seed: u64) -> Self {
        let [low, high] = [seed as u32, (seed >> 32) as u32];
        Self { seed: Some(mix(low) ^ mix(high.wrapping_add(0x9e37_79b9))), ..Self::unscrambled(dimensions) }
    }

    /// The points as they are published, of which the first is the origin.
    ///
    /// # Panics
    /// If there are more than [`DIMENSIONS`] coordinates.
    #[must_use]
    pub fn unscrambled(dimensions: usize) -> Self {
        assert!(dimensions <= DIMENSIONS, "a point has at most {DIMENSIONS} coordinates");
        Self { directions: (0..dimensions).map(directions).collect(), seed: None }
    }

    /// One coordinate of the point of a number, in [0, 1).
    ///
    /// # Panics
    /// If there is no such coordinate.
    #[must_use]
    pub fn coordinate(&self, point: u32, dimension: usize) -> f64 {
        let set = (0..BITS).filter(|bit| point >> bit & 1 == 1);
        let plain = set.fold(0, |x, bit| x ^ self.directions[dimension][bit]);
        let bits = self.seed.map_or(plain, |seed| scrambled(plain, mix(seed ^ mix(dimension as u32 + 1))));
        f64::from(bits) / 2_f64.powi(32)
    }
}

/// The direction numbers of a coordinate, with the first digit as the highest bit.
fn directions(dimension: usize) -> [u32; BITS] {
    let mut v = [0; BITS];
    let (a, initial) = match dimension.checked_sub(1) {
        // The sequence of van der Corput: every m is 1.
        None => return std::array::from_fn(|k| 1 << (BITS - 1 - k)),
        Some(row) => DIRECTIONS[row],
    };
    let s = initial.len();
    for k in 0..BITS {
        v[k] = if k < s {
            initial[k] << (BITS - 1 - k)
        } else {
            (1..s).fold(v[k - s] ^ (v[k - s] >> s), |x, i| x ^ (v[k - i] * (a >> (s - 1 - i) & 1)))
        };
    }
    v
}

/// The digits of a number, each exchanged or not as a hash of those before it says (Burley 2020, listing 3).
fn scrambled(bits: u32, seed: u32) -> u32 {
    let mut x = bits.reverse_bits();
    x = x.wrapping_add(seed);
    for factor in [0x6c50_b47c, 0xb82f_1e52, 0xc7af_e638, 0x8d22_f6e6_u32] {
        x ^= x.wrapping_mul(factor);
    }
    x.reverse_bits()
}

/// A number from which another far away follows (the finaliser of MurmurHash3, Appleby 2011).
fn mix(x: u32) -> u32 {
    let x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    let x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points by another implementation (SciPy 1.16, `qmc.Sobol(40, scramble=False)`), which walks in the order of Gray
    /// codes: its point 5 is the one of number 7, and its point 13 that of number 11.
    #[test]
    fn points_are_those_that_are_published() {
        let sobol = Sobol::unscrambled(40);
        let first: Vec<f64> = (0..6).map(|d| sobol.coordinate(7, d)).collect();
        assert_eq!(first, [0.875, 0.875, 0.125, 0.375, 0.875, 0.625]);
        let far: Vec<f64> = [0, 9, 19, 39].map(|d| sobol.coordinate(11, d)).to_vec();
        assert_eq!(far, [0.8125, 0.4375, 0.9375, 0.9375]);
    }

    /// What makes it a (0, m, 1)-net in every coordinate, and in the first two a (0, m, 2)-net.
    #[test]
    fn every_interval_has_its_point() {
        for sobol in
            [Sobol::unscrambled(DIMENSIONS), Sobol::new(DIMENSIONS, 1), Sobol::new(DIMENSIONS, u64::MAX)]
        {
            for d in 0..DIMENSIONS {
                let mut cells: Vec<u32> = (0..256).map(|n| (256.0 * sobol.coordinate(n, d)) as u32).collect();
                cells.sort_unstable();
                assert!(cells.into_iter().eq(0..256), "coordinate {d}");
            }
            for across in 0..=8 {
                let (wide, high) = (2_f64.powi(across), 2_f64.powi(8 - across));
                let cell = |n| {
                    (wide * sobol.coordinate(n, 0)).floor() * high + (high * sobol.coordinate(n, 1)).floor()
                };
                let mut cells: Vec<u32> = (0..256).map(|n| cell(n) as u32).collect();
                cells.sort_unstable();
                assert!(cells.into_iter().eq(0..256), "{across}");
            }
        }
    }

    #[test]
    fn seeds_differ() {
        let points = |seed| (0..4).map(|n| Sobol::new(3, seed).coordinate(n, 2)).collect::<Vec<_>>();
        assert_ne!(points(1), points(2));
        assert_ne!(points(1), points(1 << 32));
        assert_eq!(points(3), points(3));
    }
}
