//! The deformation gradient of a linear triangle in space.

use nalgebra::{Vector2, Vector3};

use crate::real::Real;

/// The columns f_a of F = D D̄⁻¹ with D = [x1−x0, x2−x0]; `inverse[j][a]` is D̄⁻¹.
#[inline(always)]
pub(crate) fn deformation_gradient<T: Real>(inverse: &[[T; 2]; 2], x: &[Vector3<T>; 3]) -> [Vector3<T>; 2] {
    let (d1, d2) = (x[1] - x[0], x[2] - x[0]);
    let [i1, i2] = inverse;
    [d1 * i1[0] + d2 * i2[0], d1 * i1[1] + d2 * i2[1]]
}

/// The shortest row of D̄⁻¹, that of x0 included, 1/m: the inverse of the triangle's largest altitude.
pub(crate) fn shortest_row(inverse: &[[f64; 2]; 2]) -> f64 {
    let [a, b] = inverse.map(Vector2::from);
    a.norm().min(b.norm()).min((a + b).norm())
}
