//! [`Outcome`]: what became of a unit.

/// What became of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Its run was there.
    Whole,
    /// Its run is finished now.
    Finished,
    /// Another process has it.
    Taken,
    /// It was stopped, with a checkpoint.
    Stopped,
    /// It cannot be run, or its run failed; the text says why.
    Failed(String),
    /// The disk is full; the text says where.
    Full(String),
}
