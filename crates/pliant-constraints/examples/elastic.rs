//! Elastic materials: one triangle of cloth and one tetrahedron of rubber, stretched, and their forces.
//!
//! ```text
//! cargo run -p pliant-constraints --example elastic
//! ```

#![allow(clippy::print_stdout, reason = "an example speaks to its reader")]

use nalgebra::Vector3;
use pliant_constraints::{
    ElasticError, Lame, NeoHookeanTet, Orthotropic, StVkMembrane, StVkTet, Update, project,
};

fn main() -> Result<(), ElasticError> {
    // A square metre of cloth in two triangles would carry E t = 1200 N at a strain of one along its warp;
    // this is one half of it.
    let sheet = [Vector3::zeros(), Vector3::x(), Vector3::y()];
    let cloth = Orthotropic { warp: 3e6, weft: 1e6, poisson: 0.0, shear: 5e4 };
    let along = StVkMembrane::orthotropic(&sheet, &cloth, &Vector3::x(), 4e-4)?;
    println!("cloth, stretched by 1 %: force on the pulled corner in newtons");
    for (name, corner) in [("along the warp", 1), ("along the weft", 2)] {
        let mut x = sheet;
        x[corner] *= 1.01;
        println!("  {name:<15} {:>8.3}", along.energy_gradient(&x)[corner].norm());
    }

    // The same rubber as two kinds of solid: they agree while the deformation is small.
    let corner = [Vector3::zeros(), Vector3::x() * 0.1, Vector3::y() * 0.1, Vector3::z() * 0.1];
    let stable = NeoHookeanTet::elastic(&corner, 1e6, 0.45)?;
    let green = StVkTet::elastic(&corner, Lame::solid(1e6, 0.45)?)?;
    println!("rubber, x1 moved to a multiple of its distance: force along it in newtons");
    println!("  multiple  neo-Hookean        StVK");
    for stretch in [1.5, 1.1, 1.001, 0.9, 0.5, 0.0, -1.0] {
        let mut x = corner;
        x[1] *= stretch;
        let (a, b) = (stable.energy_gradient(&x)[1].x, green.energy_gradient(&x)[1].x);
        println!("  {stretch:>8}  {a:>11.3} {b:>11.3}");
    }

    // One XPBD substep of 1 ms turns the inverted one round, point masses 1 g.
    let mut x = corner;
    x[1] = -x[1];
    let alpha_tilde = stable.compliance / (1e-3 * 1e-3);
    let mut lambda = [0.0; 2];
    for iteration in 0..5 {
        let dx = project(&stable.kind, &x, &[1e3; 4], alpha_tilde, Update::xpbd(), &mut lambda);
        for (x, dx) in x.iter_mut().zip(dx) {
            *x += dx;
        }
        println!("after projection {}: x1 − x0 = {:+.4} m along x", iteration + 1, (x[1] - x[0]).x);
    }
    Ok(())
}
