//! Packs add up what the same constraints do one by one, on any team and in any lanes.

use pliant_constraints::Distance;

use super::*;
use crate::compiled::Scalar;
use crate::lanes::Simd;
use crate::linear::Springs;
use crate::packs::PackPlan;
use crate::per_cluster::PerCluster;
use crate::trio_count::TrioCount;

/// Points of a chain, all of whose edges are springs.
const POINTS: u32 = 40;
/// Springs, none of which is short.
const SPRINGS: Springs<f64> = Springs { long: 1.0, softer: 1.0 };

const COMPLIANCE: f64 = 1e-3;

fn item<T: Scalar>(i: usize) -> Item<T, Distance<f64>, 2, 1> {
    // Every third edge is named the other way round, which asks for transposes.
    let (a, b) = (i as u32, i as u32 + 1);
    let ends = if i.is_multiple_of(3) { [b, a] } else { [a, b] };
    Item::new(ends, &Distance { rest: 0.9 }, COMPLIANCE, a)
}

/// Two clusters of even edges and two of odd ones, which wait for those.
fn packs<T: Scalar>() -> Packs<T, Distance<f64>, 2, 1> {
    packs_of(COMPLIANCE)
}

fn packs_of<T: Scalar>(compliance: f64) -> Packs<T, Distance<f64>, 2, 1> {
    let of = |first: usize, parity: usize| -> [u32; PACK] {
        std::array::from_fn(|lane| {
            let edge = first + parity + 2 * lane;
            if edge + 1 < POINTS as usize { edge as u32 } else { NONE }
        })
    };
    let packs = vec![of(0, 0), of(16, 0), of(32, 0), of(0, 1), of(16, 1), of(32, 1)];
    let count = packs.len();
    let plan = PackPlan {
        clusters: (0..count).map(|i| i..i + 1).collect(),
        trio_counts: vec![TrioCount::default(); count],
        numbers: vec![0, 1, 2, 0, 1, 2],
        dummies: (0..count as u32).map(|i| POINTS + 2 * PACK as u32 * i).collect(),
        colours: vec![0..3, 3..6],
        waits: PerCluster::from_pairs(count, || [(3, 0), (3, 1), (4, 1), (4, 2), (5, 2)].into_iter()),
        packs,
    };
    Packs::new(POINTS as usize - 1, item, Some(T::splat(compliance)), plan, particles::<T>().len())
}

fn particles<T: Scalar>() -> Vec<Particle<T>> {
    let dummies = 2 * PACK * 6;
    (0..POINTS as usize + dummies)
        .map(|i| {
            let i = i as f64;
            let x = Vector3::new(1.1 * i, crooked(i), crooked(2.0 * i)).map(T::splat);
            Particle::new(x, T::splat(if i < f64::from(POINTS) { 1.0 } else { 0.0 }))
        })
        .collect()
}

/// Something crooked.
fn crooked(x: f64) -> f64 {
    x * x % 7.0 / 50.0
}

/// Where a block of an edge goes: the diagonal of each point, then the edge to the next one.
fn place(a: u32, b: u32) -> u32 {
    if a == b { 4 * a } else { 2 * (2 * a.min(b) + 1) + u32::from(a > b) }
}

/// Pulls and blocks: the diagonal of each point, then the edge to the next one.
fn sums<T: Scalar>(
    simd: Simd,
    assemble: impl FnOnce(&Linearise<'_, T>, &mut Assembly<'_, T>) -> bool,
) -> (Vec<Particle<T>>, Vec<[f32; 9]>) {
    let now = particles::<T>();
    let at = Linearise {
        now: &now,
        previous: &now,
        inverse_h2: T::splat(3600.0),
        gamma: T::zero(),
        rigid: T::splat(1e-3),
        springs: None,
        keep: true,
        simd,
    };
    let mut impulses = vec![Particle::new(Vector3::zeros(), T::zero()); now.len()];
    let mut values = vec![[0.0; 9]; 2 * POINTS as usize];
    let blocks = Some(BlockSums { values: &mut values, place: &place });
    let rigid = assemble(&at, &mut Assembly { impulses: Some(&mut impulses), blocks, ..Assembly::default() });
    assert!(!rigid);
    impulses.truncate(POINTS as usize);
    (impulses, values)
}

fn agree<T: Scalar>() {
    let mut batch = Batch::new((0..POINTS as usize - 1).map(item::<T>).collect(), POINTS as usize);
    let (impulses, values) = sums::<T>(Simd::portable(), |at, into| batch.assemble(at, into));
    assert!(values.iter().flatten().any(|v| *v != 0.0));
    let mut first = None;
    for threads in [1, 3] {
        for simd in [Simd::detect(), Simd::portable()] {
            let mut packs = packs::<T>();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let (p, v) = pool.install(|| {
                Team::form(threads, |team| sums::<T>(simd, |at, into| packs.assemble(at, into, team)))
            });
            for (a, b) in p.iter().zip(&impulses) {
                assert!((a.x - b.x).map(Number::to_f64).norm() < 1e-4, "{:?} for {:?}", a.x, b.x);
            }
            for (a, b) in v.iter().flatten().zip(values.iter().flatten()) {
                assert!((a - b).abs() <= 1e-5 * (1.0 + b.abs()), "{a} for {b}");
            }
            // λ' = −C/α̃ has been kept.
            let lambda = packs.item(0, 0).lambda()[0].to_f64();
            assert!(lambda.abs() > 0.0);
            let bits = first.get_or_insert_with(|| (p.clone(), v.clone()));
            assert!(bits.0 == p && bits.1 == v, "other bits on {threads} threads");
        }
    }
}

#[test]
fn packs_add_up_what_constraints_do_one_by_one() {
    agree::<f32>();
    agree::<f64>();
}

#[test]
fn springs_pull_the_same_again_and_what_is_rigid_pulls_harder() {
    let now = particles::<f64>();
    let mut packs = packs::<f64>();
    let mut batch = Batch::new((0..POINTS as usize - 1).map(item::<f64>).collect(), POINTS as usize);
    for springs in [Some(SPRINGS), None] {
        let at = Linearise {
            now: &now,
            previous: &now,
            inverse_h2: 3600.0,
            gamma: 0.0,
            // Above α̃ over the inverse masses, so that all are treated as rigid.
            rigid: 10.0,
            springs,
            keep: true,
            simd: Simd::detect(),
        };
        let pull = |assemble: &mut dyn FnMut(&mut Assembly<'_, f64>)| {
            let mut impulses = vec![Particle::new(Vector3::zeros(), 0.0); now.len()];
            assemble(&mut Assembly { impulses: Some(&mut impulses), ..Assembly::default() });
            impulses.iter().take(POINTS as usize).map(|p| p.x.norm()).sum::<f64>()
        };
        let of_packs = [(); 2].map(|()| {
            pull(&mut |into| {
                packs.assemble(&at, into, Team::alone());
            })
        });
        let of_batch = [(); 2].map(|()| {
            pull(&mut |into| {
                batch.assemble(&at, into);
            })
        });
        for [first, second] in [of_packs, of_batch] {
            assert!(first > 0.0);
            assert!(
                if springs.is_some() { second == first } else { second > 1.1 * first },
                "{springs:?}: {of_packs:?}, {of_batch:?}"
            );
        }
    }
}

/// The pull of the first edge at its end, alone or among others, where all are springs.
fn first_pull(springs: Springs<f64>, compliance: f64, alone: bool) -> f64 {
    let now = particles::<f64>();
    let at = Linearise {
        now: &now,
        previous: &now,
        inverse_h2: 3600.0,
        gamma: 0.0,
        // By far above α̃ over the inverse masses.
        rigid: 1e6,
        springs: Some(springs),
        keep: true,
        simd: Simd::detect(),
    };
    let mut impulses = vec![Particle::new(Vector3::zeros(), 0.0); now.len()];
    let mut into = Assembly { impulses: Some(&mut impulses), ..Assembly::default() };
    if alone {
        let first = Item { compliance, ..item::<f64>(0) };
        Batch::new(vec![first], POINTS as usize).assemble(&at, &mut into);
    } else {
        packs_of::<f64>(compliance).assemble(&at, &mut into, Team::alone());
    }
    impulses[0].x.norm()
}

#[test]
fn short_springs_are_stiffer_by_the_square() {
    let now = particles::<f64>();
    let length = (now[1].x - now[0].x).norm();
    let pull = |long: f64, alone: bool| first_pull(Springs { long, softer: 1.0 }, COMPLIANCE, alone);
    for alone in [true, false] {
        for (times, stiffer) in [(0.5, 1.0), (1.0, 1.0), (1.5, 2.25), (3.0, 9.0), (9.0, 81.0), (50.0, 1.0)] {
            let ratio = pull(times * length, alone) / pull(0.1 * length, alone);
            assert!((ratio - stiffer).abs() < 1e-9 * stiffer, "{ratio} instead of {stiffer}");
        }
    }
}

#[test]
fn springs_of_constraints_without_a_compliance_can_be_softer() {
    for alone in [true, false] {
        for (compliance, softer) in [(0.0, 8.0), (1e-9, 1.0)] {
            let pull = |softer: f64| first_pull(Springs { long: 0.0, softer }, compliance, alone);
            let ratio = pull(1.0) / pull(8.0);
            assert!((ratio - softer).abs() < 1e-9 * softer, "{ratio} instead of {softer}");
        }
    }
}

#[test]
#[should_panic(expected = "a block belongs to two particles")]
fn a_block_of_several_pairs_is_refused() {
    let now = particles::<f32>();
    let mut values = vec![[0.0; 9]; 1];
    let at = Linearise {
        now: &now,
        previous: &now,
        inverse_h2: 1.0,
        gamma: 0.0,
        rigid: 0.0,
        springs: None,
        keep: false,
        simd: Simd::detect(),
    };
    let blocks = Some(BlockSums { values: &mut values, place: &|_, _| 0 });
    packs::<f32>().assemble(&at, &mut Assembly { blocks, ..Assembly::default() }, Team::alone());
}

/// Where constraints are rigid, and springs.
fn at(now: &[Particle<f32>]) -> Linearise<'_, f32> {
    Linearise {
        now,
        previous: now,
        inverse_h2: 3600.0,
        gamma: 0.0,
        // Above α̃ over the inverse masses.
        rigid: 10.0,
        springs: Some(Springs { long: 1.0, softer: 1.0 }),
        keep: true,
        simd: Simd::detect(),
    }
}

/// The sums of all particles, or of some, added to others.
fn sums_of_some(
    assemble: &mut dyn FnMut(&Linearise<'_, f32>, &mut Assembly<'_, f32>),
    now: &[Particle<f32>],
    only: Option<&[bool]>,
    to: (Vec<Particle<f32>>, Vec<[f32; 9]>),
) -> (Vec<Particle<f32>>, Vec<[f32; 9]>) {
    let (mut impulses, mut values) = to;
    let blocks = Some(BlockSums { values: &mut values, place: &place });
    assemble(&at(now), &mut Assembly { impulses: Some(&mut impulses), blocks, only, strained: None });
    (impulses, values)
}

#[test]
fn sums_of_some_particles_have_the_bits_that_they_have_among_those_of_all() {
    let before = particles::<f32>();
    let mut after = before.clone();
    after[11].x.y += 0.3;
    // The particle that moved and its neighbours.
    let only: Vec<bool> = (0..POINTS as usize).map(|i| (10..13).contains(&i)).collect();
    let none =
        || (vec![Particle::new(Vector3::zeros(), 0.0); before.len()], vec![[0.0; 9]; 2 * POINTS as usize]);
    let mut packs = packs::<f32>();
    let mut batch = Batch::new((0..POINTS as usize - 1).map(item::<f32>).collect(), POINTS as usize);
    let of_packs: &mut dyn FnMut(&Linearise<'_, f32>, &mut Assembly<'_, f32>) = &mut |at, into| {
        packs.assemble(at, into, Team::alone());
    };
    let of_batch: &mut dyn FnMut(&Linearise<'_, f32>, &mut Assembly<'_, f32>) = &mut |at, into| {
        batch.assemble(at, into);
    };
    for assemble in [of_packs, of_batch] {
        let (mut impulses, mut values) = sums_of_some(assemble, &before, None, none());
        let all = sums_of_some(assemble, &after, None, none());
        assert!(all.0 != impulses && all.1 != values);
        for i in 10..13 {
            impulses[i].x = Vector3::zeros();
            values[2 * i] = [0.0; 9];
            // The edges before and after it.
            values[2 * i - 1] = [0.0; 9];
            values[2 * i + 1] = [0.0; 9];
        }
        let some = sums_of_some(assemble, &after, Some(&only), (impulses, values));
        assert_eq!(some.0[..POINTS as usize], all.0[..POINTS as usize]);
        assert_eq!(some.1, all.1);
    }
}

#[test]
fn sums_of_some_corners_of_turned_triangles_are_those_among_all() {
    // Triangle `lane` has the corners 3 lane, 3 lane + 1 and 3 lane + 2; sides are named against its sense in odd lanes.
    let corners = 3 * PACK;
    let sides = |lane: usize| {
        let [a, b, c] = [0, 1, 2].map(|corner| (3 * lane + corner) as u32);
        if lane.is_multiple_of(2) { [[a, b], [b, c], [a, c]] } else { [[b, a], [c, b], [c, a]] }
    };
    let stencil = move |source: usize| sides(source / 3)[source % 3];
    let plan = PackPlan {
        clusters: std::iter::once(0..3).collect(),
        trio_counts: vec![TrioCount { pairs: 0, single: 1 }],
        numbers: vec![0],
        dummies: vec![corners as u32],
        colours: std::iter::once(0..1).collect(),
        waits: PerCluster::from_pairs(1, std::iter::empty),
        packs: (0..3).map(|side| std::array::from_fn(|lane| (3 * lane + side) as u32)).collect(),
    };
    let now: Vec<Particle<f32>> = (0..corners + 2 * PACK)
        .map(|i| {
            let x = [i as f64, crooked(i as f64), crooked(3.0 * i as f64)].map(|x| x as f32);
            Particle::new(Vector3::from(x), if i < corners { 1.0 + i as f32 } else { 0.0 })
        })
        .collect();
    let item = |source: usize| Item::new(stencil(source), &Distance { rest: 0.9 }, 1e-3, source as u32);
    let mut packs: Packs<f32, Distance<f64>, 2, 1> = Packs::new(corners, item, Some(1e-3), plan, now.len());
    // Six blocks for each triangle: its corners', and those of its sides.
    let place = |a: u32, b: u32| -> u32 {
        let at = if a == b { a } else { corners as u32 + 3 * (a / 3) + (a % 3 + b % 3 - 1) };
        2 * at + u32::from(a > b)
    };
    let mut sums = |only: Option<&[bool]>| {
        let mut impulses = vec![Particle::new(Vector3::zeros(), 0.0); now.len()];
        let mut values = vec![[0.0; 9]; 2 * corners];
        let blocks = Some(BlockSums { values: &mut values, place: &place });
        let mut into = Assembly { impulses: Some(&mut impulses), blocks, only, strained: None };
        packs.assemble(&at(&now), &mut into, Team::alone());
        (impulses, values)
    };
    let all = sums(None);
    for corner in 0..corners {
        let only: Vec<bool> = (0..corners).map(|i| i == corner).collect();
        let some = sums(Some(&only));
        for (i, (one, of_all)) in some.0.iter().zip(&all.0).enumerate() {
            assert_eq!(one.x, if i == corner { of_all.x } else { Vector3::zeros() }, "{i} of {corner}");
        }
        let wanted = |at: usize| {
            let [a, b] = [[0, 1], [0, 2], [1, 2]][at % 3];
            let first = at.saturating_sub(corners) / 3 * 3;
            if at < corners { at == corner } else { [first + a, first + b].contains(&corner) }
        };
        for (at, (one, of_all)) in some.1.iter().zip(&all.1).enumerate() {
            assert_eq!(*one, if wanted(at) { *of_all } else { [0.0; 9] }, "block {at} of {corner}");
        }
    }
}

#[test]
fn what_is_strained_is_noted() {
    let mut now = particles::<f32>();
    for (i, particle) in now.iter_mut().enumerate() {
        particle.x = Vector3::new(0.9 * i as f32, 0.0, 0.0);
    }
    // Two edges that are a tenth too long and too short.
    now[11].x.x += 0.09;
    let mut packs = packs::<f32>();
    let mut batch = Batch::new((0..POINTS as usize - 1).map(item::<f32>).collect(), POINTS as usize);
    for (share, expected) in [(0.04, Some(10..13)), (0.06, None)] {
        let of = |assemble: &mut dyn FnMut(&mut Assembly<'_, f32>)| {
            let particles: Vec<AtomicBool> = (0..POINTS).map(|_| AtomicBool::new(false)).collect();
            let strained = Some(Strained { share, particles: &particles });
            assemble(&mut Assembly { strained, ..Assembly::default() });
            particles.into_iter().map(AtomicBool::into_inner).collect::<Vec<_>>()
        };
        let expected: Vec<bool> =
            (0..POINTS as usize).map(|i| expected.as_ref().is_some_and(|range| range.contains(&i))).collect();
        let of_packs = of(&mut |into| {
            packs.assemble(&at(&now), into, Team::alone());
        });
        let of_batch = of(&mut |into| {
            batch.assemble(&at(&now), into);
        });
        assert_eq!((of_packs, of_batch), (expected.clone(), expected), "{share}");
    }
}
