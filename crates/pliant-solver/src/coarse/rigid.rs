//! [`RigidBody`]: a body whose edges keep their lengths, for which coarse levels are made.

use nalgebra::Vector3;
use pliant_kernel::{Particles, Scalar};

use super::nodes::Nodes;

/// A body whose edges keep their lengths.
#[derive(Debug, Clone)]
pub(crate) struct RigidBody {
    /// Its first particle, in the caller's numbering.
    pub(crate) first: u32,
    /// Its vertices at rest, m.
    pub(crate) rest: Vec<Vector3<f64>>,
    /// Its edges, in the numbering of the vertices.
    pub(crate) edges: Vec<[u32; 2]>,
    /// Normals at its vertices, if it bends, so that distances across it may decrease: cloth.
    pub(crate) normals: Option<Vec<Vector3<f64>>>,
}

/// Unit normals at the vertices of triangles: sums of those of the triangles around, weighted by their areas;
/// zero if there are none.
pub(crate) fn vertex_normals(places: &[Vector3<f64>], triangles: &[[u32; 3]]) -> Vec<Vector3<f64>> {
    let mut normals = vec![Vector3::zeros(); places.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| places[v as usize]);
        let area = (b - a).cross(&(c - a));
        triangle.iter().for_each(|&v| normals[v as usize] += area);
    }
    let unit = |n: Vector3<f64>| n.try_normalize(0.0).unwrap_or_default();
    normals.into_iter().map(unit).collect()
}

/// The particles of rigid bodies as nodes, one body after the other, and their numbers in the simulation.
pub(crate) fn nodes_of<T: Scalar>(
    bodies: &[RigidBody],
    particles: &Particles<T>,
    internal: impl Fn(u32) -> u32,
) -> (Nodes, Vec<u32>) {
    let count = bodies.iter().map(|body| body.rest.len()).sum();
    let mut nodes = Nodes {
        rest: Vec::with_capacity(count),
        masses: Vec::with_capacity(count),
        held: Vec::with_capacity(count),
        bends: Vec::with_capacity(count),
        normals: Vec::with_capacity(count),
        edges: Vec::new(),
    };
    let mut numbers = Vec::with_capacity(count);
    for body in bodies {
        let before = numbers.len() as u32;
        nodes.edges.extend(body.edges.iter().map(|edge| edge.map(|v| v + before)));
        nodes.rest.extend_from_slice(&body.rest);
        numbers.extend((body.first..).take(body.rest.len()).map(&internal));
        nodes.bends.extend(std::iter::repeat_n(body.normals.is_some(), body.rest.len()));
        match &body.normals {
            Some(normals) => nodes.normals.extend_from_slice(normals),
            None => nodes.normals.extend(std::iter::repeat_n(Vector3::zeros(), body.rest.len())),
        }
    }
    for &number in &numbers {
        let free = particles.free_w[number as usize].to_f64();
        nodes.masses.push(if free > 0.0 { 1.0 / free } else { 1.0 });
        nodes.held.push(particles.now[number as usize].w.to_f64() <= 0.0);
    }
    (nodes, numbers)
}
