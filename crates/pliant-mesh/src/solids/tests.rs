//! The properties of every solid, and the references with which they have to agree.

use nalgebra::Vector3;
use proptest::prelude::*;

use super::*;
use crate::TriMesh;

type Gap<'a> = &'a dyn Fn(&Vector3<f64>) -> (f64, Vector3<f64>);

fn point(reach: f64) -> impl Strategy<Value = Vector3<f64>> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(Vector3::from)
}

/// Whether the gap changes by no more than `factor` times what the point moves.
fn is_lipschitz(gap: Gap<'_>, a: &Vector3<f64>, b: &Vector3<f64>, factor: f64) -> Result<(), TestCaseError> {
    let (change, way) = ((gap(a).0 - gap(b).0).abs(), (a - b).norm());
    prop_assert!(change <= way * factor * (1.0 + 1e-9) + 1e-12, "{change} over {way}");
    Ok(())
}

/// Whether the normal is the direction of the gradient, where differences on both sides agree that there is one.
fn normal_is_gradient(gap: Gap<'_>, x: &Vector3<f64>) -> Result<(), TestCaseError> {
    let (here, normal) = gap(x);
    prop_assert!((normal.norm() - 1.0).abs() < 1e-9, "{normal}");
    let h = 1e-6;
    let mut gradient = Vector3::zeros();
    for k in 0..3 {
        let mut step = Vector3::zeros();
        step[k] = h;
        let (ahead, behind) = (gap(&(x + step)).0 - here, here - gap(&(x - step)).0);
        // At an edge of the surface, or where two parts of it are equally near, there is none.
        if (ahead - behind).abs() > 1e-3 * h {
            return Ok(());
        }
        gradient[k] = (ahead + behind) / (2.0 * h);
    }
    let Some(direction) = gradient.try_normalize(1e-3) else { return Ok(()) };
    prop_assert!((direction - normal).norm() < 2e-3, "{direction} is not {normal}");
    Ok(())
}

/// Whether a point that is moved out along the normal by its depth is out, to within `slack`, m.
fn projection_leads_out(gap: Gap<'_>, x: &Vector3<f64>, slack: f64) -> Result<(), TestCaseError> {
    let (depth, normal) = gap(x);
    let after = gap(&(x - normal * depth.min(0.0))).0;
    prop_assert!(after >= -slack, "{depth} becomes {after}");
    Ok(())
}

/// The properties of an exact distance.
fn check(gap: Gap<'_>, a: &Vector3<f64>, b: &Vector3<f64>) -> Result<(), TestCaseError> {
    is_lipschitz(gap, a, b, 1.0)?;
    projection_leads_out(gap, a, 1e-9)?;
    normal_is_gradient(gap, a)
}

fn corners(half: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let signs = |c: usize| Vector3::from_fn(|k, _| if c >> k & 1 == 1 { 1.0 } else { -1.0 });
    (0..8).map(|c| half.component_mul(&signs(c))).collect()
}

/// The signed distance of a point from a box around the origin.
fn box_distance(x: &Vector3<f64>, half: &Vector3<f64>) -> f64 {
    let q = x.abs() - half;
    let outside = q.sup(&Vector3::zeros()).norm();
    if outside > 0.0 { outside } else { q.max() }
}

fn ground() -> impl Strategy<Value = HeightField> {
    (2..7_usize, 2..7_usize, [0.2..0.7_f64, 0.2..0.7]).prop_flat_map(|(rows, columns, spacing)| {
        let numbers = prop::collection::vec(prop::collection::vec(-0.5..0.5_f64, columns), rows);
        numbers.prop_map(move |rows| HeightField::new(Vector3::new(-1.0, 0.1, -0.8), spacing, &rows).unwrap())
    })
}

/// A point of the shadow of some ground.
fn over(ground: &HeightField, share: &Vector3<f64>) -> Vector3<f64> {
    let bounds = ground.bounds();
    let x = bounds.min + bounds.size().component_mul(&(share.add_scalar(1.0) * 0.5));
    Vector3::new(x.x, 2.0 * share.y, x.z)
}

proptest! {
    #![proptest_config(pliant_testkit::config(256))]

    #[test]
    fn hulls_keep_every_promise(
        points in prop::collection::vec(point(1.0), 4..30), a in point(2.0), b in point(2.0),
    ) {
        let hull = ConvexHull::new(&points).unwrap();
        check(&|x| hull.gap(x), &a, &b)?;
        // None of the points is outside, and the middle of two is no nearer to the surface than both.
        for pair in points.windows(2) {
            prop_assert!(hull.gap(&pair[0]).0 <= 1e-9);
            let depths = [pair[0], pair[1], (pair[0] + pair[1]) * 0.5].map(|x| hull.gap(&x).0);
            prop_assert!(depths[2] <= depths[0].max(depths[1]) + 1e-9);
        }
    }

    #[test]
    fn the_hull_of_eight_corners_is_their_box(half in [0.1..1.0_f64, 0.1..1.0, 0.1..1.0], x in point(2.0)) {
        let half = Vector3::from(half);
        let hull = ConvexHull::new(&corners(&half)).unwrap();
        prop_assert!((hull.gap(&x).0 - box_distance(&x, &half)).abs() < 1e-12);
    }

    #[test]
    fn ground_keeps_every_promise(field in ground(), a in point(1.0), b in point(1.0)) {
        let (a, b) = (over(&field, &a), over(&field, &b));
        check(&|x| field.gap(x), &a, &b)?;
        // The sign is that of the height above the surface.
        let above = a.y - field.height(a.x, a.z).unwrap();
        prop_assert!(field.gap(&a).0 * above >= 0.0);
        prop_assert!(field.gap(&a).0.abs() <= above.abs() + 1e-12);
    }

    #[test]
    fn the_nearest_point_of_ground_is_that_of_all_its_triangles(field in ground(), x in point(3.0)) {
        let surface = field.surface();
        let nearest = (0..surface.triangles().len())
            .map(|t| crate::nearest_on_triangle(&x, &surface.corners(t)).distance())
            .fold(f64::INFINITY, f64::min);
        prop_assert!((field.gap(&x).0.abs() - nearest).abs() < 1e-12);
    }

    #[test]
    fn flat_ground_is_a_plane(slope in [-1.0..1.0_f64, -1.0..1.0], share in point(0.9)) {
        let row = |j: u32| (0..9).map(|i| slope[0] * f64::from(i) + slope[1] * f64::from(j)).collect();
        let rows: Vec<Vec<f64>> = (0..9).map(row).collect();
        let field = HeightField::new(Vector3::zeros(), [1.0, 1.0], &rows).unwrap();
        // In the middle, where the foot of the point is not beyond the rim.
        let x = Vector3::new(4.0 + share.x, 0.0, 4.0 + share.z);
        let x = Vector3::new(x.x, slope[0] * x.x + slope[1] * x.z + share.y, x.z);
        let up = Vector3::new(-slope[0], 1.0, -slope[1]).normalize();
        let (gap, normal) = field.gap(&x);
        prop_assert!((gap - up.dot(&x)).abs() < 1e-12);
        prop_assert!((normal - up).norm() < 1e-6 || gap.abs() < 1e-9, "{normal} {up}");
    }

    #[test]
    fn beside_ground_there_is_nothing(field in ground(), x in point(4.0)) {
        if field.height(x.x, x.z).is_none() {
            prop_assert!(field.gap(&x).0 >= 0.0);
        }
    }
}

#[test]
fn a_surface_point_has_the_normal_of_its_face() {
    let hull = ConvexHull::new(&corners(&Vector3::new(1.0, 2.0, 3.0))).unwrap();
    let (gap, normal) = hull.gap(&Vector3::new(0.3, 2.0, -0.4));
    assert!(gap.abs() < 1e-12 && (normal - Vector3::y()).norm() < 1e-12, "{gap} {normal}");
    let field = HeightField::new(Vector3::zeros(), [1.0; 2], &[[0.0, 1.0], [0.0, 1.0]]).unwrap();
    // In either triangle of the cell.
    for z in [0.25, 0.75] {
        let (gap, normal) = field.gap(&Vector3::new(0.5, 0.5, z));
        assert!(gap.abs() < 1e-12 && (normal - Vector3::new(-1.0, 1.0, 0.0).normalize()).norm() < 1e-12);
    }
}

#[test]
fn points_that_are_not_finite_are_not_inside() {
    let hull = ConvexHull::new(&corners(&Vector3::new(1.0, 2.0, 3.0))).unwrap();
    let field = HeightField::new(Vector3::zeros(), [1.0; 2], &[[0.0, 1.0], [0.0, 1.0]]).unwrap();
    let grid = DistanceGrid::new(hull.surface(), 0.5, 0.5).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for x in [Vector3::repeat(bad), Vector3::new(0.0, 0.0, bad)] {
            let inside = [hull.gap(&x).0, field.gap(&x).0, grid.gap(&x).0].map(|gap| gap < 0.0);
            assert_eq!(inside, [false; 3], "{x}");
        }
    }
}

#[test]
fn heights_that_make_no_ground_are_refused() {
    let new = |rows: &[&[f64]]| HeightField::new(Vector3::zeros(), [1.0; 2], rows).unwrap_err();
    assert_eq!(new(&[&[0.0, 1.0]]), HeightFieldError::Size { rows: 1, columns: 2 });
    assert_eq!(new(&[]), HeightFieldError::Size { rows: 0, columns: 0 });
    let ragged = HeightFieldError::Ragged { row: 1, found: 3, expected: 2 };
    assert_eq!(new(&[&[0.0, 1.0], &[0.0, 1.0, 2.0]]), ragged);
    let infinite = HeightFieldError::NotFinite { row: 1, column: 0, value: f64::INFINITY };
    assert_eq!(new(&[&[0.0, 1.0], &[f64::INFINITY, 1.0]]), infinite);
    let error = HeightField::new(Vector3::zeros(), [1.0, 0.0], &[[0.0; 2]; 2]).unwrap_err();
    assert!(error.to_string().contains("spacing of the heights is [1.0, 0.0]"), "{error}");
}

/// A ball and its grid, with cells of 0.1 m.
fn ball() -> DistanceGrid {
    DistanceGrid::new(&TriMesh::icosphere(1.0, 24).unwrap(), 0.1, 0.3).unwrap()
}

#[test]
fn the_grid_of_a_ball_is_within_a_cell_of_the_ball() {
    let grid = ball();
    let mut runner = proptest::test_runner::TestRunner::new(pliant_testkit::config(256));
    let result = runner.run(&(point(1.25), point(3.0), point(1.25)), |(near, far, other)| {
        for (x, far) in [(near, 0.0), (far, 0.1)] {
            let expected = x.norm() - 1.0;
            // Beyond the grid the direction of its rim counts.
            let allowed = 0.1 + far * expected.abs();
            prop_assert!((grid.gap(&x).0 - expected).abs() < allowed, "{} at {x}", grid.gap(&x).0);
            // Away from the middle the normal is that of the ball.
            if x.norm() > 0.5 {
                prop_assert!((grid.gap(&x).1 - x.normalize()).norm() < 0.2, "{}", grid.gap(&x).1);
            }
        }
        is_lipschitz(&|x| grid.gap(x), &near, &other, 3.0_f64.sqrt())?;
        projection_leads_out(&|x| grid.gap(x), &near, 0.1)?;
        normal_is_gradient(&|x| grid.gap(x), &near)
    });
    result.unwrap();
}

#[test]
fn the_distance_does_not_jump_where_the_grid_ends() {
    let grid = ball();
    for direction in [Vector3::x(), Vector3::new(0.3, -1.0, 0.2), Vector3::new(1.0, 1.0, 1.0)] {
        let along = |s: f64| grid.gap(&(direction * s)).0;
        for step in 0..2000 {
            let s = f64::from(step) * 1e-3;
            assert!((along(s + 1e-3) - along(s)).abs() < 0.02, "{s}");
        }
    }
}

#[test]
fn nodes_have_the_signed_distance_of_the_surface() {
    let torus = TriMesh::torus(0.6, 0.25, 24, 12).unwrap();
    let grid = DistanceGrid::new(&torus, 0.07, 0.2).unwrap();
    let exact = crate::SignedDistance::new(&torus);
    let bounds = torus.bounds().unwrap().grown(0.15);
    let mut worst = 0.0_f64;
    for step in 0..4000_u32 {
        let share = |by: f64| (f64::from(step) * by).fract();
        let at = Vector3::new(share(0.754_877), share(0.569_840), share(0.438_580));
        let x = bounds.min + bounds.size().component_mul(&at);
        worst = worst.max((grid.gap(&x).0 - exact.at(&x)).abs());
    }
    assert!(worst < 0.07, "{worst}");
}

#[test]
fn surfaces_without_an_inside_and_grids_without_an_end_are_refused() {
    let ball = TriMesh::icosphere(1.0, 4).unwrap();
    let (positions, mut triangles) = ball.clone().into_parts();
    triangles.pop();
    let open = TriMesh::new(positions, triangles).unwrap();
    let error = DistanceGrid::new(&open, 0.1, 0.1).unwrap_err();
    assert!(
        error.to_string().starts_with("the surface is open: 3 of its edges have one triangle"),
        "{error}"
    );
    let (positions, mut triangles) = ball.clone().into_parts();
    triangles[7].swap(0, 1);
    let error = DistanceGrid::new(&TriMesh::new(positions, triangles).unwrap(), 0.1, 0.1).unwrap_err();
    assert!(matches!(error, DistanceGridError::Turned { count: 3, .. }), "{error}");
    assert_eq!(DistanceGrid::new(&TriMesh::default(), 0.1, 0.1), Err(DistanceGridError::Empty));
    let error = DistanceGrid::new(&ball, 1e-3, 0.1).unwrap_err();
    let DistanceGridError::TooLarge { least, .. } = error else { panic!("{error}") };
    assert!(
        error.to_string().contains("2201 × 2201 × 2201 nodes, 10663 million; at most 67 million"),
        "{error}"
    );
    assert!(least > 5e-3 && least < 6e-3, "{least}");
    assert!(matches!(DistanceGrid::new(&ball, 0.0, 0.1), Err(DistanceGridError::Length { .. })));
}
