//! [`SweepOrder`]: the direction of sweeps.

use crate::describe::plan::Plan;

/// The direction in which sweeps go through the order of a plan: from its first group of constraints to the
/// last, or everything in reverse. Obstacles come last either way.
///
/// A sweep that always goes the same way is not a symmetric operator. Where a mesh has more constraints than
/// degrees of freedom, of different stiffness, its slow modes then turn as they decay, and a turning mode grows
/// from substep to substep as soon as the substeps are short enough: a body at rest shakes itself apart. Sweeps
/// that go forward and backward are symmetric and cannot do that; directions drawn at random give a mode no time
/// to grow. The theory is in the book, on the page about stability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum SweepOrder {
    /// [`Symmetric`](Self::Symmetric) if volumes of tetrahedra are constrained in a body whose edges are so
    /// soft that it flows (gravity can do a sixteenth of the work that it takes to stretch them to twice their
    /// length), or if they are exactly rigid between edges of which one takes longer than a substep to answer,
    /// √(α/(w₁ + w₂)). [`Random`](Self::Random) with other constraints of volumes if substeps are shorter than a
    /// millisecond or than the softest edge takes to answer, and with all constraints if they are
    /// shorter than 20 µs; else [`Fixed`](Self::Fixed), with which bodies come to rest without trembling. Always
    /// fixed with the plans that promise the order of the mesh, [`Plan::Sequential`] and [`Plan::Ordered`].
    #[default]
    Auto,
    /// A direction drawn again every eight substeps and at the beginning of a frame, only from the seed, the
    /// number of the frame and that of the substep, so the same scene gives the same bits. It costs nothing.
    Random,
    /// Always forward.
    Fixed,
    /// Forward and backward in every iteration: twice the work. It is proved to be stable for every length of
    /// substep.
    Symmetric,
}

/// Substeps, s, below which a fixed order may feed slow modes of solids whose volumes are constrained, however stiff their
/// edges are.
const LONG: f64 = 1e-3;

/// Substeps, s, below which a fixed order may feed slow modes of cloth as well; with shorter ones iterations
/// converge, so that a changing direction hardly makes it tremble.
const SHORT: f64 = 2e-5;

/// The volumes of tetrahedra that are constrained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Volumes {
    None,
    /// In bodies whose edges keep their shape, and 1/ω of the softest of these, s.
    Solid {
        slowest: f64,
    },
    /// In a body, among others, whose edges do not, or hardly if its volumes are rigid.
    Loose,
}

impl SweepOrder {
    /// The order that is used with a plan, with constraints of volumes, and with substeps of length `h`, s.
    #[must_use]
    pub(crate) fn chosen(self, plan: Plan, volumes: Volumes, h: f64) -> Self {
        match (self, plan) {
            (Self::Auto, Plan::Sequential | Plan::Ordered) => Self::Fixed,
            (Self::Auto, _) if volumes == Volumes::Loose => Self::Symmetric,
            (Self::Auto, _) => {
                let shortest = match volumes {
                    Volumes::Solid { slowest } => slowest.max(LONG),
                    _ => SHORT,
                };
                if h < shortest { Self::Random } else { Self::Fixed }
            }
            (chosen, _) => chosen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_change_only_where_a_fixed_order_may_gain_energy() {
        let auto = |volumes, h| SweepOrder::Auto.chosen(Plan::Clustered, volumes, h);
        let solid = |slowest| Volumes::Solid { slowest };
        assert_eq!(auto(solid(0.0), 1e-3), SweepOrder::Fixed);
        assert_eq!(auto(solid(0.0), 0.99e-3), SweepOrder::Random);
        assert_eq!(auto(solid(2e-3), 1.9e-3), SweepOrder::Random);
        assert_eq!(auto(solid(2e-3), 2e-3), SweepOrder::Fixed);
        assert_eq!(auto(Volumes::None, 3e-5), SweepOrder::Fixed);
        assert_eq!(auto(Volumes::None, 1e-5), SweepOrder::Random);
        for h in [1e-2, 1e-5] {
            assert_eq!(auto(Volumes::Loose, h), SweepOrder::Symmetric);
            assert_eq!(SweepOrder::Auto.chosen(Plan::Ordered, solid(1.0), h), SweepOrder::Fixed);
        }
    }
}
