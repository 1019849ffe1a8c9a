//! [`Marked`]: particles whose pairs are looked for among all packs.

use crate::collide::reach::BLOCK;

/// Marks of particles, and what shows soon that a pack has none of them.
pub(super) struct Marked<'a> {
    flags: &'a [bool],
    blocks: Vec<bool>,
    traces: u64,
}

impl<'a> Marked<'a> {
    /// These particles, which are flagged as well. `blocks` is a list whose room is used.
    pub(super) fn new(particles: &[u32], flags: &'a [bool], mut blocks: Vec<bool>) -> Self {
        blocks.clear();
        blocks.resize(flags.len().div_ceil(BLOCK as usize), false);
        let mut traces = 0;
        for &v in particles {
            traces |= Self::trace(v);
            blocks[(v / BLOCK) as usize] = true;
        }
        Self { flags, blocks, traces }
    }

    /// One of 64 bits, the same for particles that are close to each other in the numbering: of a particle whose
    /// bit a pack has not, it has no pair.
    pub(super) fn trace(particle: u32) -> u64 {
        1 << (particle >> 3 & 63)
    }

    /// The bits of all of them.
    pub(super) fn traces(&self) -> u64 {
        self.traces
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
