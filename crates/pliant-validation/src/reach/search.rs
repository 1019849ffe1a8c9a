//! Finds the cheapest value on a ladder that meets the bounds.

use std::time::Instant;

use super::Reached;

/// Searches for the cheapest value that meets the bounds, within `budget` seconds: up the ladder by longer
/// and longer strides, then by bisection. If none does, returns the last try.
pub(crate) fn cheapest<E>(
    ladder: &[f64],
    budget: f64,
    mut attempt: impl FnMut(f64) -> Result<Reached, E>,
) -> Result<Reached, E> {
    let start = Instant::now();
    // The last rung that did not hold, and the first that did.
    let (mut below, mut found): (Option<usize>, Option<(usize, Reached)>) = (None, None);
    let (mut at, mut stride) = (0, 1);
    let mut last = attempt(ladder[0])?;
    let mut took = start.elapsed().as_secs_f64();
    loop {
        if last.held {
            found = Some((at, last.clone()));
        } else {
            below = Some(at);
        }
        let next = match (&found, below) {
            (None, _) if at + 1 >= ladder.len() => break,
            (None, _) => (at + stride).min(ladder.len() - 1),
            (Some((0, _)), _) => break,
            (Some((top, _)), below) => {
                let bottom = below.map_or(0, |below| below + 1);
                if bottom >= *top {
                    break;
                }
                usize::midpoint(bottom, *top)
            }
        };
        // Higher rungs take longer than lower ones.
        let longer = if next > at { 1.5 } else { 1.0 };
        if start.elapsed().as_secs_f64() + longer * took > budget {
            break;
        }
        if found.is_none() {
            stride *= 2;
        }
        at = next;
        let begun = Instant::now();
        last = attempt(ladder[at])?;
        took = begun.elapsed().as_secs_f64();
    }
    Ok(found.map_or(last, |(_, reached)| reached))
}

/// What was reached, or the fastest of the next `rungs` that hold as well: a closer accuracy may take less time, because it saves
/// an iteration later.
pub(crate) fn fastest_near<E>(
    ladder: &[f64],
    reached: Reached,
    rungs: usize,
    mut attempt: impl FnMut(f64) -> Result<Reached, E>,
) -> Result<Reached, E> {
    let mut best = reached;
    let Some(at) = ladder.iter().position(|&rung| rung == best.setting).filter(|_| best.held) else {
        return Ok(best);
    };
    for &rung in ladder[at + 1..].iter().take(rungs) {
        let next = attempt(rung)?;
        if next.held && next.ms < best.ms {
            best = next;
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn tried(setting: f64, held: bool) -> Reached {
        let (what, errors) = (String::new(), BTreeMap::new());
        Reached { setting, what, ms: setting, errors, energy: None, held }
    }

    #[test]
    fn a_later_value_may_be_faster_and_has_to_hold() {
        let ladder = [1.0, 2.0, 3.0, 4.0];
        let attempt = |value: f64| Ok::<_, ()>(Reached { ms: 10.0 - value, ..tried(value, value != 3.0) });
        let near = |from: f64, held, rungs| {
            fastest_near(&ladder, tried(from, held), rungs, attempt).map(|reached| reached.setting)
        };
        // 1 takes 1 ms, 2 takes 2, 3 fails, 4 takes 4.
        assert_eq!(
            [near(1.0, true, 3), near(4.0, true, 2), near(2.0, false, 2)],
            [Ok(1.0), Ok(4.0), Ok(2.0)]
        );
        let slow = Reached { ms: 7.0, ..tried(2.0, true) };
        assert_eq!(fastest_near(&ladder, slow.clone(), 1, attempt).map(|reached| reached.setting), Ok(2.0));
        assert_eq!(fastest_near(&ladder, slow, 2, attempt).map(|reached| reached.setting), Ok(4.0));
    }

    #[test]
    fn the_first_value_that_holds_is_found_in_few_tries() {
        let ladder: Vec<f64> = (1..=100).map(f64::from).collect();
        for first in [1.0, 2.0, 37.0, 99.0, 100.0] {
            let mut tries = 0;
            let reached = cheapest(&ladder, 60.0, |value| {
                tries += 1;
                Ok::<_, ()>(tried(value, value >= first))
            });
            assert_eq!(reached.map(|r| r.setting), Ok(first));
            assert!(tries <= 16, "{tries} tries for {first}");
        }
        let none = cheapest(&ladder, 60.0, |value| Ok::<_, ()>(tried(value, false)));
        assert!(none.is_ok_and(|r| !r.held && (r.setting - 100.0).abs() < 1e-9));
    }
}
