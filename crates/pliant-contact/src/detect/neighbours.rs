//! [`Neighbours`]: the triangles whose boxes meet those of others.
//!
//! Boxes are compared in single precision whatever the scalar of the particles is. Triangles that follow one
//! another are mostly close to each other: a grid is searched for a bunch of them at a time, and what meets the box
//! around the bunch is compared with the box around a few of it, and then with each.

use pliant_kernel::{LaneJob, Lanes, PACK, Portable, Wide};

use super::boxes::{Asked, Boxed, Boxes, Met};
use super::question::Question;

/// For each of some triangles those whose boxes it meets.
#[derive(Default)]
pub(super) struct Neighbours {
    found: Rows<u32>,
    /// The triangles that meet a bunch, grid by grid.
    met: Rows<Met>,
    /// Those of them that meet a few of the bunch.
    close: Rows<Met>,
}

/// Lists, one after the other.
struct Rows<X> {
    entries: Vec<X>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl<X> Default for Rows<X> {
    fn default() -> Self {
        Self { entries: Vec::new(), ends: Vec::new() }
    }
}

impl<X> Rows<X> {
    fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
    }

    /// The list at this place.
    #[inline(always)]
    fn of(&self, place: usize) -> &[X] {
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.entries[begin..self.ends[place]]
    }

    /// Ends a list with what was appended last.
    #[inline(always)]
    fn end(&mut self) {
        self.ends.push(self.entries.len());
    }
}

/// Triangles of a bunch, and how many times longer than that of the first the box around them may be.
const BUNCH: usize = 64;
const WIDER: f32 = 4.0;
/// Triangles of a bunch that are looked at together, and then one by one.
const FEW: usize = 8;

impl Neighbours {
    pub(super) fn clear(&mut self) {
        self.found.clear();
    }

    /// The list at this place.
    #[inline(always)]
    pub(super) fn of(&self, place: usize) -> &[u32] {
        self.found.of(place)
    }

    /// Appends a list.
    pub(super) fn push(&mut self, numbers: impl Iterator<Item = u32>) {
        self.found.entries.extend(numbers);
        self.found.end();
    }
}

/// Looks for the neighbours of some triangles.
pub(super) struct Look<'a, T: Wide> {
    pub(super) question: Question<'a, T>,
    /// The triangles, and the grids in which others are looked for.
    pub(super) of: Boxed<'a>,
    pub(super) grids: &'a [Boxes],
    pub(super) queries: &'a [u32],
    /// Where the queries follow one another from a place of a grid on: its number and the place. Each finds
    /// what comes after it there, and what is in the grids after that one.
    pub(super) along: Option<(usize, u32)>,
    pub(super) found: &'a mut Neighbours,
}

impl<T: Wide> LaneJob<f32> for Look<'_, T> {
    type Out = ();
    type Portable = Portable<f32, PACK>;

    #[inline(always)]
    fn run<L: Lanes<f32>>(self) {
        let Self { question, of, grids, queries, along, found } = self;
        let Boxed { hulls, are_held, .. } = of;
        found.clear();
        let Neighbours { found, met, close } = found;
        let grids = &grids[along.map_or(0, |(own, _)| own)..];
        // A longer triangle forms a bunch by itself, so that the order of its neighbours does not depend on others.
        let mut longest = f32::INFINITY;
        for grid in grids {
            longest = longest.min(grid.walkable());
        }
        // Places of the first grid before which no neighbours are sought.
        let mut after = along.map_or(0, |(_, place)| place);
        let step = u32::from(along.is_some());
        let mut rest = queries;
        while let [first, others @ ..] = rest {
            let mut hull = hulls[*first as usize];
            let most = longest.min(WIDER * hull.extent());
            let mut count = 1;
            for other in others.iter().take(BUNCH - 1) {
                let wider = hull.around(hulls[*other as usize]);
                if wider.extent() > most {
                    break;
                }
                (hull, count) = (wider, count + 1);
            }
            met.clear();
            let all_held = |some: &[u32]| some.iter().all(|&triangle| are_held[triangle as usize]);
            let is_held = all_held(&rest[..count]);
            for (number, grid) in grids.iter().enumerate() {
                grid.gather::<L>(&hull, is_held, if number == 0 { after } else { 0 }, &mut met.entries);
                met.end();
            }
            for few in rest[..count].chunks(FEW) {
                // A small bunch is no more than a few.
                let mut nearby = &*met;
                if few.len() < count {
                    let mut around = hulls[few[0] as usize];
                    for &other in &few[1..] {
                        around = around.around(hulls[other as usize]);
                    }
                    close.clear();
                    let is_held = all_held(few);
                    for (number, grid) in grids.iter().enumerate() {
                        let after = if number == 0 { after } else { 0 };
                        grid.narrow::<L>(&around, is_held, after, met.of(number), &mut close.entries);
                        close.end();
                    }
                    nearby = &*close;
                }
                for &triangle in few {
                    after += step;
                    let asked = Asked {
                        hull: hulls[triangle as usize],
                        without: question.out_of_the_way(triangle),
                        is_held: are_held[triangle as usize],
                    };
                    for (number, grid) in grids.iter().enumerate() {
                        let after = if number == 0 { after } else { 0 };
                        grid.meeting::<L>(&asked, after, nearby.of(number), &mut found.entries);
                    }
                    found.end();
                }
            }
            rest = &rest[count..];
        }
    }
}
