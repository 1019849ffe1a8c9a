//! The tries of a frame, and which of them is the best.

/// The factor from which a try counts as better: a tenth less.
const BETTER: f64 = 0.9;
/// Up to this multiple of what is allowed, harm counts less than the requirements.
const GRAVE: f64 = 2.0;
/// After so many tries in a row that were not better, more substeps are not expected to help.
const IN_VAIN: u32 = 2;

/// A frame computed with a number of substeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Try {
    pub(crate) substeps: u32,
    /// The factor by which it exceeds the bounds that are always checked; infinite if the simulation failed.
    pub(crate) harm: f64,
    /// The factor by which it exceeds the requirements.
    pub(crate) excess: f64,
}

impl Try {
    /// A frame in which the simulation failed.
    pub(super) fn broken(substeps: u32) -> Self {
        Self { substeps, harm: f64::INFINITY, excess: f64::INFINITY }
    }

    pub(super) fn is_broken(&self) -> bool {
        self.harm == f64::INFINITY && self.excess == f64::INFINITY
    }

    /// Whether it keeps all bounds, including those that are always checked.
    pub(super) fn is_good(&self) -> bool {
        self.harm <= 1.0 && self.excess <= 1.0
    }

    /// Whether it is clearly better than another: by the requirements, and by harm if these are alike; by
    /// harm first if the harm of one of them is grave.
    pub(super) fn beats(&self, other: &Self) -> bool {
        if self.is_good() || other.is_good() {
            return self.is_good() && !other.is_good();
        }
        let clearly = |a: f64, b: f64| a.max(1.0) < BETTER * b.max(1.0);
        let (less_harm, more_harm) = (clearly(self.harm, other.harm), clearly(other.harm, self.harm));
        let kept = |tried: &Self| tried.excess <= 1.0;
        match self.harm > GRAVE || other.harm > GRAVE {
            true => less_harm || !more_harm && clearly(self.excess, other.excess),
            false if kept(self) != kept(other) => kept(self),
            false => clearly(self.excess, other.excess) || less_harm && !clearly(other.excess, self.excess),
        }
    }
}

/// The tries of a frame so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tries {
    pub(super) first: Try,
    pub(super) last: Try,
    pub(super) best: Try,
    pub(super) count: u32,
    /// How many of the last tries were not better.
    worse: u32,
}

impl Tries {
    pub(super) fn begin(first: Try) -> Self {
        Self { first, last: first, best: first, count: 1, worse: 0 }
    }

    pub(super) fn add(&mut self, one: Try) {
        self.count += 1;
        self.last = one;
        if one.beats(&self.best) {
            (self.best, self.worse) = (one, 0);
        } else {
            self.worse += 1;
        }
    }

    /// Whether more substeps did not help.
    pub(super) fn are_in_vain(&self) -> bool {
        self.worse >= IN_VAIN && !self.best.is_broken()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(substeps: u32, harm: f64, excess: f64) -> Try {
        Try { substeps, harm, excess }
    }

    #[test]
    fn grave_harm_weighs_more_than_what_is_required() {
        assert!(tried(40, 0.5, 9.0).beats(&tried(10, 3.0, 0.5)));
        assert!(!tried(40, 3.0, 0.5).beats(&tried(10, 0.5, 9.0)));
        assert!(tried(40, 0.9, 1.0).beats(&tried(10, 0.1, 1.01)), "what keeps all bounds stands");
        assert!(tried(40, 0.2, 5.0).beats(&tried(10, 0.9, 8.0)), "harm below its bound does not count");
        assert!(!tried(40, 0.2, 7.9).beats(&tried(10, 0.9, 8.0)), "a tie goes to the first");
        assert!(tried(10, 50.0, 1.0).beats(&Try::broken(5)));
        assert!(
            tried(40, 1.5, 1.0).beats(&tried(46, 1.0, 1.03)),
            "little harm is better than a requirement missed"
        );
        assert!(
            tried(40, 1.2, 2.0).beats(&tried(10, 1.8, 2.0))
                && !tried(40, 1.2, 2.0).beats(&tried(10, 1.8, 1.5))
        );
    }

    #[test]
    fn two_tries_that_are_not_better_are_enough_and_the_best_is_kept() {
        let mut tries = Tries::begin(tried(10, 0.0, 8.0));
        for one in [tried(40, 0.0, 3.0), tried(80, 0.0, 2.9)] {
            tries.add(one);
            assert!(!tries.are_in_vain());
        }
        tries.add(tried(160, 0.0, 2.8));
        assert!(tries.are_in_vain());
        assert_eq!((tries.best.substeps, tries.count), (40, 4));
    }
}
