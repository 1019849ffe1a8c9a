//! Teams of any size run every call once, and end.

use std::sync::atomic::AtomicU32;

use super::*;

fn in_pool<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(f)
}

#[test]
fn every_chunk_of_every_pass_runs_once() {
    for (pool, threads) in [(1, 1), (1, 4), (2, 2), (3, 3), (4, 4)] {
        in_pool(pool, || {
            Team::form(threads, |team| {
                for pass in 0..300_usize {
                    let chunks = pass % 23;
                    let calls: Vec<AtomicU32> = (0..chunks).map(|_| AtomicU32::new(0)).collect();
                    team.run(chunks, |i| {
                        calls[i].fetch_add(1, Ordering::Relaxed);
                    });
                    assert!(calls.iter().all(|c| c.load(Ordering::Relaxed) == 1), "pass {pass}");
                }
            });
        });
    }
}

#[test]
fn a_pass_sees_what_the_pass_before_has_written() {
    in_pool(4, || {
        Team::form(4, |team| {
            let mut numbers = vec![0_u64; 64];
            for _ in 0..500 {
                team.for_each(numbers.chunks_mut(5), |chunk| chunk.iter_mut().for_each(|n| *n += 1));
                let total: u64 = numbers.iter().sum();
                team.for_each(numbers.iter_mut(), |n| *n = total);
                assert!(numbers.iter().all(|&n| n == total));
                numbers.fill(total % 1000);
            }
        });
    });
}

#[test]
fn calls_may_wait_for_those_in_other_lists() {
    // Forty numbers dealt out to the members in turn, each of which waits for the one before.
    for (pool, members) in [(1, 1), (1, 3), (2, 2), (4, 4)] {
        let list_of = |i: usize| (i % members) * 40_usize.div_ceil(members) + i / members;
        let mut order = vec![usize::MAX; members * 40_usize.div_ceil(members)];
        (0..40).for_each(|i| order[list_of(i)] = i);
        let ends: Vec<usize> = (1..=members).map(|m| m * 40_usize.div_ceil(members)).collect();
        in_pool(pool, || {
            Team::form(members, |team| {
                for _ in 0..50 {
                    let finished = AtomicUsize::new(0);
                    team.run_lists(&ends, |member, place| {
                        let i = order[place];
                        if i == usize::MAX {
                            return;
                        }
                        if i > 0 {
                            team.wait_for(member, list_of(i - 1), || finished.load(Ordering::Acquire) == i);
                        }
                        finished.store(i + 1, Ordering::Release);
                    });
                    assert_eq!(finished.into_inner(), 40);
                }
            });
        });
    }
}

#[test]
fn a_helper_that_comes_while_a_pass_is_opened_knows_whose_chunks_are() {
    in_pool(2, || {
        Team::form(2, |team| {
            let shared = team.0.expect("a team of two");
            // These shares end before those of the next pass do.
            team.run(2, |_| {});
            let [begun, finished] = [(); 2].map(|()| AtomicBool::new(false));
            let end = |member: usize| {
                if member == 1 && !shared.shares[0].is_empty() {
                    // The leader is interrupted here, and the helper finds the first share.
                    shared.announce();
                    while !begun.load(Ordering::Acquire) {
                        std::thread::yield_now();
                    }
                }
                [3, 6][member]
            };
            shared.lead(end, &|member, chunk| match chunk {
                0 => {
                    begun.store(true, Ordering::Release);
                    team.wait_for(member, 5, || finished.load(Ordering::Acquire));
                }
                5 => finished.store(true, Ordering::Release),
                _ => {}
            });
            assert!(finished.into_inner());
        });
    });
}

#[test]
fn who_waits_for_a_call_that_panics_gives_up() {
    let outcome = std::panic::catch_unwind(|| {
        in_pool(3, || {
            Team::form(3, |team| {
                team.run_lists(&[3, 6, 9], |member, i| {
                    assert_ne!(i, 3);
                    if i == 6 || i == 0 {
                        team.wait_for(member, 3, || false);
                    }
                });
            });
        });
    });
    assert!(outcome.is_err());
}

#[test]
fn what_a_member_at_work_does_not_get_to_is_taken_over() {
    // The thread that runs chunk 5 is held up until all others are finished; the first of the other list
    // waits for one behind it.
    in_pool(2, || {
        Team::form(2, |team| {
            let finished: Vec<AtomicBool> = (0..10).map(|_| AtomicBool::new(false)).collect();
            let is_finished = |i: usize| finished[i].load(Ordering::Acquire);
            team.run_lists(&[5, 10], |member, i| {
                let start = std::time::Instant::now();
                let others = || (0..10).filter(|&other| other != 5).all(is_finished);
                while i == 5 && member == 1 && !others() {
                    // Instead of a hang; no machine is as slow as that.
                    assert!(start.elapsed().as_secs() < 600, "nobody takes over");
                    std::thread::yield_now();
                }
                if i == 0 && member == 0 {
                    team.wait_for(member, 7, || is_finished(7));
                }
                finished[i].store(true, Ordering::Release);
            });
            assert!((0..10).all(is_finished));
        });
    });
}

#[test]
fn helpers_that_sleep_wake_up() {
    in_pool(2, || {
        Team::form(2, |team| {
            for _ in 0..3 {
                std::thread::sleep(std::time::Duration::from_millis(20));
                let sum = AtomicUsize::new(0);
                team.run(100, |i| {
                    sum.fetch_add(i, Ordering::Relaxed);
                });
                assert_eq!(sum.into_inner(), 4950);
            }
        });
    });
}

#[test]
fn a_panic_in_a_chunk_reaches_the_leader_and_nobody_hangs() {
    for bad in [0, 50, 99] {
        let outcome = std::panic::catch_unwind(|| {
            in_pool(3, || {
                Team::form(3, |team| team.run(100, |i| assert_ne!(i, bad)));
            });
        });
        assert!(outcome.is_err());
    }
}

#[test]
fn teams_within_teams_and_side_by_side_finish() {
    use rayon::prelude::*;
    for pool in [1, 2] {
        in_pool(pool, || {
            (0..8).into_par_iter().for_each(|_| {
                Team::form(4, |team| {
                    for _ in 0..50 {
                        team.run(10, |_| std::hint::black_box(()));
                    }
                });
            });
        });
    }
}
