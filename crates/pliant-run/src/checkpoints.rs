//! [`Checkpoints`]: when a run makes checkpoints.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// When a run makes checkpoints, from which it can be resumed. The files of the run do not depend on this.
///
/// ```
/// use pliant_run::Checkpoints;
///
/// assert_eq!("20".parse(), Ok(Checkpoints::Frames(20)));
/// assert_eq!("1.5s".parse(), Ok(Checkpoints::Seconds(1.5)));
/// assert_eq!("0".parse(), Ok(Checkpoints::Never));
/// assert!("often".parse::<Checkpoints>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Checkpoints {
    /// At the start, and then about every five seconds; less often if a checkpoint takes more than a tenth of
    /// a second, so that checkpoints take at most 2 % of the run.
    #[default]
    Auto,
    /// At the start, and then after every this many frames.
    Frames(u32),
    /// At the start, and then after the first frame that ends this many seconds after the last checkpoint.
    Seconds(f64),
    /// None: the run cannot be resumed.
    Never,
}

/// The error of a text that is not one of [`Checkpoints`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an interval of checkpoints; write a number of frames (20), a time in seconds (30s), or 0 \
    for none"
)]
pub struct CheckpointsError(String);

impl FromStr for Checkpoints {
    type Err = CheckpointsError;

    fn from_str(text: &str) -> Result<Self, CheckpointsError> {
        let wrong = || CheckpointsError(text.to_owned());
        if let Some(seconds) = text.strip_suffix('s') {
            let seconds: f64 = seconds.trim().parse().map_err(|_| wrong())?;
            let is_a_time = seconds > 0.0 && seconds.is_finite();
            return is_a_time.then_some(Self::Seconds(seconds)).ok_or_else(wrong);
        }
        match text.parse().map_err(|_| wrong())? {
            0 => Ok(Self::Never),
            frames => Ok(Self::Frames(frames)),
        }
    }
}

impl fmt::Display for Checkpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Frames(frames) => write!(f, "{frames}"),
            Self::Seconds(seconds) => write!(f, "{seconds}s"),
            Self::Never => f.write_str("0"),
        }
    }
}

/// Default time from one checkpoint to the next: the most work that a kill loses.
const PAUSE: Duration = Duration::from_secs(5);
/// Time between checkpoints, as a multiple of the time of the last one: they take at most two per cent of the run.
const PATIENCE: u32 = 50;

/// When the next checkpoint is due.
#[derive(Debug)]
pub(crate) struct Schedule {
    when: Checkpoints,
    last: Instant,
    /// The time that the last checkpoint took.
    cost: Duration,
}

impl Schedule {
    pub(crate) fn new(when: Checkpoints) -> Self {
        Self { when, last: Instant::now(), cost: Duration::ZERO }
    }

    /// Whether there are no checkpoints.
    pub(crate) fn is_off(&self) -> bool {
        matches!(self.when, Checkpoints::Never | Checkpoints::Frames(0))
    }

    /// Whether a checkpoint is due after a frame.
    pub(crate) fn is_due(&self, frame: u32) -> bool {
        self.is_due_after(frame, self.last.elapsed())
    }

    fn is_due_after(&self, frame: u32, pause: Duration) -> bool {
        match self.when {
            Checkpoints::Auto => pause >= PAUSE.max(self.cost * PATIENCE),
            Checkpoints::Frames(frames) => frames != 0 && frame.is_multiple_of(frames),
            Checkpoints::Seconds(seconds) => pause.as_secs_f64() >= seconds,
            Checkpoints::Never => false,
        }
    }

    /// Records that a checkpoint was made, and when it was begun.
    pub(crate) fn made(&mut self, begun: Instant) {
        self.last = Instant::now();
        self.cost = self.last - begun;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_checkpoint_costs_decides_how_often_there_is_one() {
        let mut schedule = Schedule::new(Checkpoints::Auto);
        let seconds = Duration::from_secs_f64;
        assert!(!schedule.is_due_after(7, seconds(4.9)) && schedule.is_due_after(7, seconds(5.0)));
        schedule.cost = seconds(0.3);
        assert!(!schedule.is_due_after(7, seconds(14.9)) && schedule.is_due_after(7, seconds(15.0)));
        schedule.made(Instant::now());
        assert!(schedule.cost < seconds(0.1) && !schedule.is_due(7));
    }

    #[test]
    fn frames_and_seconds_are_counted() {
        let due = |text: &str, frame, pause| {
            let schedule = Schedule::new(text.parse().unwrap());
            assert_eq!(schedule.when.to_string(), text);
            schedule.is_due_after(frame, Duration::from_secs_f64(pause))
        };
        assert!(due("3", 6, 0.0) && !due("3", 7, 1e6));
        assert!(due("2.5s", 1, 2.5) && !due("2.5s", 1, 2.4));
        assert!(!due("0", 0, 1e6) && Schedule::new(Checkpoints::Never).is_off());
        for wrong in ["-1", "s", "0s", "-2s", "nans", "1h", ""] {
            assert!(wrong.parse::<Checkpoints>().is_err(), "{wrong}");
        }
    }
}
