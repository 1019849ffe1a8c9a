//! [`Method`]: how points of a sample are drawn.

use serde::Deserialize;

use crate::sobol::Sobol;

/// How the points of a sample are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Independent of each other, evenly distributed.
    Random,
    /// A scrambled [Sobol sequence](Sobol): as many points see more, because none are close to each other.
    Sobol,
}

/// Points of a sample, for keys in the order of their names.
#[derive(Debug)]
pub(crate) enum Draw {
    Random { seed: u64, keys: Vec<u64> },
    Sobol(Sobol),
}

impl Draw {
    /// The sample of some keys; there are at most [`DIMENSIONS`](crate::DIMENSIONS) for a Sobol sequence.
    pub(crate) fn new<'a>(method: Method, seed: u64, keys: impl Iterator<Item = &'a str>) -> Self {
        match method {
            Method::Random => Self::Random { seed, keys: keys.map(|key| of_text(key.as_bytes())).collect() },
            Method::Sobol => Self::Sobol(Sobol::new(keys.count(), seed)),
        }
    }

    /// A coordinate in [0, 1) of the point of a number.
    #[allow(clippy::cast_precision_loss, reason = "53 bits")]
    pub(crate) fn coordinate(&self, point: u32, key: usize) -> f64 {
        match self {
            Self::Sobol(sobol) => sobol.coordinate(point, key),
            // By the name of the key and the number alone, so that a study that grows keeps its points.
            Self::Random { seed, keys } => {
                let bits = mix(mix(*seed ^ keys[key]).wrapping_add(u64::from(point)));
                (bits >> 11) as f64 / (1_u64 << 53) as f64
            }
        }
    }
}

/// A step of SplitMix64 (Steele et al. 2014).
fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// FNV-1a.
fn of_text(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |x, &b| (x ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_even_and_independent() {
        let draw = Draw::new(Method::Random, 3, ["a", "b"].into_iter());
        let mut table = [[0; 4]; 4];
        for n in 0..16_000 {
            let cell = |key| (4.0 * draw.coordinate(n, key)) as usize;
            table[cell(0)][cell(1)] += 1;
        }
        // Five standard deviations around a thousand.
        assert!(table.iter().flatten().all(|count| (850..1150).contains(count)), "{table:?}");
    }
}
