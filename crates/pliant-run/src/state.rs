//! [`State`]: the data of a simulation for files and for the journal, and their [`Layout`].

use std::io::{self, Read};

use nalgebra::Vector3;
use pliant_solver::{Float, Simulation};

use crate::residuals::residuals;

/// The data of a simulation for files: of all particles, in the order of the bodies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    /// Time, s.
    pub(crate) time: f64,
    /// Positions, m.
    pub(crate) positions: Vec<Vector3<f64>>,
    /// Velocities, m/s; empty if they are not needed.
    pub(crate) velocities: Vec<Vector3<f64>>,
    /// The largest residual at each particle, of one group after the other; empty if they are not needed.
    pub(crate) residuals: Vec<f64>,
}

impl State {
    /// The state of a simulation, with the data of that layout.
    pub(crate) fn of<T: Float>(simulation: &Simulation<T>, layout: Layout) -> Self {
        let velocities = if layout.velocities { simulation.velocities() } else { Vec::new() };
        let residuals = if layout.residuals > 0 { residuals(simulation) } else { Vec::new() };
        Self { time: simulation.time(), positions: simulation.positions(), velocities, residuals }
    }

    /// The bytes of a frame.
    pub(crate) fn to_bytes(&self, layout: Layout) -> Vec<u8> {
        let numbers = self.positions.iter().chain(&self.velocities).flat_map(Vector3::iter);
        let numbers = numbers.chain(&self.residuals);
        let mut bytes = self.time.to_le_bytes().to_vec();
        if layout.wide {
            bytes.extend(numbers.flat_map(|c| c.to_le_bytes()));
        } else {
            // The numbers were single precision before, so no bit is lost.
            bytes.extend(numbers.flat_map(|&c| (c as f32).to_le_bytes()));
        }
        bytes
    }

    /// Reads the next frame.
    pub(crate) fn read(from: &mut impl Read, layout: Layout) -> io::Result<Self> {
        let Layout { particles, velocities, residuals, wide, .. } = layout;
        let mut time = [0; 8];
        from.read_exact(&mut time)?;
        let number = |from: &mut dyn Read| -> io::Result<f64> {
            let (mut eight, mut four) = ([0; 8], [0; 4]);
            if wide {
                from.read_exact(&mut eight)?;
                Ok(f64::from_le_bytes(eight))
            } else {
                from.read_exact(&mut four)?;
                Ok(f64::from(f32::from_le_bytes(four)))
            }
        };
        let mut vectors = |count: usize| -> io::Result<Vec<Vector3<f64>>> {
            (0..count).map(|_| Ok(Vector3::new(number(from)?, number(from)?, number(from)?))).collect()
        };
        let positions = vectors(particles)?;
        let velocities = vectors(if velocities { particles } else { 0 })?;
        let residuals = (0..residuals * particles).map(|_| number(from)).collect::<io::Result<_>>()?;
        Ok(Self { time: f64::from_le_bytes(time), positions, velocities, residuals })
    }
}

/// How the frames in `frames.bin` are laid out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layout {
    /// Whether they are kept at all.
    pub(crate) kept: bool,
    pub(crate) particles: usize,
    pub(crate) velocities: bool,
    /// Groups of constraints whose residuals are kept for every particle.
    pub(crate) residuals: usize,
    /// Whether numbers have eight bytes instead of four.
    pub(crate) wide: bool,
}
