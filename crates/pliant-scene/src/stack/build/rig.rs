//! [`Rig`]: the skeleton that carries the mesh, and its motion.

use pliant_mesh::{Clip, Skeleton, Skin};

/// The skeleton that carries the mesh, and its motion.
pub(super) struct Rig {
    pub(super) skeleton: Skeleton,
    pub(super) skin: Skin,
    pub(super) clip: Clip,
}
