//! [`Category`]: the purpose of constraints.

/// The purpose of a group of constraints; groups are solved category by category.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Category {
    /// Resistance of edges to stretching. Elements: the edges of the mesh.
    Edges,
    /// Resistance of triangles to stretching and shearing. Elements: the triangles.
    Membranes,
    /// Resistance of hinges to bending. Elements: the hinges.
    Bending,
    /// Resistance of tetrahedra to a change of volume. Elements: the tetrahedra.
    Volumes,
    /// Resistance of tetrahedra to a change of shape. Elements: the tetrahedra.
    Solids,
    /// Groups of vertices that keep their shape.
    Shapes,
    /// Volume inside closed surfaces.
    Pressure,
    /// Stitches and attachments between bodies.
    Ties,
    /// Limits of the stretch of edges and triangles.
    Limits,
    /// [Constraints of the caller's own](crate::CustomConstraints). They have their own compliances and damping.
    Custom,
}

impl Category {
    /// All of them, in the default order.
    pub(crate) const ALL: [Self; 10] = [
        Self::Edges,
        Self::Membranes,
        Self::Bending,
        Self::Volumes,
        Self::Solids,
        Self::Shapes,
        Self::Pressure,
        Self::Ties,
        Self::Limits,
        Self::Custom,
    ];
}
