//! Seams close while the world moves.

use std::sync::OnceLock;

use pliant_kernel::Scalar;

use super::World;

impl<T: Scalar> World<T> {
    /// Closes what meets in a substep of length `h`, s, that ends at `end`, s, and draws together what is open.
    /// Returns the kinetic energy that this gave, J.
    pub(crate) fn draw_seams(&mut self, end: f64, h: f64) -> f64 {
        let Some(seams) = &mut self.seams else { return 0.0 };
        if seams.close(&self.fine.particles.now, (end - h, h)) {
            self.plan_seams();
        }
        self.seams.as_ref().map_or(0.0, |seams| seams.draw(&mut self.fine.particles, h))
    }

    /// Draws in the strings of what is open for too long, in a substep of length `h`, s, that ends at `end`, s.
    /// Returns their work, J.
    pub(crate) fn draw_late_seams_in(&mut self, end: f64, h: f64) -> f64 {
        self.seams.as_ref().map_or(0.0, |seams| seams.draw_in(&mut self.fine.particles, end, h))
    }

    /// Holds together what is closed.
    pub(crate) fn hold_seams(&mut self) {
        if let Some(seams) = &self.seams {
            seams.hold(&mut self.fine.particles);
        }
    }

    /// Plans the constraints of the pairs that are closed.
    pub(crate) fn plan_seams(&mut self) {
        let Some(seams) = &self.seams else { return };
        let open: Vec<_> = seams.open().collect();
        self.fine.sets[seams.group].set.replan(&self.fine.particles.now, &open);
        // Who pulls at pins, and who ties bodies, is another matter now.
        (self.driven, self.tied) = (OnceLock::new(), OnceLock::new());
        self.newton.system = None;
        // What was planned once can be planned again.
        let _ = self.take_up(self.method);
    }

    /// Goes back to the pairs that were closed at another moment.
    pub(crate) fn take_closed(&mut self, closed: &[bool]) {
        if self.seams.as_mut().is_some_and(|seams| seams.take_closed(closed)) {
            self.plan_seams();
        }
    }
}
