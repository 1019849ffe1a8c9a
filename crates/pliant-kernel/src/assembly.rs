//! [`Assembly`]: the impulses and the stiffness of constraints, added up for a Newton step.
//!
//! Eight constraints are loaded, linearised and added to the sums side by side, cluster by cluster. As in a
//! sweep a cluster waits for those before it that it shares particles with, so every sum has one order,
//! whatever the number of threads. Blocks of a matrix belong to two particles each (which is checked when
//! their places are made), so they are disjoint where particles are.
//!
//! Sums of some particles only are added up in the same order, so they have the same bits as among those of all.
//!
//! | file | what it is |
//! |---|---|
//! | `inside.rs` | which points of constraints have sums that are wanted |
//! | `strained.rs` | which constraints are far from zero |

mod inside;
mod strained;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};

use nalgebra::Vector3;
use pliant_constraints::Kind;

use self::inside::{Inside, have_wanted, is_wanted};
use crate::batch::Batch;
use crate::item::Item;
use crate::lanes::{LaneJob, Lanes, PACK, Portable, Wide, add_block, particle_at, side_by_side};
use crate::linear::{Eight, Linearise, LineariseOf};
use crate::number::Number;
use crate::packs::{Given, NONE, Packs};
use crate::particles::Particle;
use crate::shared::Shared;
use crate::team::Team;

pub use strained::Strained;

/// The sums of a Newton step.
#[derive(Default)]
pub struct Assembly<'a, T: Number> {
    /// Σ ∇Cᵀλ' at every particle and behind them those of the dummies, kg·m, to which is added, if they are wanted.
    pub impulses: Option<&'a mut [Particle<T>]>,
    /// Where stiffnesses are added, if they are wanted.
    pub blocks: Option<BlockSums<'a>>,
    /// For every particle whether its sums are wanted: the impulses on it, and its blocks with all others. Dummies may be
    /// left out. `None` for all particles.
    pub only: Option<&'a [bool]>,
    /// Where particles of constraints that are far from zero are noted, if they are wanted.
    pub strained: Option<Strained<'a>>,
}

/// Blocks of a symmetric matrix, those of one triangle and of the diagonal.
pub struct BlockSums<'a> {
    /// The blocks, kg, row after row.
    pub values: &'a mut [[f32; 9]],
    /// The place of the block of two particles: twice the number of the block, plus one if that is the block of the second and
    /// the first and so the transpose, or [`NONE`] if there is no block.
    pub place: &'a dyn Fn(u32, u32) -> u32,
}

/// The places of the blocks of packs.
pub(crate) struct Places {
    /// For every pack and each two points j < k a row.
    rows: Vec<[u32; PACK]>,
    /// That of the block of each particle on the diagonal, [`NONE`] for dummies and particles without constraints.
    diagonal: Vec<u32>,
    /// The number of blocks that they were made for.
    blocks: usize,
}

/// The places of the blocks of each two points j ≤ k of a pack.
type Rows<const N: usize> = [[[u32; PACK]; N]; N];

/// No places.
const fn nowhere<const N: usize>() -> Rows<N> {
    [[[NONE; PACK]; N]; N]
}

impl Places {
    /// Those of a pack with these points.
    #[inline(always)]
    fn of<T: Number, const N: usize>(&self, pack: usize, points: &[[u32; PACK]; N]) -> Rows<N> {
        let pairs = N * (N - 1) / 2;
        let mut beside = self.rows[pack * pairs..(pack + 1) * pairs].iter();
        let mut places = nowhere();
        for j in 0..N {
            places[j][j] = points[j].map(|offset| self.diagonal[particle_at::<T>(offset) as usize]);
            for (place, beside) in places[j][j + 1..].iter_mut().zip(&mut beside) {
                *place = *beside;
            }
        }
        places
    }
}

/// The points of a pack, from memory into rows.
struct Load<'a, T: Number, const N: usize, const M: usize> {
    points: &'a [[u32; PACK]; N],
    now: *const Particle<T>,
    /// Null without damping, where it makes no difference which positions are taken.
    previous: *const Particle<T>,
    eight: &'a mut Eight<T, N, M>,
}

impl<T: Number, const N: usize, const M: usize> LaneJob<T> for Load<'_, T, N, M> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Eight { x, previous, w, .. } = self.eight;
        for lane in (0..PACK).step_by(L::WIDTH) {
            for j in 0..N {
                // SAFETY: offsets are in range of the particles, which no thread writes meanwhile
                // (`Packs::assemble_with`).
                let (now, inverse) = unsafe { L::gather(self.now, &self.points[j][lane..]) };
                let mut before = now;
                if !self.previous.is_null() {
                    // SAFETY: as above.
                    (before, _) = unsafe { L::gather(self.previous, &self.points[j][lane..]) };
                }
                for axis in 0..3 {
                    now[axis].store(&mut x[j][axis][lane..]);
                    before[axis].store(&mut previous[j][axis][lane..]);
                }
                inverse.store(&mut w[j][lane..]);
            }
        }
    }
}

/// The impulses and blocks of a pack, added to the sums.
struct Add<'a, T: Number, const N: usize, const M: usize> {
    points: &'a [[u32; PACK]; N],
    eight: &'a Eight<T, N, M>,
    /// Null if they are not wanted.
    impulses: *mut Particle<T>,
    /// `None` if they are not wanted.
    places: Option<&'a Rows<N>>,
    values: *mut [f32; 9],
}

impl<T: Number, const N: usize, const M: usize> LaneJob<T> for Add<'_, T, N, M> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { points, eight, impulses, places, values } = self;
        if !impulses.is_null() {
            for lane in (0..PACK).step_by(L::WIDTH) {
                for (points, [x, y, z]) in points.iter().zip(&eight.impulses) {
                    let by = Vector3::new(L::load(&x[lane..]), L::load(&y[lane..]), L::load(&z[lane..]));
                    // SAFETY: offsets are in range of the impulses, distinct within a row, and this thread
                    // has those of the cluster to itself (`Packs::assemble_with`).
                    unsafe { L::accumulate(impulses, &points[lane..], by) };
                }
            }
        }
        let Some(places) = places else { return };
        for (j, (places, blocks)) in places.iter().zip(&eight.blocks).enumerate() {
            for (places, blocks) in places.iter().zip(blocks).skip(j) {
                // SAFETY: places are in range of the blocks, those of a row distinct because they belong to
                // distinct particles, and this thread has those of the cluster to itself
                // (`Packs::assemble_with`).
                unsafe { L::add_blocks(values, places, blocks) };
            }
        }
    }
}

/// Notes the particles of the constraints of a pack that were found to be far from zero.
#[inline(never)]
fn note<T: Number, const N: usize>(strained: Strained<'_>, found: [bool; PACK], given: &Given<'_, T, N>) {
    for lane in (0..PACK).filter(|&lane| found[lane] && given.source(lane).is_some()) {
        strained.note(given.stencil(lane));
    }
}

impl<T: Wide, K: Kind<N, M>, const N: usize, const M: usize> Packs<T, K, N, M> {
    /// Finds the places of all blocks, of which there are `blocks`, and checks that each belongs to two particles.
    fn find_places(&self, blocks: usize, place: &dyn Fn(u32, u32) -> u32) -> Places {
        assert!(blocks <= (NONE / 2) as usize, "so many blocks cannot be numbered");
        let mut rows = Vec::with_capacity(self.pack_count() * N * (N - 1) / 2);
        let mut diagonal = vec![NONE; self.particle_count()];
        let mut owners = vec![[NONE; 2]; blocks];
        for (cluster, packs) in self.clusters().iter().enumerate() {
            for pack in packs.clone() {
                let given = self.given(cluster, pack);
                let stencils: [_; PACK] = std::array::from_fn(|lane| given.stencil(lane));
                for j in 0..N {
                    for k in j..N {
                        let row: [u32; PACK] = std::array::from_fn(|lane| {
                            let (a, b) = (stencils[lane][j], stencils[lane][k]);
                            let at = given.source(lane).map_or(NONE, |_| place(a, b));
                            if at != NONE {
                                let pair = [a.min(b), a.max(b)];
                                let owner = std::mem::replace(&mut owners[at as usize / 2], pair);
                                assert!(
                                    owner == pair || owner == [NONE; 2],
                                    "a block belongs to two particles"
                                );
                            }
                            at
                        });
                        if j < k {
                            rows.push(row);
                            continue;
                        }
                        for (stencil, at) in stencils.iter().zip(row) {
                            diagonal[stencil[j] as usize] = at;
                        }
                    }
                }
            }
        }
        Places { rows, diagonal, blocks }
    }

    /// Linearises all constraints and adds up the results; `kernel` linearises eight.
    pub(crate) fn assemble_with(
        &mut self,
        at: &Linearise<'_, T>,
        into: &mut Assembly<'_, T>,
        kernel: LineariseOf<T, K, N, M>,
        team: Team<'_>,
    ) -> bool {
        let length = into.impulses.as_ref().map_or(usize::MAX, |impulses| impulses.len());
        for length in [at.now.len(), at.previous.len(), length] {
            assert!(length >= self.particle_count(), "the packs were planned for more particles");
        }
        let (only, strained) = (into.only, into.strained);
        let Assembly { impulses, blocks, .. } = into;
        if let Some(BlockSums { values, place }) = blocks
            && self.places().is_none_or(|places| places.blocks != values.len())
        {
            let places = self.find_places(values.len(), *place);
            self.set_places(Some(places));
        }
        let stiffness = blocks.is_some();
        let impulses =
            Shared(impulses.as_mut().map_or(std::ptr::null_mut(), |impulses| impulses.as_mut_ptr()));
        let values = Shared(blocks.as_mut().map_or(std::ptr::null_mut(), |sums| sums.values.as_mut_ptr()));
        let previous = if at.gamma > T::zero() { at.previous.as_ptr() } else { std::ptr::null() };
        let previous = Shared(previous.cast_mut());
        let found_rigid = AtomicBool::new(false);
        self.take_turns(team, &|packs, cluster, multipliers| {
            let mut eight = Eight::new();
            let mut rigid = false;
            if only.is_some_and(|only| !have_wanted::<T>(only, packs.rows_of_points(cluster))) {
                return;
            }
            for pack in packs.clusters()[cluster].clone() {
                let given = packs.given(cluster, pack);
                let inside = only.map(|only| Inside::of(only, &given));
                if matches!(inside, Some(None)) {
                    continue;
                }
                let inside = inside.flatten();
                let load = Load {
                    points: given.points(),
                    now: at.now.as_ptr(),
                    previous: previous.get().cast_const(),
                    eight: &mut eight,
                };
                T::dispatch(load, at.simd);
                for (row, values) in eight.rest.iter_mut().zip(given.rest) {
                    *row = *values;
                }
                eight.alpha_tilde = given.compliance.map(|compliance| compliance * at.inverse_h2);
                let first = (pack - packs.clusters()[cluster].start) * M;
                let lambda = &mut multipliers[first..first + M];
                if let Some(springs) = &at.springs {
                    eight.lambda = [[T::zero(); PACK]; M];
                    eight.adapt(springs);
                } else {
                    eight.lambda.copy_from_slice(lambda);
                }
                kernel(&mut eight, at, stiffness, std::marker::PhantomData);
                if at.keep {
                    match &inside {
                        None => lambda.copy_from_slice(&eight.lambda),
                        Some(inside) => inside.keep(lambda, &eight.lambda),
                    }
                }
                rigid |= stiffness && eight.rigid.iter().any(|rigid| *rigid > T::zero());
                if let Some(strained) = strained {
                    let found = eight.are_strained(strained.share, at.rigid.to_f64());
                    note(strained, found, &given);
                }
                if let Some(inside) = &inside {
                    inside.restrict(&mut eight);
                }
                let places = packs.places().filter(|_| stiffness);
                let places = places.map(|places| {
                    let all = places.of::<T, N>(pack, given.points());
                    inside.as_ref().map_or(all, |inside| inside.places(&all))
                });
                let add = Add {
                    points: given.points(),
                    eight: &eight,
                    impulses: impulses.get(),
                    places: places.as_ref(),
                    values: values.get(),
                };
                T::dispatch(add, at.simd);
            }
            if rigid {
                found_rigid.store(true, Ordering::Relaxed);
            }
        });
        found_rigid.into_inner()
    }
}

impl<T: Wide, K: Kind<N, M>, const N: usize, const M: usize> Batch<T, K, N, M> {
    /// Linearises all constraints, in their order, and adds up the results; `kernel` linearises eight.
    pub(crate) fn assemble_with(
        &mut self,
        at: &Linearise<'_, T>,
        into: &mut Assembly<'_, T>,
        kernel: LineariseOf<T, K, N, M>,
    ) -> bool {
        let mut eight = Eight::new();
        let (stiffness, mut rigid) = (into.blocks.is_some(), false);
        for some in self.items_mut().chunks_mut(PACK) {
            let is_touched = |item: &Item<T, K, N, M>| item.stencil.iter().any(|&v| is_wanted(into.only, v));
            let touches: [bool; PACK] = std::array::from_fn(|lane| some.get(lane).is_some_and(is_touched));
            if !touches.contains(&true) {
                continue;
            }
            // The lanes behind them repeat the first.
            for lane in 0..PACK {
                eight.put(lane, some.get(lane).unwrap_or(&some[0]), at);
            }
            if let Some(springs) = &at.springs {
                eight.adapt(springs);
            }
            kernel(&mut eight, at, stiffness, std::marker::PhantomData);
            let far = into
                .strained
                .map(|strained| (strained, eight.are_strained(strained.share, at.rigid.to_f64())));
            for (lane, item) in some.iter_mut().enumerate().filter(|(lane, _)| touches[*lane]) {
                if at.keep {
                    item.lambda = std::array::from_fn(|row| eight.lambda[row][lane]);
                }
                rigid |= stiffness && eight.rigid[lane] > T::zero();
                if let Some((strained, far)) = &far
                    && far[lane]
                {
                    strained.note(item.stencil);
                }
                add_one(&eight, lane, item.stencil, into);
            }
        }
        rigid
    }
}

/// Adds the constraint in a lane to the sums.
#[inline(never)]
fn add_one<T: Number, const N: usize, const M: usize>(
    eight: &Eight<T, N, M>,
    lane: usize,
    stencil: [u32; N],
    into: &mut Assembly<'_, T>,
) {
    let only = into.only;
    let is_inside = |v: u32| is_wanted(only, v);
    if let Some(impulses) = &mut into.impulses {
        for (&v, [x, y, z]) in stencil.iter().zip(&eight.impulses).filter(|(v, _)| is_inside(**v)) {
            impulses[v as usize].x += Vector3::new(x[lane], y[lane], z[lane]);
        }
    }
    if let Some(BlockSums { values, place }) = &mut into.blocks {
        for j in 0..N {
            for k in j..N {
                let at = place(stencil[j], stencil[k]);
                if at != NONE && (is_inside(stencil[j]) || is_inside(stencil[k])) {
                    add_apart(&mut values[at as usize / 2], at % 2 == 1, lane, &eight.blocks[j][k]);
                }
            }
        }
    }
}

/// [`add_block`], compiled once.
#[inline(never)]
fn add_apart<T: Number>(sum: &mut [f32; 9], transposed: bool, lane: usize, rows: &[[T; PACK]; 9]) {
    add_block(sum, transposed, lane, rows);
}
