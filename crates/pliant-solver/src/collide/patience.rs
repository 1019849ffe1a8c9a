//! [`Patience`]: when distances of pairs are measured again, so that what has come to rest elsewhere may sleep.

/// So many times as many packs as there are have been looked at when distances are measured: at first, and at most.
const FACTORS: [f64; 2] = [2.0, 64.0];
/// Measuring is of use if it leaves this share of the packs awake.
const USEFUL: f64 = 0.5;

/// How many packs were looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    factor: f64,
    since: usize,
    /// In the substep before distances were measured, until it is known what came of it.
    before: Option<usize>,
    last: usize,
}

impl Patience {
    pub(super) fn new() -> Self {
        Self { factor: FACTORS[0], since: 0, before: None, last: 0 }
    }

    /// All pairs were listed.
    pub(super) fn restart(&mut self) {
        (self.since, self.before, self.last) = (0, None, 0);
    }

    /// So many packs were looked at in a substep.
    pub(super) fn note(&mut self, looked: usize) {
        if let Some(before) = self.before.take() {
            let is_useful = looked as f64 <= USEFUL * before as f64;
            let [least, most] = FACTORS;
            self.factor = if is_useful { least } else { (2.0 * self.factor).min(most) };
        }
        self.since += looked;
        self.last = looked;
    }

    /// Whether distances are to be measured in the next substep, of so many packs. If so, they will be.
    pub(super) fn ends(&mut self, packs: usize) -> bool {
        let ends = self.last > 0 && self.since as f64 > self.factor * packs as f64;
        if ends {
            (self.since, self.before) = (0, Some(self.last));
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_no_use_is_done_more_and_more_rarely() {
        // How often distances of 100 packs are measured in 2000 substeps, if that leaves so many of 40 awake.
        let times = |left: usize| {
            let mut patience = Patience::new();
            let (mut times, mut awake) = (0, 40);
            for _ in 0..2000 {
                if patience.ends(100) {
                    (times, awake) = (times + 1, left);
                }
                patience.note(awake);
                awake = (awake + 5).min(40);
            }
            times
        };
        assert!((10..20).contains(&times(40)), "{}", times(40));
        assert!(times(0) > 100, "{}", times(0));
        assert!(!Patience::new().ends(0));
    }
}
