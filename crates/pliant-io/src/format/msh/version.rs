//! [`Version`]: the layouts of the format.

/// The versions that differ in layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// 1.0: `$NOD` and `$ELM`.
    One,
    /// 2.0, 2.1, 2.2.
    Two,
    /// 4.0.
    FourZero,
    /// 4.1.
    FourOne,
}
