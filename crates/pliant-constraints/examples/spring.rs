//! A mass on a spring, with this crate alone: how far it hangs, with and without the accumulated multiplier.
//!
//! ```text
//! cargo run -p pliant-constraints --example spring
//! ```

#![allow(clippy::print_stdout, reason = "an example speaks to its reader")]

use nalgebra::Vector3;
use pliant_constraints::{Constraint, Distance, Update, project};

/// Stretch of a spring of 1000 N/m under half a kilogram when everything has come to rest, m.
fn hangs_by(h: f64, iterations: u32, update: Update<f64>) -> f64 {
    let spring = Distance { rest: 1.0 };
    let (compliance, w) = (1e-3, [0.0, 2.0]);
    let gravity = Vector3::new(0.0, -9.8, 0.0);
    let mut x = [Vector3::zeros(), Vector3::new(0.0, -1.0, 0.0)];
    let mut velocity = Vector3::zeros();
    for _ in 0..(20.0 / h) as usize {
        // Predict, project, and take the velocity from the difference; the multiplier starts at zero in every substep.
        let before = x[1];
        velocity += gravity * h;
        x[1] += velocity * h;
        let mut lambda = [0.0];
        for _ in 0..iterations {
            let dx = project(&spring, &x, &w, compliance / (h * h), update, &mut lambda);
            x[1] += dx[1];
        }
        velocity = (x[1] - before) / h * (1.0 - 2.0 * h);
    }
    spring.value(&x)
}

fn main() {
    println!("static stretch by Hooke's law: {:.6} m", 1e-3 * 0.5 * 9.8);
    println!("{:>8} {:>11} {:>14} {:>22}", "h", "iterations", "accumulated", "without multiplier");
    for h in [1.0 / 120.0, 1.0 / 600.0] {
        for iterations in [1, 5, 20] {
            let with = hangs_by(h, iterations, Update::xpbd());
            let without = hangs_by(h, iterations, Update::without_multiplier());
            println!("{:>8} {iterations:>11} {with:>14.6} {without:>22.6}", format!("1/{:.0}", 1.0 / h));
        }
    }
}
