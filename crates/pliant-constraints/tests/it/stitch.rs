//! Stitches: their rest shapes, the published figures, and their behaviour in a simulation.

mod bad_input;
mod motion;
mod vertex_edge;
mod vertex_triangle;

use nalgebra::Vector3;
use pliant_constraints::stitch::{VertexVertexStitch, stitch_vertices};
use pliant_constraints::{BlockConstraint as _, Constraint as _};
use pliant_testkit::stencil;
use proptest::prelude::*;

/// A vector by its components.
fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn springs_between_vertices_have_their_energy(x in stencil::<2>(), stiffness in 1.0..1e7_f64, rest_length in 0.0..2.0_f64) {
        let pairs = [[0, 1], [1, 0]];
        let parameters =
            [VertexVertexStitch { stiffness, rest_length: 0.0 }, VertexVertexStitch { stiffness, rest_length }];
        let stitches = stitch_vertices(&pairs, 2, &parameters).unwrap();
        prop_assert_eq!(&stitches.coincident.stencils[0], &[0, 1]);
        let distance = (x[0] - x[1]).norm();
        let c = Vector3::from(stitches.coincident.kinds[0].values(&x));
        let energy = 0.5 * c.norm_squared() / stitches.coincident.compliances[0];
        prop_assert!((energy - 0.5 * stiffness * distance * distance).abs() < 1e-12 * energy);
        if rest_length > 0.0 {
            prop_assert_eq!(&stitches.apart.stencils, &[[1, 0]]);
            let c = stitches.apart.kinds[0].value(&x);
            let energy = 0.5 * c * c / stitches.apart.compliances[0];
            let expected = 0.5 * stiffness * (distance - rest_length).powi(2);
            prop_assert!((energy - expected).abs() <= 1e-11 * stiffness * distance.max(rest_length).powi(2));
        } else {
            prop_assert_eq!(stitches.coincident.len(), 2);
        }
    }
}
