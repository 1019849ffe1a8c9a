//! Which particles to ask for while a pack is projected: [`lines_ahead`].
//!
//! A cluster fits into the first cache, but its particles have to get there: the first pack that needs one would wait for the second cache. While a cluster is projected, every pack
//! asks for one line of the next one's particles, in the order in which they will be needed.

use std::ops::Range;

use super::lanes::PACK;

/// Bytes of a cache line.
const LINE: u32 = 64;

/// For every pack an offset, in bytes, on a line that the packs of the following cluster need; where there are more packs than lines, one that the pack itself needs.
///
/// `offsets` are those of the points of every pack, below `bytes`.
pub(super) fn lines_ahead<const N: usize>(
    offsets: &[[[u32; PACK]; N]],
    clusters: &[Range<usize>],
    bytes: usize,
) -> Vec<u32> {
    let mut ahead: Vec<u32> = offsets.iter().map(|points| points[0][0]).collect();
    // The last cluster, counted from one, that was found to need a line.
    let mut needed = vec![0_u32; bytes.div_ceil(LINE as usize)];
    for (number, pair) in (1_u32..).zip(clusters.windows(2)) {
        let [this, next] = pair else { continue };
        let mut room = ahead[this.clone()].iter_mut();
        'next: for points in &offsets[next.clone()] {
            for &offset in points.iter().flatten() {
                let line = offset / LINE;
                if std::mem::replace(&mut needed[line as usize], number) != number {
                    let Some(place) = room.next() else { break 'next };
                    *place = line * LINE;
                }
            }
        }
    }
    ahead
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pack of constraints between a particle and its neighbour, 16 bytes each, from particle `first` on.
    fn pack(first: u32) -> [[u32; PACK]; 2] {
        [0, 1].map(|end| std::array::from_fn(|lane| 16 * (first + 2 * lane as u32 + end)))
    }

    #[test]
    fn a_cluster_asks_for_what_the_next_one_needs_first() {
        let offsets = [pack(0), pack(0), pack(16), pack(24), pack(48)];
        let ahead = lines_ahead(&offsets, &[0..2, 2..4, 4..5], 16 * 64);
        assert_eq!(ahead[..2], [256, 320], "the first two of six lines");
        assert_eq!(ahead[2..4], [768, 832], "of the last cluster");
        assert_eq!(ahead[4], 768, "nothing follows");
    }

    #[test]
    fn nothing_is_asked_for_twice() {
        let offsets = [pack(0), pack(0), pack(0), pack(0), pack(0), pack(16), pack(16)];
        let ahead = lines_ahead(&offsets, &[0..5, 5..7], 16 * 32);
        assert_eq!(ahead[..5], [256, 320, 384, 448, 0], "four lines, then one of its own");
    }
}
