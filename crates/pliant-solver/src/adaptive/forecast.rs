//! How many substeps a frame will need, predicted from the frames before it.

use std::ops::RangeInclusive;

/// Bounds of the learnt exponent p.
const ORDERS: RangeInclusive<f64> = 1.0..=4.0;
/// Bounds of the margin by which a frame is given more substeps than predicted.
const MARGINS: RangeInclusive<f64> = 1.03..=1.5;
/// The factors of the margin after a miss, and after a frame that needed no second try.
const MARGIN_UP: f64 = 1.08;
const MARGIN_DOWN: f64 = 0.985;

/// Residuals fall as n^−p with the number n of substeps (p = 2 for a substep that halves h twice; p is learnt
/// from frames that were computed twice), so that a frame that exceeded its bound by the factor r needed
/// about n r^(1/p).
#[derive(Debug, Clone, Copy)]
pub(super) struct Forecast {
    /// Substeps that the last frame would have needed.
    pub(super) needed: Option<f64>,
    pub(super) order: f64,
    pub(super) margin: f64,
}

impl Forecast {
    pub(super) fn new() -> Self {
        Self { needed: None, order: 2.0, margin: 1.1 }
    }

    /// Substeps that a frame needs which exceeds its bound by the factor `excess`.
    pub(super) fn estimate(&self, substeps: u32, excess: f64) -> f64 {
        f64::from(substeps) * libm::pow(excess.clamp(1e-3, 1e3), 1.0 / self.order)
    }

    /// Learns the order from two tries of the same frame.
    pub(super) fn learn(&mut self, fewer: u32, higher: f64, more: u32, lower: f64) {
        if higher > lower && lower > 0.0 && more > fewer {
            let order = libm::log(higher / lower) / libm::log(f64::from(more) / f64::from(fewer));
            self.order = f64::midpoint(self.order, order.clamp(*ORDERS.start(), *ORDERS.end()));
        }
    }

    /// Substeps of the frame after one that stood with `substeps` and exceeded its bound by the factor `excess`.
    pub(super) fn next(&mut self, substeps: u32, excess: f64, repeated: bool) -> f64 {
        let factor = if repeated { MARGIN_UP } else { MARGIN_DOWN };
        self.margin = (self.margin * factor).clamp(*MARGINS.start(), *MARGINS.end());
        let needed = self.estimate(substeps, excess);
        // A need that rises is expected to keep rising; one that falls may turn.
        let rise = self.needed.map_or(1.0, |before| (needed / before).clamp(1.0, 1.5));
        self.needed = Some(needed);
        needed * rise * self.margin
    }
}
