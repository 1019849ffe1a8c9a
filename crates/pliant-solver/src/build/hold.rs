//! [`hold_pins`]: which particles pins hold, and the constraints of those that hold softly.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::PointTarget;

use crate::build::constraints::{Constraints, Response};
use crate::build::grouping::Groups;
use crate::describe::pin::Pin;
use crate::error::BuildError;
use crate::part::Part;
use crate::passes::kinematics::{HeldPin, Kinematics, Targets};

/// Resolves the pins. The groups of the soft ones, one for each way of damping them, come behind as many as there are `before`.
pub(super) fn hold_pins(
    pins: &[Pin],
    positions: &[Vector3<f64>],
    parts: &[Part],
    before: usize,
) -> Result<(Kinematics, Vec<Constraints>), BuildError> {
    let n = positions.len();
    let mut kinematics = Kinematics::default();
    let mut soft = Groups::<PointTarget<f64>, 1>::default();
    for (pin, spec) in pins.iter().enumerate() {
        let particles = spec.resolve(positions);
        let body = || Part::name_at(parts, particles.first().map_or(0, |&i| i as usize));
        if particles.is_empty() {
            let extent = "no particle satisfies its condition".into();
            return Err(BuildError::PinSelectsNothing { body: body(), pin, vertices: n, extent });
        }
        if let Some(&vertex) = particles.iter().find(|&&i| i as usize >= n) {
            let vertex = vertex as usize;
            return Err(BuildError::PinOutOfRange { body: body(), pin, vertex, vertices: n });
        }
        if let Some(problem) = spec.motion.problem(Some(particles.len())) {
            return Err(BuildError::Motion { of: format!("pin {pin} of body \"{}\"", body()), problem });
        }
        if let Some(release) = spec.release
            && !release.is_finite()
        {
            let (body, parameter) = (body(), "release time of a pin");
            return Err(BuildError::Parameter { body, parameter, value: release, expected: "a time, s" });
        }
        let rest: Vec<_> = particles.iter().map(|&i| positions[i as usize]).collect();
        let targets = spec.compliance.map(|compliance| {
            let pose = spec.motion.pose(0.0);
            let place = |(i, x)| PointTarget { target: spec.motion.point(&pose, i, x, 0.0) };
            let stencils = particles.iter().map(|&particle| [particle]).collect();
            let (kinds, compliances) = (rest.iter().enumerate().map(place), vec![compliance]);
            let (group, first) =
                soft.add_all(Response::Compliant, spec.damping, stencils, kinds, compliances);
            Targets { group: before + group, first }
        });
        kinematics.pins.push(HeldPin {
            id: pin as u64,
            built: true,
            particles: particles.into(),
            rest: rest.into(),
            motion: Arc::new(spec.motion.clone()),
            changed: false,
            goal: None,
            release: spec.release,
            released: false,
            targets,
        });
    }
    Ok((kinematics, soft.finish("targets")?))
}
