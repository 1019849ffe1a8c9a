//! The greedy colouring: bit masks for the first 128 colours, lists beyond.

/// Colours held in the masks.
const MASKED: u32 = 128;

/// Gives each stencil in turn the smallest colour that none of its vertices has yet.
pub(super) fn colours<const N: usize>(vertex_count: usize, stencils: &[[u32; N]]) -> Vec<u32> {
    let mut taken = vec![0_u128; vertex_count];
    let mut beyond = Beyond::default();
    stencils
        .iter()
        .map(|stencil| {
            let free = !stencil.iter().fold(0, |mask, &v| mask | taken[v as usize]);
            if free != 0 {
                for &v in stencil {
                    taken[v as usize] |= free & free.wrapping_neg();
                }
                free.trailing_zeros()
            } else {
                beyond.take_smallest(vertex_count, stencil)
            }
        })
        .collect()
}

/// The colours from [`MASKED`] on that vertices of very many constraints have.
#[derive(Default)]
struct Beyond {
    /// Index into `lists` by vertex plus one, zero for none; empty until the masks are full for the first time.
    list_of: Vec<u32>,
    lists: Vec<Taken>,
}

/// Colours at one vertex.
struct Taken {
    /// Every masked colour or listed colour from [`MASKED`] up to this one, exclusive, is taken.
    full_below: u32,
    /// The colours taken at `full_below` or above, ascending.
    above: Vec<u32>,
}

impl Beyond {
    fn take_smallest<const N: usize>(&mut self, vertex_count: usize, stencil: &[u32; N]) -> u32 {
        if self.list_of.is_empty() {
            self.list_of = vec![0; vertex_count];
        }
        let lists = stencil.map(|v| {
            let slot = &mut self.list_of[v as usize];
            if *slot == 0 {
                self.lists.push(Taken { full_below: MASKED, above: Vec::new() });
                *slot = self.lists.len() as u32;
            }
            *slot as usize - 1
        });
        // No vertex has a free colour below its `full_below`, so that a hub of many thousand constraints is not
        // searched from the bottom each time.
        let mut colour = lists.iter().map(|&l| self.lists[l].full_below).max().unwrap_or(MASKED);
        while lists.iter().any(|&l| self.lists[l].above.binary_search(&colour).is_ok()) {
            colour += 1;
        }
        for l in lists {
            self.lists[l].insert(colour);
        }
        colour
    }
}

impl Taken {
    fn insert(&mut self, colour: u32) {
        if colour < self.full_below {
            // A stencil that names the vertex twice.
            return;
        }
        if colour > self.full_below {
            if let Err(place) = self.above.binary_search(&colour) {
                self.above.insert(place, colour);
            }
            return;
        }
        self.full_below += 1;
        let run = self.above.iter().zip(self.full_below..).take_while(|&(&a, b)| a == b).count();
        self.above.drain(..run);
        self.full_below += run as u32;
    }
}

#[cfg(test)]
mod tests {
    use crate::Colouring;

    #[test]
    fn a_hub_gives_every_spoke_its_colour() {
        // A search from the bottom for each spoke would take minutes here.
        let spokes: Vec<[u32; 2]> = (1..=100_000).map(|i| [0, i]).collect();
        let colouring = Colouring::greedy(100_001, &spokes);
        assert!(colouring.colours().iter().copied().eq(0..100_000));
    }

    #[test]
    fn two_hubs_take_the_smallest_colour_free_at_both() {
        // Hub 0 has the colours 0..300, hub 1 the colours 0..150; then both at once; then hub 1 fills its gap.
        let mut edges: Vec<[u32; 2]> = (0..300).map(|i| [0, 10 + i]).collect();
        edges.extend((0..150).map(|i| [1, 400 + i]));
        edges.push([0, 1]);
        edges.extend((0..200).map(|i| [1, 600 + i]));
        let colouring = Colouring::greedy(1000, &edges);
        assert_eq!(colouring.colour_of(450), 300);
        let gap: Vec<u32> = (150..300).chain(301..351).collect();
        assert_eq!(colouring.colours()[451..], gap);
        assert!(colouring.is_proper(&edges));
    }

    #[test]
    fn a_vertex_named_twice_is_one_vertex() {
        let stencils = vec![[0, 0, 1]; 200];
        assert!(Colouring::greedy(2, &stencils).colours().iter().copied().eq(0..200));
    }
}
