//! [`Adaptive`]: chooses as many substeps in every frame as the requirements need, and avoids numbers that do
//! harm.
//!
//! Before a frame the number of substeps is [predicted](forecast) from the frames before it. A frame that
//! misses its bound is undone and computed again with more substeps; the best of all [tries](tries) is kept.
//!
//! A bound on one quantity does not bound the others: a ball in free fall has no stretch, whatever the number of
//! substeps, and one that lands in a single substep has none either, but its other errors turn into energy
//! with the short substeps of the next frame. So every attempt is also compared with bounds that [are always
//! checked](crate::observe::certificate::Certificate::harm), the number changes gradually, and it does not
//! fall while an impact is in view.
//!
//! Everything depends only on the numbers of the certificate and on the state: the same scene gets the same
//! substeps on every run and for every number of threads.

mod forecast;
pub(crate) mod patience;
mod purse;
pub(crate) mod tries;

use std::ops::RangeInclusive;

use pliant_kernel::Scalar;

use crate::error::StepError;
use crate::observe::certificate::Certificate;
use crate::observe::measure::FrameCertificate;
use crate::observe::report::FrameReport;
use crate::simulation::Simulation;

use forecast::Forecast;
use patience::Patience;
use purse::{DOWN, Purse};
use tries::{Tries, Try};

/// The largest factor by which the number of substeps rises from one frame or try to the next.
const UP: f64 = 4.0;
/// An impact is in view if it is less than this many frames ahead.
const IN_VIEW: f64 = 4.0;
/// A second try gets more substeps than the first one predicts, by this factor, because a third try costs more.
const RETRY: f64 = 1.08;
/// A third try gets at least this many times the substeps of the second; so does a try after harm, which
/// cannot be predicted.
const DOUBLE: f64 = 2.0;
/// Above this share of the bounds that are always checked, the number of substeps does not fall.
const WARY: f64 = 0.5;

/// Chooses substeps so that the requirements of a [`Certificate`] are met.
///
/// * The number falls by a factor of at most 1.25 from one frame to the next, or by one, and rises by at most
///   4 from one frame or try to the next.
/// * While the first impact on an obstacle is less than four frames ahead it does not fall, and rises to the
///   number that it [started with](Self::starting_with).
/// * A frame is computed again if it misses a requirement, or does harm of the kinds that are always checked:
///   if the solver creates more than 1 % of all energy that moved, tetrahedra turn inside out, or volume
///   errors or residuals become [rough](crate::Judgement) and grow by more than a quarter.
/// * The best try is kept: the one that comes nearest to the requirements, and among equal ones the one that
///   does the least harm; if harm is above twice what is allowed, it counts first. Tries end when two in a
///   row were not better by a tenth. After such a frame the next 1, 3, 7, … frames (31 at most) are accepted
///   as they are, unless they are worse.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Adaptive, Body, Certificate, Compliance, Settings, Simulation};
///
/// let cloth = Body::cloth(TriMesh::grid([8, 8], [0.5, 0.5])?).stretch(Compliance::new(1e-5)).pin_vertices([0, 7]);
/// let settings = Settings { certificate: true, ..Settings::default() };
/// let mut sim: Simulation = Simulation::builder().settings(settings).body(cloth).build()?;
///
/// let mut certificate = Certificate::begin(&sim).with_requirements(["residual.edges<=2e-4".parse()?])?;
/// let mut adaptive = Adaptive::new(2..=200);
/// for _ in 0..20 {
///     let step = adaptive.step(&mut sim, &mut certificate, 1.0 / 60.0)?;
///     assert!(step.spent >= step.frame.substeps);
/// }
/// assert!(certificate.is_met());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Adaptive {
    limits: RangeInclusive<u32>,
    start: f64,
    /// Substeps with which the next frame begins, as predicted, and those of the last one.
    next: f64,
    last: f64,
    forecast: Forecast,
    patience: Patience,
    purse: Purse,
}

/// A frame that was computed as often as necessary.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AdaptiveStep {
    /// The report on the frame that was kept.
    pub report: FrameReport,
    /// Its certificate.
    pub frame: FrameCertificate,
    /// Substeps spent on it, including those whose result was discarded.
    pub spent: u32,
    /// How often it was computed.
    pub tries: u32,
}

/// The report and the certificate of a try.
type Left = (FrameReport, FrameCertificate);

impl Adaptive {
    /// Substeps within limits; the first frame begins with the fewest.
    ///
    /// # Panics
    ///
    /// If the limits are empty or begin with zero.
    #[must_use]
    pub fn new(limits: RangeInclusive<u32>) -> Self {
        assert!(*limits.start() > 0 && !limits.is_empty(), "there is no number of substeps in {limits:?}");
        let start = f64::from(*limits.start());
        Self {
            limits,
            start,
            next: start,
            last: start,
            forecast: Forecast::new(),
            patience: Patience::default(),
            purse: Purse::new(f64::INFINITY),
        }
    }

    /// The same, with the number of substeps with which the first frame begins: a number that is enough for impacts.
    #[must_use]
    pub fn starting_with(self, substeps: u32) -> Self {
        let start = f64::from(substeps.clamp(*self.limits.start(), *self.limits.end()));
        Self { start, next: start, last: start, ..self }
    }

    /// The same, spending at most about this many substeps a frame on average, including those whose result
    /// is discarded; substeps that a frame does not spend are available to later ones. When they are used up,
    /// the best affordable try is kept. Only a frame in which the simulation fails may spend more.
    #[must_use]
    pub fn spending(self, per_frame: u32) -> Self {
        Self { purse: Purse::new(f64::from(per_frame)), ..self }
    }

    /// Length of the [memory](Self::memory).
    pub const MEMORY: usize = 10;

    /// What was learnt from the frames so far, to be [restored](Self::remembering) in another one that
    /// continues where this one stopped.
    #[must_use]
    pub fn memory(&self) -> [f64; Self::MEMORY] {
        let Self { next, last, forecast, patience, purse, .. } = self;
        let needed = forecast.needed.unwrap_or(f64::NAN);
        let Patience { left, pause, harm, excess } = *patience;
        [*next, *last, needed, forecast.order, forecast.margin, left, pause, harm, excess, purse.content]
    }

    /// The same, with what another one with the same limits had learnt.
    #[must_use]
    pub fn remembering(self, memory: [f64; Self::MEMORY]) -> Self {
        let [next, last, needed, order, margin, left, pause, harm, excess, content] = memory;
        Self {
            next,
            last,
            forecast: Forecast { needed: (!needed.is_nan()).then_some(needed), order, margin },
            patience: Patience { left, pause, harm, excess },
            purse: Purse { allowance: self.purse.allowance, content },
            ..self
        }
    }

    pub(crate) fn step_here<T: Scalar>(
        &mut self,
        simulation: &mut Simulation<T>,
        certificate: &mut Certificate,
        dt: f64,
    ) -> Result<AdaptiveStep, StepError> {
        let before = simulation.snapshot_here();
        self.purse.fill();
        let begun = self.begin(simulation.time_to_impact(dt, IN_VIEW * dt).is_some());
        let mut spent = 0;
        let mut attempt = |adaptive: &mut Self, substeps, again| {
            if again {
                simulation.world.restore_here(&before);
            }
            spent += substeps;
            adaptive.attempt(simulation, certificate, dt, substeps)
        };

        let (first, mut left) = attempt(self, begun, false)?;
        let mut tries = Tries::begin(first);
        let patient = self.patience.accepts(&first);
        while !patient && let Some(substeps) = self.more(&tries) {
            let (one, found) = attempt(self, substeps, true)?;
            self.forecast.learn(tries.last.substeps, tries.last.excess, substeps, one.excess);
            tries.add(one);
            left = found;
        }
        let in_vain = tries.are_in_vain();
        if let Some(substeps) = self.gentler(&tries).filter(|_| !patient) {
            let (one, found) = attempt(self, substeps, true)?;
            tries.add(one);
            left = found;
        }
        let best = tries.best;
        if best.substeps != tries.last.substeps {
            left = attempt(self, best.substeps, true)?.1;
            tries.count += 1;
        }
        let (report, mut frame) = left?;
        frame.substeps_spent = spent;
        certificate.enter(&report, &frame);
        self.end(&tries, patient, in_vain);
        Ok(AdaptiveStep { report, frame, spent, tries: tries.count })
    }

    /// Computes the frame once. The outer error is one that no number of substeps can avoid.
    fn attempt<T: Scalar>(
        &mut self,
        simulation: &mut Simulation<T>,
        certificate: &Certificate,
        dt: f64,
        substeps: u32,
    ) -> Result<(Try, Result<Left, StepError>), StepError> {
        simulation.set_substeps(substeps);
        self.purse.pay(substeps);
        match simulation.advance_here(dt) {
            Err(error @ StepError::TimeStep { .. }) => Err(error),
            Err(error) => Ok((Try::broken(substeps), Err(error))),
            Ok(()) => {
                let report = simulation.report_here();
                let frame = certificate.measure(&report);
                let (harm, excess) = (certificate.harm(&report, &frame), certificate.excess(&frame));
                Ok((Try { substeps, harm, excess }, Ok((report, frame))))
            }
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within limits that are numbers of substeps"
    )]
    fn within(&self, substeps: f64) -> u32 {
        substeps.ceil().clamp(f64::from(*self.limits.start()), f64::from(*self.limits.end())) as u32
    }

    /// Substeps that a frame begins with.
    fn begin(&self, impact_in_view: bool) -> u32 {
        let mut substeps = self.next.min(self.purse.affords());
        if impact_in_view {
            let held = if self.purse.content >= 2.0 * self.last { self.last } else { substeps };
            substeps = substeps.max(held).max(self.start);
        }
        let fewest = (self.last / DOWN).ceil().min(self.last - 1.0);
        self.within(substeps.clamp(fewest, UP * self.last))
    }

    /// Substeps of the next try, if there is to be one with more.
    fn more(&self, tries: &Tries) -> Option<u32> {
        let Tries { last, best, count, .. } = *tries;
        if best.is_good() || last.substeps == *self.limits.end() || tries.are_in_vain() {
            return None;
        }
        let present = f64::from(last.substeps);
        let factor = if count > 1 || last.harm > 1.0 { DOUBLE } else { 1.0 };
        let wanted = (self.forecast.estimate(last.substeps, last.excess) * RETRY).max(factor * present);
        let wanted = wanted.clamp(present + 1.0, (UP * present).max(present + 1.0));
        // A failed frame must be computed again at any cost; otherwise a try with hardly more substeps is not
        // worth its cost.
        let affordable = if best.is_broken() { wanted } else { wanted.min(self.purse.affords().floor()) };
        let worth = affordable >= wanted.min(DOWN * present);
        worth.then(|| self.within(affordable))
    }

    /// The substeps of the last frame, if a frame with more did harm: short substeps turn into motion the
    /// errors that long ones have left.
    fn gentler(&self, tries: &Tries) -> Option<u32> {
        let substeps = self.within(self.last);
        let harmful = tries.best.harm > 1.0 && !tries.best.is_broken();
        (harmful && substeps < tries.first.substeps).then_some(substeps)
    }

    /// Chooses the substeps of the next frame.
    fn end(&mut self, tries: &Tries, patient: bool, in_vain: bool) {
        let best = &tries.best;
        let substeps = f64::from(best.substeps);
        self.last = substeps;
        if best.is_good() {
            let next = self.forecast.next(best.substeps, best.excess, tries.count > 1);
            self.next = if best.harm > WARY { next.max(substeps) } else { next };
            self.patience = Patience::default();
        } else if patient {
            self.next = substeps;
            self.patience.wait();
        } else if in_vain {
            self.next = substeps;
            self.patience.give_up(best);
        } else {
            let next = self.forecast.next(best.substeps, best.excess, true);
            self.next = next.max(substeps);
        }
    }
}
