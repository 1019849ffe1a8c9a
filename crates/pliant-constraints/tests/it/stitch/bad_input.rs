//! Input from which a stitch cannot be made.

use nalgebra::Vector3;
use pliant_constraints::stitch::{
    StitchError, StitchFault, VertexEdgeStitch, VertexTriangleStitch, VertexVertexStitch, stitch_edges,
    stitch_triangles, stitch_vertices,
};
use pliant_constraints::{Lame, ModuliError, RestShapeError};

use super::v;

fn square() -> [Vector3<f64>; 4] {
    [v(0.2, 0.3, 0.5), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)]
}

fn message(result: Result<impl Sized, StitchError>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn parameters_out_of_range() {
    let edge = |stitch: VertexEdgeStitch| stitch_edges(&[[0, 1, 2]], &square(), &[stitch]).map(|_| ());
    let good = VertexEdgeStitch::default();
    assert_eq!(edge(good), Ok(()));
    for bad in [-1e-3, 0.0, f64::NAN, f64::INFINITY] {
        let text = message(edge(VertexEdgeStitch { thickness: bad, ..good }));
        assert!(text.starts_with("stitch 0: ") && text.contains("thickness"), "{text}");
    }
    for bad in [-1e-3, f64::NAN, f64::INFINITY] {
        let text = message(edge(VertexEdgeStitch { min_separate_distance: bad, ..good }));
        assert!(text.contains("the least distance is"), "{text}");
    }
    for (mu, lambda) in [(0.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (f64::NAN, 1.0), (1.0, f64::NAN)] {
        assert!(edge(VertexEdgeStitch { moduli: Lame { mu, lambda }, ..good }).is_err(), "{mu} {lambda}");
    }
    let triangle =
        |stitch: VertexTriangleStitch| stitch_triangles(&[[0, 1, 2, 3]], &square(), &[stitch]).map(|_| ());
    let good = VertexTriangleStitch::default();
    assert_eq!(triangle(good), Ok(()));
    for (mu, lambda) in [(0.0, 1.0), (1.0, 0.0), (1.0, -0.1), (f64::INFINITY, 1.0)] {
        assert!(
            triangle(VertexTriangleStitch { moduli: Lame { mu, lambda }, ..good }).is_err(),
            "{mu} {lambda}"
        );
    }
    assert!(triangle(VertexTriangleStitch { min_separate_distance: -0.1, ..good }).is_err());
    let vertex = |stiffness, rest_length| {
        stitch_vertices(&[[0, 1]], 4, &[VertexVertexStitch { stiffness, rest_length }]).map(|_| ())
    };
    assert_eq!(vertex(1e6, 0.0), Ok(()));
    for (stiffness, rest_length) in [(0.0, 0.0), (-1.0, 0.0), (f64::NAN, 0.0), (1.0, -0.1), (1.0, f64::NAN)] {
        assert!(vertex(stiffness, rest_length).is_err(), "{stiffness} {rest_length}");
    }
}

#[test]
fn poissons_ratio_at_its_limits() {
    for poisson in [-1.0, 1.0, f64::NAN] {
        assert!(matches!(VertexEdgeStitch::elastic(1e6, poisson), Err(ModuliError::Poisson { .. })));
    }
    for poisson in [-1.0, 0.5, 1.0] {
        assert!(matches!(VertexTriangleStitch::elastic(1e6, poisson), Err(ModuliError::Poisson { .. })));
    }
    assert!(VertexEdgeStitch::elastic(1e6, 0.5).is_ok(), "a sheet may be incompressible");
    assert!(
        VertexEdgeStitch::elastic(0.0, 0.3).is_err() && VertexTriangleStitch::elastic(-1.0, 0.3).is_err()
    );
}

#[test]
fn elements_without_a_shape() {
    let no_edge = [v(0.0, 1.0, 0.0), v(1.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    let error = stitch_edges(&[[0, 1, 2]], &no_edge, &[VertexEdgeStitch::default()]);
    assert_eq!(message(error), "stitch 0: the rest edge has no length");
    // On the line, and a least distance of zero.
    let on_the_line = [v(2.0, 0.0, 0.0), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    let unlifted = VertexEdgeStitch { min_separate_distance: 0.0, ..VertexEdgeStitch::default() };
    let text = message(stitch_edges(&[[0, 1, 2]], &on_the_line, &[unlifted]));
    assert!(text.contains("the rest triangle is flat"), "{text}");
    let line = [v(0.0, 1.0, 0.0), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(2.0, 0.0, 0.0)];
    let text = message(stitch_triangles(&[[0, 1, 2, 3]], &line, &[VertexTriangleStitch::default()]));
    assert!(text.contains("the rest triangle is flat"), "{text}");
    let in_plane = [v(0.3, 0.3, 0.0), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    let unlifted = VertexTriangleStitch { min_separate_distance: 0.0, ..VertexTriangleStitch::default() };
    let text = message(stitch_triangles(&[[0, 1, 2, 3]], &in_plane, &[unlifted]));
    assert!(text.contains("the rest tetrahedron is flat"), "{text}");
    let nan = [v(f64::NAN, 1.0, 0.0), v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    assert!(stitch_edges(&[[0, 1, 2]], &nan, &[VertexEdgeStitch::default()]).is_err());
    let error = stitch_triangles(&[[0, 1, 2, 3]], &nan, &[VertexTriangleStitch::default()]).unwrap_err();
    let StitchError::Pair { pair: 0, fault } = error else { panic!("{error}") };
    assert_eq!(fault, StitchFault::from(RestShapeError::NonFinite));
}

#[test]
fn pairs_that_do_not_fit() {
    let stitch = VertexEdgeStitch::default();
    let error = stitch_edges(&[[0, 1, 2], [0, 2, 3], [0, 3, 1]], &square(), &[stitch; 2]).unwrap_err();
    assert_eq!(error, StitchError::Counts { pairs: 3, parameters: 2 });
    let text = message(stitch_edges(&[[0, 1, 2], [0, 2, 4]], &square(), &[stitch]));
    assert_eq!(text, "stitch 1: it refers to point 4, but there are 4 points (numbered from 0)");
    assert_eq!(message(stitch_edges(&[[1, 1, 2]], &square(), &[stitch])), "stitch 0: it names point 1 twice");
    assert_eq!(
        message(stitch_vertices(&[[3, 3]], 4, &[VertexVertexStitch::default()])),
        "stitch 0: it names point 3 twice"
    );
    assert!(stitch_edges(&[], &square(), &[stitch]).unwrap().is_empty());
    // Parameters of its own for each pair.
    let thick = VertexEdgeStitch { thickness: 0.5, ..stitch };
    let two = stitch_edges(&[[0, 1, 2], [0, 1, 2]], &square(), &[stitch, thick]).unwrap();
    assert!((two.compliances[0] / two.compliances[1] - 500.0).abs() < 1e-9);
}
