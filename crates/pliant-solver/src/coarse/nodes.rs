//! [`Nodes`]: the nodes that the patches of a level consist of, from the particles of bodies up to the
//! coarsest level.

use nalgebra::Vector3;

use super::graph::Graph;
use super::patches::{Patches, Sizes};

/// Patches with a shorter mean normal are rolled up.
const ROLLED: f64 = 0.5;

/// Nodes of a level at rest.
pub(crate) struct Nodes {
    /// Centroids, m.
    pub(crate) rest: Vec<Vector3<f64>>,
    /// Masses, kg.
    pub(crate) masses: Vec<f64>,
    /// Nodes that are held: they consist only of pinned particles.
    pub(crate) held: Vec<bool>,
    /// Whether a node is of a body that bends, so that distances across it may decrease.
    pub(crate) bends: Vec<bool>,
    /// Mean normal of the surface around a node; shorter than one where the surface is bent, zero for a body
    /// that does not bend.
    pub(crate) normals: Vec<Vector3<f64>>,
    /// Pairs of nodes whose distance is kept.
    pub(crate) edges: Vec<[u32; 2]>,
}

impl Nodes {
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    /// Number of those that can move.
    pub(crate) fn free(&self) -> usize {
        self.held.iter().filter(|held| !**held).count()
    }

    /// The patches of these nodes, and the nodes that they form.
    pub(crate) fn coarsen(&self, sizes: Sizes) -> (Patches, Self) {
        let graph = Graph::new(self.rest.clone(), &self.edges);
        let patches = Patches::cover(&graph, &self.held, sizes);
        let count = patches.seeds.len();
        let of_seed =
            |list: &[bool]| patches.seeds.iter().map(|&seed| list[seed as usize]).collect::<Vec<_>>();
        let (held, bends) = (of_seed(&self.held), of_seed(&self.bends));
        let mut masses = vec![0.0; count];
        let (mut rest, mut normals) = (vec![Vector3::zeros(); count], vec![Vector3::zeros(); count]);
        for (node, shares) in patches.of.iter().enumerate() {
            for &(patch, weight) in
                shares.iter().filter(|(patch, _)| held[*patch as usize] == self.held[node])
            {
                let (patch, mass) = (patch as usize, weight * self.masses[node]);
                masses[patch] += mass;
                rest[patch] += self.rest[node] * mass;
                normals[patch] += self.normals[node] * mass;
            }
        }
        for ((centroid, normal), &mass) in rest.iter_mut().zip(&mut normals).zip(&masses) {
            *centroid /= mass;
            *normal /= mass;
        }
        let edges = patches.pairs.clone();
        (patches, Self { rest, masses, held, bends, normals, edges })
    }

    /// The largest distance, m, of two nodes that does not stretch their bodies; `None` if it is not known.
    ///
    /// Bodies that cannot bend keep the distance at rest. The distance of two patches of a sheet grows at
    /// most to the distance along the sheet: if the sheet is an arc whose ends are turned by θ relative to
    /// each other, by the factor (θ/2)/sin(θ/2). The centroids of bent patches lie inside the arc, by the
    /// length of their mean normals. Patches that are rolled up have no direction.
    pub(crate) fn distance(&self, [a, b]: [u32; 2]) -> Option<f64> {
        let (a, b) = (a as usize, b as usize);
        let chord = (self.rest[a] - self.rest[b]).norm();
        if !self.bends[a] {
            return Some(chord);
        }
        let (n, m) = (self.normals[a], self.normals[b]);
        let (long, other) = (n.norm(), m.norm());
        if long.min(other) < ROLLED {
            return None;
        }
        let half = 0.5 * libm::acos((n.dot(&m) / (long * other)).clamp(-1.0, 1.0));
        // Flat within rounding.
        let factor = if half < 1e-4 { 1.0 } else { half / libm::sin(half) };
        Some(chord * factor / long.min(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(rest: [Vector3<f64>; 2], normals: [Vector3<f64>; 2]) -> Nodes {
        Nodes {
            rest: rest.to_vec(),
            masses: vec![1.0; 2],
            held: vec![false; 2],
            bends: vec![true; 2],
            normals: normals.to_vec(),
            edges: vec![[0, 1]],
        }
    }

    #[test]
    fn an_arc_may_be_pulled_straight() {
        for turn in [0.0, 1e-5, 0.3, 1.0, 2.0, 3.1] {
            let at = |angle: f64| Vector3::new(libm::cos(angle), libm::sin(angle), 0.0);
            let nodes = pair([at(0.0) * 2.0, at(turn) * 2.0], [at(0.0), at(turn)]);
            let length = nodes.distance([0, 1]).unwrap();
            assert!((length - 2.0 * turn).abs() < 1e-9, "{length} m for an arc of {} m", 2.0 * turn);
            // Patches that are bent: centroids inside the arc.
            let nodes = pair([at(0.0) * 1.8, at(turn) * 1.8], [at(0.0) * 0.9, at(turn) * 0.9]);
            assert!((nodes.distance([0, 1]).unwrap() - length).abs() < 1e-9);
        }
    }

    #[test]
    fn a_flat_sheet_keeps_its_lengths_and_a_rolled_one_has_none() {
        let (x, y) = (Vector3::x(), Vector3::y());
        assert_eq!(pair([x, x * 4.0], [y, y]).distance([0, 1]), Some(3.0));
        assert_eq!(pair([x, x * 4.0], [y * 0.1, y]).distance([0, 1]), None);
        let rigid = Nodes { bends: vec![false; 2], ..pair([x, x * 4.0], [Vector3::zeros(); 2]) };
        assert_eq!(rigid.distance([0, 1]), Some(3.0));
    }
}
