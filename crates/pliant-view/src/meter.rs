//! [`Meter`]: when to report on the state, and what was reported.

use std::time::Duration;

use pliant_solver::clock::{self, Moment};
use pliant_solver::{FrameReport, Judgement};
use serde_json::{Value, json};

/// The share of the time that reports may take.
const SHARE: u32 = 50;
/// The share of a new time in the mean of what a report takes.
const NEW: u32 = 4;
/// Where there is no clock, every n-th frame is reported.
const EVERY: u64 = 4;

/// When to report on the state, and what was reported.
pub(crate) struct Meter {
    /// What a report takes, in the mean: on a machine with other work a single time says little.
    cost: Option<Duration>,
    /// The time of the frames since the last report, where there is a clock.
    spent: Option<Duration>,
    frame: u64,
    told: Value,
}

impl Meter {
    pub(crate) fn new() -> Self {
        Self { cost: None, spent: Some(Duration::ZERO), frame: 0, told: Value::Null }
    }

    /// Counts a frame, which took `took` and is shown for at least `pace`.
    pub(crate) fn pass(&mut self, took: Option<Duration>, pace: Duration) {
        self.spent = self.spent.zip(took).map(|(spent, took)| spent + took.max(pace));
    }

    /// Whether the frames since the last report have taken enough time for another: all of them may take a fiftieth of it, so
    /// that watching does not slow the simulation down. Other programs make frames and reports longer alike, so that they do not change the share.
    pub(crate) fn is_due(&self, frame: u64) -> bool {
        let Some(cost) = self.cost else { return true };
        frame != self.frame && self.spent.map_or(frame >= self.frame + EVERY, |spent| spent >= cost * SHARE)
    }

    /// Takes a report that took the time since `begun`.
    pub(crate) fn take(&mut self, report: &FrameReport, judgement: &Judgement, begun: Moment) {
        self.frame = report.frame;
        let residuals = report.residuals.iter().filter(|residual| residual.max.value.is_finite());
        let residuals: Vec<Value> = residuals
            .map(|residual| {
                json!({ "name": residual.name, "unit": residual.unit, "max": residual.max.value, "rms": residual.rms })
            })
            .collect();
        let findings = judgement.findings.iter().map(|finding| {
            json!({ "grade": finding.grade.to_string(), "what": finding.to_string(), "cure": finding.cure })
        });
        self.told = json!({
            "frame": report.frame,
            "time": report.time,
            "residuals": residuals,
            "energy": { "kinetic": report.energy.kinetic, "potential": report.energy.potential, "elastic": report.energy.elastic },
            "stretch": report.stretch.as_ref().map(|stretch| stretch.max.value),
            "contacts": report.contacts,
            "intersections": report.collisions.as_ref().map(|tally| tally.intersections),
            "grade": judgement.grade().to_string(),
            "findings": findings.collect::<Vec<_>>(),
        });
        let took = clock::since(begun).unwrap_or_default();
        self.cost = Some(self.cost.map_or(took, |cost| (cost * (NEW - 1) + took) / NEW));
        self.spent = self.spent.map(|_| Duration::ZERO);
    }

    /// What was reported last.
    pub(crate) fn told(&self) -> &Value {
        &self.told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_take_their_share_of_the_frames() {
        let mut meter = Meter { cost: Some(Duration::from_millis(4)), ..Meter::new() };
        let [took, pace] = [Duration::from_millis(10), Duration::from_millis(20)];
        // A simulation that keeps up rests between frames, which is time for reports too.
        for frame in 1..=10 {
            assert!(!meter.is_due(frame), "{frame}");
            meter.pass(Some(took), pace);
        }
        assert!(meter.is_due(10) && !meter.is_due(0));
        let mut late = Meter { cost: Some(Duration::from_millis(4)), ..Meter::new() };
        (0..19).for_each(|_| late.pass(Some(took), Duration::ZERO));
        assert!(!late.is_due(19));
        late.pass(Some(took), Duration::ZERO);
        assert!(late.is_due(20));
    }

    #[test]
    fn without_a_clock_frames_are_counted() {
        let mut meter = Meter { cost: Some(Duration::ZERO), ..Meter::new() };
        meter.pass(None, Duration::ZERO);
        assert!(!meter.is_due(EVERY - 1) && meter.is_due(EVERY));
    }
}
