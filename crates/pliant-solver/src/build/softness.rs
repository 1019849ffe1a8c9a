//! [`Softness`]: how soft the edges of solids are, which decides on the direction of sweeps (theory/stability.md).
//!
//! Volumes of tetrahedra say nothing about shape. If edges are so soft that weight spreads a body on the
//! floor, its tetrahedra turn, shear and slide by each other like drops, and the directions of their
//! constraints are others in every frame. Directions of sweeps that are drawn at random do not keep such a
//! body from gaining energy; sweeps forward and backward do.
//!
//! Edges that swing more slowly than substeps pass are springs between volumes. Such a mixture gains energy under a fixed
//! order, even at rest; if volumes are exactly rigid, one in a hundred gains some under directions drawn at random.

use nalgebra::Vector3;

use crate::body_range::BodyRange;
use crate::build::constraints::{Constraints, ProjectionRule};

/// The work of gravity, relative to the energy of edges that are twice as long, from which a body flows. Of two thousand
/// random bodies those that gained energy had 0.079 and more; the softest body of the examples has 0.02.
const SHARE: f64 = 0.0625;

/// Particles at the start of a simulation.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    pub(crate) positions: &'a [Vector3<f64>],
    pub(crate) inverse_masses: &'a [f64],
    /// Acceleration of gravity, m/s².
    pub(crate) gravity: f64,
}

/// How soft the edges of those bodies are whose volumes are constrained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Softness {
    /// Whether a body is more of a liquid than of a body with a shape: gravity can do more work on it, over the size of
    /// everything, than a share of what it takes to stretch its edges to twice their length.
    pub(crate) flows: bool,
    /// 1/ω of the softest edge between its two particles, s; zero if all are rigid.
    pub(crate) slowest: f64,
    /// The same of a body with volumes that are exactly rigid.
    pub(crate) slowest_of_rigid: f64,
}

/// What is found of one body.
#[derive(Clone, Default)]
struct Found {
    has_volumes: bool,
    has_rigid_volumes: bool,
    /// The energy of its edges when they are twice as long, J; infinite with a rigid one.
    held: f64,
    /// 1/ω of its softest edge, s.
    slowest: f64,
}

impl Softness {
    /// That of bodies, which are ranges of particles in their order.
    pub(crate) fn new(groups: &[Constraints], bodies: &[BodyRange], start: &Start<'_>) -> Self {
        let Start { positions, inverse_masses, gravity } = *start;
        let mut found = vec![Found::default(); bodies.len() + 1];
        let body_of =
            |stencil: &[u32]| bodies.partition_point(|body| body.particles.end <= stencil[0] as usize);
        for group in groups.iter().filter(|group| group.measured()) {
            match group.unit() {
                "m³" => {
                    group.for_each_stencil(&mut |stencil| found[body_of(stencil)].has_volumes = true);
                    group.for_each_compliance(&mut |stencil, compliance| {
                        found[body_of(stencil)].has_rigid_volumes |= compliance <= 0.0;
                    });
                }
                "m" if group.rule() != ProjectionRule::Compliant => {
                    group.for_each_stencil(&mut |stencil| found[body_of(stencil)].held = f64::INFINITY);
                }
                "m" => group.for_each_compliance(&mut |stencil, compliance| {
                    let body = &mut found[body_of(stencil)];
                    if compliance <= 0.0 {
                        body.held = f64::INFINITY;
                    } else if let [a, b] = *stencil {
                        let [a, b] = [a as usize, b as usize];
                        if let (Some(x), Some(y)) = (positions.get(a), positions.get(b)) {
                            body.held += 0.5 * (x - y).norm_squared() / compliance;
                        }
                        let w: f64 = [a, b].iter().filter_map(|&v| inverse_masses.get(v)).sum();
                        if w > 0.0 {
                            body.slowest = body.slowest.max((compliance / w).sqrt());
                        }
                    }
                }),
                _ => {}
            }
        }
        let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for x in positions {
            (low, high) = (low.inf(x), high.sup(x));
        }
        let way = (high - low).norm();
        let flows = bodies.iter().zip(&found).any(|(body, found)| {
            let masses = inverse_masses[body.particles.clone()].iter().filter(|&&w| w > 0.0).map(|w| 1.0 / w);
            found.has_volumes && masses.sum::<f64>() * gravity * way > SHARE * found.held
        });
        let slowest = |counts: fn(&Found) -> bool| {
            found.iter().filter(|body| counts(body)).map(|body| body.slowest).fold(0.0, f64::max)
        };
        Self {
            flows,
            slowest: slowest(|body| body.has_volumes),
            slowest_of_rigid: slowest(|body| body.has_rigid_volumes),
        }
    }
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
        world.build().expect("a simulation").softness.flows
    }

    #[test]
    fn the_softest_edge_of_solids_is_found() {
        // Cloth does not count.
        let cube = TetMesh::block([1, 1, 1], [1.0; 3], pliant_mesh::Split::Kuhn).expect("a cube");
        let sheet = pliant_mesh::TriMesh::grid([2, 2], [1.0; 2]).expect("a sheet");
        let solid = |compliance| Body::solid(cube.clone()).density(1.0).stretch(Compliance::new(compliance));
        let slowest = |body: Body| {
            let cloth = Body::cloth(sheet.clone()).stretch(Compliance::new(1.0));
            Simulation::builder().body(body).body(cloth).build().expect("a simulation").softness.slowest
        };
        assert_eq!(slowest(solid(0.0)), 0.0);
        // Masses of vertices are a twenty-fourth for every tetrahedron that has them: 1/4 and 1/12 kg. The edge between the heavy
        // ones is the slowest.
        assert!((slowest(solid(1e-3)) - (1e-3_f64 / 8.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_heavy_body_with_soft_edges_and_volumes_flows() {
        assert!(ball_flows(1e-2, 9.81));
        assert!(!ball_flows(1e-6, 9.81), "stiff edges keep the shape");
        assert!(!ball_flows(0.0, 9.81), "rigid edges, too");
        assert!(!ball_flows(1e-2, 0.0), "nothing makes it flow");
    }
}
