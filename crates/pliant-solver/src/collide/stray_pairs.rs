//! [`StrayPairs`]: the pairs of strays, and which of them the [net](super::net) holds already.
//!
//! While the net is drawn, more and more particles stray, and their pairs are listed. What was held before is as it was,
//! so only what is new has to be held as well.

use pliant_contact::NearPair;
use pliant_kernel::Scalar;

use super::elements::Elements;

/// A pair.
type Pair<T> = (Elements, NearPair<T>);
/// What tells it from all others.
type Name = (Elements, [u32; 2]);

/// The pairs of strays.
pub(super) struct StrayPairs<T> {
    pairs: Vec<Pair<T>>,
    /// How many are held, from the first one on; none if what is held has to be held anew, also what is not of strays.
    held: Option<usize>,
    /// How many there were before those that are being found, and those of these that were forgotten.
    known: usize,
    again: Vec<Name>,
}

impl<T: Scalar> StrayPairs<T> {
    pub(super) fn new() -> Self {
        Self { pairs: Vec::new(), held: None, known: 0, again: Vec::new() }
    }

    /// There are none, and all is held anew.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.held = None;
    }

    /// All is held anew.
    pub(super) fn hold_anew(&mut self) {
        self.held = None;
    }

    pub(super) fn all(&self) -> &[Pair<T>] {
        &self.pairs
    }

    /// Forgets those of these particles, because they are found again.
    pub(super) fn forget(&mut self, particles: &[bool]) {
        let Self { pairs, again, .. } = self;
        again.clear();
        pairs.retain(|pair| {
            let is_again = pair.1.points.iter().any(|&v| particles[v as usize]);
            if is_again {
                again.push(name(pair));
            }
            !is_again
        });
        self.known = self.pairs.len();
    }

    /// Adds those that were found.
    pub(super) fn extend(&mut self, found: impl Iterator<Item = Pair<T>>) {
        self.pairs.extend(found);
    }

    /// Those that were added since some were forgotten. What was held before, and found again, still is.
    pub(super) fn found(&mut self) -> &[Pair<T>] {
        if let Some(held) = &mut self.held {
            self.again.sort_unstable();
            *held = self.known;
            for place in self.known..self.pairs.len() {
                if self.again.binary_search(&name(&self.pairs[place])).is_ok() {
                    self.pairs.swap(place, *held);
                    *held += 1;
                }
            }
        }
        &self.pairs[self.known..]
    }

    /// Those that are to be held now, and whether all others are held already.
    pub(super) fn take(&mut self) -> (&[Pair<T>], bool) {
        let held = self.held.replace(self.pairs.len());
        (&self.pairs[held.unwrap_or(0)..], held.is_some())
    }
}

fn name<T>((elements, pair): &Pair<T>) -> Name {
    (*elements, pair.elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(points: [u32; 4]) -> Pair<f64> {
        let elements = [points[0], points[3]];
        let pair = NearPair { points, elements, keep: 1e-3, distance: 1e-3, way: 0.0 };
        (Elements::VertexTriangle, pair)
    }

    /// The first particles of pairs.
    fn firsts(pairs: &[Pair<f64>]) -> Vec<u32> {
        pairs.iter().map(|pair| pair.1.points[0]).collect()
    }

    #[test]
    fn only_what_is_new_is_held_as_well() {
        let mut strays = StrayPairs::new();
        let flags = |of: &[u32]| (0..40).map(|v| of.contains(&v)).collect::<Vec<_>>();
        let [a, b, c, d] = [[0, 10, 11, 12], [1, 10, 11, 13], [2, 20, 21, 22], [3, 20, 21, 23]].map(pair);
        strays.forget(&flags(&[0, 1]));
        strays.extend([a, b].into_iter());
        assert_eq!(firsts(strays.found()), [0, 1]);
        assert!(matches!(strays.take(), (all, false) if firsts(all) == [0, 1]));
        assert!(matches!(strays.take(), ([], true)));
        // Particle 10 strays too: both are found again, and others with them.
        strays.forget(&flags(&[10, 20]));
        strays.extend([c, b, d, a].into_iter());
        let mut found = firsts(strays.found());
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 3]);
        let (new, others) = strays.take();
        let mut new = firsts(new);
        new.sort_unstable();
        assert!(others && new == [2, 3], "{new:?}");
        // What is not found again is gone; the rest stays.
        strays.forget(&flags(&[0]));
        assert_eq!((strays.found().len(), strays.all().len()), (0, 3));
        assert!(matches!(strays.take(), ([], true)));
        strays.hold_anew();
        assert!(matches!(strays.take(), (all, false) if all.len() == 3));
        strays.clear();
        assert!(matches!(strays.take(), ([], false)));
    }
}
