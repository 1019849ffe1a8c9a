//! [`Foldless`]: classes of vertices that can become one particle without folding an element.
//!
//! Two vertices of one element, or the two wings of one edge, cannot be one particle: the element would have no area,
//! and its constraints no two ends. In patterns a few pairs in a corner often ask for that, one after the other.

use pliant_mesh::Adjacency;

use crate::build::placed::Placed;
use crate::build::weld::find;
use crate::describe::body_shape::BodyShape;

/// Classes of vertices, in the caller's numbering, and what is beside what.
pub(crate) struct Foldless {
    /// For every vertex one of its class, by which it is known after some steps.
    towards: Vec<u32>,
    /// The other vertices of the class that is known by a vertex.
    others: Vec<Vec<u32>>,
    /// Vertices that a constraint of their elements may have beside each other.
    beside: Adjacency,
}

impl Foldless {
    /// No two vertices are one so far.
    pub(crate) fn new(bodies: &[Placed<'_>]) -> Self {
        let vertices = bodies.last().map_or(0, |last| last.particles.end);
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for at in bodies {
            if let BodyShape::Solid(mesh, _) = &at.body.shape {
                for [a, b, c, d] in at.shift(mesh.tets()) {
                    pairs.extend([[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]);
                }
            }
            for [a, b, c] in at.shift(at.surface()) {
                pairs.extend([[a, b], [b, c], [c, a]]);
            }
            if let Some(hinges) = at.hinges() {
                pairs.extend(hinges.interior.iter().map(|hinge| hinge.opposite.map(|v| v + at.first())));
            }
        }
        let beside = Adjacency::of_edges(vertices, &pairs);
        Self { towards: (0..).take(vertices).collect(), others: vec![Vec::new(); vertices], beside }
    }

    /// Whether two vertices are one.
    pub(crate) fn are_one(&mut self, a: u32, b: u32) -> bool {
        find(&mut self.towards, a) == find(&mut self.towards, b)
    }

    /// Makes two vertices, and all that are one with either, one; false, and nothing is done, if that would fold an
    /// element.
    pub(crate) fn join(&mut self, a: u32, b: u32) -> bool {
        if self.are_one(a, b) {
            return true;
        }
        let [a, b] = [a, b].map(|v| find(&mut self.towards, v));
        let of = |class: u32| std::iter::once(class).chain(self.others[class as usize].iter().copied());
        let is_of_b = |v: &u32| of(b).any(|other| other == *v);
        if of(a).any(|v| self.beside.row(v as usize).iter().any(is_of_b)) {
            return false;
        }
        let joined: Vec<u32> = of(b).collect();
        self.others[b as usize].clear();
        self.others[a as usize].extend(joined);
        self.towards[b as usize] = a;
        true
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use pliant_mesh::TriMesh;

    use super::*;
    use crate::describe::body::Body;

    #[test]
    fn vertices_of_one_element_do_not_become_one_whatever_the_way() {
        // Two squares of two triangles each, 0 to 3 and 4 to 7, split along 1–2 and 5–6.
        let square = |x: f64| {
            [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[a, b]| Vector3::new(x + a, b, 0.0))
        };
        let positions: Vec<_> = square(0.0).into_iter().chain(square(3.0)).collect();
        let triangles = vec![[0, 1, 2], [1, 3, 2], [4, 5, 6], [5, 7, 6]];
        let body = Body::cloth(TriMesh::new(positions, triangles).unwrap());
        let placed = Placed {
            number: 0,
            name: "b".into(),
            body: &body,
            particles: 0..8,
            inverse_masses: vec![1.0; 8],
        };
        let mut classes = Foldless::new(&[placed]);
        assert!(!classes.join(0, 1), "of one edge");
        assert!(!classes.join(0, 3), "wings of one edge");
        assert!(classes.join(1, 4) && classes.join(4, 1), "and once more");
        assert!(classes.join(3, 6));
        assert!(!classes.join(5, 3), "6 is one with 3, and 5 is beside 6");
        assert!(!classes.join(2, 4), "1 is one with 4, and 2 is beside 1");
        assert!(classes.join(2, 7) && classes.join(0, 5));
    }
}
