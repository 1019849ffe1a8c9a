//! Elements of a law outside its range, and volumes: their errors, and what a load does to them.

use super::suspects::NOT_MEANT;
use super::{Concern, Grade, Judge, VOLUME, grade, more_substeps};
use crate::observe::measure::FrameCertificate;

/// The root mean square of the residuals of strains up to which the equations of a material are solved, so that
/// changes of volume are its answer and not errors.
const SOLVED: f64 = 0.05;

/// The error of volume that half of the elements may have at most in an answer that can be trusted. Elements that
/// the guard holds open have errors below [`VOLUME`], however many there are.
const CRUSHED: f64 = 0.5;

impl Judge {
    /// Volumes far from those at rest: an error of the solver, unless the material says so itself.
    pub(super) fn look_at_volumes(&mut self, frame: &FrameCertificate) {
        let Some(volume) = frame.get("volume.p99") else { return };
        let at = frame.get("volume.max").and_then(|measure| measure.at);
        let is_strain = |name: &str| name.starts_with("residual.") && name.ends_with(".rms");
        let strains = frame.measures.iter().filter(|measure| measure.unit == "1" && is_strain(&measure.name));
        let residual = strains.map(|measure| measure.value).reduce(f64::max);
        let share = 100.0 * volume.value;
        let found = grade(volume.value, VOLUME);
        if let Some(residual) = residual.filter(|residual| *residual <= SOLVED) {
            self.note(
                frame.frame,
                frame.time,
                Concern::Material,
                found.min(Grade::Rough),
                volume.value,
                "volume.max",
                at,
                || {
                    format!(
                        "one tetrahedron in a hundred changes its volume by {share:.0} %, which is what its \
                        material does under this load: strains are solved to {:.1} %",
                        100.0 * residual
                    )
                },
                || {
                    "Make the material stiffer, or its load or the impact smaller; more substeps change nothing."
                        .to_owned()
                },
            );
            return;
        }
        let substeps = frame.substeps;
        if let Some(median) = frame.get("volume.p50").filter(|median| median.value > CRUSHED) {
            self.note(
                frame.frame,
                frame.time,
                Concern::Volume,
                Grade::Untrusted,
                median.value,
                "volume.p50",
                None,
                || {
                    format!(
                        "half of the tetrahedra have volumes with errors of over {:.0} %",
                        100.0 * median.value
                    )
                },
                || more_substeps(substeps, 4),
            );
        }
        self.note(
            frame.frame,
            frame.time,
            Concern::Volume,
            found,
            volume.value,
            "volume.max",
            at,
            || format!("one tetrahedron in a hundred has a volume with an error of {share:.0} %"),
            || more_substeps(substeps, 4),
        );
    }

    /// Tetrahedra whose law gets softer under compression.
    pub(super) fn look_at_materials(&mut self, frame: &FrameCertificate) {
        let Some(pressed) = frame.get("stvk.pressed").filter(|pressed| pressed.value > 0.0) else { return };
        let tetrahedra = match pressed.value {
            1.0 => "a tetrahedron".to_owned(),
            count => format!("{count} tetrahedra"),
        };
        self.note(
            frame.frame,
            frame.time,
            Concern::Material,
            Grade::Rough,
            pressed.value,
            "stvk.pressed",
            pressed.at,
            || {
                format!(
                    "{tetrahedra} of Saint Venant–Kirchhoff material compressed below 58 % of the length at \
                    rest"
                )
            },
            || NOT_MEANT.to_owned(),
        );
    }
}
