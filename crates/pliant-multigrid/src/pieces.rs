//! Arrays in fixed pieces, shared out among threads. Neither the pieces nor the order in which sums over them are
//! combined depend on the number of threads, and so the bits do not.

use std::ops::Range;

/// Rows of a piece of a vector.
pub(crate) const PIECE: usize = 512;

/// How many pieces a thread takes at least.
const LEAF: usize = 4;

/// Rows from which it pays to wake threads.
const MANY: usize = 8192;

/// Whether a pass over so many rows is shared out.
pub(crate) fn shared(rows: usize) -> bool {
    rows >= MANY && rayon::current_num_threads() > 1
}

/// Calls `f` for every piece with its parts of two arrays. `at` gives where the parts of a piece begin; the
/// arrays begin where the first piece of the range does.
pub(crate) fn each<A: Send, B: Send>(
    parallel: bool,
    pieces: Range<usize>,
    a: &mut [A],
    b: &mut [B],
    at: &(impl Fn(usize) -> (usize, usize) + Sync),
    f: &(impl Fn(usize, &mut [A], &mut [B]) + Sync),
) {
    if parallel && pieces.len() > LEAF {
        let middle = pieces.start + pieces.len() / 2;
        let (start, split) = (at(pieces.start), at(middle));
        let (a0, a1) = a.split_at_mut(split.0 - start.0);
        let (b0, b1) = b.split_at_mut(split.1 - start.1);
        rayon::join(
            || each(true, pieces.start..middle, a0, b0, at, f),
            || each(true, middle..pieces.end, a1, b1, at, f),
        );
        return;
    }
    let start = at(pieces.start);
    for piece in pieces {
        let (from, to) = (at(piece), at(piece + 1));
        f(piece, &mut a[from.0 - start.0..to.0 - start.0], &mut b[from.1 - start.1..to.1 - start.1]);
    }
}

/// The rows of a piece of a vector.
pub(crate) fn rows_of(piece: usize, len: usize) -> Range<usize> {
    let bound = |piece: usize| (piece * PIECE).min(len);
    bound(piece)..bound(piece + 1)
}

/// Calls `f` for every piece of [`PIECE`] rows of a vector.
pub(crate) fn rows1<A: Send>(a: &mut [A], f: &(impl Fn(Range<usize>, &mut [A]) + Sync)) {
    // Without entries in memory.
    let nothing = &mut vec![(); a.len()];
    rows2(a, nothing, &|range, a, _| f(range, a));
}

/// Calls `f` for every piece of [`PIECE`] rows of two vectors of the same length.
pub(crate) fn rows2<A: Send, B: Send>(
    a: &mut [A],
    b: &mut [B],
    f: &(impl Fn(Range<usize>, &mut [A], &mut [B]) + Sync),
) {
    let len = a.len();
    let at = |piece: usize| {
        let start = (piece * PIECE).min(len);
        (start, start)
    };
    each(shared(len), 0..len.div_ceil(PIECE), a, b, &at, &|piece, a, b| f(rows_of(piece, len), a, b));
}

/// Calls `f` for every piece of [`PIECE`] rows of a vector, and returns the sum of the results.
pub(crate) fn rows<A: Send>(
    a: &mut [A],
    sums: &mut [f64],
    f: &(impl Fn(Range<usize>, &mut [A]) -> f64 + Sync),
) -> f64 {
    let len = a.len();
    let count = len.div_ceil(PIECE);
    let at = |piece: usize| ((piece * PIECE).min(len), piece.min(count));
    let sums = &mut sums[..count];
    each(shared(len), 0..count, a, sums, &at, &|piece, a, sum| sum[0] = f(rows_of(piece, len), a));
    sums.iter().sum()
}
