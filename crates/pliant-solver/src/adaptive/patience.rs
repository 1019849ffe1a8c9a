//! What cannot be met is not tried again in every frame.

use super::tries::Try;

/// The longest pause between two frames in which more substeps are tried in vain.
const LONGEST: f64 = 31.0;
/// A frame that is worse than what was given up, by this factor, is tried again at once.
const WORSE: f64 = 1.25;

/// After tries in vain the next frames are taken as they come: 1, 3, 7, … of them, as long as they are no worse.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Patience {
    /// Frames still to be taken as they come, and how many there were at first.
    pub(crate) left: f64,
    pub(crate) pause: f64,
    /// What was given up: harm and excess.
    pub(crate) harm: f64,
    pub(crate) excess: f64,
}

impl Patience {
    /// Whether a frame is taken as it is.
    pub(crate) fn accepts(&self, first: &Try) -> bool {
        // What was kept is to be kept further on.
        let as_before = |now: f64, given_up: f64| now <= if given_up > 1.0 { WORSE * given_up } else { 1.0 };
        self.left > 0.0
            && !first.is_broken()
            && as_before(first.harm, self.harm)
            && as_before(first.excess, self.excess)
    }

    /// A frame was taken as it came.
    pub(crate) fn wait(&mut self) {
        self.left -= 1.0;
    }

    /// More substeps did not help: this is the best.
    pub(crate) fn give_up(&mut self, best: &Try) {
        self.pause = (2.0 * self.pause + 1.0).min(LONGEST);
        *self = Self { left: self.pause, pause: self.pause, harm: best.harm, excess: best.excess };
    }
}
