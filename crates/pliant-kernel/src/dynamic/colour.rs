//! [`Colours`]: the first colour that is free for a constraint.

/// Number of colours. A constraint that finds none free is projected by itself.
pub(super) const COLOURS: usize = 256;

/// Stands for no colour.
#[allow(clippy::cast_possible_truncation, reason = "it is 256")]
const NO_COLOUR: u16 = COLOURS as u16;

/// Colours of a particle, a bit for each.
type Taken = [u64; COLOURS / 64];

/// The colours that particles have in the present list.
pub(super) struct Colours {
    /// For every particle the number of the list in which it was last touched, and its colours there.
    marks: Vec<(u32, Taken)>,
    list: u32,
    counts: [usize; COLOURS],
    without: usize,
}

impl Colours {
    /// For constraints on `particles` particles.
    pub(super) fn new(particles: usize) -> Self {
        Self { marks: vec![(0, [0; COLOURS / 64]); particles], list: 1, counts: [0; COLOURS], without: 0 }
    }

    /// Begins a new list.
    pub(super) fn clear(&mut self) {
        self.list = self.list.checked_add(1).unwrap_or_else(|| {
            self.marks.iter_mut().for_each(|mark| mark.0 = 0);
            1
        });
        self.counts = [0; COLOURS];
        self.without = 0;
    }

    /// The first colour that none of these particles has, which is theirs from now on; [`COLOURS`] if there is none.
    ///
    /// # Panics
    ///
    /// If a particle does not exist.
    #[allow(clippy::cast_possible_truncation, reason = "colours are below 256")]
    pub(super) fn first_free(&mut self, stencil: &[u32]) -> u16 {
        let mut taken: Taken = [0; COLOURS / 64];
        for &v in stencil {
            let (list, of) = &self.marks[v as usize];
            if *list == self.list {
                taken.iter_mut().zip(of).for_each(|(all, of)| *all |= of);
            }
        }
        let Some(word) = taken.iter().position(|&bits| bits != u64::MAX) else {
            self.without += 1;
            return NO_COLOUR;
        };
        let bit = taken[word].trailing_ones();
        for &v in stencil {
            let (list, of) = &mut self.marks[v as usize];
            if *list != self.list {
                (*list, *of) = (self.list, [0; COLOURS / 64]);
            }
            of[word] |= 1 << bit;
        }
        let colour = word * 64 + bit as usize;
        self.counts[colour] += 1;
        colour as u16
    }

    /// Number of constraints of every colour.
    pub(super) fn counts(&self) -> &[usize; COLOURS] {
        &self.counts
    }

    /// Number of constraints that found no colour.
    pub(super) fn without(&self) -> usize {
        self.without
    }
}
