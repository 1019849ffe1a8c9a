//! Random points, stencils, weights and motions.
//!
//! A *stencil* is the points of one constraint. Three kinds are needed: [`stencil`] is well shaped, so that
//! every formula keeps nearly all of its digits; [`near_degenerate`] loses some of them on purpose;
//! [`degenerate`] is exactly collapsed and requires only a finite answer.

use nalgebra::{Quaternion, Rotation3, UnitQuaternion, Vector3};
use proptest::prelude::*;

/// A point in the cube [−`scale`, `scale`]³, m.
pub fn point(scale: f64) -> impl Strategy<Value = Vector3<f64>> {
    prop::array::uniform(-scale..=scale).prop_map(|[x, y, z]| Vector3::new(x, y, z))
}

/// Points anywhere in the cube [−`scale`, `scale`]³, m: of any shape, rarely a degenerate one.
pub fn points<const N: usize>(scale: f64) -> impl Strategy<Value = [Vector3<f64>; N]> {
    prop::array::uniform(point(scale))
}

/// A well-shaped stencil of any size (10⁻² to 10² m), place and orientation.
///
/// Up to four points come from a regular simplex whose corners are moved by at most a fifth of its edge, so
/// that no length, area or volume is near zero and a tetrahedron keeps its orientation; more points lie about
/// as far apart on a sphere.
///
/// ```
/// use pliant_testkit::stencil;
/// use proptest::prelude::*;
///
/// proptest!(|(x in stencil::<4>())| {
///     let volume = (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0;
///     prop_assert!(volume > 0.01 * (x[1] - x[0]).norm().powi(3));
/// });
/// ```
pub fn stencil<const N: usize>() -> impl Strategy<Value = [Vector3<f64>; N]> {
    (points::<N>(0.2 / 3.0_f64.sqrt()), rigid_motion(3.0), -2.0..=2.0).prop_map(|(jitter, motion, size)| {
        let scale = 10.0_f64.powf(size);
        std::array::from_fn(|j| motion.apply(&(regular(j, N) + jitter[j])) * scale)
    })
}

/// Corner `j` of `n` points about one unit apart.
fn regular(j: usize, n: usize) -> Vector3<f64> {
    let simplex = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.5, 0.75_f64.sqrt(), 0.0],
        [0.5, (1.0_f64 / 12.0).sqrt(), (2.0_f64 / 3.0).sqrt()],
    ];
    if n <= simplex.len() {
        return Vector3::from(simplex[j]);
    }
    // A spiral over the sphere: every turn advances by the golden angle.
    let (j, n) = (j as f64, n as f64);
    let radius = n.sqrt() / 3.0;
    let z = 1.0 - (2.0 * j + 1.0) / n;
    let turn = j * std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let r = (1.0 - z * z).sqrt();
    Vector3::new(r * turn.cos(), r * turn.sin(), z) * radius
}

/// A stencil that is nearly collapsed: two points close together, or all near a line, a plane or a point, by
/// a factor down to 10⁻⁵, or a stencil of ordinary shape far away from the origin.
pub fn near_degenerate<const N: usize>() -> impl Strategy<Value = [Vector3<f64>; N]> {
    let shape = (points::<N>(1.0), rotation(), point(1.0));
    (shape, 0..5_u8, -5.0..=-1.0, 0..N.max(1), 0..N.max(1)).prop_map(
        |((x, turn, place), sort, exponent, a, b)| {
            let small = 10.0_f64.powf(exponent);
            let squash = |by: Vector3<f64>| x.map(|p| turn * p.component_mul(&by) + place);
            match sort {
                0 => {
                    let mut near = x;
                    near[a] = x[b] + x[a] * small;
                    near
                }
                1 => squash(Vector3::new(1.0, small, small)),
                2 => squash(Vector3::new(1.0, 1.0, small)),
                3 => squash(Vector3::repeat(small)),
                _ => x.map(|p| p + place * (0.01 / small)),
            }
        },
    )
}

/// A stencil that is exactly collapsed, or may be: corners of a coarse integer lattice, with coinciding
/// points, points in line and points in a plane.
pub fn degenerate<const N: usize>() -> impl Strategy<Value = [Vector3<f64>; N]> {
    let lattice = prop::array::uniform::<_, N>(prop::array::uniform::<_, 3>(-1_i8..=1));
    (lattice, 0..4_u8, -3..=3_i32).prop_map(|(lattice, sort, exponent)| {
        let scale = 10.0_f64.powi(exponent);
        lattice.map(|[x, y, z]| {
            let p = Vector3::new(f64::from(x), f64::from(y), f64::from(z));
            scale
                * match sort {
                    0 => p,
                    1 => Vector3::new(p.x, p.y, 0.0),
                    2 => Vector3::new(p.x, 2.0 * p.x, -p.x),
                    _ => Vector3::repeat(1.0),
                }
        })
    })
}

/// Inverse masses, 1/kg: positive ones over five orders of magnitude, and zero (a fixed point) one time in five.
pub fn weights<const N: usize>() -> impl Strategy<Value = [f64; N]> {
    prop::array::uniform(prop_oneof![4 => positive_weight(), 1 => Just(0.0)])
}

/// Inverse masses of free points, 1/kg, over five orders of magnitude.
pub fn positive_weights<const N: usize>() -> impl Strategy<Value = [f64; N]> {
    prop::array::uniform(positive_weight())
}

fn positive_weight() -> impl Strategy<Value = f64> {
    (-2.0..=3.0).prop_map(|e: f64| 10.0_f64.powf(e))
}

/// A scaled compliance α̃ = α/h²: zero one time in three, otherwise from 10⁻⁶ to 10⁶.
pub fn scaled_compliance() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 2 => (-6.0..=6.0).prop_map(|e: f64| 10.0_f64.powf(e))]
}

/// A rotation, uniformly distributed.
pub fn rotation() -> impl Strategy<Value = Rotation3<f64>> {
    prop::array::uniform::<_, 4>(-1.0..=1.0_f64).prop_map(|[w, i, j, k]| {
        let q = Quaternion::new(w, i, j, k);
        // An exactly uniform distribution would need rejection; an approximate one is enough, and shrinking
        // ends at the identity.
        let q = if q.norm() < 0.1 { Quaternion::new(1.0, 0.0, 0.0, 0.0) } else { q };
        UnitQuaternion::from_quaternion(q).to_rotation_matrix()
    })
}

/// A rotation followed by a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidMotion {
    /// The rotation, about the origin.
    pub rotation: Rotation3<f64>,
    /// The translation, m.
    pub translation: Vector3<f64>,
}

impl RigidMotion {
    /// The image of a point.
    #[must_use]
    pub fn apply(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * x + self.translation
    }
}

/// A rigid motion with a translation of up to `distance` metres along each axis.
pub fn rigid_motion(distance: f64) -> impl Strategy<Value = RigidMotion> {
    (rotation(), point(distance)).prop_map(|(rotation, translation)| RigidMotion { rotation, translation })
}
