//! Colouring: which constraints can be solved at the same time.
//!
//! Two constraints that share a vertex write to the same position and must be solved one after the other. A proper
//! colouring gives such constraints different colours; all constraints of one colour are then independent and can be
//! solved in any order, on any number of threads, to the same bits.
//!
//! * [`Colouring::greedy`] gives each constraint in turn the smallest colour that none of its vertices has yet: linear
//!   in practice, and a constraint's colour depends only on those before it.
//! * [`Colouring::dsatur`] colours the explicit [`conflict_graph`](crate::conflict_graph), those with the fewest
//!   choices first (Brélaz 1979): one to three colours fewer, hundreds of times slower.

mod conflict;
mod greedy;

pub use conflict::{ConflictGraphError, conflict_graph};

/// A colour for each of a list of constraints.
///
/// Constraints are named by their index in the list of stencils that was coloured.
///
/// ```
/// use pliant_mesh::Colouring;
///
/// // A closed chain of four edges.
/// let edges = [[0, 1], [1, 2], [2, 3], [3, 0]];
/// let colouring = Colouring::greedy(4, &edges);
/// assert_eq!(colouring.colour_count(), 2);
/// assert_eq!(colouring.colour(0), [0, 2]);
/// assert_eq!(colouring.colour(1), [1, 3]);
/// assert!(colouring.is_proper(&edges));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colouring {
    /// Colour by constraint.
    colours: Vec<u32>,
    /// Constraints by colour, ascending within each.
    order: Vec<u32>,
    /// Colour `c` is `order[offsets[c]..offsets[c + 1]]`.
    offsets: Vec<u32>,
}

impl Colouring {
    /// Colours constraints in the order in which they are given, each with the smallest colour that is free.
    ///
    /// `stencils` holds the vertices of each constraint. The first 128 colours are found by one bit mask per vertex;
    /// vertices in more constraints than that are followed by lists.
    ///
    /// # Panics
    ///
    /// If a stencil names a vertex that is not below `vertex_count`, or if there are more than 2³² − 1 stencils.
    #[must_use]
    pub fn greedy<const N: usize>(vertex_count: usize, stencils: &[[u32; N]]) -> Self {
        Self::from_colours(greedy::colours(vertex_count, stencils))
    }

    /// Colours the conflict graph of the constraints by petgraph's `dsatur_coloring`.
    ///
    /// For tens of thousands of constraints, if one colour fewer is worth seconds of setup, and as a reference for
    /// [`greedy`](Self::greedy).
    ///
    /// # Errors
    ///
    /// When the conflict graph would be too large; see [`conflict_graph`].
    ///
    /// # Panics
    ///
    /// If a stencil names a vertex that is not below `vertex_count`.
    pub fn dsatur<const N: usize>(
        vertex_count: usize,
        stencils: &[[u32; N]],
    ) -> Result<Self, ConflictGraphError> {
        Ok(Self::from_colours(conflict::dsatur_colours(vertex_count, stencils)?))
    }

    /// From given colours: `colours[i]` is the colour of constraint `i`.
    ///
    /// # Panics
    ///
    /// If a colour is not below the number of constraints, or if there are more than 2³² − 1 of them.
    #[must_use]
    pub fn from_colours(colours: Vec<u32>) -> Self {
        let len = u32::try_from(colours.len()).expect("constraints are numbered by u32");
        let count = colours.iter().max().map_or(0, |&c| c as usize + 1);
        assert!(count <= len as usize, "colour {} for only {len} constraints", count.saturating_sub(1));
        let mut offsets = vec![0_u32; count + 1];
        for &c in &colours {
            offsets[c as usize + 1] += 1;
        }
        for c in 0..count {
            offsets[c + 1] += offsets[c];
        }
        let mut next = offsets.clone();
        let mut order = vec![0_u32; colours.len()];
        for (i, &c) in (0_u32..).zip(&colours) {
            let place = &mut next[c as usize];
            order[*place as usize] = i;
            *place += 1;
        }
        Self { colours, order, offsets }
    }

    /// Number of constraints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.colours.len()
    }

    /// Whether there are no constraints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.colours.is_empty()
    }

    /// Number of colours.
    #[must_use]
    pub fn colour_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The constraints of colour `c`, ascending.
    ///
    /// # Panics
    ///
    /// If there is no colour `c`.
    #[must_use]
    pub fn colour(&self, c: usize) -> &[u32] {
        &self.order[self.offsets[c] as usize..self.offsets[c + 1] as usize]
    }

    /// The constraints of one colour after the other.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.colour_count()).map(|c| self.colour(c))
    }

    /// The colour of constraint `i`.
    ///
    /// # Panics
    ///
    /// If there is no constraint `i`.
    #[must_use]
    pub fn colour_of(&self, i: usize) -> u32 {
        self.colours[i]
    }

    /// Colour by constraint.
    #[must_use]
    pub fn colours(&self) -> &[u32] {
        &self.colours
    }

    /// All constraints, colour by colour and ascending within each: the order in which a coloured sweep solves them.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Where each colour begins in [`order`](Self::order); one entry more than there are colours.
    #[must_use]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Number of constraints by colour.
    #[must_use]
    pub fn sizes(&self) -> Vec<usize> {
        self.iter().map(<[u32]>::len).collect()
    }

    /// Largest, smallest and mean size of the colours.
    #[must_use]
    pub fn statistics(&self) -> ColourStatistics {
        let colours = self.colour_count();
        ColourStatistics {
            colours,
            largest: self.iter().map(<[u32]>::len).max().unwrap_or(0),
            smallest: self.iter().map(<[u32]>::len).min().unwrap_or(0),
            mean: if colours == 0 { 0.0 } else { self.len() as f64 / colours as f64 },
        }
    }

    /// Whether no two constraints of the same colour share a vertex, and each stencil has a colour.
    #[must_use]
    pub fn is_proper<const N: usize>(&self, stencils: &[[u32; N]]) -> bool {
        if stencils.len() != self.len() {
            return false;
        }
        // Colour by colour rather than by one large table, in memory proportional to the constraints.
        let mut met: Vec<(u32, u32)> = Vec::new();
        self.iter().all(|colour| {
            met.clear();
            met.extend(colour.iter().flat_map(|&i| stencils[i as usize].map(|v| (v, i))));
            met.sort_unstable();
            met.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1)
        })
    }
}

/// Sizes of the colours of a [`Colouring`]. Many small colours leave threads and vector lanes idle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColourStatistics {
    /// Number of colours.
    pub colours: usize,
    /// Constraints in the largest colour.
    pub largest: usize,
    /// Constraints in the smallest colour.
    pub smallest: usize,
    /// Constraints per colour.
    pub mean: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_stencils() -> impl Strategy<Value = Vec<[u32; 3]>> {
        prop::collection::vec([0_u32..20, 0..20, 0..20], 0..80)
    }

    /// Greedy colouring by its definition.
    fn naive(stencils: &[[u32; 3]]) -> Vec<u32> {
        let mut colours: Vec<u32> = Vec::new();
        for (i, stencil) in stencils.iter().enumerate() {
            let taken =
                |c: u32| (0..i).any(|j| colours[j] == c && stencils[j].iter().any(|v| stencil.contains(v)));
            let free = (0..).find(|&c| !taken(c)).unwrap();
            colours.push(free);
        }
        colours
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn greedy_is_that_of_the_definition(stencils in any_stencils()) {
            let colouring = Colouring::greedy(20, &stencils);
            prop_assert_eq!(colouring.colours(), naive(&stencils));
            prop_assert!(colouring.is_proper(&stencils));
        }

        #[test]
        fn greedy_colours_depend_on_earlier_constraints_only(stencils in any_stencils(), keep in 0_usize..80) {
            let keep = keep.min(stencils.len());
            let part = Colouring::greedy(20, &stencils[..keep]);
            let whole = Colouring::greedy(20, &stencils);
            prop_assert_eq!(part.colours(), &whole.colours()[..keep]);
        }

        #[test]
        fn dsatur_is_proper_and_the_same_each_time(stencils in any_stencils()) {
            let colouring = Colouring::dsatur(20, &stencils).unwrap();
            prop_assert!(colouring.is_proper(&stencils));
            prop_assert_eq!(&colouring, &Colouring::dsatur(20, &stencils).unwrap());
        }

        #[test]
        fn colours_and_lists_agree(colours in prop::collection::vec(0_u32..5, 5..50)) {
            let colouring = Colouring::from_colours(colours.clone());
            let mut seen = 0;
            for (c, constraints) in colouring.iter().enumerate() {
                prop_assert!(constraints.is_sorted());
                prop_assert!(constraints.iter().all(|&i| colours[i as usize] == c as u32));
                seen += constraints.len();
            }
            prop_assert_eq!(seen, colours.len());
        }

        #[test]
        fn improper_colours_are_noticed(stencils in any_stencils().prop_filter("not empty", |s| !s.is_empty()), pick in any::<prop::sample::Index>()) {
            let mut colours = Colouring::greedy(20, &stencils).colours().to_vec();
            let i = pick.index(stencils.len());
            let shares = |j: usize| j != i && stencils[j].iter().any(|v| stencils[i].contains(v));
            if let Some(j) = (0..stencils.len()).find(|&j| shares(j)) {
                colours[i] = colours[j];
                prop_assert!(!Colouring::from_colours(colours).is_proper(&stencils));
            }
        }
    }

    #[test]
    fn a_path_alternates() {
        let path: Vec<[u32; 2]> = (0..1000).map(|i| [i, i + 1]).collect();
        let statistics = Colouring::greedy(1001, &path).statistics();
        assert_eq!(statistics, ColourStatistics { colours: 2, largest: 500, smallest: 500, mean: 500.0 });
        assert_eq!(Colouring::dsatur(1001, &path).unwrap().colour_count(), 2);
    }

    #[test]
    fn nothing_needs_no_colour() {
        let none: [[u32; 4]; 0] = [];
        for colouring in [Colouring::greedy(3, &none), Colouring::dsatur(3, &none).unwrap()] {
            assert!(colouring.is_empty() && colouring.is_proper(&none));
            assert_eq!(
                colouring.statistics(),
                ColourStatistics { colours: 0, largest: 0, smallest: 0, mean: 0.0 }
            );
        }
    }
}
