//! The time that work takes, ms.

use std::time::Instant;

/// The time of a call. With one thread it is the time that the processor has spent on it, where the system tells: a
/// machine that also does something else then gives nearly the same figures.
pub(super) fn timed(work: impl FnOnce()) -> f64 {
    let alone = rayon::current_num_threads() == 1;
    let (start, spent) = (Instant::now(), spent().filter(|_| alone));
    work();
    let passed = 1e3 * start.elapsed().as_secs_f64();
    match (spent, self::spent()) {
        (Some(before), Some(after)) => after - before,
        _ => passed,
    }
}

/// The time that this thread has run, if the system tells.
fn spent() -> Option<f64> {
    // Linux brings the number up to date when a thread offers its processor to others.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| 1e-6 * nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_work_takes_longer() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
        let work = |n: u64| {
            let mut sum = 0_u64;
            (0..n).for_each(|i| sum = std::hint::black_box(sum.wrapping_mul(31) ^ i));
        };
        let [short, long] = [1_000, 10_000_000]
            .map(|n| pool.install(|| (0..3).map(|_| timed(|| work(n))).fold(f64::MAX, f64::min)));
        assert!(short >= 0.0 && long > short, "{short} ms, {long} ms");
    }
}
