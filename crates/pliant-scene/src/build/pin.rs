//! Pins: which vertices they hold.

use pliant_solver::Pin;

use super::files::Files;
use super::held::Held;
use super::motion::{Clock, cue, pin_motion};
use super::region;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{Bounded, PinModel};

/// The pin, its selection resolved.
pub(super) fn pin(
    at: &FieldPath,
    model: &PinModel,
    held: &Held<'_>,
    clock: &Clock<'_>,
    files: &Files<'_>,
) -> Result<Pin, Fault> {
    let vertices = match model.all {
        Some(_) => (0..).take(held.mesh.positions().len()).collect(),
        None => region::vertices(at, &model.region(), held, "the pin")?,
    };
    let motion = match &model.motion {
        Some(motion) => Some(pin_motion(&at.key("motion"), motion, &vertices, held, clock, files)?),
        None => None,
    };
    let mut pin = Pin::vertices(vertices);
    if let Some(motion) = motion {
        pin = pin.motion(motion);
    }
    if let Some(cue) = model.motion.as_ref().and_then(|motion| cue(motion, clock.scene)) {
        pin = pin.begin_with(cue);
    }
    if let Some(compliance) = model.compliance {
        pin = pin.compliance(compliance.get()).damping(model.damping_time.map_or(0.0, Bounded::get));
    }
    if let Some(time) = model.release {
        pin = pin.release_at(time.get());
    }
    Ok(pin)
}
