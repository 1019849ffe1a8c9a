//! [`hermite`]: the cubic between two values with given tangents.

/// The cubic Hermite basis at `s`, the fraction of the way: the weights of the value at the start, of the
/// tangent there, of the value at the end, and of the tangent there. Tangents are changes over the whole way.
///
/// ```
/// // s³ has the values 0 and 1 and the tangents 0 and 3.
/// let [start, start_tangent, end, end_tangent] = pliant_mesh::hermite(0.5);
/// assert_eq!(0.0 * start + 0.0 * start_tangent + 1.0 * end + 3.0 * end_tangent, 0.125);
/// ```
#[must_use]
pub fn hermite(s: f64) -> [f64; 4] {
    let (s2, s3) = (s * s, s * s * s);
    [2.0 * s3 - 3.0 * s2 + 1.0, s3 - 2.0 * s2 + s, 3.0 * s2 - 2.0 * s3, s3 - s2]
}
