//! Energy that the solver creates, and that which moves, with which it is compared.

use super::finding::{Concern, Finding, Grade};
use super::{Judge, RISEN, grade, more_substeps};
use crate::observe::measure::FrameCertificate;
use crate::observe::report::FrameReport;
use crate::observe::requirement::Worst;
use crate::observe::rounding::CREATED;

/// The work of contacts, pins and wind in a frame, J.
fn works(frame: &FrameCertificate) -> [f64; 3] {
    ["work.contacts", "work.pins", "work.wind"].map(|name| frame.get(name).map_or(0.0, |work| work.value))
}

impl Judge {
    /// Lowest and highest potential energy, and the largest of the other energies and works, J, including a
    /// frame that has not been added.
    pub(super) fn moved_with(&self, report: &FrameReport, frame: &FrameCertificate) -> ([f64; 2], f64) {
        let energy = &report.energy;
        let potential = [self.potential[0].min(energy.potential), self.potential[1].max(energy.potential)];
        let [contacts, pins, wind] = works(frame).map(f64::abs);
        let work = contacts + pins + wind;
        (potential, self.moved.max(energy.kinetic).max(work))
    }

    /// The energy to which created energy is relative, J.
    pub(super) fn share_of(&self, potential: [f64; 2], moved: f64) -> f64 {
        moved.max(potential[1] - potential[0]).max(self.scale.still)
    }

    /// The energy that the solver has created since the start, J, including a frame that has not been added.
    /// `None` if the balance is not known, because after the release of a pin energies belong to other
    /// particles.
    pub(super) fn created_with(&self, report: &FrameReport, frame: &FrameCertificate) -> Option<f64> {
        frame.get("energy.loss")?;
        let change = report.energy.kinetic + report.energy.potential - self.mechanical;
        Some(self.created + change - works(frame).iter().sum::<f64>())
    }

    pub(super) fn look_at_energy(&mut self, report: &FrameReport, frame: &FrameCertificate) {
        (self.potential, self.moved) = self.moved_with(report, frame);
        let created = self.created_with(report, frame);
        let stored = std::mem::replace(&mut self.elastic, report.energy.elastic.max(0.0));
        self.mechanical = report.energy.kinetic + report.energy.potential;
        let Some(created) = created else { return };
        // What was elastic a frame ago may move now.
        let risen = created - self.created - stored;
        if risen > self.most_risen.map_or(0.0, |(risen, ..)| risen) {
            self.most_risen = Some((risen, frame.frame, frame.time));
        }
        self.created = created;
        if self.created > self.most_created.map_or(0.0, |(created, ..)| created) || self.created.is_nan() {
            self.most_created = Some((self.created, frame.frame, frame.time));
            self.at_start = self.last.is_empty();
            self.touched_at_start =
                self.at_start && frame.get("contact.pairs").is_some_and(|pairs| pairs.value > 0.0);
        }
    }

    /// Created energy, relative to what the whole run has moved: a run that has just begun has moved almost
    /// nothing.
    pub(super) fn created(&self) -> Option<Finding> {
        let (created, frame, time) = self.most_created?;
        let share = created / self.share_of(self.potential, self.moved);
        (share > CREATED || share.is_nan()).then(|| Finding {
            concern: Concern::Energy,
            grade: Grade::Untrusted,
            measure: "energy.loss".to_owned(),
            worst: Worst { value: share, frame, time, at: None },
            what: format!(
                "the solver created {created:.3e} J, {:.0} % of all energy that moved",
                100.0 * share
            ),
            cure: self.cure_of(created, self.at_start),
        })
    }

    /// Energy that was created in one frame, relative to what the whole run has moved. What a body has lost in a
    /// fall hides it in the balance since the start.
    pub(super) fn risen(&self) -> Option<Finding> {
        let (risen, frame, time) = self.most_risen?;
        let share = risen / self.share_of(self.potential, self.moved);
        let grade = grade(share, RISEN);
        (grade > Grade::Good).then(|| Finding {
            concern: Concern::Energy,
            grade,
            measure: "energy.loss".to_owned(),
            worst: Worst { value: share, frame, time, at: None },
            what: format!(
                "the solver created {risen:.3e} J in one frame, {:.0} % of all energy that moved",
                100.0 * share
            ),
            // In the first frame it is created energy.
            cure: self.cure_of(risen, false),
        })
    }

    /// What helps where so much energy was created, J, in the first frame or later.
    fn cure_of(&self, created: f64, at_start: bool) -> String {
        // Rounding is reported as the cause if it can have created a tenth of it, because other effects
        // amplify rounding errors.
        if self.rounded > 0.1 * created {
            "Rounding is the cause. Use precision = \"f64\", or fewer substeps.".to_owned()
        } else if self.scale.fixed_order {
            "Change the direction of sweeps: order = \"random\" or \"symmetric\".".to_owned()
        } else if let (true, Some((seam, gap))) = (at_start, &self.open_seam) {
            format!(
                "The seam {seam} is open by {gap:.3e} m at the start and closes at once: give it a close_time, or a longer one."
            )
        } else if at_start && self.touched_at_start {
            // What starts too near is pushed apart, the faster the shorter the substeps are.
            "Let surfaces start farther apart than the distance that they keep, the sum of their contact radii."
                .to_owned()
        } else {
            more_substeps(self.substeps, 4)
        }
    }
}
