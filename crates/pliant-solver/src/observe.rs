//! Reports and certificates of a simulation: this code observes, and never steps.

pub(crate) mod accuracy;
pub(crate) mod baseline;
pub(crate) mod certificate;
pub(crate) mod diagnostics;
pub(crate) mod driven;
pub(crate) mod equation_of_motion;
pub(crate) mod judgement;
pub(crate) mod measure;
pub(crate) mod moment;
pub(crate) mod monitor;
pub(crate) mod reach;
pub(crate) mod report;
pub(crate) mod requirement;
pub(crate) mod rounding;
