//! [`Simulation::reach_errors`]: bounds on the errors of the lengths of paths to the pins.

use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};

use crate::set::constraint_set::Look;
use crate::world::World;
use pliant_kernel::Scalar;

impl<T: Scalar> World<T> {
    pub(crate) fn for_each_residual_here(&self, group: &str, look: &mut Look<'_>) -> bool {
        let Some(running) = self.fine.sets.iter().find(|running| running.name == group) else { return false };
        let mut particles = Vec::new();
        running.set.for_each_residual(&self.state_of(running), &mut |constraint, internal, residuals| {
            particles.clear();
            particles.extend(internal.iter().map(|&v| self.caller(v as usize) as u32));
            look(constraint, &particles, residuals);
        });
        true
    }

    pub(crate) fn reach_errors_here(&self, group: &str) -> Option<Vec<f64>> {
        let n = self.len();
        let mut graph: UnGraph<(), f64, u32> = UnGraph::with_capacity(n + 1, 0);
        let nodes: Vec<NodeIndex<u32>> = (0..=n).map(|_| graph.add_node(())).collect();
        let found = self.for_each_residual_here(group, &mut |_, particles, residuals| {
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
