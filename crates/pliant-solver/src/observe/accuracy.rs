//! [`Accuracy`]: the largest residual, as a share of the size of the elements.
//!
//! Residuals are lengths, volumes, angles and strains. Divided by the size of their elements they are all
//! strains, and one number says how exact a frame is: a residual of a length r is divided by the mean
//! distance L of the points of its group, one of a volume by L³/6; one of an angle or a strain is taken as it
//! is. The residual of the equation of motion, if it is known, is divided by the smallest L.

use nalgebra::Vector3;
use pliant_kernel::{Scalar, Team};

use crate::build::constraints::{Constraints, ProjectionRule};
use crate::observe::report::{FrameReport, GroupResidual};
use crate::world::World;

/// The largest residual of a frame, as a share of the size of the elements.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Accuracy {
    /// The share; 1e-3 is an error of a thousandth of an edge.
    pub value: f64,
    /// The group of constraints with this residual; `"motion"` if it is the equation of motion.
    pub group: String,
    /// The constraint or the particle with this residual, in the caller's numbering.
    pub at: Option<usize>,
}

/// Mean distance of the points of constraints, m; `None` if there is no length with which residuals could be compared.
pub(crate) fn length_of(constraints: &Constraints, positions: &[Vector3<f64>]) -> Option<f64> {
    if constraints.is_dynamic() || constraints.rule() != ProjectionRule::Compliant {
        return None;
    }
    let (mut sum, mut count) = (0.0, 0_usize);
    constraints.for_each_stencil(&mut |stencil| {
        if let [a, b, ..] = *stencil
            && let (Some(a), Some(b)) = (positions.get(a as usize), positions.get(b as usize))
        {
            sum += (a - b).norm();
            count += 1;
        }
    });
    let length = sum / count.max(1) as f64;
    (length > 0.0).then_some(length)
}

/// The quantity by which a residual in this unit is divided, for elements of this length.
fn whole(unit: &str, length: f64) -> f64 {
    match unit {
        "m" => length,
        "m³" => length * length * length / 6.0,
        _ => 1.0,
    }
}

impl GroupResidual {
    /// The largest residual as a share of the size of what the constraints act on: of their mean
    /// [length](Self::length) if it is a length, of a corner of a cube of that length if it is a volume, and
    /// as it is if it has no unit.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        self.length.map(|length| self.max.value / whole(&self.unit, length))
    }
}

impl FrameReport {
    /// The largest residual as a share of the size of the elements: of all groups whose
    /// [share](GroupResidual::share) is known, and of the [equation of motion](Self::motion) as a share of
    /// the shortest length among these. `None` if there is no such group.
    ///
    /// Contacts are not included: they have rules of their own.
    #[must_use]
    pub fn accuracy(&self) -> Option<Accuracy> {
        let larger = |a: Accuracy, b: Accuracy| if b.value > a.value || b.value.is_nan() { b } else { a };
        let of_group = |group: &GroupResidual| {
            let value = group.share()?;
            Some(Accuracy { value, group: group.name.clone(), at: group.max.at })
        };
        let groups = self.residuals.iter().filter_map(of_group).reduce(larger)?;
        let lengths = self.residuals.iter().filter(|group| group.constraints > 0);
        let shortest = lengths.filter_map(|group| group.length).min_by(f64::total_cmp);
        let motion = self.motion.zip(shortest).map(|(motion, length)| Accuracy {
            value: motion.max.value / length,
            group: "motion".into(),
            at: motion.max.at,
        });
        Some(motion.map_or(groups.clone(), |motion| larger(groups, motion)))
    }
}

/// The residuals of the constraints.
pub(crate) struct LeftOver {
    /// The largest residual as a share of the size of elements.
    pub(crate) share: f64,
    /// Number of tetrahedra that are flat or inside out.
    pub(crate) inverted: usize,
    /// Elastic energy of all constraints, J.
    pub(crate) elastic: f64,
}

impl<T: Scalar> World<T> {
    /// The residuals of the constraints, without the other parts of a report.
    pub(crate) fn left_over(&self) -> LeftOver {
        Team::form(self.threads(), |team| {
            let mut left = LeftOver { share: 0.0, inverted: 0, elastic: 0.0 };
            for running in &self.fine.sets {
                let summary = running.set.evaluate(&self.state_of(running), None, self.simd(), team);
                left.elastic += summary.energy;
                let Some(length) = running.length else { continue };
                let share = summary.residual.value / whole(running.unit, length);
                if share > left.share || share.is_nan() {
                    left.share = share;
                }
                left.inverted += summary.inverted;
            }
            left
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residuals_are_set_against_what_they_belong_to() {
        assert_eq!(whole("m", 0.1), 0.1);
        assert!((whole("m³", 0.1) - 1e-3 / 6.0).abs() < 1e-18);
        assert_eq!((whole("rad", 0.1), whole("1", 0.1)), (1.0, 1.0));
    }
}
