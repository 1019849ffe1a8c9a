//! [`Adaptive`]: as many substeps in every frame as its requirements ask for.
//!
//! Before a frame the number of substeps is foreseen from the frames before it: residuals fall as n^−p with the number n of substeps (p = 2 for a substep that halves h twice; p is learnt from frames that were
//! done twice), so that a frame that exceeded its bound by the factor r needed about n r^(1/p). A frame that misses its bound is taken back and done again with more substeps; one that misses it with the most that are allowed stays.
//!
//! Everything depends on the numbers of the certificate alone: the same scene gets the same substeps on every run and for every number of threads.

use std::ops::RangeInclusive;

use crate::certificate::{Certificate, FrameCertificate};
use crate::error::StepError;
use crate::float::Float;
use crate::report::FrameReport;
use crate::simulation::Simulation;

/// Bounds of the learnt exponent p.
const ORDERS: RangeInclusive<f64> = 1.0..=4.0;
/// Bounds of the margin by which a frame is given more substeps than are foreseen.
const MARGINS: RangeInclusive<f64> = 1.03..=1.5;
/// What the margin is multiplied by after a miss, and after a frame that needed no second try.
const MARGIN_UP: f64 = 1.08;
const MARGIN_DOWN: f64 = 0.985;
/// A second try gets this much more than the first one lets expect: a third costs more.
const RETRY: f64 = 1.08;

/// Chooses substeps so that the requirements of a [`Certificate`] are met.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Adaptive, Body, Certificate, Settings, Simulation};
///
/// let cloth = Body::cloth(TriMesh::grid([8, 8], [0.5, 0.5])?).stretch(1e-5).pin_vertices([0, 7]);
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
    /// Substeps that the next frame begins with.
    next: f64,
    /// Substeps that the last frame would have needed.
    needed: Option<f64>,
    order: f64,
    margin: f64,
}

/// A frame that was done as often as it took.
#[derive(Debug, Clone, PartialEq)]
pub struct AdaptiveStep {
    /// The report on the frame as it stands.
    pub report: FrameReport,
    /// Its certificate.
    pub frame: FrameCertificate,
    /// Substeps spent on it, those included whose result was thrown away.
    pub spent: u32,
    /// How often it was done.
    pub tries: u32,
}

impl Adaptive {
    /// Substeps within limits; the first frame begins with the fewest.
    ///
    /// # Panics
    ///
    /// If the limits are empty or begin with zero.
    #[must_use]
    pub fn new(limits: RangeInclusive<u32>) -> Self {
        assert!(*limits.start() > 0 && !limits.is_empty(), "there is no number of substeps in {limits:?}");
        Self { next: f64::from(*limits.start()), limits, needed: None, order: 2.0, margin: 1.1 }
    }

    /// The same, with the number of substeps that the first frame begins with.
    #[must_use]
    pub fn starting_with(self, substeps: u32) -> Self {
        Self { next: f64::from(substeps), ..self }
    }

    /// What was learnt from the frames so far, to be [taken up](Self::remembering) by another that goes on where this one stopped.
    #[must_use]
    pub fn memory(&self) -> [f64; 4] {
        [self.next, self.needed.unwrap_or(f64::NAN), self.order, self.margin]
    }

    /// The same, with what another one had learnt.
    #[must_use]
    pub fn remembering(self, [next, needed, order, margin]: [f64; 4]) -> Self {
        Self { next, needed: (!needed.is_nan()).then_some(needed), order, margin, ..self }
    }

    /// Steps by `dt`, s, with as many substeps as the requirements of the certificate take, and takes the frame up there.
    ///
    /// # Errors
    ///
    /// As [`Simulation::advance`], if the simulation breaks down with the most substeps too.
    pub fn step<T: Float>(
        &mut self,
        simulation: &mut Simulation<T>,
        certificate: &mut Certificate,
        dt: f64,
    ) -> Result<AdaptiveStep, StepError> {
        let before = simulation.snapshot();
        let most = *self.limits.end();
        let mut substeps = self.within(self.next);
        let (mut spent, mut tries, mut last_try) = (0, 0, None);
        loop {
            simulation.set_substeps(substeps);
            let stepped = simulation.advance(dt);
            spent += substeps;
            tries += 1;
            if let Err(error) = stepped {
                if substeps == most || matches!(error, StepError::TimeStep { .. }) {
                    return Err(error);
                }
                simulation.restore(&before);
                substeps = self.within(2.0 * f64::from(substeps));
                continue;
            }
            let report = simulation.report();
            let frame = certificate.measure(&report);
            let excess = certificate.excess(&frame);
            if let Some((fewer, higher)) = last_try.replace((substeps, excess)) {
                self.learn(fewer, higher, substeps, excess);
            }
            if excess <= 1.0 || substeps == most {
                certificate.enter(&report, &frame);
                self.foresee(substeps, excess, tries);
                return Ok(AdaptiveStep { report, frame, spent, tries });
            }
            simulation.restore(&before);
            let wanted = self.estimate(substeps, excess) * RETRY;
            substeps = self.within(wanted.max(f64::from(substeps) + 1.0));
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

    /// Substeps that a frame needs which exceeds its bound by the factor `excess`.
    fn estimate(&self, substeps: u32, excess: f64) -> f64 {
        f64::from(substeps) * libm::pow(excess.clamp(1e-3, 1e3), 1.0 / self.order)
    }

    /// Learns the order from two tries of the same frame.
    fn learn(&mut self, fewer: u32, higher: f64, more: u32, lower: f64) {
        if higher > lower && lower > 0.0 {
            let order = libm::log(higher / lower) / libm::log(f64::from(more) / f64::from(fewer));
            self.order = f64::midpoint(self.order, order.clamp(*ORDERS.start(), *ORDERS.end()));
        }
    }

    /// Chooses the substeps of the next frame.
    fn foresee(&mut self, substeps: u32, excess: f64, tries: u32) {
        let factor = if tries > 1 { MARGIN_UP } else { MARGIN_DOWN };
        self.margin = (self.margin * factor).clamp(*MARGINS.start(), *MARGINS.end());
        let needed = self.estimate(substeps, excess);
        // What rises is expected to rise on; what falls may turn.
        let rise = self.needed.map_or(1.0, |before| (needed / before).clamp(1.0, 1.5));
        self.next = (needed * rise * self.margin).max(0.5 * f64::from(substeps));
        self.needed = Some(needed);
    }
}
