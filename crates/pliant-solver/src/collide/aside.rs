//! [`Aside`]: what becomes of what is in the way of held particles.

/// What becomes of what is in the way of held particles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aside {
    /// It goes with them, and what touches it as well: displacements are averaged a few times.
    Along,
    /// The same, with what is farther from them: displacements are averaged often.
    FarAlong,
    /// It is put behind the planes that they leave.
    Behind,
}

impl Aside {
    /// This one, and then the others.
    pub(super) fn and_others(self) -> impl Iterator<Item = Self> {
        let others =
            [Self::Along, Self::FarAlong, Self::Behind].into_iter().filter(move |&aside| aside != self);
        std::iter::once(self).chain(others)
    }
}
