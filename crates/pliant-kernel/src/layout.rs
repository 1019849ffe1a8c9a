//! [`Layout`]: how constraints are batched.

/// How the constraints of a group are batched, for inspection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Layout {
    /// Number of active constraints of each colour: one number when the order is sequential; the colours are
    /// those of the clusters when there are clusters.
    pub colour_sizes: Vec<usize>,
    /// Number of clusters that hold constraints; zero without clusters.
    pub clusters: usize,
    /// Number of packs of eight; zero without packs.
    pub packs: usize,
    /// Number of lanes of the packs that hold no constraint.
    pub empty_lanes: usize,
    /// Number of packs with empty lanes: the remainders of the colours within the clusters.
    pub tail_packs: usize,
    /// Number of packs that hold the sides of triangles, whose corners are loaded and stored once for all three.
    pub triangle_packs: usize,
    /// Memory of the constraints, bytes each.
    pub bytes_per_constraint: usize,
}
