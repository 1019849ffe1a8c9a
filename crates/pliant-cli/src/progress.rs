//! Progress and elapsed time.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Milliseconds that have passed.
pub(crate) fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

/// A bar with the frame rate and the time left.
pub(crate) fn progress_bar(frames: u32, shown: bool) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}, {rate} frames/s, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = write!(text, "{:.1}", state.per_sec());
        });
    ProgressBar::with_draw_target(Some(frames.into()), ProgressDrawTarget::stderr()).with_style(style)
}
