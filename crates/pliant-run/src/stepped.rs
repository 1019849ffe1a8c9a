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
    /// Time to look at it, ms.
    pub report_ms: f64,
    /// Substeps that were spent on it, those included whose result was thrown away.
    pub substeps_spent: u32,
    /// What was certified of it, if it was.
    pub measures: Option<FrameCertificate>,
}
