//! [`Simulation::reach_errors`]: how far off the lengths of ways to the pins can be.

use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};

use crate::float::Float;
use crate::group::Look;
use crate::simulation::Simulation;

impl<T: Float> Simulation<T> {
    /// Calls `look` with every active constraint of a group: its number, its particles and the residuals of its rows, in the unit of C. Returns whether there is such a group.
    pub fn for_each_residual(&self, group: &str, mut look: impl FnMut(usize, &[u32], &[f64])) -> bool {
        T::for_each_residual(self, group, &mut look)
    }

    pub(crate) fn for_each_residual_here(&self, group: &str, look: &mut Look<'_>) -> bool {
        let Some(running) = self.groups.iter().find(|running| running.name == group) else { return false };
        let mut particles = Vec::new();
        running.group.for_each_residual(&self.state_of(running), &mut |constraint, internal, residuals| {
            particles.clear();
            particles.extend(internal.iter().map(|&v| self.caller(v as usize) as u32));
            look(constraint, &particles, residuals);
        });
        true
    }

    /// For every particle the least sum of residuals |r|, m, along a way of constraints of two particles, such as edges, to one that is held; infinite where there is no way. None if there is no such
    /// group.
    ///
    /// A length that a constraint keeps is its own plus r, so a way of such lengths is off by at most Σ|r|: no particle is further from the pin, along the way, than its multipliers say and this sum. Where there is only one way and it is
    /// taut – a chain that hangs at rest – this bounds the error of the position. In a sheet or a block positions may be off by more, because the forces may be.
    ///
    /// ```
    /// use pliant_constraints::Distance;
    /// use pliant_solver::{Assembly, Constraints, Simulation};
    /// use nalgebra::Vector3;
    ///
    /// let x: Vec<_> = (0..4).map(|i| Vector3::new(0.0, -f64::from(i), 0.0)).collect();
    /// let links = (0..3).map(|i| [i, i + 1]).collect();
    /// let mut assembly = Assembly::new(x, vec![0.0, 1.0, 1.0, 1.0])?;
    /// assembly.add(Constraints::new("edges", links, vec![Distance { rest: 0.9 }; 3], vec![0.0])?);
    /// let sim: Simulation<f64> = assembly.build()?;
    /// // Before the first step every residual is the value C = 0.1 m.
    /// let errors = sim.reach_errors("edges").unwrap();
    /// assert!(errors.iter().enumerate().all(|(i, e)| (e - 0.1 * i as f64).abs() < 1e-12));
    /// # Ok::<(), pliant_solver::BuildError>(())
    /// ```
    #[must_use]
    pub fn reach_errors(&self, group: &str) -> Option<Vec<f64>> {
        T::reach_errors(self, group)
    }

    pub(crate) fn reach_errors_here(&self, group: &str) -> Option<Vec<f64>> {
        let n = self.len();
        let mut graph: UnGraph<(), f64, u32> = UnGraph::with_capacity(n + 1, 0);
        let nodes: Vec<NodeIndex<u32>> = (0..=n).map(|_| graph.add_node(())).collect();
        let found = self.for_each_residual(group, |_, particles, residuals| {
            if let ([a, b], [r]) = (particles, residuals) {
                graph.add_edge(nodes[*a as usize], nodes[*b as usize], r.abs());
            }
        });
        for (&node, w) in nodes.iter().zip(self.inverse_masses()) {
            if w == 0.0 {
                graph.add_edge(nodes[n], node, 0.0);
            }
        }
        let sums = dijkstra(&graph, nodes[n], None, |edge| *edge.weight());
        let of = |i: usize| sums.get(&nodes[i]).copied().unwrap_or(f64::INFINITY);
        found.then(|| (0..n).map(of).collect())
    }
}
