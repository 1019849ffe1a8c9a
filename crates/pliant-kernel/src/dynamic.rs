//! [`DynamicPacks`]: constraints of one kind that are found again in every substep, eight side by side.
//!
//! The clusters, waits and lists of frozen [`Packs`](crate::Packs), which pay off only in long runs, are not
//! built here. A constraint gets the first colour that none of its particles has yet, in the order in which
//! constraints were added; the constraints of a colour fill packs, and colours follow one another. So the
//! result depends on the list alone. All memory is kept from one list to the next, and marks of particles are
//! numbered by lists instead of being cleared: the cost is that of the particles that are touched.
//!
//! A list may also be planned once and its numbers written again for every substep
//! ([`pieces_mut`](DynamicPacks::pieces_mut)), if the stencils stay.

mod colour;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;
use std::ops::Range;

use pliant_constraints::{Kind, MAX_REST};

use crate::item::{Item, Sweep, Visit};
use crate::lanes::{PACK, Wide, most_particles, offset, particle_at};
use crate::number::Number;
use crate::packs::NONE;
use crate::particles::Particle;
use crate::run::Run;
use crate::shared::Shared;
use crate::team::Team;
use crate::trio_count::TrioCount;
use colour::{COLOURS, Colours};

/// Packs of a colour from which on a team shares them.
const WORTH_SHARING: usize = 64;
/// The fewest packs for which a member of a team takes part, and the most that it takes at a time.
const SHARE: usize = 16;
const CHUNK: usize = 32;

/// In how many chunks the packs of a colour are shared out: as many for each member that takes part.
fn chunks(packs: usize, members: usize) -> usize {
    let members = members.min(packs / SHARE).max(1);
    members * packs.div_ceil(members * CHUNK)
}

/// Constraints that are found again in every substep, in packs.
///
/// Invariant, established by [`plan`](Self::plan): every offset is that of a particle below `particles`; no
/// two constraints of a colour share a particle, but for the dummies, on which only the last pack of a colour
/// acts.
pub struct DynamicPacks<T: Number, K: Kind<N, M>, const N: usize, const M: usize> {
    /// The list, in the order in which it was made.
    items: Vec<Item<T, K, N, M>>,
    /// Colour of every constraint.
    colour_of: Vec<u16>,
    colours: Colours,
    /// `N` rows of offsets for every pack.
    points: Vec<[u32; PACK]>,
    /// Rows of rest data, and one of compliances.
    rows: Vec<[T; PACK]>,
    multipliers: Vec<[T; PACK]>,
    /// Place in the list of every constraint of a pack.
    source: Vec<[u32; PACK]>,
    /// For every pack whether it shares a particle with the one before it, as far as that is known: the first
    /// of every colour may.
    linked: Vec<bool>,
    /// For every pack one of its own offsets: nothing is prefetched.
    lines: Vec<u32>,
    /// Packs that are projected one after the other, by one thread or, where the flag is set, by all.
    stretches: Vec<(Range<usize>, bool)>,
    uniform: Option<T>,
    dummies: u32,
    particles: usize,
}

/// Some planned packs that are to be projected again.
pub struct PieceMut<'a, T> {
    /// For every pack the rows of its rest data, in the order of [`Kind::rest_of`], and one of compliances. What is written
    /// into lanes without a constraint has no effect as long as it is finite.
    pub rows: &'a mut [[T; PACK]],
    multipliers: &'a mut [[T; PACK]],
}

impl<T: Number> PieceMut<'_, T> {
    /// Starts these packs again: multipliers begin with zero.
    pub fn restart(&mut self) {
        self.multipliers.fill([T::zero(); PACK]);
    }
}

impl<T: Number, K: Kind<N, M>, const N: usize, const M: usize> DynamicPacks<T, K, N, M> {
    const STRIDE: usize = K::REST + 1;

    /// No constraints yet, on `particles` particles of which those from `dummies` on, eight per point of a
    /// stencil, belong to these packs and have no mass. `uniform` is the compliance of all constraints to
    /// come, if it is the same: rigid ones are projected faster.
    ///
    /// # Panics
    ///
    /// If there are not as many dummies.
    pub fn new(uniform: Option<T>, dummies: u32, particles: usize) -> Self {
        assert!(particles <= most_particles::<T>(), "offsets of so many particles do not fit into 32 bits");
        assert!(dummies as usize + N * PACK <= particles, "eight dummies per point of a stencil");
        Self {
            items: Vec::new(),
            colour_of: Vec::new(),
            colours: Colours::new(dummies as usize),
            points: Vec::new(),
            rows: Vec::new(),
            multipliers: Vec::new(),
            source: Vec::new(),
            linked: Vec::new(),
            lines: Vec::new(),
            stretches: Vec::new(),
            uniform,
            dummies,
            particles,
        }
    }

    /// Begins a new list.
    pub fn clear(&mut self) {
        self.items.clear();
        self.colour_of.clear();
        self.colours.clear();
        self.source.clear();
        self.stretches.clear();
    }

    /// Adds a constraint on the particles `stencil`. Its compliance is used unless all constraints have the same.
    ///
    /// # Panics
    ///
    /// If the list is planned already; if a particle does not exist, or is named twice.
    pub fn add(&mut self, stencil: [u32; N], kind: &K, compliance: f64) {
        self.put(stencil, kind.at(), T::splat(compliance));
    }

    /// The same for a constraint in the scalar of the packs.
    ///
    /// # Panics
    ///
    /// As [`add`](Self::add).
    #[allow(clippy::cast_possible_truncation, reason = "constraints are numbered by u32")]
    pub fn put(&mut self, stencil: [u32; N], rest: K::At<T>, compliance: T) {
        assert!(self.source.is_empty(), "a planned list takes no more: clear it first");
        let distinct = (1..N).all(|j| !stencil[..j].contains(&stencil[j]));
        assert!(distinct, "a constraint names a particle twice");
        self.colour_of.push(self.colours.first_free(&stencil));
        let source = self.items.len() as u32;
        let compliance = self.uniform.unwrap_or(compliance);
        self.items.push(Item::restore(stencil, rest, compliance, [T::zero(); M], source));
    }

    /// Lays the constraints of the list side by side; multipliers begin with zero.
    ///
    /// # Panics
    ///
    /// If the list is planned already.
    #[allow(clippy::cast_possible_truncation, reason = "there are fewer packs than constraints")]
    pub fn plan(&mut self) {
        assert!(self.stretches.is_empty(), "a list is planned once: clear it first");
        // Packs of every colour, and a pack for each that found none.
        let mut next = [0_usize; COLOURS];
        let mut packs = 0;
        for (colour, next) in next.iter_mut().enumerate() {
            let of = self.colours.counts()[colour].div_ceil(PACK);
            *next = packs * PACK;
            self.note(packs..packs + of);
            packs += of;
        }
        let mut without = packs;
        packs += self.colours.without();
        for pack in without..packs {
            self.note(pack..pack + 1);
        }
        self.source.resize(packs, [NONE; PACK]);
        self.points.resize(packs * N, [0; PACK]);
        self.rows.resize(packs * Self::STRIDE, [T::zero(); PACK]);
        self.multipliers.clear();
        self.multipliers.resize(packs * M, [T::zero(); PACK]);
        for (i, (item, &colour)) in self.items.iter().zip(&self.colour_of).enumerate() {
            let place = match next.get_mut(usize::from(colour)) {
                Some(next) => {
                    *next += 1;
                    *next - 1
                }
                None => {
                    without += 1;
                    (without - 1) * PACK
                }
            };
            let (pack, lane) = (place / PACK, place % PACK);
            self.source[pack][lane] = i as u32;
            for (row, &v) in self.points[pack * N..].iter_mut().zip(&item.stencil) {
                row[lane] = offset::<T>(v);
            }
            let mut rest = [T::zero(); MAX_REST + 1];
            K::rest_of(&item.rest, &mut rest[..K::REST]);
            rest[K::REST] = item.compliance;
            for (row, value) in self.rows[pack * Self::STRIDE..].iter_mut().zip(&rest[..Self::STRIDE]) {
                row[lane] = *value;
            }
        }
        self.fill_up();
        self.lines.clear();
        self.lines.extend(self.points.chunks_exact(N).take(packs).map(|rows| rows[0][0]));
        self.linked.clear();
        self.linked.resize(packs, false);
        for (stretch, _) in &self.stretches {
            self.linked[stretch.start] = true;
        }
        // Within a stretch that is not shared, colours follow one another: each begins with a link.
        let mut first = 0;
        for &count in self.colours.counts() {
            if count > 0 {
                self.linked[first] = true;
                first += count.div_ceil(PACK);
            }
        }
        self.linked[first..].fill(true);
    }

    /// Adds the packs of a colour, or one without a colour, to the stretches.
    fn note(&mut self, packs: Range<usize>) {
        let shared = packs.len() >= WORTH_SHARING;
        match self.stretches.last_mut() {
            _ if packs.is_empty() => {}
            Some((last, false)) if !shared => last.end = packs.end,
            _ => self.stretches.push((packs, shared)),
        }
    }

    /// Has the lanes without a constraint repeat the first one's data on the dummies.
    #[allow(clippy::cast_possible_truncation, reason = "eight lanes")]
    fn fill_up(&mut self) {
        for (pack, source) in self.source.iter().enumerate().filter(|(_, source)| source.contains(&NONE)) {
            for lane in (0..PACK).filter(|&lane| source[lane] == NONE) {
                for (j, row) in self.points[pack * N..(pack + 1) * N].iter_mut().enumerate() {
                    row[lane] = offset::<T>(self.dummies + (j * PACK + lane) as u32);
                }
                for row in &mut self.rows[pack * Self::STRIDE..(pack + 1) * Self::STRIDE] {
                    row[lane] = row[0];
                }
            }
        }
    }

    /// Number of constraints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Number of packs, and of constraints that found no colour and have one by themselves.
    #[must_use]
    pub fn packs(&self) -> (usize, usize) {
        (self.source.len(), self.colours.without())
    }

    /// For every planned pack the places in the list of its constraints, [`NONE`](crate::NONE) in lanes that
    /// have none: these come last.
    #[must_use]
    pub fn sources(&self) -> &[[u32; PACK]] {
        &self.source
    }

    /// The planned list in pieces of `packs` packs, for a job of your own that [starts it again](PieceMut::restart).
    pub fn pieces_mut(&mut self, packs: usize) -> impl Iterator<Item = PieceMut<'_, T>> {
        let packs = packs.max(1);
        let rows = self.rows.chunks_mut(packs * Self::STRIDE);
        rows.zip(self.multipliers.chunks_mut(packs * M))
            .map(|(rows, multipliers)| PieceMut { rows, multipliers })
    }

    /// Calls `visit` with the planned constraints in the order of their projection, with their multipliers;
    /// their sources are their places in the list.
    pub fn for_each(&self, visit: &mut Visit<'_, T, K, N, M>) {
        self.for_those(|_| true, visit);
    }

    /// The same with those alone that pull: one of their multipliers is not zero.
    pub fn for_each_that_pulls(&self, visit: &mut Visit<'_, T, K, N, M>) {
        self.for_those(|lambda| lambda.iter().any(|lambda| *lambda != T::zero()), visit);
    }

    fn for_those(&self, wanted: impl Fn(&[T; M]) -> bool, visit: &mut Visit<'_, T, K, N, M>) {
        for (pack, source) in self.source.iter().enumerate() {
            let rows = &self.rows[pack * Self::STRIDE..(pack + 1) * Self::STRIDE];
            let points = &self.points[pack * N..(pack + 1) * N];
            for (lane, &s) in source.iter().enumerate().filter(|(_, s)| **s != NONE) {
                let lambda = std::array::from_fn(|row| self.multipliers[pack * M + row][lane]);
                if !wanted(&lambda) {
                    continue;
                }
                let mut rest = [T::zero(); MAX_REST];
                for (value, row) in rest.iter_mut().zip(&rows[..K::REST]) {
                    *value = row[lane];
                }
                let stencil = std::array::from_fn(|j| particle_at::<T>(points[j][lane]));
                let (rest, compliance) = (K::from_rest(&rest[..K::REST]), rows[K::REST][lane]);
                visit(pack * PACK + lane, &Item::restore(stencil, rest, compliance, lambda, s));
            }
        }
    }
}

impl<T: Wide, K: Kind<N, M>, const N: usize, const M: usize> DynamicPacks<T, K, N, M> {
    /// Projects every constraint once, colour by colour. Compiled by the crate that finds the constraints.
    ///
    /// # Panics
    ///
    /// If there are fewer particles than the packs were made for.
    pub fn sweep(
        &mut self,
        particles: &mut [Particle<T>],
        previous: &[Particle<T>],
        sweep: Sweep<T>,
        team: Team<'_>,
    ) {
        assert!(particles.len() >= self.particles, "the packs were planned for more particles");
        assert!(previous.len() >= self.particles, "the packs were planned for more particles");
        let Self { points, rows, multipliers, linked, lines, stretches, uniform, .. } = self;
        let (start, multipliers) = (Shared(particles.as_mut_ptr()), Shared(multipliers.as_mut_ptr()));
        let project = |packs: Range<usize>| {
            let run = Run {
                points: &points[packs.start * N..packs.end * N],
                border: &[],
                ahead: &lines[packs.clone()],
                linked: &linked[packs.clone()],
                trio_count: TrioCount::default(),
                rows: &rows[packs.start * Self::STRIDE..packs.end * Self::STRIDE],
                // SAFETY: there are `M` rows of multipliers for every pack, and no other thread has those of these
                // packs: every range of packs is handed out once.
                multipliers: unsafe {
                    std::slice::from_raw_parts_mut(multipliers.get().add(packs.start * M), packs.len() * M)
                },
                stride: Self::STRIDE,
                uniform: *uniform,
                particles: start.get(),
                previous,
                sweep,
                kind: PhantomData::<K>,
            };
            // A run has its particles to itself: what several threads project at a time is of one colour,
            // whose packs share none (invariant of `DynamicPacks`).
            T::dispatch(run, sweep.simd);
        };
        let count = stretches.len();
        for place in 0..count {
            let (packs, shared) = stretches[if sweep.backward { count - 1 - place } else { place }].clone();
            if shared && team.threads() > 1 {
                let chunks = chunks(packs.len(), team.threads());
                let bound = |chunk: usize| packs.start + packs.len() * chunk / chunks;
                team.run(chunks, |chunk| project(bound(chunk)..bound(chunk + 1)));
            } else {
                project(packs);
            }
        }
    }
}
