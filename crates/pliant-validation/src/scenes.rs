//! Small simulations whose answers are known. `oracles` runs them with the settings of its files, `validate`
//! over ranges of substeps and iterations.

pub(crate) mod beam;
pub(crate) mod chain;
pub(crate) mod hung_vertex;
pub(crate) mod pendulum;
pub(crate) mod pressed_block;
pub(crate) mod spring;

use pliant_solver::{Method, Plan, Settings};

/// How the equations of a substep are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scheme {
    pub(crate) method: Method,
    /// Sweeps of a substep, before anything else that the method does.
    pub(crate) iterations: u32,
    /// The accuracy that the method is asked for, if it has one.
    pub(crate) accuracy: f64,
}

impl Scheme {
    /// So many sweeps.
    pub(crate) fn sweeps(iterations: u32) -> Self {
        Self { iterations, ..Self::by(Method::Sweeps, 0.0) }
    }

    /// A method, with one sweep, to an accuracy.
    pub(crate) fn by(method: Method, accuracy: f64) -> Self {
        Self { method, iterations: 1, accuracy }
    }

    /// Settings of the scheme: sweeps in the order of the mesh, as other programs have it; other methods need clusters.
    pub(crate) fn settings(self) -> Settings {
        let Self { method, iterations, accuracy } = self;
        let usual = Settings { method, iterations, ..Settings::default() };
        match method {
            Method::Sweeps => Settings { plan: Plan::Sequential, ..usual },
            _ => Settings { accuracy, ..usual },
        }
    }
}

/// Settings of one substep per step under gravity g downwards, m/s².
pub(crate) fn single_substeps(g: f64, scheme: Scheme) -> Settings {
    Settings { substeps: 1, gravity: [0.0, -g, 0.0].into(), ..scheme.settings() }
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
