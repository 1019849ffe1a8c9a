//! Small simulations whose answers are known. `oracles` runs them with the settings of its files, `validate`
//! over ranges of substeps and iterations.

pub(crate) mod beam;
pub(crate) mod chain;
pub(crate) mod hung_vertex;
pub(crate) mod pendulum;
pub(crate) mod pressed_block;
pub(crate) mod spring;

use pliant_solver::{Plan, Settings};

/// Settings of one substep per step under gravity g downwards, m/s².
pub(crate) fn single_substeps(g: f64, iterations: u32) -> Settings {
    Settings {
        substeps: 1,
        iterations,
        gravity: [0.0, -g, 0.0].into(),
        plan: Plan::Sequential,
        ..Settings::default()
    }
}

/// The drag, 1/s, that multiplies velocities by 1 − rate·h in every substep of h.
pub(crate) fn drag(rate: f64, h: f64) -> f64 {
    -(1.0 - rate * h).ln() / h
}

#[cfg(test)]
mod tests {
    use super::drag;

    #[test]
    fn drag_undoes_itself() {
        let h = 1.0 / 600.0;
        assert!(((-drag(2.0, h) * h).exp() - (1.0 - 2.0 * h)).abs() < 1e-15);
    }
}
