//! Which of ThreadSanitizer's reports count.
//!
//! A report names two accesses to the same memory, each with its stack, the innermost function first. It
//! counts if the kernel made both: the stacks, down to where the thread pool calls into the kernel, pass
//! through the kernel's files. Without an instrumented standard library everything that a mutex hands from
//! one thread to another is reported too (jobs and results of the pool, the channel of the test program); the
//! kernel takes no part in those. Nor does a test that makes its data and reads them afterwards: its own
//! thread passes them to the pool and back through such a lock. Nor do the messages of tests that panic on
//! purpose, which threads write to one list behind a lock.

/// Source files of the disjoint writes.
const KERNEL: &str = "/pliant-kernel/src/";

/// Source files of the standard library that write to streams.
const STREAMS: &str = "/library/std/src/io/";

/// The result of the reports of a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No race in the kernel.
    Good {
        /// Number of reports that do not count.
        dismissed: usize,
    },
    /// The reports that count.
    Races(Vec<String>),
    /// There are reports, but they name no source files.
    Unreadable,
}

/// Judges the reports in `text`, as ThreadSanitizer writes them.
pub(super) fn judge(text: &str) -> Verdict {
    let reports: Vec<&str> = text.split("WARNING: ThreadSanitizer: ").skip(1).collect();
    if !reports.is_empty() && !text.contains(".rs:") {
        return Verdict::Unreadable;
    }
    let races: Vec<String> =
        reports.iter().filter(|report| counts(report)).map(|report| report.trim_end().to_owned()).collect();
    if races.is_empty() { Verdict::Good { dismissed: reports.len() } } else { Verdict::Races(races) }
}

/// Whether the kernel made the accesses. A lost stack has no information, so the other one decides.
fn counts(report: &str) -> bool {
    let stacks: Vec<Vec<&str>> = report.split("\n\n").filter(|part| is_access(part)).map(frames).collect();
    let known = || stacks.iter().filter(|frames| !frames.is_empty());
    known().count() > 0 && known().all(|frames| is_kernel(frames))
}

/// Whether a paragraph is about an access, not about where memory or a thread comes from.
fn is_access(paragraph: &str) -> bool {
    paragraph.lines().any(|line| {
        let line = line.trim_start().to_ascii_lowercase();
        let line = line.strip_prefix("previous ").unwrap_or(&line);
        let line = line.strip_prefix("atomic ").unwrap_or(line);
        line.starts_with("write of size ") || line.starts_with("read of size ")
    })
}

/// The lines of a stack.
fn frames(paragraph: &str) -> Vec<&str> {
    paragraph.lines().map(str::trim_start).filter(|line| line.starts_with('#')).collect()
}

/// Whether the part of a stack that the thread pool called is in the kernel. Calls of the test program
/// outside of the pool run before or after those in the pool.
fn is_kernel(frames: &[&str]) -> bool {
    let is_pool = |frame: &&str| frame.contains("/rayon-") || frame.contains("/crossbeam-");
    let alone =
        !frames.iter().any(is_pool) && frames.iter().any(|frame| frame.contains("/library/test/src/"));
    let mut called = frames.iter().take_while(|frame| !is_pool(frame));
    // The kernel itself does not read or write files or streams: only the library does, with a message.
    let is_message =
        called.clone().take_while(|frame| !frame.contains(KERNEL)).any(|frame| frame.contains(STREAMS));
    !alone && !is_message && called.any(|frame| frame.contains(KERNEL))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POOL: &str = "    #1 join /registry/rayon-core-1.13.0/src/join/mod.rs:132:9 (tests+0x1)\n    \
                        #2 sweep /pliant/pliant-kernel/src/batch.rs:190:5 (tests+0x2)\n";

    fn report(first: &str, second: &str) -> String {
        format!(
            "==================\nWARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 16 at 0x1 by thread T2:\n{first}\n  \
             Previous read of size 8 at 0x1 by thread T1:\n{second}\n  Thread T1 (tid=2, running) created by main thread at:\n    \
             #0 spawn /pliant/pliant-kernel/src/batch.rs:1:1 (tests+0x3)\n\nSUMMARY: ThreadSanitizer: data race\n==================\n"
        )
    }

    fn frame(path: &str) -> String {
        format!("    #0 f {path}:10:5 (tests+0x9)\n{POOL}")
    }

    #[test]
    fn races_in_the_kernel_count() {
        let kernel = frame("/pliant/crates/pliant-kernel/src/disjoint.rs");
        let inlined =
            format!("    #0 store /rustc/1/library/core/src/core_arch/x86/sse.rs:1:1 (t+0)\n{kernel}");
        let text = report(&kernel, &inlined);
        assert!(matches!(judge(&text), Verdict::Races(races) if races.len() == 1));
        // The stack of the earlier access is sometimes lost.
        let text = report(&kernel, "    [failed to restore the stack]\n");
        assert!(matches!(judge(&text), Verdict::Races(_)));
    }

    #[test]
    fn locks_of_the_library_do_not() {
        let kernel = frame("/pliant/crates/pliant-kernel/src/disjoint.rs");
        let latch = frame("/registry/rayon-core-1.13.0/src/latch.rs");
        let other = frame("/pliant/crates/pliant-solver/src/observe/report.rs");
        let test = "    #0 drop /pliant/crates/pliant-kernel/src/team.rs:434:9 (t+0)\n    \
                    #1 call_once /rustc/1/library/test/src/lib.rs:1:1 (t+0)\n"
            .to_owned();
        // Two calls that panic, and the list that their messages are written to.
        let message = format!(
            "    #0 memcpy /rustc/1/tsan/rtl/memintrinsics.inc:1:1 (t+0)\n    #1 write_all /rustc/1/library/std/src/io/impls.rs:1:1 (t+0)\n{kernel}"
        );
        for (a, b) in
            [(&kernel, &latch), (&latch, &latch), (&other, &kernel), (&test, &kernel), (&message, &message)]
        {
            assert_eq!(judge(&report(a, b)), Verdict::Good { dismissed: 1 });
        }
        assert_eq!(judge(""), Verdict::Good { dismissed: 0 });
    }

    #[test]
    fn reports_without_places_cannot_be_judged() {
        let bare = "    #0 <null> <null> (tests+0x9)\n";
        let text = report(bare, bare).replace("/pliant/pliant-kernel/src/batch.rs:1:1 ", "");
        assert_eq!(judge(&text), Verdict::Unreadable);
    }
}
