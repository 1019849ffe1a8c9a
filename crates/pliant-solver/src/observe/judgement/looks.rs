//! The checks of a frame: elements, constraints, resolution, speeds, strains.

use super::{
    AMONG_OBSTACLES, BESIDE, CONSTRAINTS, Concern, Finding, GRAVITY, Grade, Judge, POSITION, Peak, STRAIN,
    STRAINS, STRETCH, VELOCITY, grade, more_substeps, suspects,
};
use crate::observe::measure::{FrameCertificate, Measure};
use crate::observe::requirement::Worst;

impl Judge {
    pub(super) fn look_at_elements(&mut self, frame: &FrameCertificate) {
        let substeps = frame.substeps;
        self.look_at_volumes(frame);
        let Some(inverted) = frame.get("inverted") else { return };
        self.inverted = None;
        #[allow(clippy::cast_precision_loss, reason = "a number of elements")]
        let at_start = self.start_inverted as f64;
        if inverted.value <= at_start {
            return;
        }
        let what = |when: &str| suspects::inversion(inverted.value, frame, when);
        let cure = || suspects::cure(inverted.value, frame, more_substeps(substeps, 4));
        let (value, at) = (inverted.value, inverted.at);
        self.note(
            frame.frame,
            frame.time,
            Concern::Inversion,
            Grade::Rough,
            value,
            "inverted",
            at,
            || what("on the way"),
            cure,
        );
        self.inverted = Some(Finding {
            concern: Concern::Inversion,
            grade: Grade::Untrusted,
            measure: "inverted".to_owned(),
            worst: Worst { value, frame: frame.frame, time: frame.time, at },
            what: what("at the end"),
            cure: cure(),
        });
    }

    pub(super) fn look_at_constraints(&mut self, frame: &FrameCertificate, element: f64) {
        let substeps = frame.substeps;
        let errors: Vec<_> = Self::errors(&self.scale, frame, element).collect();
        for (measure, group, share) in errors {
            self.note(
                frame.frame,
                frame.time,
                Concern::Constraints,
                grade(share, CONSTRAINTS),
                share,
                &measure.name,
                measure.at,
                || {
                    format!(
                        "{group} have errors of up to {:.3e} m, {:.0} % of an element",
                        measure.value,
                        100.0 * share
                    )
                },
                || more_substeps(substeps, 4),
            );
        }
    }

    pub(super) fn look_at_resolution(&mut self, frame: &FrameCertificate, h: f64) {
        let Some(farthest) = frame.get("distance.max") else { return };
        let rounding = self.scale.rounding;
        let rounded = rounding.of_position(farthest.value);
        if let Some(share) = rounding.position_share(farthest.value) {
            self.note(
                frame.frame,
                frame.time,
                Concern::Resolution,
                grade(share, POSITION),
                share,
                "distance.max",
                farthest.at,
                || format!("positions are rounded by {rounded:.1e} m, {:.1} % of an element", 100.0 * share),
                || "Put the scene near the origin, or use precision = \"f64\".".to_owned(),
            );
        }
        if let Some(share) = rounding.velocity_share(farthest.value, h) {
            self.note(
                frame.frame,
                frame.time,
                Concern::Resolution,
                grade(share, VELOCITY),
                share,
                "distance.max",
                farthest.at,
                || format!("substeps of {h:.1e} s round velocities by {:.1e} m/s", rounded / h),
                || "Use fewer substeps, or precision = \"f64\".".to_owned(),
            );
        }
        if let Some(share) = rounding.gravity_share(farthest.value, h) {
            self.note(
                frame.frame,
                frame.time,
                Concern::Resolution,
                grade(share, GRAVITY),
                share,
                "distance.max",
                farthest.at,
                || {
                    format!(
                        "gravity moves a particle by {:.1e} m in a substep, and positions are rounded by {rounded:.1e} m: weights are wrong",
                        rounded / share
                    )
                },
                || "Use fewer substeps, or precision = \"f64\".".to_owned(),
            );
        }
    }

    /// Speeds at a moment, given by its frame, time and the substeps of the frame.
    pub(super) fn look_at_speed(
        &mut self,
        (frame, time, substeps): (u64, f64, u32),
        beside: Option<Peak>,
        all: Option<Peak>,
        element: f64,
        h: f64,
    ) {
        let cure = || more_substeps(substeps, 4);
        if let Some(beside) = beside {
            let share = beside.value * h / element;
            self.note(
                frame,
                time,
                Concern::Speed,
                grade(share, BESIDE),
                share,
                "speed.beside",
                beside.at,
                || format!("a particle overtakes its body by {share:.1} elements in a substep"),
                cure,
            );
        }
        if let Some(speed) = all.filter(|_| self.scale.obstacles) {
            let share = speed.value * h / element;
            self.note(
                frame,
                time,
                Concern::Speed,
                if share <= AMONG_OBSTACLES { Grade::Good } else { Grade::Rough },
                // Less serious than the same number relative to the body.
                share / 100.0,
                "speed.max",
                speed.at,
                || format!("a particle moves by {share:.1} elements in a substep, and may miss an obstacle"),
                cure,
            );
        }
    }

    /// The lesser value of a measure in this frame and the certified one before; zero in the first.
    fn lasting(&self, measure: &Measure) -> f64 {
        let before = self.last.iter().find(|before| before.name == measure.name);
        before.map_or(0.0, |before| if measure.value < before.value { measure.value } else { before.value })
    }

    /// Elements that the substeps do not resolve, and edges that are stretched extremely.
    pub(super) fn look_at_strains(&mut self, frame: &FrameCertificate) {
        let substeps = frame.substeps;
        for measure in frame.measures.iter().filter(|measure| measure.unit == "1") {
            let Some(name) = measure.name.strip_prefix("residual.") else { continue };
            let (group, bounds, value, how) = match name.strip_suffix(".rms") {
                Some(group) => (group, STRAINS, measure.value, "on average"),
                // What lasts for a frame only is the snap of a fold.
                None => (name, STRAIN, self.lasting(measure), "in one element"),
            };
            if self.scale.without_equation.iter().any(|name| name == group) {
                continue;
            }
            self.note(
                frame.frame,
                frame.time,
                Concern::Constraints,
                grade(value, bounds),
                value,
                &measure.name,
                measure.at,
                || format!("{group} are not solved: strains have errors of {:.0} % {how}", 100.0 * value),
                || more_substeps(substeps, 4),
            );
        }
        if let Some(stretch) = frame.get("stretch.max") {
            self.note(
                frame.frame,
                frame.time,
                Concern::Constraints,
                grade(stretch.value, STRETCH),
                stretch.value,
                "stretch.max",
                stretch.at,
                || format!("an edge is stretched by {:.0} %", 100.0 * stretch.value),
                || {
                    "If its residual is small, the material itself gives way: make it stiffer or its load \
                smaller. Otherwise use more substeps."
                        .to_owned()
                },
            );
        }
    }
}
