//! [`NearPair`]: what detection lists.

/// A pair that may come near.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearPair<T> {
    /// The four particles, in the order of the weights of [`Closest`](crate::Closest).
    pub points: [u32; 4],
    /// Numbers of vertex (as a particle) and triangle, or of the two edges.
    pub elements: [u32; 2],
    /// The distance that the two keep, m: the sum of the radii of their bodies (of edges the share of it that
    /// [`Rules::edge_share`](crate::Rules::edge_share) says), or 0.95 of their distance at rest if that is
    /// less. 0 where a body rests in contact with itself: there is nothing to keep apart.
    pub keep: T,
    /// How far they are apart now, m.
    pub distance: T,
    /// The longest way that a point of one goes beside a point of the other in a substep, m, by the paths.
    pub way: T,
}

/// The two lists.
pub(super) struct Lists<T> {
    pub(super) vertex_triangle: Vec<NearPair<T>>,
    pub(super) edge_edge: Vec<NearPair<T>>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { vertex_triangle: Vec::new(), edge_edge: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    pub(super) fn clear(&mut self) {
        self.vertex_triangle.clear();
        self.edge_edge.clear();
    }

    pub(super) fn append(&mut self, other: &Self) {
        self.vertex_triangle.extend_from_slice(&other.vertex_triangle);
        self.edge_edge.extend_from_slice(&other.edge_edge);
    }
}
