//! [`Team`]: the threads that share the passes of a frame.
//!
//! A frame is hundreds of short passes with a barrier after each; starting new tasks for every pass would
//! cost more than the pass. A team is formed once per frame: the caller leads, and helpers, which are
//! ordinary tasks of the rayon pool, take chunks of whatever pass is open. Every member begins with a share
//! of its own, so that it meets the same particles again, and then takes over what others have not begun: at
//! once from a member that has not come, from one at work only after a moment, because the data of a chunk
//! lie in the caches of the processor that had it last, and fetching them costs more than the chunk.
//!
//! What a member writes while it works lies on cache lines of its own.
//!
//! *No deadlock.* The leader waits only for chunks that have been started. It does not wait for a helper that
//! never gets a thread, because the pool is small or busy with other simulations, and does the helper's share
//! itself. A waiting thread spins for a moment and then yields its processor.
//!
//! *The same bits.* Which thread runs a chunk depends on timing; what a chunk computes does not.

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Turns of waiting before a helper goes to sleep: some tens of microseconds.
const HELPER_SPINS: u32 = 1500;

/// Turns of waiting for a short piece of work of another before the processor is yielded.
const SPINS: u32 = 300;

/// Turns of waiting for a member at work before the chunks that it has not begun are taken over.
const PATIENCE: u32 = 100;

/// Turns between two searches for work that others have not begun, so that the search does not slow them down.
const GLANCE: u32 = 10;

/// Threads that work together, or one that works alone.
#[derive(Clone, Copy)]
pub struct Team<'a>(Option<&'a Shared>);

/// The data that leader and helpers share.
struct Shared {
    /// The open pass. Read only by a thread that has claimed one of its chunks.
    job: AtomicPtr<Job<'static>>,
    shares: Box<[Share]>,
    /// Number of passes opened, which shows that there is something new.
    passes: AtomicUsize,
    closed: AtomicBool,
    panicked: AtomicBool,
    sleepers: AtomicUsize,
    lock: Mutex<()>,
    wake: Condvar,
}

/// The data of a member, on cache lines of its own.
#[repr(align(128))]
struct Share {
    /// Its chunks of the open pass that have not been started: first in the upper half of the word, end in the lower.
    left: AtomicU64,
    /// Chunks of the open pass that it has finished, its own and others'.
    done: AtomicUsize,
    /// Whether it takes part in the open pass.
    present: AtomicBool,
}

struct Job<'a> {
    /// Takes the number of the member at work, and that of the chunk.
    run: &'a (dyn Fn(usize, usize) + Sync),
}

impl Team<'_> {
    /// Only the caller.
    pub fn alone() -> Self {
        Self(None)
    }

    /// Forms a team of up to `threads` threads of the current pool for as long as `lead` takes.
    pub fn form<R: Send>(threads: usize, lead: impl FnOnce(Team<'_>) -> R + Send) -> R {
        if threads <= 1 {
            return lead(Team::alone());
        }
        let shared = Shared {
            job: AtomicPtr::new(std::ptr::null_mut()),
            shares: (0..threads).map(|_| Share::new()).collect(),
            passes: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            panicked: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            lock: Mutex::new(()),
            wake: Condvar::new(),
        };
        let shared = &shared;
        rayon::scope(|scope| {
            for member in 1..threads {
                scope.spawn(move |_| shared.help(member));
            }
            let _close = Close(shared);
            lead(Team(Some(shared)))
        })
    }

    /// Number of threads that may take part.
    #[inline]
    pub fn threads(&self) -> usize {
        self.0.map_or(1, |shared| shared.shares.len())
    }

    /// Calls `run` once for every number below `chunks`, and returns when all calls have returned.
    ///
    /// # Panics
    ///
    /// If a call does.
    pub fn run(&self, chunks: usize, run: impl Fn(usize) + Sync) {
        match self.0 {
            Some(shared) if chunks > 1 => {
                let members = self.threads();
                shared.lead(|member| chunks * (member + 1) / members, &|_, chunk| run(chunk));
            }
            _ => (0..chunks).for_each(run),
        }
    }

    /// As [`run`](Team::run), where a call may [wait](Team::wait_for) for others. Member i takes the numbers
    /// below `ends[i]` that are not its predecessors', in their order. A call receives the number of the
    /// member that runs it, and its own number.
    ///
    /// # Panics
    ///
    /// If a call does.
    pub fn run_lists(&self, ends: &[usize], run: impl Fn(usize, usize) + Sync) {
        match self.0 {
            Some(shared) => shared.lead(|member| ends[member], &run),
            None => (0..ends.last().copied().unwrap_or_default()).for_each(|chunk| run(0, chunk)),
        }
    }

    /// Waits, within a call of [`run_lists`](Team::run_lists) by `member`, for the call number `chunk` to do something.
    /// If it is not started for a moment, those before it in its list and itself are run here. So that no thread waits
    /// for itself, a call that is waited for must not wait, directly or by way of others, for the one that waits; nor
    /// must those before it in its list.
    ///
    /// # Panics
    ///
    /// If another member has panicked, which may be the one that is waited for.
    pub fn wait_for(&self, member: usize, chunk: usize, happened: impl Fn() -> bool) {
        let Some(shared) = self.0 else { return };
        if happened() {
            return;
        }
        let owner = shared.owner(chunk);
        let patience = if owner == member { 0 } else { shared.patience_with(owner) };
        let mut turns = 0;
        while !happened() {
            shared.give_up_after_a_panic();
            let claimed = if turns < patience { None } else { shared.shares[owner].take(chunk) };
            match claimed {
                Some(chunk) => shared.perform(member, chunk),
                None => {
                    turns += 1;
                    pause(turns);
                }
            }
        }
    }

    /// Hands every item to one call of `run`.
    ///
    /// # Panics
    ///
    /// If a call does.
    pub fn for_each<X: Send>(&self, items: impl Iterator<Item = X>, run: impl Fn(X) + Sync) {
        if self.threads() == 1 {
            return items.for_each(run);
        }
        let items: Vec<_> = items.map(|item| Mutex::new(Some(item))).collect();
        self.run(items.len(), |i| {
            let item = items[i].lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(item) = item {
                run(item);
            }
        });
    }
}

/// Sends the helpers home, also when the leader panics.
struct Close<'a>(&'a Shared);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.0.closed.store(true, Ordering::SeqCst);
        self.0.announce();
    }
}

/// Leaves a pass only when no thread works on it any more, also when the leader panics.
struct Finish<'a> {
    shared: &'a Shared,
    chunks: usize,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        let shares = &self.shared.shares;
        // After a panic there may be chunks that were never started; they are given up.
        for share in shares {
            while share.take(usize::MAX).is_some() {
                shares[0].done.fetch_add(1, Ordering::Relaxed);
            }
        }
        let done = || shares.iter().map(|share| share.done.load(Ordering::Acquire)).sum::<usize>();
        let mut turns = 0;
        while done() < self.chunks {
            turns += 1;
            pause(turns);
        }
    }
}

/// Spins for a moment, then lets others use the processor.
fn pause(turns: u32) {
    if turns < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// Counts a chunk as finished by a member, also when it panics.
struct Count<'a>(&'a Shared, usize);

impl Drop for Count<'_> {
    fn drop(&mut self) {
        let Self(shared, member) = self;
        if std::thread::panicking() {
            shared.panicked.store(true, Ordering::Relaxed);
        }
        shared.shares[*member].done.fetch_add(1, Ordering::AcqRel);
    }
}

impl Share {
    fn new() -> Self {
        Self { left: AtomicU64::new(0), done: AtomicUsize::new(0), present: AtomicBool::new(false) }
    }

    /// The next chunk that has not been started, if it is not beyond `last`.
    fn take(&self, last: usize) -> Option<usize> {
        let mut current = self.left.load(Ordering::Acquire);
        loop {
            let (first, end) = ((current >> 32) as usize, (current & 0xFFFF_FFFF) as usize);
            if first >= end || first > last {
                return None;
            }
            let left = word(first + 1, end);
            match self.left.compare_exchange_weak(current, left, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(first),
                Err(found) => current = found,
            }
        }
    }

    fn is_empty(&self) -> bool {
        let left = self.left.load(Ordering::Relaxed);
        left >> 32 >= left & 0xFFFF_FFFF
    }
}

impl Shared {
    /// Opens a pass, takes part in it and closes it. The shares of the members end at `end`, ascending.
    fn lead(&self, end: impl Fn(usize) -> usize, run: &(dyn Fn(usize, usize) + Sync)) {
        let mut job = Job { run };
        self.job.store(std::ptr::from_mut(&mut job).cast(), Ordering::Relaxed);
        // The counts of finished chunks are reset first: a helper that is late for the pass before may find
        // its share of this one at once.
        for share in &self.shares {
            share.done.store(0, Ordering::Relaxed);
            share.present.store(false, Ordering::Relaxed);
        }
        // Shares are empty first, but end where they will: a helper that is late for the pass before may claim a chunk as
        // soon as one share is published, and then looks for the owners of others.
        for (member, share) in self.shares.iter().enumerate() {
            share.left.store(word(end(member), end(member)), Ordering::Relaxed);
        }
        let mut chunks = 0;
        for (member, share) in self.shares.iter().enumerate() {
            let first = std::mem::replace(&mut chunks, end(member));
            share.left.store(word(first, chunks), Ordering::Release);
        }
        {
            let _finish = Finish { shared: self, chunks };
            self.announce();
            self.work(0);
        }
        self.give_up_after_a_panic();
    }

    /// Unwinds the caller if another member has panicked, without a second message.
    fn give_up_after_a_panic(&self) {
        if self.panicked.load(Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new("another part of the pass has panicked"));
        }
    }

    /// Notifies the helpers that something has changed.
    fn announce(&self) {
        self.passes.fetch_add(1, Ordering::SeqCst);
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            // A thread that is about to sleep holds the lock until it does.
            drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
            self.wake.notify_all();
        }
    }

    /// Takes part in passes until the team is dissolved.
    fn help(&self, member: usize) {
        let mut seen = usize::MAX;
        let mut turns = 0;
        while !self.closed.load(Ordering::SeqCst) {
            let passes = self.passes.load(Ordering::SeqCst);
            if passes != seen {
                seen = passes;
                turns = 0;
                self.work(member);
            } else if turns < HELPER_SPINS {
                turns += 1;
                std::hint::spin_loop();
            } else {
                self.sleep(seen);
                turns = 0;
            }
        }
    }

    /// Sleeps until there is something new.
    fn sleep(&self, seen: usize) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        while self.passes.load(Ordering::SeqCst) == seen && !self.closed.load(Ordering::SeqCst) {
            guard = self.wake.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// Runs chunks as long as there are any that have not been started.
    fn work(&self, member: usize) {
        let own = &self.shares[member];
        own.present.store(true, Ordering::Relaxed);
        while let Some(chunk) = own.take(usize::MAX) {
            self.perform(member, chunk);
        }
        let mut turns = 0;
        while let Some(other) = self.shares.iter().position(|share| !share.is_empty()) {
            if turns < self.patience_with(other) {
                turns += GLANCE;
                (0..GLANCE).for_each(|_| std::hint::spin_loop());
            } else if let Some(chunk) = self.shares[other].take(usize::MAX) {
                self.perform(member, chunk);
            }
        }
    }

    /// Turns to wait before what a member has not begun is taken over.
    fn patience_with(&self, member: usize) -> u32 {
        if self.shares[member].present.load(Ordering::Relaxed) { PATIENCE } else { 0 }
    }

    /// Runs a chunk that `member`, the caller, has claimed.
    fn perform(&self, member: usize, chunk: usize) {
        let _count = Count(self, member);
        let job = self.job.load(Ordering::Relaxed);
        // SAFETY: the chunk was claimed and is not counted as done, so the leader is still in `lead`, where
        // the job lives. The claim happened after the shares of this pass were published, and so after its
        // job was.
        let job = unsafe { &*job };
        (job.run)(member, chunk);
    }

    /// The member to whose share a chunk of the open pass belongs.
    fn owner(&self, chunk: usize) -> usize {
        let end = |share: &Share| (share.left.load(Ordering::Relaxed) & 0xFFFF_FFFF) as usize;
        self.shares.iter().position(|share| end(share) > chunk).expect("a chunk belongs to somebody")
    }
}

/// A share as one word.
fn word(first: usize, end: usize) -> u64 {
    (first as u64) << 32 | end as u64
}

#[cfg(test)]
mod tests;
