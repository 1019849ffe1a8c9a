//! [`flows`]: whether a solid is more of a liquid than of a body with a shape.
//!
//! Volumes of tetrahedra say nothing about shape. If edges are so soft that weight spreads a body on the floor, its tetrahedra turn,
//! shear and slide by each other like drops, and the directions of their constraints are others in every frame. Directions of sweeps that
//! are drawn at random do not keep such a body from gaining energy; sweeps forward and backward do (theory/stability.md).

use std::ops::Range;

use nalgebra::Vector3;

use crate::build::constraints::{Constraints, ProjectionRule};

/// The work of gravity, relative to the energy of edges that are twice as long, from which a body flows. Of two hundred random bodies
/// those that gained energy had 1.2 and more; a jelly that sags by a tenth of its height has about 0.1.
const SHARE: f64 = 0.25;

/// Particles at the start of a simulation.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    pub(crate) positions: &'a [Vector3<f64>],
    pub(crate) inverse_masses: &'a [f64],
    /// Acceleration of gravity, m/s².
    pub(crate) gravity: f64,
}

/// Whether one of the bodies, which are ranges of particles, has volumes that are constrained, and gravity can do more work on it, over the size
/// of everything, than a share of what it takes to stretch its edges to twice their length.
pub(crate) fn flows(
    groups: &[Constraints],
    bodies: impl Iterator<Item = Range<usize>>,
    start: &Start<'_>,
) -> bool {
    let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    for x in start.positions {
        (low, high) = (low.inf(x), high.sup(x));
    }
    let way = (high - low).norm();
    let of_unit =
        |unit: &'static str| groups.iter().filter(move |group| group.measured() && group.unit() == unit);
    let has_volumes = |body: &Range<usize>| of_unit("m³").any(|group| touches(group, body));
    bodies.filter(has_volumes).any(|body| {
        let masses = start.inverse_masses[body.clone()].iter().filter(|&&w| w > 0.0).map(|w| 1.0 / w);
        let work = masses.sum::<f64>() * start.gravity * way;
        let held: f64 = of_unit("m").map(|group| stretching(group, &body, start.positions)).sum();
        work > SHARE * held
    })
}

fn touches(group: &Constraints, body: &Range<usize>) -> bool {
    let mut any = false;
    group.for_each_stencil(&mut |stencil| {
        any |= stencil.first().is_some_and(|&v| body.contains(&(v as usize)));
    });
    any
}

/// The energy that the edges of a body have, J, when everything is twice as large; infinite if one of them is rigid.
fn stretching(group: &Constraints, body: &Range<usize>, positions: &[Vector3<f64>]) -> f64 {
    if group.rule() != ProjectionRule::Compliant {
        return f64::INFINITY;
    }
    let (mut points, mut inside) = (Vec::new(), Vec::new());
    group.for_each_stencil(&mut |stencil| {
        inside.push(stencil.first().is_some_and(|&v| body.contains(&(v as usize))));
        points.extend(
            stencil.iter().map(|&v| positions.get(v as usize).map_or_else(Vector3::zeros, |x| x * 2.0)),
        );
    });
    let energies = group.energies(&points);
    // A constraint without an energy is rigid.
    let of = |(energy, _): (f64, &bool)| if energy > 0.0 { energy } else { f64::INFINITY };
    energies.into_iter().zip(&inside).filter(|(_, inside)| **inside).map(of).sum()
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use pliant_mesh::TetMesh;

    use crate::{Body, Compliance, Simulation};

    /// Whether a ball of 1 m³ and 1000 kg with edges of this compliance flows.
    fn ball_flows(compliance: f64, gravity: f64) -> bool {
        let mesh = TetMesh::ball(0.62, 3).expect("a ball");
        let body =
            Body::solid(mesh).density(1000.0).stretch(Compliance::new(compliance)).volume(Compliance::RIGID);
        let world = Simulation::builder().gravity(Vector3::new(0.0, -gravity, 0.0)).body(body);
        world.build().expect("a simulation").flows
    }

    #[test]
    fn a_heavy_body_with_soft_edges_and_volumes_flows() {
        assert!(ball_flows(1e-2, 9.81));
        assert!(!ball_flows(1e-6, 9.81), "stiff edges keep the shape");
        assert!(!ball_flows(0.0, 9.81), "rigid edges, too");
        assert!(!ball_flows(1e-2, 0.0), "nothing makes it flow");
    }
}
