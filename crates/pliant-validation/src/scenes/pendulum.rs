//! A rigid pendulum.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_solver::{Assembly, Constraints};

use super::{Scheme, single_substeps};
use crate::problem::Problem;

/// How long the pendulum swings, s.
const SECONDS: f64 = 10.0;

pub(crate) struct Pendulum {
    /// m
    pub(crate) length: f64,
    /// kg
    pub(crate) mass: f64,
    /// Where it is released, rad from the vertical.
    pub(crate) angle: f64,
    /// m/s²
    pub(crate) g: f64,
    /// Compliance of the rod, m/N.
    pub(crate) alpha: f64,
}

pub(crate) struct Swing {
    /// Mean time of a full swing, s.
    pub(crate) period: f64,
    /// Largest error of the length, m.
    pub(crate) length_error: f64,
    /// Largest angle of the last full swing on the side where it was released, relative to the initial angle.
    pub(crate) amplitude: f64,
    /// Whether every swing is smaller than the one before.
    pub(crate) falling: bool,
}

impl Pendulum {
    /// Swings for ten seconds in substeps of `h`, s.
    pub(crate) fn swing(&self, h: f64, scheme: Scheme) -> Result<Swing, Problem> {
        let start = Vector3::new(self.angle.sin(), -self.angle.cos(), 0.0) * self.length;
        let mut assembly = Assembly::new(vec![Vector3::zeros(), start], vec![0.0, 1.0 / self.mass])?;
        let rod = Distance { rest: self.length };
        assembly.add(Constraints::new("rod", vec![[0, 1]], vec![rod], vec![self.alpha])?);
        assembly.settings(single_substeps(self.g, scheme));
        let mut sim = assembly.build::<f64>()?;

        let mut length_error = 0.0_f64;
        let (mut crossings, mut peaks) = (Vec::new(), Vec::new());
        let (mut before, mut peak) = (self.angle, 0.0_f64);
        for n in 1..=(SECONDS / h).round() as u64 {
            sim.advance(h)?;
            let x = sim.positions()[1];
            length_error = length_error.max((x.norm() - self.length).abs());
            let angle = x.x.atan2(-x.y);
            peak = peak.max(angle);
            if before > 0.0 && angle <= 0.0 {
                // The moment of passing the vertical, between two substeps.
                crossings.push((n as f64 - angle / (angle - before)) * h);
                peaks.push(peak);
                peak = 0.0;
            }
            before = angle;
        }
        let (Some(first), Some(last)) = (crossings.first(), crossings.last()) else {
            return Err(Problem("the pendulum does not swing".into()));
        };
        Ok(Swing {
            period: (last - first) / (crossings.len() - 1) as f64,
            length_error,
            amplitude: peaks.last().copied().unwrap_or(f64::NAN) / self.angle,
            falling: peaks.windows(2).all(|pair| pair[1] < pair[0]),
        })
    }
}
