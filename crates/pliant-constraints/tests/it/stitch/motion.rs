//! Stitches in small simulations: statics, degenerate and inverted starts, and motion that they pass on.

use nalgebra::Vector3;
use pliant_constraints::stitch::{VertexEdgeStitch, VertexTriangleStitch};
use pliant_constraints::{BlockConstraint, Elastic, Lame, Update, project};
use pliant_testkit::{degenerate, points};
use proptest::prelude::*;

use super::v;

/// Points with velocities and inverse masses, of which the last ones may be fixed.
struct Bodies<const N: usize> {
    x: [Vector3<f64>; N],
    velocity: [Vector3<f64>; N],
    w: [f64; N],
}

impl<const N: usize> Bodies<N> {
    fn new(x: [Vector3<f64>; N], w: [f64; N]) -> Self {
        Self { x, velocity: [Vector3::zeros(); N], w }
    }

    /// A substep of XPBD with one element; velocities are then multiplied by `keep`.
    fn step<K, const M: usize>(
        &mut self,
        element: &Elastic<K>,
        order: [usize; N],
        h: f64,
        iterations: u32,
        keep: f64,
    ) where
        K: BlockConstraint<f64, N, M>,
    {
        let before = self.x;
        for j in 0..N {
            if self.w[j] > 0.0 {
                self.velocity[j] += v(0.0, -9.81, 0.0) * h;
                self.x[j] += self.velocity[j] * h;
            }
        }
        let mut lambda = [0.0; M];
        for _ in 0..iterations {
            let dx = project(
                &element.kind,
                &order.map(|k| self.x[k]),
                &order.map(|k| self.w[k]),
                element.compliance / (h * h),
                Update::xpbd(),
                &mut lambda,
            );
            for (k, dx) in order.into_iter().zip(dx) {
                self.x[k] += dx;
            }
        }
        for (j, before) in before.into_iter().enumerate() {
            self.velocity[j] = (self.x[j] - before) * (keep / h);
        }
    }
}

/// Rest height, μ, λ, half-thickness, mass and height of equilibrium of a vertex that hangs from a fixed edge
/// of 1 m: the root of a scalar equation, found independently.
const STATICS: [[f64; 6]; 3] = [
    [-0.1, 10_000.0, 20_000.0, 0.01, 0.05, -0.100_122_400_181_245_75],
    [-0.2, 1_000.0, 0.0, 0.02, 0.02, -0.200_973_875_207_411_58],
    [-0.05, 50_000.0, 100_000.0, 0.005, 0.2, -0.050_097_812_792_566_705],
];

#[test]
fn a_vertex_hangs_from_an_edge_as_far_as_it_should() {
    for [height, mu, lambda, thickness, mass, expected] in STATICS {
        let rest = [v(0.0, height, 0.0), v(-0.5, 0.0, 0.0), v(0.5, 0.0, 0.0)];
        let stitch = VertexEdgeStitch { moduli: Lame { mu, lambda }, thickness, min_separate_distance: 1e-3 };
        let element = stitch.element(&rest).unwrap();
        let mut bodies = Bodies::new(rest, [1.0 / mass, 0.0, 0.0]);
        for _ in 0..6000 {
            bodies.step(&element, [0, 1, 2], 1.0 / 1200.0, 3, 0.9);
        }
        let (sag, exact) = (bodies.x[0].y - height, expected - height);
        assert!((sag / exact - 1.0).abs() < 1e-3, "sags by {sag}, should by {exact}");
    }
}

#[test]
fn a_moving_edge_drags_the_vertex_along() {
    let rest = [v(0.5, -0.3, 0.0), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    let element = VertexEdgeStitch { thickness: 0.01, ..VertexEdgeStitch::default() }.element(&rest).unwrap();
    let mut bodies = Bodies::new(rest, [10.0, 0.0, 0.0]);
    let (h, steps) = (1.0 / 600.0, 1200);
    for step in 0..steps {
        // A metre to the side and back up, from rest to rest.
        let t = f64::from(step + 1) / f64::from(steps);
        let way = v(1.0, 2.0, 0.5) * (t * t * (3.0 - 2.0 * t));
        (bodies.x[1], bodies.x[2]) = (rest[1] + way, rest[2] + way);
        bodies.step(&element, [0, 1, 2], h, 2, 1.0);
        let edge = (bodies.x[0] - bodies.x[1]).norm();
        assert!(
            (edge - (rest[0] - rest[1]).norm()).abs() < 0.01,
            "the vertex keeps its distance: {edge} at {t}"
        );
    }
    let moved = bodies.x[0] - rest[0];
    // It swings about the edge, for a membrane has no bending: only the way along the edge is certain.
    assert!((moved.x - 1.0).abs() < 0.02, "{moved:?}");
}

/// Energy of motion and of the element, J, over a fixed level.
fn energy<K, const N: usize, const M: usize>(
    bodies: &Bodies<N>,
    element: &Elastic<K>,
    order: [usize; N],
) -> f64
where
    K: BlockConstraint<f64, N, M>,
{
    let elastic = element.energy(&order.map(|k| bodies.x[k]));
    let motion = |j: usize| {
        if bodies.w[j] > 0.0 { 0.5 * bodies.velocity[j].norm_squared() / bodies.w[j] } else { 0.0 }
    };
    elastic + (0..N).map(motion).sum::<f64>()
}

proptest! {
    #![proptest_config(pliant_testkit::config(60))]

    #[test]
    fn inverted_and_collapsed_triangles_stay_finite(
        start in prop_oneof![degenerate::<3>(), points::<3>(1.0)], on_the_line in any::<bool>(), fixed in any::<bool>(),
    ) {
        let x0 = if on_the_line { v(0.4, 0.0, 0.0) } else { v(0.4, 0.3, 0.0) };
        let rest = [x0, v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
        let start = start.map(|p| if p.norm() > 2.0 { p.normalize() } else { p });
        let stitch = VertexEdgeStitch { thickness: 0.01, min_separate_distance: 0.05, ..VertexEdgeStitch::default() };
        let element = stitch.element(&rest).unwrap();
        let w = if fixed { [10.0, 0.0, 0.0] } else { [10.0; 3] };
        let mut bodies = Bodies::new(start, w);
        let first = energy(&bodies, &element, [0, 1, 2]);
        for _ in 0..600 {
            bodies.step(&element, [0, 1, 2], 1.0 / 600.0, 2, 1.0);
            prop_assert!(bodies.x.iter().all(|p| p.iter().all(|c| c.is_finite())), "{:?}", bodies.x);
        }
        // Only a fall of a second adds energy: at most 3 m of 0.3 kg · 5 m.
        let last = energy(&bodies, &element, [0, 1, 2]);
        prop_assert!(last <= 1.5 * first + 50.0, "{first} became {last}");
    }

    #[test]
    fn inverted_and_collapsed_tetrahedra_stay_finite(start in prop_oneof![degenerate::<4>(), points::<4>(1.0)], in_plane in any::<bool>()) {
        let x0 = if in_plane { v(0.3, 0.3, 0.0) } else { v(0.3, 0.3, -0.4) };
        let rest = [x0, v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
        let start = start.map(|p| if p.norm() > 2.0 { p.normalize() } else { p });
        let stitch = VertexTriangleStitch { min_separate_distance: 0.1, ..VertexTriangleStitch::default() };
        let (order, element) = stitch.element(&rest).unwrap();
        let mut bodies = Bodies::new(start, [1.0; 4]);
        let first = energy(&bodies, &element, order);
        for _ in 0..600 {
            bodies.step(&element, order, 1.0 / 600.0, 2, 1.0);
            prop_assert!(bodies.x.iter().all(|p| p.iter().all(|c| c.is_finite())), "{:?}", bodies.x);
        }
        let last = energy(&bodies, &element, order);
        prop_assert!(last <= 1.5 * first + 500.0, "{first} became {last}");
    }
}
