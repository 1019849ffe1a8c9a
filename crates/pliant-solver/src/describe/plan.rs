//! [`Plan`]: the order in which constraints are projected.

/// The order in which the constraints of a group are projected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Plan {
    /// The solver chooses the plan that reaches a given error first: [`Plan::Clustered`], for all scenes
    /// measured so far.
    #[default]
    Auto,
    /// In the order given, by one thread: the order of the book.
    Sequential,
    /// Particles are renumbered by place and divided into clusters; constraints are projected eight side by
    /// side in SIMD lanes, clusters in parallel, with the same bits for every number of threads and every
    /// width of the lanes. The fastest.
    Clustered,
    /// In the order given as far as it matters: constraints that share no particle are projected eight side
    /// by side, and every particle is moved by its constraints in their order, so the result is that of
    /// [`Plan::Sequential`]. By one thread, at some three times its speed. On small stiff cloth this order
    /// comes closer to the answer than clusters do; on large stiff cloth it diverges, as every order of the
    /// mesh does.
    Ordered,
}

impl Plan {
    /// The plan that is used. Clusters reach a given error first wherever it was measured, on small sheets as
    /// on large blocks (`cargo xtask converge`): what another order gains per substep it loses in the time of
    /// a substep.
    pub(crate) fn chosen(self) -> Self {
        match self {
            Self::Auto => Self::Clustered,
            chosen => chosen,
        }
    }
}
