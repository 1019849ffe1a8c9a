//! A kind of your own: the area of a triangle, written once for `f32`, `f64` and SIMD lanes.
//!
//! ```text
//! cargo run -p pliant-constraints --example own_kind
//! ```

#![allow(clippy::print_stdout, reason = "an example speaks to its reader")]

use nalgebra::Vector3;
use pliant_constraints::{Constraint, Kind, Real, Update, norm, project, select_vector};

/// C = |(x1 − x0) × (x2 − x0)|/2 − A₀, m².
#[derive(Debug, Clone, Copy)]
struct TriangleArea<T> {
    rest: T,
}

impl<T: Real> Constraint<T, 3> for TriangleArea<T> {
    fn value(&self, x: &[Vector3<T>; 3]) -> T {
        norm(&(x[1] - x[0]).cross(&(x[2] - x[0]))) * T::splat(0.5) - self.rest
    }

    fn value_and_gradient(&self, x: &[Vector3<T>; 3]) -> (T, [Vector3<T>; 3]) {
        let half = T::splat(0.5);
        let normal = (x[1] - x[0]).cross(&(x[2] - x[0]));
        let length = norm(&normal);
        // Lanes cannot branch: both answers are computed, and a flat triangle takes the one without a division.
        let n = select_vector(length.le(T::zero()), Vector3::zeros(), normal * (T::one() / length));
        let side = |p: usize, q: usize| n.cross(&(x[q] - x[p])) * half;
        (length * half - self.rest, [side(1, 2), side(2, 0), side(0, 1)])
    }
}

impl Kind<3, 1> for TriangleArea<f64> {
    type At<T: Real> = TriangleArea<T>;
    const UNIT: &'static str = "m²";
    const REST: usize = 1;

    fn constraint(&self) -> Self {
        *self
    }

    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        rest[0] = constraint.rest;
    }

    fn from_rest<T: Real>(rest: &[T]) -> TriangleArea<T> {
        TriangleArea { rest: rest[0] }
    }
}

fn main() {
    // The rest area in double precision, the work in single.
    let keep = TriangleArea { rest: 0.5_f64 }.at::<f32>();
    let mut x = [Vector3::zeros(), Vector3::x() * 2.0, Vector3::y()];
    for step in 0..4 {
        println!("after {step} projections the area is off by {:+.2e} m²", keep.value(&x));
        let dx = project(&keep, &x, &[1.0; 3], 0.0, Update::xpbd(), &mut [0.0]);
        for (x, dx) in x.iter_mut().zip(dx) {
            *x += dx;
        }
    }
}
