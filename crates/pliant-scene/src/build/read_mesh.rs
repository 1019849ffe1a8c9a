//! [`ReadMesh`]: a mesh to simulate, and how its numbers map to those of the file.

use pliant_io::{Attributes, Mesh};
use pliant_mesh::{RepairReport, TriMesh};

/// A mesh to simulate, not yet placed.
pub(super) struct ReadMesh {
    pub(super) mesh: Mesh,
    /// The new number of each vertex of the file, if some were removed.
    pub(super) renumbered: Option<Vec<Option<u32>>>,
    /// The repairs, if the scene asked for them.
    pub(super) repaired: Option<RepairReport>,
    /// The surface that was filled, which the solid carries.
    pub(super) surface: Option<TriMesh>,
    /// The groups and attributes of the file, if they are needed. They refer to the elements of the file,
    /// including removed ones.
    pub(super) attributes: Attributes,
    /// Remarks, one sentence each.
    pub(super) notes: Vec<String>,
}

impl ReadMesh {
    /// A mesh that keeps its numbers.
    pub(super) fn whole(mesh: Mesh, notes: Vec<String>) -> Self {
        Self {
            mesh,
            renumbered: None,
            repaired: None,
            surface: None,
            attributes: Attributes::default(),
            notes,
        }
    }
}
