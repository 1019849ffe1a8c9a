//! [`Chosen`]: which methods the frames of a run were solved with, if the scene left the choice to the solver.

use std::fmt;

use pliant_mesh::counted;
use pliant_solver::{Choice, Method};
use serde::{Deserialize, Serialize};

/// Which methods the frames of a run were solved with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Chosen {
    /// Frames that were solved by sweeps alone.
    pub sweeps: u32,
    /// Frames that were solved on coarse levels too.
    pub coarse: u32,
    /// Frames that were solved by Newton's method.
    pub newton: u32,
    /// Frames that missed the accuracy.
    pub missed: u32,
    /// Fewest and most substeps of a frame.
    pub substeps: [u32; 2],
}

impl Chosen {
    /// Adds a frame.
    pub(crate) fn take(&mut self, choice: &Choice) {
        let frames = match choice.method {
            Method::Coarse => &mut self.coarse,
            Method::Newton => &mut self.newton,
            _ => &mut self.sweeps,
        };
        *frames += 1;
        self.missed += u32::from(!choice.reached);
        let [fewest, most] = &mut self.substeps;
        *fewest = if *fewest == 0 { choice.substeps } else { choice.substeps.min(*fewest) };
        *most = choice.substeps.max(*most);
    }

    /// Frames in all.
    #[must_use]
    pub fn frames(&self) -> u32 {
        self.sweeps + self.coarse + self.newton
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sweeps, coarse, newton, missed, substeps: [fewest, most] } = *self;
        let methods = [("sweeps", sweeps), ("coarse levels", coarse), ("Newton's method", newton)];
        let used: Vec<String> = methods
            .iter()
            .filter(|(_, frames)| *frames > 0)
            .map(|(name, frames)| format!("{name} in {}", counted(*frames, "frame", "frames")))
            .collect();
        write!(f, "chosen: {}, {fewest} to {most} substeps a frame; accuracy ", used.join(", "))?;
        match missed {
            0 => write!(f, "reached in all"),
            _ => write!(f, "missed in {missed} of {}", counted(self.frames(), "frame", "frames")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_counted_by_method() {
        let mut chosen = Chosen::default();
        for (method, substeps, reached) in
            [(Method::Sweeps, 10, true), (Method::Newton, 2, false), (Method::Newton, 3, true)]
        {
            chosen.take(&Choice { method, substeps, tries: 1, spent: substeps, reached });
        }
        assert_eq!(
            chosen.to_string(),
            "chosen: sweeps in 1 frame, Newton's method in 2 frames, 2 to 10 substeps a frame; accuracy missed in 1 of 3 frames"
        );
    }
}
