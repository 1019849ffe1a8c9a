//! The deformation gradient of a linear tetrahedron, and gradients through it.

use nalgebra::{Matrix3, Vector3};

use crate::real::Real;

/// The columns f_a of F = D D̄⁻¹ with D = [x1−x0, x2−x0, x3−x0]; `inverse[j][a]` is D̄⁻¹.
#[inline(always)]
pub(crate) fn deformation_gradient<T: Real>(inverse: &[[T; 3]; 3], x: &[Vector3<T>; 4]) -> [Vector3<T>; 3] {
    let (d1, d2, d3) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let [i1, i2, i3] = inverse;
    [
        d1 * i1[0] + d2 * i2[0] + d3 * i3[0],
        d1 * i1[1] + d2 * i2[1] + d3 * i3[1],
        d1 * i1[2] + d2 * i2[2] + d3 * i3[2],
    ]
}

/// Gradients [g1 g2 g3] = (∂C/∂F) D̄⁻ᵀ and g0 = −Σ of a function of F, from the columns of ∂C/∂F.
#[inline(always)]
pub(crate) fn point_gradients<T: Real>(inverse: &[[T; 3]; 3], p: &[Vector3<T>; 3]) -> [Vector3<T>; 4] {
    let [i1, i2, i3] = inverse;
    let g1 = p[0] * i1[0] + p[1] * i1[1] + p[2] * i1[2];
    let g2 = p[0] * i2[0] + p[1] * i2[1] + p[2] * i2[2];
    let g3 = p[0] * i3[0] + p[1] * i3[1] + p[2] * i3[2];
    [-(g1 + g2 + g3), g1, g2, g3]
}

/// D̄⁻¹ by rows.
pub(crate) fn rows(inverse: &Matrix3<f64>) -> [[f64; 3]; 3] {
    std::array::from_fn(|j| std::array::from_fn(|a| inverse[(j, a)]))
}

/// The shortest row of D̄⁻¹, 1/m: the inverse of the tetrahedron's largest altitude.
pub(crate) fn shortest_row(inverse: &[[f64; 3]; 3]) -> f64 {
    let [a, b, c] = inverse.map(Vector3::from);
    [-(a + b + c), a, b, c].iter().map(Vector3::norm).fold(f64::INFINITY, f64::min)
}

/// Writes D̄⁻¹ into nine places.
#[inline(always)]
pub(crate) fn write_inverse<T: Real>(inverse: &[[T; 3]; 3], rest: &mut [T]) {
    for j in 0..3 {
        for a in 0..3 {
            rest[3 * j + a] = inverse[j][a];
        }
    }
}

/// D̄⁻¹ from nine places.
#[inline(always)]
pub(crate) fn read_inverse<T: Real>(rest: &[T]) -> [[T; 3]; 3] {
    [[rest[0], rest[1], rest[2]], [rest[3], rest[4], rest[5]], [rest[6], rest[7], rest[8]]]
}
