//! [`ReadMesh`]: a mesh as it is simulated, and how its numbers belong to those of the file.

use pliant_io::{Attributes, Mesh};
use pliant_mesh::{RepairReport, TriMesh};

/// A mesh as it is simulated, not yet placed.
pub(super) struct ReadMesh {
    pub(super) mesh: Mesh,
    /// The number here of each vertex of the file, where some were removed.
    pub(super) renumbered: Option<Vec<Option<u32>>>,
    /// What was repaired, where the scene asked for it.
    pub(super) repaired: Option<RepairReport>,
    /// The surface that was filled, which the solid carries.
    pub(super) surface: Option<TriMesh>,
    /// What the file says of its vertices and elements by name, if that was wanted: those of the file, not those that were kept.
    pub(super) attributes: Attributes,
    /// What is worth knowing, a sentence each.
    pub(super) notes: Vec<String>,
}

impl ReadMesh {
    /// A mesh with the numbers that it came with.
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
