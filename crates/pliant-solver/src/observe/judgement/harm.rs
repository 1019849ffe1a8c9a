//! What a frame that may still be thrown away does to a scene, beside what is required of it: the bounds of a [`Judge`] held against that one frame.

use crate::observe::measure::FrameCertificate;
use crate::observe::report::FrameReport;

use super::{Bounds, CONSTRAINTS, CREATED, Judge, VOLUME};

/// By which factor a quantity may grow in a frame once it is rough.
const GROWTH: f64 = 1.25;

/// The most that is allowed of a quantity after a frame that began with `before`: what is not rough, or little more than before, or what it was already.
fn allowed(before: f64, [rough, untrusted]: Bounds) -> f64 {
    rough.max(untrusted.min(GROWTH * before)).max(before)
}

impl Judge {
    /// By which factor a frame exceeds the bound that it exceeds most: at most one where it does no harm. Looked at is what happened in this frame:
    ///
    /// * the energy that the solver created in the frame, elastic energy included, of the largest energy that the run moved. What constraints that are far from solved hold as elastic energy counts as created, and not
    ///   as moved: a run that has once stored a multiple of its motion in unsolved edges could otherwise keep doing so
    ///   unseen, until shorter substeps let it out;
    /// * the energy that the solver created since the start, by the balance of the verdict, which leaves the elastic energy of now out; more than it was already;
    /// * the volume error that one tetrahedron in a hundred exceeds, and the residuals of lengths, of an element; bounds are those of a rough answer, or 1.25 times what they were before the frame;
    /// * tetrahedra that turned inside out: one is twice the bound.
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
