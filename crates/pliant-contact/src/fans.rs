//! [`Fans`]: the triangles around every particle, in order.

use crate::Surface;

/// The triangles around each particle of a surface where they form a fan: each is followed by the next one around the
/// particle, all of them turned the same way.
#[derive(Default)]
pub(crate) struct Fans {
    /// Where the spokes of every particle begin, and where the last ones end.
    starts: Vec<u32>,
    /// The other ends of the spokes, in their order around the particle.
    spokes: Vec<u32>,
    closed: Vec<bool>,
}

impl Fans {
    /// Orders the triangles around every particle; where they do not form a fan there are no spokes.
    pub(crate) fn new(surface: &Surface) -> Self {
        let mut around: Vec<Vec<[u32; 2]>> = vec![Vec::new(); surface.particles()];
        for &[a, b, c] in surface.triangles() {
            for [w, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
                around[w as usize].push([from, to]);
            }
        }
        let mut fans = Self::default();
        fans.starts.push(0);
        for sides in &mut around {
            let is_closed = order(sides, &mut fans.spokes);
            fans.closed.push(is_closed);
            fans.starts.push(fans.spokes.len() as u32);
        }
        fans
    }

    /// The number of triangles of a fan, zero where there is none, and whether it goes all the way round.
    #[inline(always)]
    pub(crate) fn kind(&self, w: u32) -> (usize, bool) {
        let (spokes, is_closed) = (self.spokes(w).len(), self.closed[w as usize]);
        (if is_closed { spokes } else { spokes.saturating_sub(1) }, is_closed)
    }

    /// The other ends of the edges around a particle, one after the other; there is one more than triangles, unless they
    /// go all the way round.
    #[inline(always)]
    pub(crate) fn spokes(&self, w: u32) -> &[u32] {
        &self.spokes[self.starts[w as usize] as usize..self.starts[w as usize + 1] as usize]
    }
}

/// Appends the spokes between sides that follow one another, if that is what the sides do; says whether they
/// go all the way round.
fn order(sides: &mut [[u32; 2]], spokes: &mut Vec<u32>) -> bool {
    if sides.is_empty() {
        return false;
    }
    sides.sort_unstable();
    if sides.windows(2).any(|pair| pair[0][0] == pair[1][0]) {
        return false;
    }
    let begins = |from: u32| sides.binary_search_by_key(&from, |side| side[0]).ok();
    let mut ends: Vec<u32> = sides.iter().map(|side| side[1]).collect();
    ends.sort_unstable();
    let first = sides.iter().map(|side| side[0]).find(|from| ends.binary_search(from).is_err());
    let is_closed = first.is_none();
    let start = spokes.len();
    let mut at = first.unwrap_or(sides[0][0]);
    for _ in 0..sides.len() {
        let Some(side) = begins(at) else { break };
        spokes.push(at);
        at = sides[side][1];
    }
    let seen = spokes.len() - start;
    if seen != sides.len() || (at == spokes[start]) != is_closed {
        spokes.truncate(start);
        return false;
    }
    if !is_closed {
        spokes.push(at);
    }
    is_closed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_ordered_where_they_are_a_fan() {
        let ordered = |mut sides: Vec<[u32; 2]>| {
            let mut spokes = Vec::new();
            let closed = order(&mut sides, &mut spokes);
            (spokes, closed)
        };
        assert_eq!(ordered(vec![[3, 4], [1, 2], [2, 3]]), (vec![1, 2, 3, 4], false));
        assert_eq!(ordered(vec![[3, 1], [1, 2], [2, 3]]), (vec![1, 2, 3], true));
        assert_eq!(ordered(vec![[1, 2], [3, 4]]), (vec![], false), "two fans");
        assert_eq!(ordered(vec![[1, 2], [2, 1], [3, 4]]), (vec![], false), "a fan and a loop");
        assert_eq!(
            ordered(vec![[1, 2], [1, 3]]),
            (vec![], false),
            "sides that are turned against each other"
        );
        assert_eq!(ordered(vec![]), (vec![], false));
    }
}
