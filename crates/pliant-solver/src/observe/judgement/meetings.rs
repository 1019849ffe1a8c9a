//! Surfaces that pass through each other, or nearly, and particles that go through obstacles.

use super::{Concern, Grade, Judge, more_substeps};
use crate::collide::tally::Tally;
use crate::observe::measure::FrameCertificate;
use crate::observe::report::FrameReport;

/// Share of the particles of surfaces whose displacements the net may truncate: it is a safety net, not the
/// solver.
const TRUNCATED: f64 = 0.01;
/// The displacement relative to an obstacle in a substep, as a share of an element, from which what it meets is
/// thrown rather than pushed.
const INTO_OBSTACLES: f64 = 1.0;

impl Judge {
    /// Surfaces that cross already at the start.
    pub(super) fn look_at_tangles(&mut self, start: &FrameReport) {
        let Some(tally) = start.collisions.as_ref().filter(|tally| tally.intersections > 0) else { return };
        self.start_intersections = tally.intersections;
        self.note(
            start.frame,
            start.time,
            Concern::Contact,
            Grade::Rough,
            tally.intersections as f64,
            "intersections",
            None,
            || format!("{} at the start", crossing(tally)),
            || "Move the bodies apart, or look for a defect of the mesh with `pliant mesh check`.".to_owned(),
        );
    }

    /// Particles that went through an obstacle, and those that met one too fast.
    pub(super) fn look_at_impacts(&mut self, report: &FrameReport, frame: &FrameCertificate) {
        let Some(impacts) = &report.impacts else { return };
        let (number, time, substeps) = (frame.frame, frame.time, frame.substeps);
        if impacts.passed > 0 {
            let what = || {
                let went = match impacts.passed {
                    1 => "a particle went through an obstacle".to_owned(),
                    count => format!("particles went through an obstacle {count} times"),
                };
                format!("{went}, by up to {:.3e} m in a substep", impacts.way.value)
            };
            let cure = || format!("Make the obstacle thicker or slower. {}", more_substeps(substeps, 4));
            let (measure, at) = ("obstacles.passed", impacts.first_passed);
            let count = impacts.passed as f64;
            self.note(number, time, Concern::Contact, Grade::Untrusted, count, measure, at, what, cure);
        }
        let Some(element) = self.scale.element else { return };
        let share = impacts.way.value / element;
        let grade = if share <= INTO_OBSTACLES { Grade::Good } else { Grade::Rough };
        let what =
            || format!("a particle met an obstacle that moved past it by {share:.1} elements in a substep");
        let cure = || more_substeps(substeps, 4);
        self.note(
            number,
            time,
            Concern::Speed,
            grade,
            // Less serious than the same number relative to the body.
            share / 100.0,
            "obstacles.way",
            impacts.way.at,
            what,
            cure,
        );
    }

    /// Surfaces that cross and did not before, and those that nearly did.
    pub(super) fn look_at_meetings(&mut self, report: &FrameReport, frame: &FrameCertificate) {
        let Some(tally) = &report.collisions else { return };
        let (number, time, substeps) = (frame.frame, frame.time, frame.substeps);
        let cure = || {
            if tally.pinched > 0 {
                "Pins or obstacles leave no room between them: move them apart, or use a smaller contact \
                radius."
                    .to_owned()
            } else {
                more_substeps(substeps, 4)
            }
        };
        if tally.intersections > self.start_intersections {
            let (value, what) = (tally.intersections as f64, || crossing(tally));
            self.note(
                number,
                time,
                Concern::Contact,
                Grade::Untrusted,
                value,
                "intersections",
                None,
                what,
                cure,
            );
        }
        if tally.pinched > 0 {
            let what = || {
                let pairs = match tally.pinched {
                    1 => "a pair had no room".to_owned(),
                    count => format!("{count} pairs had no room"),
                };
                let first = tally.first_pinched.as_ref();
                let first = first.map_or_else(String::new, |first| format!(" (the first: {first})"));
                format!("{pairs} between held particles{first}")
            };
            let value = tally.pinched as f64;
            self.note(
                number,
                time,
                Concern::Contact,
                Grade::Rough,
                value,
                "contact.pinched",
                None,
                what,
                cure,
            );
        }
        let share = tally.truncated_share;
        if share > TRUNCATED {
            let what = || {
                format!(
                    "{:.1} % of the particles of surfaces were held back to prevent crossing",
                    100.0 * share
                )
            };
            let measure = "contact.truncated";
            self.note(number, time, Concern::Contact, Grade::Rough, share, measure, None, what, cure);
        }
    }
}

fn crossing(tally: &Tally) -> String {
    let edges = match tally.intersections {
        1 => "an edge crosses a triangle".to_owned(),
        count => format!("{count} edges cross triangles"),
    };
    match &tally.first {
        Some(first) => format!("{edges} (the first: {first})"),
        None => edges,
    }
}
