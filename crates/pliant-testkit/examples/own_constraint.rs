//! Tests a constraint of your own: the area of a triangle.
//!
//! ```text
//! cargo run -p pliant-testkit --example own_constraint
//! ```

#![allow(clippy::print_stdout, reason = "an example speaks to its reader")]

use nalgebra::Vector3;
use pliant_constraints::Constraint;
use pliant_testkit::{CheckError, Suite, check_gradient};

/// C = |(x1 − x0) × (x2 − x0)|/2 − A₀, m².
struct TriangleArea {
    rest: f64,
}

impl TriangleArea {
    fn at_rest(x: &[Vector3<f64>; 3]) -> Self {
        Self { rest: Self { rest: 0.0 }.value(x) }
    }
}

impl Constraint<f64, 3> for TriangleArea {
    fn value(&self, x: &[Vector3<f64>; 3]) -> f64 {
        0.5 * (x[1] - x[0]).cross(&(x[2] - x[0])).norm() - self.rest
    }

    fn value_and_gradient(&self, x: &[Vector3<f64>; 3]) -> (f64, [Vector3<f64>; 3]) {
        let normal = (x[1] - x[0]).cross(&(x[2] - x[0]));
        let length = normal.norm();
        let n = if length > 0.0 { normal / length } else { Vector3::zeros() };
        // The gradient of each corner points along the height on the opposite side.
        let gradient = |p: usize, q: usize| n.cross(&(x[q] - x[p])) * 0.5;
        (0.5 * length - self.rest, [gradient(1, 2), gradient(2, 0), gradient(0, 1)])
    }
}

// In your own crate, put this line among the tests; it makes seven tests.
pliant_testkit::constraint_suite!(mod area, free, 3 points, TriangleArea::at_rest);

fn main() -> Result<(), CheckError> {
    // One stencil by hand ...
    let x = [Vector3::zeros(), Vector3::x(), Vector3::y()];
    check_gradient(&TriangleArea { rest: 0.2 }, &x, 1e-9)?;

    // ... and hundreds of random ones.
    let suite = Suite::new();
    suite.gradients(TriangleArea::at_rest);
    suite.translation(TriangleArea::at_rest);
    suite.rotation(TriangleArea::at_rest);
    suite.rigid_motion(TriangleArea::at_rest);
    suite.momentum(TriangleArea::at_rest);
    suite.linearised(TriangleArea::at_rest);
    suite.finite(TriangleArea::at_rest);
    println!("the area of a triangle: {} cases of each check passed", suite.cases);
    Ok(())
}
