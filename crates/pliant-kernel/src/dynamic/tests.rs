//! Twenty thousand pairs that are found again, the threads that project them, and the memory that they take.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use nalgebra::Vector3;
use pliant_constraints::{Distance, Update};

use super::*;
use crate::lanes::Simd;

const PARTICLES: usize = 6000;
const PAIRS: usize = 20_000;

/// The allocator of the system, which counts the allocations of each thread.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all calls are passed to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) };
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Pseudorandom numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize % n) as u32
    }
}

type Pairs<T> = DynamicPacks<T, Distance<f64>, 2, 1>;

fn pairs<T: Number>(uniform: Option<T>) -> Pairs<T> {
    DynamicPacks::new(uniform, PARTICLES as u32, PARTICLES + 2 * PACK)
}

fn particles<T: Number>() -> Vec<Particle<T>> {
    let mut dice = Dice(7);
    (0..PARTICLES + 2 * PACK)
        .map(|i| {
            let x = Vector3::from_fn(|_, _| T::splat(f64::from(dice.below(10_000)) / 1e4));
            Particle::new(x, if i < PARTICLES && i % 50 != 0 { T::one() } else { T::zero() })
        })
        .collect()
}

fn find<T: Number>(packs: &mut Pairs<T>, dice: &mut Dice) {
    packs.clear();
    for _ in 0..PAIRS {
        let (a, b) = (dice.below(PARTICLES), dice.below(PARTICLES));
        if a != b {
            packs.add([a, b], &Distance { rest: 0.3 }, 1e-4);
        }
    }
    packs.plan();
}

fn sweep<T: Number>(simd: Simd, backward: bool) -> Sweep<T> {
    Sweep {
        inverse_h2: T::splat(3600.0),
        update: Update::xpbd(),
        gamma: T::zero(),
        first: true,
        last: true,
        keep: true,
        backward,
        simd,
    }
}

/// The constraints in the order of their projection.
fn order<T: Wide>(packs: &DynamicPacks<T, Distance<f64>, 2, 1>) -> Vec<Item<T, Distance<f64>, 2, 1>> {
    let mut order = Vec::new();
    packs.for_each(&mut |_, item| order.push(*item));
    order
}

fn run<T: Wide>(uniform: Option<T>, simd: Simd, threads: usize) -> (Vec<Particle<T>>, Vec<[T; 1]>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let (mut packs, mut now, mut dice) = (pairs(uniform), particles(), Dice(1));
        Team::form(threads, |team| {
            for substep in 0..4 {
                find(&mut packs, &mut dice);
                let previous = now.clone();
                packs.sweep(&mut now, &previous, sweep(simd, substep % 2 == 1), team);
            }
        });
        (now, order(&packs).iter().map(|item| *item.lambda()).collect())
    })
}

#[test]
fn who_projects_them_does_not_matter() {
    for uniform in [None, Some(0.0)] {
        let one = run::<f32>(uniform, Simd::detect(), 1);
        assert!(one.0.iter().all(|p| p.x.iter().all(|c| c.is_finite())));
        for threads in [2, 5] {
            assert!(run(uniform, Simd::detect(), threads) == one, "{threads} threads");
        }
        assert!(run(uniform, Simd::portable(), 2) == one, "lanes in arrays");
    }
    let wide = run::<f64>(None, Simd::detect(), 1);
    assert!(run(None, Simd::portable(), 5) == wide);
}

#[test]
fn members_get_as_many_chunks_as_each_other_of_packs_that_are_worth_it() {
    for members in [2, 3, 5, 16, 200] {
        for packs in WORTH_SHARING..1000 {
            let chunks = chunks(packs, members);
            assert!(packs.div_ceil(chunks) <= CHUNK, "{packs} packs in {chunks} chunks");
            let part = members.min(chunks);
            assert!(
                part == members || packs / (part + 1) < SHARE,
                "{packs} packs, {part} of {members} members"
            );
            assert!(chunks.is_multiple_of(part) && packs / part >= SHARE);
        }
    }
}

/// A list that was projected is started again.
#[test]
fn packs_that_are_started_again_begin_as_new_ones() {
    let (mut packs, mut now, mut dice) = (pairs::<f64>(None), particles::<f64>(), Dice(7));
    find(&mut packs, &mut dice);
    let previous = now.clone();
    let mut project = |packs: &mut Pairs<f64>| {
        now.clone_from(&previous);
        let again = Sweep { first: false, ..sweep(Simd::detect(), false) };
        packs.sweep(&mut now, &previous, again, Team::alone());
        now.clone()
    };
    let first = project(&mut packs);
    assert!(project(&mut packs) != first, "multipliers are kept");
    packs.pieces_mut(3).for_each(|mut piece| piece.restart());
    assert!(project(&mut packs) == first);
}

#[test]
fn they_come_out_as_one_after_the_other() {
    let (mut packs, mut now, mut dice) = (pairs::<f64>(None), particles::<f64>(), Dice(3));
    find(&mut packs, &mut dice);
    let (previous, mut expected) = (now.clone(), now.clone());
    let order = order(&packs);
    packs.sweep(&mut now, &previous, sweep(Simd::detect(), false), Team::alone());
    let count = order.len();
    let mut batch = crate::Batch::new(order, PARTICLES);
    batch.sweep_here(&mut expected, &previous, sweep(Simd::detect(), false));
    assert!(now == expected);
    assert_eq!(packs.len(), count);
}

#[test]
fn no_memory_is_asked_for_in_a_steady_state() {
    let (mut packs, mut now, mut dice) = (pairs::<f32>(None), particles::<f32>(), Dice(5));
    let previous = now.clone();
    let mut substep = || {
        find(&mut packs, &mut dice);
        packs.sweep(&mut now, &previous, sweep(Simd::detect(), false), Team::alone());
    };
    (0..10).for_each(|_| substep());
    let before = ASKED.get();
    (0..40).for_each(|_| substep());
    assert_eq!(ASKED.get() - before, 0);
}

#[test]
fn a_particle_of_all_has_its_constraints_one_by_one() {
    let mut packs = pairs::<f64>(None);
    for i in 1..400 {
        packs.add([0, i], &Distance { rest: 0.3 }, 0.0);
    }
    packs.plan();
    assert_eq!(packs.packs(), (399, 399 - COLOURS));
    let (mut now, mut expected) = (particles::<f64>(), particles::<f64>());
    let previous = now.clone();
    packs.sweep(&mut now, &previous, sweep(Simd::detect(), false), Team::alone());
    let order = order(&packs);
    let mut batch = crate::Batch::new(order, PARTICLES);
    batch.sweep_here(&mut expected, &previous, sweep(Simd::detect(), false));
    assert!(now == expected);
}

#[test]
#[should_panic(expected = "names a particle twice")]
fn a_particle_is_not_its_own_partner() {
    pairs::<f32>(None).add([3, 3], &Distance { rest: 0.3 }, 0.0);
}

#[test]
#[should_panic(expected = "planned once")]
fn a_list_is_planned_once() {
    let mut packs = pairs::<f32>(None);
    find(&mut packs, &mut Dice(1));
    packs.plan();
}
