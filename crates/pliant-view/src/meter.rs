//! [`Meter`]: when to report on the state, and what was reported.

use std::time::Duration;

use pliant_solver::clock::{self, Moment};
use pliant_solver::{FrameReport, Judgement};
use serde_json::{Value, json};

/// The share of the time that reports may take.
const SHARE: u32 = 30;
/// Where there is no clock, every n-th frame is reported.
const EVERY: u64 = 4;

/// When to report on the state, and what was reported.
pub(crate) struct Meter {
    last: Option<(Moment, Duration)>,
    frame: u64,
    told: Value,
}

impl Meter {
    pub(crate) fn new() -> Self {
        Self { last: None, frame: 0, told: Value::Null }
    }

    /// Whether enough time has passed since the last report for another: all of them may take a thirtieth of
    /// it, so that watching does not slow the simulation down.
    pub(crate) fn is_due(&self, frame: u64) -> bool {
        let Some((moment, cost)) = &self.last else { return true };
        if frame == self.frame {
            return false;
        }
        clock::since(*moment).map_or(frame >= self.frame + EVERY, |passed| passed >= *cost * SHARE)
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
        self.last = Some((clock::now(), clock::since(begun).unwrap_or_default()));
    }

    /// What was reported last.
    pub(crate) fn told(&self) -> &Value {
        &self.told
    }
}
