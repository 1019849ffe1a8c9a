//! [`Parts`]: the data from which deformers are built.

use std::sync::Arc;

use pliant_deform::Weld;
use pliant_io::Mesh;
use pliant_mesh::TriMesh;

use super::rig::Rig;
use crate::source::Source;

/// The data from which deformers are built.
pub(super) struct Parts<'a> {
    pub(super) source: &'a Source,
    pub(super) mesh: &'a TriMesh,
    /// The same mesh, for regions.
    pub(super) held: Mesh,
    /// The points behind the vertices.
    pub(super) weld: Weld,
    pub(super) rig: Option<&'a Rig>,
    pub(super) attributes: &'a [(String, Vec<f64>)],
    pub(super) times: Arc<[f64]>,
}
