//! Blocks of 3×3 numbers, column after column, and vectors padded to four numbers, so that compilers use
//! whole registers.

use crate::number::Number;

/// A block, column after column.
pub(crate) type Block<T> = [T; 9];

/// Three numbers of a node and a fourth that is 0.
pub(crate) type Vec4<T> = [T; 4];

/// A block from its rows.
#[inline(always)]
pub(crate) fn from_rows<T: Number>(rows: [[T; 3]; 3]) -> Block<T> {
    let [[a, b, c], [d, e, f], [g, h, i]] = rows;
    [a, d, g, b, e, h, c, f, i]
}

#[inline(always)]
pub(crate) fn to_rows<T: Number>(block: &Block<T>) -> [[T; 3]; 3] {
    let [a, d, g, b, e, h, c, f, i] = *block;
    [[a, b, c], [d, e, f], [g, h, i]]
}

#[inline(always)]
pub(crate) fn transposed<T: Number>(b: &Block<T>) -> Block<T> {
    [b[0], b[3], b[6], b[1], b[4], b[7], b[2], b[5], b[8]]
}

/// Four numbers of a block from one on, copied as a whole: for single numbers compilers emit single loads.
#[inline(always)]
fn from<T: Number, const FIRST: usize>(block: &Block<T>) -> T::Four {
    let four = block[FIRST..].first_chunk();
    T::four(four.copied().unwrap_or([T::ZERO; 4]))
}

/// `sum += weight * block`.
#[inline(always)]
pub(crate) fn add_scaled<T: Number>(sum: &mut Block<T>, weight: T, block: &Block<T>) {
    let four = T::four([weight; 4]);
    let [a, b, c, d] = T::array(from::<T, 0>(sum) + four * from::<T, 0>(block));
    let [e, f, g, h] = T::array(from::<T, 4>(sum) + four * from::<T, 4>(block));
    *sum = [a, b, c, d, e, f, g, h, sum[8] + weight * block[8]];
}

/// `sum + weight * x`.
#[inline(always)]
pub(crate) fn plus_scaled<T: Number>(sum: Vec4<T>, weight: T, x: &Vec4<T>) -> Vec4<T> {
    T::array(T::four(sum) + T::four([weight; 4]) * T::four(*x))
}

/// The sum of blocks times vectors. The last columns have a register of their own, shifted by one: read so, no load
/// leaves its block.
#[derive(Clone, Copy)]
pub(crate) struct Product<T: Number> {
    first: T::Four,
    last: T::Four,
}

impl<T: Number> Product<T> {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        let zero = T::four([T::ZERO; 4]);
        Self { first: zero, last: zero }
    }

    /// Adds blocks times the entries of `x` that their columns name.
    #[inline(always)]
    pub(crate) fn add_row<'a>(
        &mut self,
        entries: impl Iterator<Item = (&'a Block<T>, &'a u32)>,
        x: &[Vec4<T>],
    ) {
        for (b, &column) in entries {
            self.add(b, &x[column as usize]);
        }
    }

    /// Adds a block times a vector.
    #[inline(always)]
    pub(crate) fn add(&mut self, b: &Block<T>, x: &Vec4<T>) {
        self.first =
            self.first + (from::<T, 0>(b) * T::four([x[0]; 4]) + from::<T, 3>(b) * T::four([x[1]; 4]));
        self.last = self.last + from::<T, 5>(b) * T::four([x[2]; 4]);
    }

    #[inline(always)]
    pub(crate) fn sum(self) -> Vec4<T> {
        let (f, l) = (T::array(self.first), T::array(self.last));
        [f[0] + l[1], f[1] + l[2], f[2] + l[3], T::ZERO]
    }
}

/// A block times a vector.
#[inline(always)]
pub(crate) fn times<T: Number>(block: &Block<T>, x: &Vec4<T>) -> Vec4<T> {
    let mut product = Product::zero();
    product.add(block, x);
    product.sum()
}

/// A symmetric block's inverse, of its upper triangle. A block that is not numerically positive definite gets
/// the inverse of the magnitude of its trace times the identity, so that solves still act on the node; one
/// whose trace is zero or not finite gets zeros.
pub(crate) fn inverse<T: Number>(block: &Block<T>) -> Block<T> {
    let b = block.map(T::wide);
    let (a, d, f) = (b[0], b[4], b[8]);
    let (p, q, r) = (b[3], b[6], b[7]);
    let trace = a + d + f;
    if trace == 0.0 || !trace.is_finite() {
        return [T::ZERO; 9];
    }
    let (c00, c01, c02) = (d * f - r * r, q * r - p * f, p * r - q * d);
    let determinant = a * c00 + p * c01 + q * c02;
    let minor = a * d - p * p;
    let s = trace / 3.0;
    let floor = T::SHIFT.wide() * 1e-3;
    let positive = s > 0.0 && a > floor * s && minor > floor * s * s && determinant > floor * s * s * s;
    let (c11, c12, c22) = (a * f - q * q, p * q - a * r, minor);
    let scale = 1.0 / determinant;
    let inverse = [c00, c01, c02, c01, c11, c12, c02, c12, c22].map(|c| T::of(c * scale));
    if positive && inverse.iter().all(|c| c.wide().is_finite()) {
        return inverse;
    }
    let mut scaled = [T::ZERO; 9];
    let one = T::of(1.0 / trace.abs());
    if one.wide().is_finite() {
        (scaled[0], scaled[4], scaled[8]) = (one, one, one);
    }
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_is_one_and_falls_back_to_the_trace() {
        let block = from_rows([[4.0, 1.0, 0.5], [1.0, 3.0, -0.25], [0.5, -0.25, 2.0]]);
        let inverse_of = inverse(&block);
        for k in 0..3 {
            let column = [block[3 * k], block[3 * k + 1], block[3 * k + 2], 0.0];
            let unit = times(&inverse_of, &column);
            for (i, value) in unit.into_iter().take(3).enumerate() {
                assert!((value - f64::from(u8::from(i == k))).abs() < 1e-14);
            }
        }
        let line = from_rows([[1.0, 1.0, 1.0]; 3]);
        assert_eq!(
            to_rows(&inverse(&line)),
            [[1.0 / 3.0, 0.0, 0.0], [0.0, 1.0 / 3.0, 0.0], [0.0, 0.0, 1.0 / 3.0]]
        );
        assert_eq!(inverse(&line.map(|x| -x)), inverse(&line));
        assert_eq!(inverse(&[f64::NAN; 9]), [0.0; 9]);
        assert_eq!(inverse(&[0.0f32; 9]), [0.0; 9]);
    }

    #[test]
    fn a_product_is_that_of_rows() {
        let block = from_rows([[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
        assert_eq!(times(&block, &[1.0, 10.0, 100.0, 0.0]), [321.0, 654.0, 987.0, 0.0]);
        assert_eq!(to_rows(&transposed(&block))[0], [1.0, 4.0, 7.0]);
    }
}
