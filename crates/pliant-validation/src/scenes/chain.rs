//! A chain that hangs from its first node.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_solver::{Assembly, Constraints, FrameReport, Settings, Simulation};

use super::{Scheme, single_substeps};
use crate::problem::Problem;

/// The group of the links, with the name that edges of meshes have.
pub(crate) const EDGES: &str = "edges";

/// Links of equal compliance between nodes of equal mass, listed from the top.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chain {
    pub(crate) links: u32,
    /// Of every node, kg.
    pub(crate) mass: f64,
    /// Length of a link at rest, m.
    pub(crate) spacing: f64,
    /// Of every link, m/N.
    pub(crate) compliance: f64,
    /// m/s²
    pub(crate) g: f64,
}

/// A chain at the end of a run.
pub(crate) struct Hung {
    /// Heights of the nodes, the fixed one first, m.
    pub(crate) heights: Vec<f64>,
    /// C + α̃λ of every link, m.
    pub(crate) residuals: Vec<f64>,
    pub(crate) report: FrameReport,
}

impl Chain {
    /// The chain at its length at rest, straight below its first node. Its links are called [`EDGES`].
    pub(crate) fn build(&self, settings: Settings) -> Result<Simulation<f64>, Problem> {
        let x: Vec<_> = (0..=self.links).map(|i| -Vector3::y() * (f64::from(i) * self.spacing)).collect();
        let mut w = vec![1.0 / self.mass; x.len()];
        w[0] = 0.0;
        let mut assembly = Assembly::new(x, w)?;
        let links: Vec<_> = (0..self.links).map(|i| [i, i + 1]).collect();
        let rest = vec![Distance { rest: self.spacing }; links.len()];
        assembly.add(Constraints::new(EDGES, links, rest, vec![self.compliance])?);
        assembly.settings(settings);
        Ok(assembly.build()?)
    }

    /// Lets it settle for some time, s, under a drag, 1/s, in substeps of `h`, s.
    pub(crate) fn hang(&self, h: f64, scheme: Scheme, drag: f64, seconds: f64) -> Result<Hung, Problem> {
        let mut sim = self.build(Settings { drag, ..single_substeps(self.g, scheme) })?;
        for _ in 0..(seconds / h).round() as u64 {
            sim.advance(h)?;
        }
        let heights: Vec<f64> = sim.positions().iter().map(|x| x.y).collect();
        let multipliers = sim.multipliers(EDGES).ok_or_else(|| Problem("a chain has links".into()))?;
        let stretches = heights.windows(2).map(|pair| (pair[0] - pair[1]).abs() - self.spacing);
        let alpha_tilde = self.compliance / (h * h);
        let residuals = stretches.zip(&multipliers).map(|(c, lambda)| c + alpha_tilde * lambda).collect();
        Ok(Hung { heights, residuals, report: sim.report() })
    }

    /// Heights of the nodes by Hooke's law, m: link i bears the mass below it.
    pub(crate) fn at_rest(&self) -> Vec<f64> {
        let mut height = 0.0;
        let mut heights = vec![height];
        for link in 0..self.links {
            let weight = self.mass * self.g * f64::from(self.links - link);
            height -= self.spacing + self.compliance * weight;
            heights.push(height);
        }
        heights
    }

    /// Extension of the whole chain at rest, m: αmgN(N + 1)/2.
    pub(crate) fn extension(&self) -> f64 {
        let n = f64::from(self.links);
        self.compliance * self.mass * self.g * n * (n + 1.0) / 2.0
    }
}
