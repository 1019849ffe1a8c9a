//! [`Rig`]: what carries the mesh.

use pliant_mesh::{Clip, Skeleton, Skin};

/// What carries the mesh.
pub(super) struct Rig {
    pub(super) skeleton: Skeleton,
    pub(super) skin: Skin,
    pub(super) clip: Clip,
}
