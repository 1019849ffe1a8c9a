//! [`Certifier`]: steps a run, frame by frame, and certifies it.

use std::time::Instant;

use nalgebra::Vector3;
use pliant_scene::{Built, FineSurfaces, Scene};
use pliant_solver::{Adaptive, Certificate, Float, Measure, Requirement, StepError};

use crate::chosen::Chosen;
use crate::error::RunError;
use crate::files::milliseconds;
use crate::journal::{Past, Tally};
use crate::options::{AVERAGE, MOST, Options, SubstepRange};
use crate::series::Series;
use crate::stepped::Stepped;

/// The measure of crossings of the surfaces that are drawn.
pub const FINE_CROSSINGS: &str = "visual.intersections";

/// How often the surfaces that are drawn cross, where all particles are at `positions`; none if that is not
/// [counted](FineSurfaces::is_counted).
#[must_use]
pub fn fine_crossings(fine: &FineSurfaces, positions: &[Vector3<f64>]) -> Option<Measure> {
    let count = fine.place(positions).intersections?;
    Some(Measure { name: FINE_CROSSINGS.to_owned(), unit: "1".into(), value: count as f64, at: None })
}

/// The way of stepping, and the certificate of the steps.
pub(crate) struct Certifier {
    pub(crate) series: Series,
    adaptive: Option<Adaptive>,
    /// Every n-th frame is certified; 0 is the last one only.
    every: u32,
    /// Substeps spent on the frames since the last certified one.
    spent: u32,
    /// Substeps spent on all frames, and how many frames were done more than once.
    pub(crate) total: u64,
    pub(crate) repeated: u32,
    /// The chosen methods, if methods are chosen.
    pub(crate) chosen: Option<Chosen>,
}

impl Certifier {
    /// Requirements of the scene come before those of the options.
    pub(crate) fn begin<T: Float>(
        options: &Options,
        scene: &Scene,
        built: &mut Built<T>,
    ) -> Result<Self, RunError> {
        let simulation = &mut built.simulation;
        let requirements = scene.model.require.iter().chain(&options.require);
        let requirements: Result<Vec<Requirement>, _> = requirements.map(|text| text.parse()).collect();
        let requirements = requirements?;
        simulation.set_certificate(options.report_every != 0 || !requirements.is_empty());
        if options.adaptive.is_some() && requirements.is_empty() {
            return Err(RunError::Refused(
                "Options::adaptive chooses substeps so that requirements are met, but there is no \
                requirement; add one, such as Options::require 'residual.edges<=1e-4'"
                    .into(),
            ));
        }
        let substeps = simulation.settings().substeps;
        let adaptive = options.adaptive.as_ref().map(|limits| match limits {
            SubstepRange::Within(limits) => Adaptive::new(limits.clone()).starting_with(substeps),
            SubstepRange::Usual => Adaptive::new(substeps..=substeps.saturating_mul(MOST))
                .starting_with(substeps)
                .spending(substeps.saturating_mul(AVERAGE)),
        });
        let mut certificate = Certificate::begin(simulation);
        // Substeps are not chosen by what is drawn.
        if adaptive.is_none() && built.fine.is_counted() {
            certificate = certificate.with_quantities([FINE_CROSSINGS.to_owned()]);
        }
        let certificate = certificate.with_requirements(requirements)?;
        Ok(Self {
            series: Series::new(certificate),
            adaptive,
            every: options.report_every,
            spent: 0,
            total: 0,
            repeated: 0,
            chosen: None,
        })
    }

    /// Steps by a frame; the `last` one is always certified.
    pub(crate) fn step<T: Float>(
        &mut self,
        built: &mut Built<T>,
        dt: f64,
        last: bool,
    ) -> Result<Stepped, StepError> {
        let simulation = &mut built.simulation;
        let begun = Instant::now();
        if let Some(adaptive) = &mut self.adaptive {
            let step = adaptive.step(simulation, &mut self.series.certificate, dt)?;
            let solve_ms = milliseconds(begun);
            self.total += u64::from(step.spent);
            self.repeated += u32::from(step.tries > 1);
            self.series.keep(&step.report, step.frame.clone());
            return Ok(Stepped {
                report: Some(step.report),
                solve_ms,
                report_ms: 0.0,
                substeps_spent: step.spent,
                measures: Some(step.frame),
            });
        }
        simulation.advance(dt)?;
        let solve_ms = milliseconds(begun);
        let substeps = match simulation.choice() {
            None => simulation.substeps(),
            Some(choice) => {
                self.repeated += u32::from(choice.tries > 1);
                self.chosen.get_or_insert_default().take(&choice);
                choice.spent
            }
        };
        self.total += u64::from(substeps);
        self.spent += substeps;
        let wanted = self.every != 0 && simulation.frame().is_multiple_of(self.every.into());
        let looked = Instant::now();
        let report = (wanted || last).then(|| simulation.report());
        let fine = &built.fine;
        let measures = report.as_ref().map(|report| {
            let crossings = fine.is_counted().then(|| fine_crossings(fine, &simulation.positions()));
            self.series.take(report, std::mem::take(&mut self.spent), crossings.flatten())
        });
        Ok(Stepped { report, solve_ms, report_ms: milliseconds(looked), substeps_spent: substeps, measures })
    }

    /// Whether a run can be resumed from the present frame: the certificates of the next frames must not
    /// depend on frames that were not certified.
    pub(crate) fn is_at_rest(&self, frame: u32) -> bool {
        self.every == 0 || frame.is_multiple_of(self.every)
    }

    /// The data that must be kept in addition to the frames.
    pub(crate) fn tally(&self) -> Tally {
        Tally { total: self.total, since: self.spent, repeated: self.repeated, chosen: self.chosen }
    }

    /// What was learnt about the substeps.
    pub(crate) fn memory(&self) -> Option<[f64; Adaptive::MEMORY]> {
        self.adaptive.as_ref().map(Adaptive::memory)
    }

    /// Adds the frames before the present state of the simulation, from which the run is resumed.
    pub(crate) fn take_up(&mut self, past: &Past) {
        let Tally { total, since, repeated, chosen } = past.tally();
        (self.total, self.spent, self.repeated, self.chosen) = (total, since, repeated, chosen);
        if let (Some(adaptive), Some(memory)) = (&self.adaptive, past.memory()) {
            self.adaptive = Some(adaptive.clone().remembering(memory));
        }
        for certified in past.lines.iter().filter_map(|line| line.certified.as_ref()) {
            self.series.take_up(&certified.record.report, &certified.measures);
        }
    }
}
