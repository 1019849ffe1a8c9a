//! The state hash: one number that is equal only when every bit of the state is.
//!
//! Every particle is hashed by itself, together with its number, and the hashes are added modulo 2⁶⁴. The
//! hashes do not wait for each other, so hashing takes no longer than reading the state; and the sum does not
//! depend on the order, the number of threads or the numbering.

use std::ops::Range;

use nalgebra::Vector3;

use pliant_kernel::Scalar;

/// 2⁶⁴ over the golden ratio, made odd: multiplying by it loses nothing and spreads every bit upwards (Knuth,
/// volume 3, section 6.4).
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// 64-bit finaliser of MurmurHash3 (Appleby, public domain): every input bit reaches every output bit.
pub(crate) fn mix(mut h: u64) -> u64 {
    h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

/// The hash of a particle: of its number, its position and its velocity. Every step is a bijection of the
/// word that it takes, so that a change in one word is never lost.
#[inline(always)]
fn particle<T: Scalar>(number: usize, x: Vector3<T>, v: Vector3<T>) -> u64 {
    let mut h = (number as u64).wrapping_add(1).wrapping_mul(GOLDEN);
    T::words([x.x, x.y, x.z, v.x, v.y, v.z], |word| h = (h.rotate_left(29) ^ word).wrapping_mul(GOLDEN));
    mix(h)
}

/// The sum of the hashes of some particles, each of which has a number, a position and a velocity.
#[inline]
pub(crate) fn sum<T: Scalar>(
    particles: Range<usize>,
    state: impl Fn(usize) -> (usize, Vector3<T>, Vector3<T>),
) -> u64 {
    particles.fold(0, |sum, i| {
        let (number, x, v) = state(i);
        sum.wrapping_add(particle(number, x, v))
    })
}

/// The hash of `len` particles, whose own hashes have this sum.
pub(crate) fn of_all(sum: u64, len: usize) -> u64 {
    mix(sum ^ len as u64)
}

/// The hash of positions alone, such as those of a skin: that of a state in which nothing moves.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_solver::position_hash;
///
/// let x = [Vector3::<f32>::x(), Vector3::y()];
/// assert_eq!(position_hash(&x), position_hash(&x.clone()));
/// assert_ne!(position_hash(&x), position_hash(&[x[1], x[0]]));
/// ```
#[must_use]
pub fn position_hash<T: Scalar>(positions: &[Vector3<T>]) -> u64 {
    of_all(sum(0..positions.len(), |i| (i, positions[i], Vector3::zeros())), positions.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of<T: Scalar>(len: usize, state: impl Fn(usize) -> (usize, Vector3<T>, Vector3<T>)) -> u64 {
        of_all(sum(0..len, state), len)
    }

    fn hash<T: Scalar>(state: &[[T; 6]]) -> u64 {
        of(state.len(), |i| {
            let [a, b, c, d, e, f] = state[i];
            (i, Vector3::new(a, b, c), Vector3::new(d, e, f))
        })
    }

    fn numbers() -> impl Strategy<Value = f64> {
        prop_oneof![Just(0.0), Just(1.0), -10.0..10.0_f64]
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn a_bit_changes_it(
            state in prop::collection::vec([numbers(), numbers(), numbers(), numbers(), numbers(), numbers()], 1..40),
            at: prop::sample::Index,
            component in 0..6_usize,
            bits in prop::collection::vec(0..32_u32, 1..3),
        ) {
            let (double, single) = (state.clone(), state.iter().map(|s| s.map(|x| x as f32)).collect::<Vec<_>>());
            let i = at.index(state.len());
            let flipped = bits.iter().fold(0_u32, |all, bit| all | 1 << bit);
            let mut changed = single.clone();
            changed[i][component] = f32::from_bits(changed[i][component].to_bits() ^ flipped);
            prop_assert_ne!(hash(&single), hash(&changed));
            let mut changed = double.clone();
            changed[i][component] = f64::from_bits(changed[i][component].to_bits() ^ (u64::from(flipped) << 32));
            prop_assert_ne!(hash(&double), hash(&changed));
        }

        #[test]
        fn signs_do_not_cancel(i in 0..8_usize, j in 0..8_usize, a in 0..6_usize, b in 0..6_usize) {
            prop_assume!((i, a) != (j, b));
            let still = vec![[0.0_f64; 6]; 8];
            let mut changed = still.clone();
            changed[i][a] = -0.0;
            changed[j][b] = -0.0;
            prop_assert_ne!(hash(&still), hash(&changed));
            let single = |state: &[[f64; 6]]| state.iter().map(|s| s.map(|x| x as f32)).collect::<Vec<_>>();
            prop_assert_ne!(hash(&single(&still)), hash(&single(&changed)));
        }

        #[test]
        fn who_is_where_matters(i in 0..8_usize, j in 0..8_usize) {
            prop_assume!(i != j);
            let state: Vec<[f64; 6]> = (0..8).map(|i| [f64::from(i), 1.0, 0.0, 0.0, 0.0, 0.0]).collect();
            let mut swapped = state.clone();
            swapped.swap(i, j);
            prop_assert_ne!(hash(&state), hash(&swapped));
        }
    }

    #[test]
    fn the_order_of_the_particles_does_not_matter() {
        let n = 5000;
        let of_number = |i: usize| (i, Vector3::new(i as f64, 0.5, -1.0), Vector3::new(0.0, 1.0, i as f64));
        assert_eq!(of(n, of_number), of(n, |i| of_number(n - 1 - i)));
        assert_ne!(of(n, of_number), of(n - 1, of_number));
        let halves = sum(0..777, of_number).wrapping_add(sum(777..n, of_number));
        assert_eq!(of_all(halves, n), of(n, of_number));
    }
}
