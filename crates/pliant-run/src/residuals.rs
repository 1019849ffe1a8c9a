//! The residuals of the constraints at each particle.

use pliant_solver::{Float, Simulation};

/// The names of residual fields in files begin with this, followed by the name of the group.
pub const RESIDUAL: &str = "residual.";

/// Names of the groups whose residuals [`residuals`] reports, in its order.
pub(crate) fn groups<T: Float>(simulation: &Simulation<T>) -> Vec<String> {
    simulation.plan().into_iter().map(|plan| plan.name).collect()
}

/// For every group of constraints, one after the other, and for every particle: the largest |C + α̃λ| of the
/// constraints that act on it, in the unit of C; zero if there are none.
pub(crate) fn residuals<T: Float>(simulation: &Simulation<T>) -> Vec<f64> {
    let (groups, count) = (groups(simulation), simulation.len());
    let mut largest = vec![0.0_f64; groups.len() * count];
    for (group, of_group) in groups.iter().zip(largest.chunks_mut(count)) {
        simulation.for_each_residual(group, |_, particles, residuals| {
            let residual = residuals.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
            for &v in particles {
                of_group[v as usize] = of_group[v as usize].max(residual);
            }
        });
    }
    largest
}
