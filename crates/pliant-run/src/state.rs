//! [`State`]: what of a simulation goes to files and is kept in the journal, and its [`Layout`].

use nalgebra::Vector3;
use pliant_solver::{Float, Simulation};

use crate::residuals::residuals;

/// What of a simulation goes to files: of all particles, in the order of the bodies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    /// Time, s.
    pub(crate) time: f64,
    /// Positions, m.
    pub(crate) positions: Vec<Vector3<f64>>,
    /// Velocities, m/s; empty where they are not wanted.
    pub(crate) velocities: Vec<Vector3<f64>>,
    /// The largest residual at each particle, of one group after the other; empty where they are not wanted.
    pub(crate) residuals: Vec<f64>,
}

impl State {
    /// What a run of that layout keeps.
    pub(crate) fn of<T: Float>(simulation: &Simulation<T>, layout: Layout) -> Self {
        let velocities = if layout.velocities { simulation.velocities() } else { Vec::new() };
        let residuals = if layout.residuals > 0 { residuals(simulation) } else { Vec::new() };
        Self { time: simulation.time(), positions: simulation.positions(), velocities, residuals }
    }
}

/// How the frames in `frames.bin` are laid out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layout {
    pub(crate) particles: usize,
    pub(crate) velocities: bool,
    /// Groups of constraints whose residuals are kept for every particle.
    pub(crate) residuals: usize,
    /// Numbers of eight bytes instead of four.
    pub(crate) wide: bool,
}

impl Layout {
    /// Bytes of a frame.
    pub(crate) fn frame_bytes(self) -> u64 {
        let numbers = self.particles * (self.residuals + if self.velocities { 6 } else { 3 });
        8 + (numbers * if self.wide { 8 } else { 4 }) as u64
    }
}
