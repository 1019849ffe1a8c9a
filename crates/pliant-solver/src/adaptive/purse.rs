//! How many substeps may be spent.

/// The largest factor by which the number of substeps falls from one frame to the next.
pub(super) const DOWN: f64 = 1.25;

/// An allowance of substeps for every frame; unspent substeps are saved. Without an allowance there is no
/// bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Purse {
    pub(super) allowance: f64,
    pub(super) content: f64,
}

/// A number of substeps may fall by the factor [`DOWN`] from one frame to the next, so that n of them cost n
/// (1 + 1/`DOWN` + …) until they are few again.
const GLIDE: f64 = DOWN / (DOWN - 1.0);

impl Purse {
    /// `allowance` substeps a frame, on average.
    pub(super) fn new(allowance: f64) -> Self {
        Self { allowance, content: if allowance.is_finite() { GLIDE * allowance } else { f64::INFINITY } }
    }

    /// Adds the allowance of a frame.
    pub(super) fn fill(&mut self) {
        self.content += self.allowance;
    }

    /// The most substeps that it pays for, with those of the frames in which their number falls again.
    pub(super) fn affords(&self) -> f64 {
        self.content / GLIDE
    }

    /// Pays; necessary substeps may exceed the balance.
    pub(super) fn pay(&mut self, substeps: u32) {
        self.content -= f64::from(substeps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_is_kept_whatever_is_wanted() {
        let mut purse = Purse::new(120.0);
        let (mut last, mut spent) = (10.0_f64, 0.0);
        for frame in 0..500 {
            purse.fill();
            let wanted = if frame % 50 < 30 { 4000.0 } else { 10.0 };
            let n = f64::min(wanted, purse.affords()).max(last / DOWN).clamp(10.0, 4.0 * last).floor();
            purse.pay(n as u32);
            (last, spent) = (n, spent + n);
            assert!(purse.content > -120.0, "{}", purse.content);
        }
        assert!(spent <= 120.0 * (500.0 + GLIDE + 1.0), "{spent}");
        assert!(spent > 90.0 * 500.0, "and nearly all of it is spent: {spent}");
    }
}
