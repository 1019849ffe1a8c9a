//! Single against double precision: [`check_precision`].

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint as _, Kind, MAX_REST};

use crate::error::{CheckError, within};

/// Checks that a kind gives the same in `f32` as in `f64`, for inputs that both represent exactly.
///
/// Rest data and positions are rounded to `f32` first. The error of a value may be `tolerance` · (|C| + Σ
/// |g_j||x_j|), which is about the effect of rounding the positions, and that of a gradient `tolerance` times
/// the longest of its row; 1e-6 suits a well-shaped stencil near the origin.
///
/// # Errors
///
/// The first row or gradient that differs by more.
pub fn check_precision<K, const N: usize, const M: usize>(
    kind: &K,
    x: &[Vector3<f64>; N],
    tolerance: f64,
) -> Result<(), CheckError>
where
    K: Kind<N, M>,
{
    let mut rest = [0.0; MAX_REST];
    kind.write_rest(&mut rest[..K::REST]);
    let single_rest = rest.map(|r| r as f32);
    let single_x = x.map(|p| p.map(|c| c as f32));
    let x = single_x.map(|p| p.map(f64::from));
    let (single, single_g) = K::from_rest::<f32>(&single_rest[..K::REST]).values_and_gradients(&single_x);
    let double = K::from_rest::<f64>(&single_rest.map(f64::from)[..K::REST]);
    let (double, double_g) = double.values_and_gradients(&x);
    for row in 0..M {
        let sensitivity: f64 = double_g[row].iter().zip(&x).map(|(g, x)| g.norm() * x.norm()).sum();
        let difference = (f64::from(single[row]) - double[row]).abs();
        within("f32 value against f64", difference, tolerance * (double[row].abs() + sensitivity), || {
            format!("{} and {} at x = {x:?}", single[row], double[row])
        })
        .map_err(|e| e.at_row(row))?;
        let longest = double_g[row].iter().map(Vector3::norm).fold(0.0, f64::max);
        for point in 0..N {
            let (s, d) = (single_g[row][point].map(f64::from), double_g[row][point]);
            within("f32 gradient against f64", (s - d).norm(), tolerance * longest, || {
                format!("{:?} and {:?} at x = {x:?}", s.as_slice(), d.as_slice())
            })
            .map_err(|e| e.at_row(row).at_point(point))?;
        }
    }
    Ok(())
}
