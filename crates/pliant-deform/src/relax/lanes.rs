//! Four edges side by side, in single precision.
//!
//! A particle is one 16-byte group [x, y, z, inverse mass], loaded and stored whole. Of four edges the differences of the ends are transposed, lengths and factors are
//! computed four at a time, and each correction is applied to the whole group again:
//!
//! ```text
//! d = x_a − x_b      ℓ = √max(d·d, 10⁻³⁰)      q = (push·max(L₀ − ℓ, 0) + pull·min(L₀ − ℓ, 0)) / (ℓ (w_a + w_b))
//! x_a ← x_a + (q d) w_a        x_b ← x_b − (q d) w_b
//! ```
//!
//! Where all weights are equal they cancel, and half of the correction goes to each end. Every operation is rounded as that of a single edge, in the
//! same order, so that [`one`] gives the same bits as a lane.

use wide::f32x4;

/// Lanes of a pack.
pub(super) const LANES: usize = 4;

/// Position and inverse mass.
pub(super) type Particle = [f32; 4];

/// Below this square of a length, m², an edge has no direction worth the name.
const TINY: f32 = 1e-30;

/// Strengths as a sweep has them.
#[derive(Clone, Copy)]
pub(super) struct Strength {
    pub(super) push: f32,
    pub(super) pull: f32,
}

/// The corrected ends of four edges. `sum` is w_a + w_b; it is not looked at where all weights are equal.
#[inline(always)]
pub(super) fn four<const EQUAL: bool>(
    a: [Particle; LANES],
    b: [Particle; LANES],
    rest: [f32; LANES],
    sum: [f32; LANES],
    strength: Strength,
) -> [[Particle; LANES]; 2] {
    let (xa, xb) = (a.map(f32x4::new), b.map(f32x4::new));
    let mut d = [f32x4::ZERO; LANES];
    for lane in 0..LANES {
        d[lane] = xa[lane] - xb[lane];
    }
    let [dx, dy, dz, _] = f32x4::transpose(d);
    let length = (dx * dx + dy * dy + dz * dz).fast_max(f32x4::splat(TINY)).sqrt();
    let error = f32x4::new(rest) - length;
    let wanted = f32x4::splat(strength.push) * error.fast_max(f32x4::ZERO)
        + f32x4::splat(strength.pull) * error.fast_min(f32x4::ZERO);
    let weight = if EQUAL { length + length } else { length * f32x4::new(sum) };
    let q = (wanted / weight).to_array();
    let (mut out_a, mut out_b) = (a, b);
    for lane in 0..LANES {
        let q = f32x4::splat(q[lane]);
        if EQUAL {
            // The weights are equal, so their difference in the fourth place is zero and they stay.
            let step = q * d[lane];
            out_a[lane] = (xa[lane] + step).to_array();
            out_b[lane] = (xb[lane] - step).to_array();
        } else {
            let step = q * (d[lane] * f32x4::new([1.0, 1.0, 1.0, 0.0]));
            out_a[lane] = (xa[lane] + step * f32x4::splat(a[lane][3])).to_array();
            out_b[lane] = (xb[lane] - step * f32x4::splat(b[lane][3])).to_array();
        }
    }
    [out_a, out_b]
}

/// The corrected ends of one edge, to the same bits as [`four`] has them.
#[inline(always)]
pub(super) fn one<const EQUAL: bool>(
    a: Particle,
    b: Particle,
    rest: f32,
    sum: f32,
    strength: Strength,
) -> [Particle; 2] {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    let length = if square > TINY { square } else { TINY }.sqrt();
    let error = rest - length;
    let wanted = strength.push * if error > 0.0 { error } else { 0.0 }
        + strength.pull * if error < 0.0 { error } else { 0.0 };
    let q = wanted / if EQUAL { length + length } else { length * sum };
    let (mut out_a, mut out_b) = (a, b);
    for k in 0..3 {
        let step = q * d[k];
        out_a[k] += if EQUAL { step } else { step * a[3] };
        out_b[k] -= if EQUAL { step } else { step * b[3] };
    }
    [out_a, out_b]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const EQUAL: bool>(a: [Particle; 4], b: [Particle; 4], rest: [f32; 4], strength: Strength) {
        let sum = [0, 1, 2, 3].map(|l| a[l][3] + b[l][3]);
        let [four_a, four_b] = four::<EQUAL>(a, b, rest, sum, strength);
        for lane in 0..4 {
            let [one_a, one_b] = one::<EQUAL>(a[lane], b[lane], rest[lane], sum[lane], strength);
            assert_eq!(
                four_a[lane].map(f32::to_bits),
                one_a.map(f32::to_bits),
                "{:?} {:?}",
                a[lane],
                b[lane]
            );
            assert_eq!(
                four_b[lane].map(f32::to_bits),
                one_b.map(f32::to_bits),
                "{:?} {:?}",
                a[lane],
                b[lane]
            );
        }
    }

    fn particle() -> impl Strategy<Value = Particle> {
        let x = prop_oneof![4 => -1.0..1.0_f32, 1 => Just(0.5), 1 => -1e-18..1e-18_f32];
        (x.clone(), x.clone(), x, prop_oneof![Just(0.0), Just(1.0), 0.0..1.0_f32])
            .prop_map(|(x, y, z, w)| [x, y, z, w])
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn a_lane_is_an_edge(
            a in prop::array::uniform4(particle()), b in prop::array::uniform4(particle()), rest in prop::array::uniform4(0.0..2.0_f32),
            push in 0.0..1.0_f32, pull in 0.0..1.0_f32,
        ) {
            let strength = Strength { push, pull };
            let with = |w: f32| move |[x, y, z, _]: Particle| [x, y, z, w];
            check::<true>(a.map(with(1.0)), b.map(with(1.0)), rest, strength);
            // Edges between two fixed vertices are never planned.
            let b = [0, 1, 2, 3].map(|l| if a[l][3] + b[l][3] == 0.0 { with(0.5)(b[l]) } else { b[l] });
            check::<false>(a, b, rest, strength);
        }
    }

    #[test]
    fn ends_in_one_place_stay_finite() {
        let p = [0.1, 0.2, 0.3, 1.0];
        let [a, b] = one::<true>(p, p, 1.0, 2.0, Strength { push: 1.0, pull: 1.0 });
        assert_eq!((a, b), (p, p));
    }
}
