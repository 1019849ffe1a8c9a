//! [`Stepped`]: a frame that was simulated.

use pliant_solver::{FrameCertificate, FrameReport};

/// A frame that was stepped.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Stepped {
    /// Its report, if it was certified.
    pub report: Option<FrameReport>,
    /// Time to simulate it, ms.
    pub solve_ms: f64,
    /// Time to measure it, ms.
    pub report_ms: f64,
    /// Substeps that were spent on it, including those whose result was discarded.
    pub substeps_spent: u32,
    /// Its certificate, if it was certified.
    pub measures: Option<FrameCertificate>,
}
