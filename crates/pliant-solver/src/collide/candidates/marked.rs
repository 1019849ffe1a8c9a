//! [`Marked`]: particles whose pairs are looked for among all packs.

use crate::collide::reach::BLOCK;

/// Marks of particles, and of the blocks that have one.
pub(super) struct Marked<'a> {
    flags: &'a [bool],
    blocks: Vec<bool>,
}

impl<'a> Marked<'a> {
    /// These particles, which are flagged as well. `blocks` is a list whose room is used.
    pub(super) fn new(particles: &[u32], flags: &'a [bool], mut blocks: Vec<bool>) -> Self {
        blocks.clear();
        blocks.resize(flags.len().div_ceil(BLOCK as usize), false);
        for &v in particles {
            blocks[(v / BLOCK) as usize] = true;
        }
        Self { flags, blocks }
    }

    pub(super) fn has(&self, particle: u32) -> bool {
        self.flags[particle as usize]
    }

    pub(super) fn has_block(&self, block: u32) -> bool {
        self.blocks[block as usize]
    }

    /// The room of the list of blocks.
    pub(super) fn into_room(self) -> Vec<bool> {
        self.blocks
    }
}
