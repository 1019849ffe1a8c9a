//! Packs add up what the same constraints do one by one, on any team and in any lanes.

use pliant_constraints::Distance;

use super::*;
use crate::compiled::Scalar;
use crate::lanes::Simd;
use crate::packs::PackPlan;
use crate::per_cluster::PerCluster;
use crate::trio_count::TrioCount;

/// Points of a chain, all of whose edges are springs.
const POINTS: u32 = 40;

fn item<T: Scalar>(i: usize) -> Item<T, Distance<f64>, 2, 1> {
    // Every third edge is named the other way round, which asks for transposes.
    let (a, b) = (i as u32, i as u32 + 1);
    let ends = if i.is_multiple_of(3) { [b, a] } else { [a, b] };
    Item::new(ends, &Distance { rest: 0.9 }, 1e-3, a)
}

/// Two clusters of even edges and two of odd ones, which wait for those.
fn packs<T: Scalar>() -> Packs<T, Distance<f64>, 2, 1> {
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
    Packs::new(POINTS as usize - 1, item, Some(T::splat(1e-3)), plan, particles::<T>().len())
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
        springs: false,
        keep: true,
        simd,
    };
    let mut impulses = vec![Particle::new(Vector3::zeros(), T::zero()); now.len()];
    let mut values = vec![[0.0; 9]; 2 * POINTS as usize];
    let place = |source: usize, j: usize, k: usize| -> u32 {
        let ends = item::<T>(source).stencil();
        if j == k { 4 * ends[j] } else { 2 * (2 * ends[0].min(ends[1]) + 1) + u32::from(ends[0] > ends[1]) }
    };
    let blocks = Some(BlockSums { values: &mut values, place: &place });
    let rigid = assemble(&at, &mut Assembly { impulses: Some(&mut impulses), blocks });
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
    for springs in [true, false] {
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
            assemble(&mut Assembly { impulses: Some(&mut impulses), blocks: None });
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
                if springs { second == first } else { second > 1.1 * first },
                "{springs}: {of_packs:?}, {of_batch:?}"
            );
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
        springs: false,
        keep: false,
        simd: Simd::detect(),
    };
    let blocks = Some(BlockSums { values: &mut values, place: &|_, _, _| 0 });
    packs::<f32>().assemble(&at, &mut Assembly { impulses: None, blocks }, Team::alone());
}
