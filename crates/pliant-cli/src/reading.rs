//! Progress bars for reading large mesh files.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pliant_io::Reading;

/// Smaller files are read too fast for a bar.
const LARGE: u64 = 8 << 20;
const PAUSE: Duration = Duration::from_millis(50);

/// Runs `work`, which may read mesh files, and shows the progress of large ones, on terminals only.
pub(crate) fn shown<R>(terminal: bool, work: impl FnOnce() -> R) -> R {
    if !terminal {
        return work();
    }
    let reading = Arc::new(Reading::default());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(&reading, &done));
        /// Ends the bar at once, after a panic too.
        struct Done<'a>(&'a AtomicBool, &'a Thread);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Release);
                self.1.unpark();
            }
        }
        let _done = Done(&done, watcher.thread());
        reading.watch(work)
    })
}

/// Draws a bar for every large file while it is read.
fn watch(reading: &Reading, done: &AtomicBool) {
    let mut bar: Option<ProgressBar> = None;
    while !done.load(Ordering::Acquire) {
        let total = reading.total();
        if total < LARGE {
            if let Some(bar) = bar.take() {
                bar.finish_and_clear();
            }
        } else {
            let (loaded, understood) = (reading.loaded(), reading.understood());
            let bar = bar.get_or_insert_with(|| new(total));
            bar.set_message(if loaded < total { "loading" } else { "reading" });
            bar.set_position(if understood > 0 { understood } else { loaded }.min(total));
        }
        thread::park_timeout(PAUSE);
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn new(total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {msg} {bytes}/{total_bytes}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style)
}
