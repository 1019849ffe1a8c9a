//! Requirements that cannot be met are not tried again in every frame.

use super::tries::Try;

/// The longest pause between two frames in which more substeps are tried in vain.
const LONGEST: f64 = 31.0;
/// A frame that is worse than the one that was given up, by this factor, is tried again at once.
const WORSE: f64 = 1.25;

/// After tries in vain the next frames are accepted as they are: 1, 3, 7, … of them, as long as they are not worse.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Patience {
    /// Frames that will still be accepted as they are, and their number at first.
    pub(crate) left: f64,
    pub(crate) pause: f64,
    /// Harm and excess of the frame that was given up.
    pub(crate) harm: f64,
    pub(crate) excess: f64,
}

impl Patience {
    /// Whether a frame is accepted as it is.
    pub(crate) fn accepts(&self, first: &Try) -> bool {
        // A bound that was kept must still be kept.
        let as_before = |now: f64, given_up: f64| now <= if given_up > 1.0 { WORSE * given_up } else { 1.0 };
        self.left > 0.0
            && !first.is_broken()
            && as_before(first.harm, self.harm)
            && as_before(first.excess, self.excess)
    }

    /// Records that a frame was accepted as it is.
    pub(crate) fn wait(&mut self) {
        self.left -= 1.0;
    }

    /// Records that more substeps did not help, and the best try.
    pub(crate) fn give_up(&mut self, best: &Try) {
        self.pause = (2.0 * self.pause + 1.0).min(LONGEST);
        *self = Self { left: self.pause, pause: self.pause, harm: best.harm, excess: best.excess };
    }
}
