//! [`Line`]: φ along the displacement of a part, and the share of it at which −∇φ·d vanishes.

/// By which share of it a displacement may become shorter, and longer.
const SHARES: [f64; 2] = [-0.5, 0.2];

/// The share of the work of rounding that does not count.
const UNCERTAIN: f64 = 0.3;

/// The share of the work that may be left.
const LEFT: f64 = 0.1;

/// φ along the displacement of a part.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    /// The share of its displacement by which the part is moved, and −∇φ·d there.
    pub(super) share: f64,
    pub(super) work: f64,
    /// The same before.
    before: [f64; 2],
    /// d·H d, and what rounding takes away from the work.
    pub(super) curvature: f64,
    pub(super) rounding: f64,
}

impl Line {
    /// Finds the first share from H. Returns whether it is another.
    pub(super) fn begin(&mut self) -> bool {
        let work = self.work + self.rounding;
        self.before = [0.0, work];
        if self.curvature > 0.0 && work.abs() > UNCERTAIN * self.rounding {
            self.share = (work / self.curvature).clamp(SHARES[0], SHARES[1]);
        }
        self.share != 0.0
    }

    /// Finds a share again from the work at this one, where too much is left. Returns whether it is another.
    pub(super) fn correct(&mut self) -> bool {
        let [share, work] = self.before;
        let change = work - self.work;
        if self.share == share || self.work.abs() <= (LEFT * work.abs()).max(self.rounding) {
            return false;
        }
        let now = [self.share, self.work];
        let next = self.share + self.work * (self.share - share) / change;
        if change * (self.share - share) > 0.0 {
            self.share = next.clamp(SHARES[0], SHARES[1]);
            self.before = now;
        } else {
            // φ is not convex along the line, and H was wrong: the part goes back to where it was, and stays there.
            self.share = share;
        }
        self.share != now[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_corrected_until_little_work_is_left_and_taken_back_where_phi_is_not_convex() {
        // A work of −3 that H explains with a curvature of 10, where it is 20.
        let work = |share: f64| -3.0 - 20.0 * share;
        let mut line = Line { work: work(0.0), curvature: 10.0, ..Line::default() };
        assert!(line.begin());
        assert_eq!(line.share, -0.3);
        line.work = work(line.share);
        assert!(line.correct());
        assert!((line.share + 0.15).abs() < 1e-12);
        line.work = work(line.share);
        assert!(!line.correct());

        let mut line = Line { work: -1.0, curvature: 10.0, ..Line::default() };
        assert!(line.begin());
        line.work = -2.0;
        assert!(line.correct());
        assert_eq!(line.share, 0.0);
        line.work = -1.0;
        assert!(!line.correct());
    }

    #[test]
    fn what_rounding_explains_moves_nothing() {
        let mut line = Line { work: -1.1, curvature: 10.0, rounding: 1.0, ..Line::default() };
        assert!(!line.begin());
        assert_eq!(line.share, 0.0);
        let mut line = Line { work: f64::NAN, curvature: 10.0, ..Line::default() };
        assert!(!line.begin());
    }
}
