//! Elements of a law outside its range.

use super::suspects::NOT_MEANT;
use super::{Concern, Grade, Judge};
use crate::observe::measure::FrameCertificate;

impl Judge {
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
