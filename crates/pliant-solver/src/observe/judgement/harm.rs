//! The harm of a frame that may still be discarded, apart from the requirements: the bounds of a [`Judge`]
//! applied to that one frame.

use crate::observe::measure::FrameCertificate;
use crate::observe::report::FrameReport;

use super::{Bounds, CONSTRAINTS, CREATED, Judge, VOLUME};

/// The factor by which a quantity may grow in a frame once it is rough.
const GROWTH: f64 = 1.25;

/// The largest value of a quantity that is allowed after a frame that began with `before`: one that is not
/// rough, or slightly more than before, or the value that it had already.
fn allowed(before: f64, [rough, untrusted]: Bounds) -> f64 {
    rough.max(untrusted.min(GROWTH * before)).max(before)
}

impl Judge {
    /// The factor by which a frame exceeds the bound that it exceeds most: at most one if it does no harm.
    /// These are checked in the frame:
    ///
    /// * the energy that the solver created in the frame, elastic energy included, relative to the largest
    ///   energy that the run moved. Elastic energy of constraints that are far from solved counts as created,
    ///   and not as moved: otherwise a run that has once stored a multiple of its motion in unsolved edges
    ///   could keep doing so unnoticed, until shorter substeps release it;
    /// * the energy that the solver created since the start, by the balance of the verdict, which leaves out
    ///   the present elastic energy; only what exceeds its earlier value;
    /// * the volume error that one tetrahedron in a hundred exceeds, and the residuals of lengths, relative
    ///   to an element; bounds are those of a rough answer, or 1.25 times the values before the frame;
    /// * tetrahedra that turned inside out, and particles that went through obstacles: one is twice the bound.
    pub(crate) fn harm(&self, report: &FrameReport, frame: &FrameCertificate) -> f64 {
        let before = |name: &str| {
            let measure = self.last.iter().find(|measure| measure.name == name);
            measure.map(|measure| measure.value).filter(|value| value.is_finite())
        };
        let mut harm: f64 = 0.0;
        let mut take = |ratio: f64| harm = harm.max(if ratio.is_nan() { f64::INFINITY } else { ratio });
        let (potential, moved) = self.moved_with(report, frame);
        let allowed_energy = CREATED * self.share_of(potential, moved);
        if let Some(loss) = frame.get("energy.loss") {
            take(-loss.value / allowed_energy);
        }
        if let Some(created) = self.created_with(report, frame) {
            let before = self.most_created.map_or(0.0, |(created, ..)| created);
            take(created / allowed_energy.max(before));
        }
        if let Some(volume) = frame.get("volume.p99") {
            take(volume.value / allowed(before("volume.p99").unwrap_or(0.0), VOLUME));
        }
        if let Some(inverted) = frame.get("inverted") {
            #[allow(clippy::cast_precision_loss, reason = "a number of elements")]
            let at_start = self.start_inverted as f64;
            let more = inverted.value - before("inverted").unwrap_or(0.0).max(at_start);
            take(if more > 0.0 { 1.0 + more } else { 0.0 });
        }
        if let Some(passed) = frame.get("obstacles.passed").filter(|passed| passed.value > 0.0) {
            take(1.0 + passed.value);
        }
        if let Some(element) = self.scale.element {
            for (measure, _, share) in Self::errors(&self.scale, frame, element) {
                take(share / allowed(before(&measure.name).unwrap_or(0.0) / element, CONSTRAINTS));
            }
        }
        harm
    }
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn what_is_rough_may_grow_a_little_and_what_is_no_answer_not_at_all() {
        let after = |before| allowed(before, [0.25, 1.0]);
        assert_eq!([after(0.0), after(0.2), after(0.4), after(0.9), after(3.0)], [0.25, 0.25, 0.5, 1.0, 3.0]);
    }
}
