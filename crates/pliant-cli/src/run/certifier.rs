//! [`Certifier`]: steps a run, frame by frame, and certifies it.

use std::time::Instant;

use pliant_scene::Scene;
use pliant_solver::{Adaptive, Certificate, Float, FrameReport, Requirement, Simulation, StepError};

use super::journal::{Past, Tally};
use super::milliseconds;
use crate::args::RunArgs;
use crate::certificate::{CertificateFile, FrameMeasures};
use crate::error::CliError;

/// The most substeps of a frame, where `--adaptive` names no limits, in multiples of the scene's.
const MOST: u32 = 64;
/// The most that frames spend on average, where it names no limits, in multiples of the scene's.
const AVERAGE: u32 = 12;

/// The number of substeps by which the precision of a run is chosen whose scene has so many: with `--adaptive` the most, or what frames spend on average where it names no limits.
pub(super) fn substeps_to_resolve(args: &RunArgs, substeps: u32) -> u32 {
    match &args.adaptive {
        None => substeps,
        Some(Some(limits)) => *limits.end(),
        Some(None) => substeps.saturating_mul(AVERAGE),
    }
}

/// Steps, and what they are certified with.
pub(super) struct Certifier {
    pub(super) certificate: Certificate,
    adaptive: Option<Adaptive>,
    /// Every n-th frame is certified; 0 is the last one only.
    every: u32,
    frames: Vec<FrameMeasures>,
    last: Option<FrameReport>,
    /// Substeps spent on the frames since the last certified one.
    spent: u32,
    /// Substeps spent on all frames, and how many frames were done more than once.
    pub(super) total: u64,
    pub(super) repeated: u32,
}

/// A frame that was stepped.
pub(super) struct Stepped {
    /// Its report, if it was certified.
    pub(super) report: Option<FrameReport>,
    pub(super) solve_ms: f64,
    pub(super) report_ms: f64,
    pub(super) substeps_spent: u32,
    /// What was certified of it, if it was.
    pub(super) measures: Option<FrameMeasures>,
}

impl Certifier {
    /// Requirements of the scene come before those of the command line.
    pub(super) fn begin<T: Float>(
        args: &RunArgs,
        scene: &Scene,
        simulation: &mut Simulation<T>,
    ) -> Result<Self, CliError> {
        let requirements = scene.model.require.iter().chain(&args.require);
        let requirements: Result<Vec<Requirement>, _> = requirements.map(|text| text.parse()).collect();
        let requirements = requirements?;
        simulation.set_certificate(args.report_every != 0 || !requirements.is_empty());
        if args.adaptive.is_some() && requirements.is_empty() {
            return Err(CliError::Refused(
                "--adaptive chooses substeps so that requirements are met, and there is none; add one, such as --require 'residual.edges<=1e-4'".into(),
            ));
        }
        let substeps = simulation.settings().substeps;
        let adaptive = args.adaptive.as_ref().map(|limits| match limits {
            Some(limits) => Adaptive::new(limits.clone()).starting_with(substeps),
            None => Adaptive::new(substeps..=substeps.saturating_mul(MOST))
                .starting_with(substeps)
                .spending(substeps.saturating_mul(AVERAGE)),
        });
        let certificate = Certificate::begin(simulation).with_requirements(requirements)?;
        Ok(Self {
            certificate,
            adaptive,
            every: args.report_every,
            frames: Vec::new(),
            last: None,
            spent: 0,
            total: 0,
            repeated: 0,
        })
    }

    /// Steps by a frame; the `last` one is always certified.
    pub(super) fn step<T: Float>(
        &mut self,
        simulation: &mut Simulation<T>,
        dt: f64,
        last: bool,
    ) -> Result<Stepped, StepError> {
        let begun = Instant::now();
        if let Some(adaptive) = &mut self.adaptive {
            let step = adaptive.step(simulation, &mut self.certificate, dt)?;
            let solve_ms = milliseconds(begun);
            self.total += u64::from(step.spent);
            self.repeated += u32::from(step.tries > 1);
            self.frames.push(FrameMeasures::new(&step.frame, step.spent));
            self.last = Some(step.report.clone());
            let substeps_spent = step.spent;
            let measures = self.frames.last().cloned();
            return Ok(Stepped {
                report: Some(step.report),
                solve_ms,
                report_ms: 0.0,
                substeps_spent,
                measures,
            });
        }
        simulation.advance(dt)?;
        let solve_ms = milliseconds(begun);
        let substeps = simulation.settings().substeps;
        self.total += u64::from(substeps);
        self.spent += substeps;
        let wanted = self.every != 0 && simulation.frame().is_multiple_of(self.every.into());
        let looked = Instant::now();
        let report = (wanted || last).then(|| simulation.report());
        if let Some(report) = &report {
            let frame = self.certificate.take(report);
            self.frames.push(FrameMeasures::new(&frame, std::mem::take(&mut self.spent)));
            self.last = Some(report.clone());
        }
        let measures = report.as_ref().and_then(|_| self.frames.last().cloned());
        Ok(Stepped { report, solve_ms, report_ms: milliseconds(looked), substeps_spent: substeps, measures })
    }

    /// Whether a run can go on from the present frame: what is certified of the next ones must not depend on frames that were not looked at.
    pub(super) fn is_at_rest(&self, frame: u32) -> bool {
        self.every == 0 || frame.is_multiple_of(self.every)
    }

    /// What has to be remembered beside the frames.
    pub(super) fn tally(&self) -> Tally {
        Tally { total: self.total, since: self.spent, repeated: self.repeated }
    }

    /// What was learnt about substeps.
    pub(super) fn memory(&self) -> Option<[f64; Adaptive::MEMORY]> {
        self.adaptive.as_ref().map(Adaptive::memory)
    }

    /// Takes up the frames before the present state of the simulation, from which the run goes on.
    pub(super) fn take_up<T: Float>(&mut self, past: &Past, simulation: &Simulation<T>) {
        let Tally { total, since, repeated } = past.tally();
        (self.total, self.spent, self.repeated) = (total, since, repeated);
        if let (Some(adaptive), Some(memory)) = (&self.adaptive, past.memory) {
            self.adaptive = Some(adaptive.clone().remembering(memory));
        }
        let mut report = simulation.report();
        for certified in past.lines.iter().filter_map(|line| line.certified.as_ref()) {
            let record = &certified.record;
            report.energy.kinetic = record.kinetic_energy;
            report.energy.potential = record.potential_energy;
            report.energy.elastic = record.elastic_energy;
            [report.contact_work, report.pin_work, report.wind_work] = certified.work;
            let frame = certified.measures.to_frame(&self.certificate, &report);
            self.certificate.enter(&report, &frame);
            self.frames.push(certified.measures.clone());
        }
    }

    /// The files of the certificate: JSON and CSV.
    pub(super) fn files(&self, scene: &str) -> (String, String) {
        let file =
            CertificateFile::new(scene, "run", &self.certificate, self.frames.clone(), self.last.as_ref());
        (file.to_json(), file.to_csv(self.certificate.quantities()))
    }
}
