//! [`Candidate`]: a method, and the estimated number of substeps that it needs.

use std::ops::RangeInclusive;

use crate::describe::settings::{Method, Settings};

/// The cost of a substep, in sweeps over all constraints: of coarse levels in addition to one sweep, and of
/// Newton's method in addition to two.
const COARSE: f64 = 1.7;
const NEWTON: f64 = 60.0;

/// The most substeps, as a multiple of the fewest.
const MOST: f64 = 128.0;
/// The largest factors by which the number of substeps rises from one try to the next, and falls from one
/// frame to the next.
const UP: f64 = 4.0;
const DOWN: f64 = 1.1;
/// The factor by which it rises from frame to frame if a larger rise would create energy.
const CLIMB: f64 = 1.1;
/// The share of the goal that is aimed at, because a frame that misses the goal costs a second try.
const AIM: f64 = 0.7;
/// A second try gets more substeps than the first one predicts, by this factor.
const RETRY: f64 = 1.1;
/// Bounds of the exponent with which residuals fall as the number of substeps grows.
const ORDERS: RangeInclusive<f64> = 0.5..=4.0;
/// The factor per frame by which the need of an unused candidate falls.
const FADES: f64 = 0.98;

/// A method, and the estimated number of substeps that it needs.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) method: Method,
    /// Estimated number of substeps that it needs; at least the fewest.
    needed: f64,
    /// Residuals fall as n^−order with the number n of substeps.
    order: f64,
}

impl Candidate {
    /// A method that is expected to need so many substeps, or the fewest if these are more.
    pub(super) fn new(method: Method, needed: f64) -> Self {
        Self { method, needed, order: 2.0 }
    }

    /// The fewest substeps: those of the settings for sweeps, and a quarter and a fifth of them for the other
    /// methods, whose substeps are worth more.
    fn fewest(&self, settings: &Settings) -> f64 {
        let all = f64::from(settings.substeps);
        match self.method {
            Method::Coarse => (all / 4.0).ceil(),
            Method::Newton => (all / 5.0).ceil(),
            _ => all,
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within limits that are numbers of substeps"
    )]
    fn within(&self, substeps: f64, settings: &Settings) -> u32 {
        let fewest = self.fewest(settings);
        let most = (MOST * fewest).min(f64::from(u32::MAX));
        substeps.ceil().clamp(fewest, most) as u32
    }

    /// Substeps of a frame that it begins.
    pub(super) fn substeps(&self, settings: &Settings) -> u32 {
        self.within(self.needed, settings)
    }

    /// The expected cost of a frame, in sweeps.
    pub(super) fn cost(&self, settings: &Settings) -> f64 {
        self.cost_of(self.needed.max(self.fewest(settings)), settings)
    }

    /// The cost of so many substeps, in sweeps.
    pub(super) fn cost_of(&self, substeps: f64, settings: &Settings) -> f64 {
        let sweeps = f64::from(settings.iterations);
        let substep = match self.method {
            Method::Coarse => COARSE - 1.0 + sweeps,
            Method::Newton => NEWTON + sweeps,
            _ => sweeps,
        };
        substep * substeps
    }

    /// Substeps of another try of a frame, in which `most` were tried in vain; `None` if another try would not help.
    pub(super) fn again(&self, settings: &Settings, most: Option<u32>) -> Option<u32> {
        let Some(most) = most else { return Some(self.substeps(settings)) };
        let substeps = self.within((self.needed * RETRY).min(UP * f64::from(most)), settings);
        (substeps > most).then_some(substeps)
    }

    /// Learns from a try, and from one with fewer substeps `before` it.
    pub(super) fn learn(&mut self, substeps: u32, excess: f64, before: Option<(u32, f64)>) {
        let n = f64::from(substeps);
        if let Some((fewer, more)) = before
            && fewer < substeps
            && excess.is_finite()
            && more.is_finite()
            && excess > 0.0
        {
            let order = libm::log(more / excess) / libm::log(n / f64::from(fewer));
            self.order = order.clamp(*ORDERS.start(), *ORDERS.end());
        }
        if excess > 1.0 {
            self.needed = (n * libm::pow((excess / AIM).min(1e3), 1.0 / self.order)).max(n);
        }
    }

    /// Learns from the try that is kept; `falls` says whether the number of substeps may fall, `climbs`
    /// whether it rises only gradually.
    pub(super) fn settle(
        &mut self,
        substeps: u32,
        excess: f64,
        falls: bool,
        climbs: bool,
        settings: &Settings,
    ) {
        let n = f64::from(substeps);
        let least = if falls { (n / DOWN).min(n - 1.0) } else { n };
        self.needed = if excess.is_finite() {
            let wanted = n * libm::pow((excess / AIM).clamp(1e-3, 1e3), 1.0 / self.order);
            match (excess > 1.0, climbs) {
                (true, true) => wanted.min((n * CLIMB).max(n + 1.0)),
                // A frame that missed its goal in vain is not a reason to spend more on the next.
                (true, false) => n,
                (false, _) => wanted.clamp(least, UP * n),
            }
        } else {
            n
        };
        self.needed = self.needed.max(self.fewest(settings));
    }

    /// Records a frame without it, so that it is tried again later.
    pub(super) fn fade(&mut self) {
        self.needed *= FADES;
    }

    #[cfg(feature = "serde")]
    pub(super) fn to_numbers(&self) -> [f64; 2] {
        [self.needed, self.order]
    }

    #[cfg(feature = "serde")]
    pub(super) fn take_up(&mut self, [needed, order]: [f64; 2]) {
        (self.needed, self.order) = (needed, order);
    }
}
