//! [`Baseline`]: what a frame of a certificate is compared with.

use crate::observe::report::FrameReport;

/// The values with which a later frame is compared.
#[derive(Debug, Clone)]
pub(crate) struct Baseline {
    pub(crate) energy: f64,
    pub(crate) contact_work: f64,
    pub(crate) pin_work: f64,
    pub(crate) wind_work: f64,
    pub(crate) pin_version: u64,
}

impl Baseline {
    pub(crate) fn new(report: &FrameReport) -> Self {
        Self {
            energy: report.energy.total(),
            contact_work: report.contact_work.unwrap_or_default(),
            pin_work: report.pin_work.unwrap_or_default(),
            wind_work: report.wind_work.unwrap_or_default(),
            pin_version: report.pin_version,
        }
    }
}
