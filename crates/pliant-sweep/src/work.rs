//! [`work`]: units on the cores of this machine.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::outcome::Outcome;
use crate::unit::{Unit, ensure};

/// A unit that has been worked on.
#[derive(Debug)]
pub struct Step<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// What became of it.
    pub outcome: &'a Outcome,
    /// How many units have been worked on.
    pub done: usize,
    /// How many there are.
    pub of: usize,
}

/// What became of all units.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many runs were there before.
    pub whole: usize,
    /// How many were finished.
    pub finished: usize,
    /// How many another process has.
    pub taken: usize,
    /// How many were stopped, with a checkpoint.
    pub stopped: usize,
    /// How many were not looked at, because the work was stopped before.
    pub waiting: usize,
    /// Those that failed: name and reason.
    pub failed: Vec<(String, String)>,
    /// Why the work was given up, if the disk is full.
    pub full: Option<String>,
}

impl Tally {
    /// Whether every run is there.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.taken + self.stopped + self.waiting == 0 && self.failed.is_empty() && self.full.is_none()
    }

    fn count(&mut self, unit: &Unit, outcome: &Outcome) {
        match outcome {
            Outcome::Whole => self.whole += 1,
            Outcome::Finished => self.finished += 1,
            Outcome::Taken => self.taken += 1,
            Outcome::Stopped => self.stopped += 1,
            Outcome::Failed(why) => self.failed.push((unit.name.clone(), why.clone())),
            Outcome::Full(why) => self.full = Some(why.clone()),
        }
    }
}

/// Has the runs of units that were [expanded](crate::Study::expand) to the folder `out`, as many at a time as
/// there are `workers`, with one thread each: many small runs use cores better side by side than each with
/// many threads. `told` hears of every unit when it is done. When `stop` says so, or the disk is full, all
/// units stop at their next frame with a checkpoint; the same call resumes it later.
///
/// The result does not depend on the number of workers.
pub fn work(
    out: &Path,
    units: &[Unit],
    workers: usize,
    stop: &(dyn Fn() -> bool + Sync),
    told: &mut (dyn FnMut(&Step<'_>) + Send),
) -> Tally {
    let (next, full) = (AtomicUsize::new(0), AtomicBool::new(false));
    let state = Mutex::new((Tally::default(), 0, told));
    let stops = || full.load(Ordering::Relaxed) || stop();
    let one = || {
        while !stops()
            && let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let outcome = ensure(&unit.folder(out), &stops);
            if matches!(outcome, Outcome::Full(_)) {
                full.store(true, Ordering::Relaxed);
            }
            // A caller that panicked has ended the work anyway.
            let Ok(mut state) = state.lock() else { return };
            let (tally, done, told) = &mut *state;
            tally.count(unit, &outcome);
            *done += 1;
            told(&Step { unit, outcome: &outcome, done: *done, of: units.len() });
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, units.len().max(1)) {
            scope.spawn(|| match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(alone) => alone.install(one),
                // The pool of the process gives the same bits.
                Err(_) => one(),
            });
        }
    });
    let (mut tally, done, _) = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    tally.waiting = units.len() - done;
    tally.failed.sort();
    tally
}
