//! [`hold_pins`]: the particles that pins hold, and the constraints of soft pins.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::PointTarget;

use crate::body_range::BodyRange;
use crate::build::constraints::{Constraints, ProjectionRule};
use crate::build::grouping::Groups;
use crate::describe::pin::Pin;
use crate::error::BuildError;
use crate::error::pin::PinError;
use crate::passes::kinematics::{HeldPin, Kinematics, Targets};

/// Resolves the pins. The groups of the soft ones, one for each relaxation time, follow the `before` groups
/// that exist already.
pub(super) fn hold_pins(
    pins: &[Pin],
    positions: &[Vector3<f64>],
    bodies: &[BodyRange],
    before: usize,
) -> Result<(Kinematics, Vec<Constraints>), BuildError> {
    let mut kinematics = Kinematics::default();
    let mut soft = Groups::<PointTarget<f64>, 1>::default();
    for (pin, spec) in pins.iter().enumerate() {
        let particles = spec.resolve(positions);
        if let Some(problem) = spec.problem(&particles, positions) {
            let name = BodyRange::name_at(bodies, particles.first().map_or(0, |&i| i as usize));
            return Err(PinError { body: None, name, pin, problem }.into());
        }
        let rest: Vec<_> = particles.iter().map(|&i| positions[i as usize]).collect();
        let targets = spec.compliance.map(|compliance| {
            let placing = spec.motion.at(0.0);
            let place = |(i, x)| PointTarget { target: placing.point(i, x) };
            let stencils = particles.iter().map(|&particle| [particle]).collect();
            let (kinds, compliances) = (rest.iter().enumerate().map(place), vec![compliance]);
            let (group, first) =
                soft.add_all(ProjectionRule::Compliant, spec.damping, stencils, kinds, compliances);
            Targets { group: before + group, first }
        });
        kinematics.pins.push(HeldPin {
            id: pin as u64,
            built: true,
            particles: particles.into(),
            rest: rest.into(),
            motion: Arc::new(spec.motion.clone()),
            cue: spec.cue.as_deref().map(Arc::from),
            begun: f64::INFINITY,
            shrink: spec.shrink.clone(),
            changed: false,
            goal: None,
            release: spec.release,
            released: false,
            targets,
        });
    }
    Ok((kinematics, soft.finish("targets")?))
}
