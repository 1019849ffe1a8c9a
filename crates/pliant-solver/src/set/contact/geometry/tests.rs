//! Every gap must be a distance, with the direction out as its gradient.

use pliant_kernel::{LaneJob, PACK, Portable, Simd};
use pliant_testkit::point;
use proptest::prelude::*;

use super::*;

/// The one surface of a shape.
fn surface(shape: &Shape) -> Geometry<f64> {
    let mut all = geometries(shape);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// Whether the gap changes by no more than the point moves.
fn is_lipschitz(shape: &Shape, a: &Vector3<f64>, b: &Vector3<f64>) -> Result<(), TestCaseError> {
    let surface = surface(shape);
    let change = (surface.gap(a).0 - surface.gap(b).0).abs();
    prop_assert!(change <= (a - b).norm() * (1.0 + 1e-9) + 1e-12, "{change} over {}", (a - b).norm());
    Ok(())
}

/// Whether the normal is the gradient, if the differences on both sides agree.
fn normal_is_gradient(shape: &Shape, x: &Vector3<f64>) -> Result<(), TestCaseError> {
    let surface = surface(shape);
    let (gap, normal) = surface.gap(x);
    prop_assert!((normal.norm() - 1.0).abs() < 1e-9, "{normal}");
    let h = 1e-6;
    let mut gradient = Vector3::zeros();
    for k in 0..3 {
        let mut step = Vector3::zeros();
        step[k] = h;
        let (ahead, behind) = (surface.gap(&(x + step)).0 - gap, gap - surface.gap(&(x - step)).0);
        // At an edge of the surface, or where two parts of it are equally near, there is no gradient.
        prop_assume!((ahead - behind).abs() < 1e-3 * h);
        gradient[k] = (ahead + behind) / (2.0 * h);
    }
    prop_assert!((gradient - normal).norm() < 1e-3, "{gradient} is not {normal}");
    Ok(())
}

/// Whether a particle that is moved out along the normal by its depth is out.
fn projection_leads_out(shape: &Shape, x: &Vector3<f64>) -> Result<(), TestCaseError> {
    let surface = surface(shape);
    let (gap, normal) = surface.gap(x);
    let after = surface.gap(&(x - normal * gap.min(0.0))).0;
    prop_assert!(after >= -1e-9, "{gap} becomes {after}");
    Ok(())
}

/// Distances of points side by side.
struct Distances<'a, T: Scalar>(&'a Geometry<T>, [Vector3<T>; PACK]);

impl<T: Scalar> LaneJob<T> for Distances<'_, T> {
    type Out = [T; PACK];
    type Portable = Portable<T, PACK>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) -> [T; PACK] {
        let Self(surface, points) = self;
        let (extent, mut distances) = (surface.extent(), [T::zero(); PACK]);
        for lane in (0..PACK).step_by(L::WIDTH) {
            let row = |k: usize| L::load(&points.map(|x| x[k])[lane..]);
            surface.distance(&Vector3::new(row(0), row(1), row(2)), &extent).store(&mut distances[lane..]);
        }
        distances
    }
}

/// Whether distances side by side have the bits of the gap, or are no more than it where that is not simple.
fn none_is_passed_over<T: Scalar>(shape: &Shape, x: &Vector3<f64>) -> Result<(), TestCaseError> {
    let surface = geometries::<T>(shape).remove(0);
    let points = std::array::from_fn(|lane| splat_vector::<T>(&(x * (1.0 + lane as f64))));
    for simd in [Simd::detect(), Simd::portable()] {
        for (distance, x) in T::dispatch(Distances(&surface, points), simd).into_iter().zip(&points) {
            let gap = surface.gap(x).0;
            prop_assert!(distance <= gap, "{distance:?} is more than {gap:?}");
            if matches!(shape, Shape::Plane { .. } | Shape::Sphere { .. } | Shape::Box { .. }) {
                prop_assert_eq!(distance, gap);
            }
            if let Shape::Capsule { .. } = shape {
                let close = 200.0 * T::EPSILON * (1.0 + norm(x).to_f64());
                prop_assert!((gap - distance).to_f64() < close, "{distance:?} is far below {gap:?}");
            }
        }
    }
    Ok(())
}

/// Checks all properties at once.
fn check(shape: &Shape, a: &Vector3<f64>, b: &Vector3<f64>) -> Result<(), TestCaseError> {
    none_is_passed_over::<f32>(shape, a)?;
    none_is_passed_over::<f64>(shape, a)?;
    is_lipschitz(shape, a, b)?;
    projection_leads_out(shape, a)?;
    normal_is_gradient(shape, a)
}

fn capsule() -> impl Strategy<Value = Shape> {
    (point(1.0), point(1.0), 0.05..0.8_f64).prop_map(|(from, to, radius)| Shape::Capsule { from, to, radius })
}

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn capsules_keep_every_promise(shape in capsule(), a in point(2.0), b in point(2.0)) {
        check(&shape, &a, &b)?;
    }

    #[test]
    fn a_capsule_without_length_is_a_ball(centre in point(1.0), radius in 0.1..1.0_f64, x in point(2.0)) {
        let capsule = surface(&Shape::Capsule { from: centre, to: centre, radius });
        let ball = surface(&Shape::Sphere { centre, radius });
        for x in [x, centre] {
            let ((a, n), (b, m)) = (capsule.gap(&x), ball.gap(&x));
            prop_assert!((a - b).abs() < 1e-12 && (n - m).norm() < 1e-12);
        }
    }

    #[test]
    fn the_axis_of_a_capsule_is_left_across(from in point(1.0), to in point(1.0), share in 0.0..1.0_f64) {
        prop_assume!((to - from).norm() > 1e-3);
        let capsule = surface(&Shape::Capsule { from, to, radius: 0.3 });
        // Both points are exactly on the axis.
        for x in [from, from.lerp(&to, share)] {
            let (gap, normal) = capsule.gap(&x);
            prop_assert!((gap + 0.3).abs() < 1e-9 && (normal.norm() - 1.0).abs() < 1e-9);
        }
        prop_assert!(capsule.gap(&from).1.dot(&(to - from)).abs() < 1e-9);
    }

    #[test]
    fn single_precision_sees_the_same_capsule(shape in capsule(), x in point(2.0)) {
        let Shape::Capsule { from, to, radius } = shape else { unreachable!() };
        let coarse = geometries::<f32>(&Shape::Capsule { from, to, radius }).remove(0);
        let rounded: Vector3<f32> = splat_vector(&x);
        let (gap, _) = surface(&Shape::Capsule { from, to, radius }).gap(&x);
        prop_assert!((f64::from(coarse.gap(&rounded).0) - gap).abs() < 1e-6);
    }

    #[test]
    fn what_is_clear_is_no_nearer_than_that(points in prop::collection::vec(point(1.0), 4..12), x in point(3.0), radius in 0.0..1.0_f64) {
        let rows = [[0.1, -0.2, 0.4], [0.0, 0.3, -0.1]];
        let ball = pliant_mesh::TriMesh::icosphere(0.7, 3).unwrap();
        for shape in [
            Shape::Hull(Arc::new(ConvexHull::new(&points).unwrap())),
            Shape::HeightField(Arc::new(HeightField::new(points[0], [1.0, 0.7], &rows).unwrap())),
            Shape::DistanceGrid(Arc::new(DistanceGrid::new(&ball, 0.2, 0.2).unwrap())),
        ] {
            none_is_passed_over::<f32>(&shape, &x)?;
            none_is_passed_over::<f64>(&shape, &x)?;
            let surface = surface(&shape);
            prop_assert!(!surface.is_clear(&x, radius) || surface.gap(&x).0 >= radius);
        }
    }

    #[test]
    fn lanes_measure_simple_shapes(centre in point(1.0), normal in point(1.0), half in [0.1..1.0_f64, 0.1..1.0, 0.1..1.0], x in point(2.0)) {
        prop_assume!(normal.norm() > 1e-3);
        for shape in [
            Shape::Plane { normal: normal.normalize(), offset: half[0] },
            Shape::Sphere { centre, radius: half[1] },
            Shape::Box { centre, half_extents: Vector3::from(half) },
        ] {
            none_is_passed_over::<f32>(&shape, &x)?;
            none_is_passed_over::<f64>(&shape, &x)?;
        }
    }

    #[test]
    fn hulls_and_boxes_agree(half in [0.1..1.0_f64, 0.1..1.0, 0.1..1.0], x in point(2.0)) {
        let half_extents = Vector3::from(half);
        let solid = surface(&Shape::Box { centre: Vector3::zeros(), half_extents });
        let sign = |c: usize, k: usize| if c >> k & 1 == 1 { 1.0 } else { -1.0 };
        let corners: Vec<_> = (0..8).map(|c| Vector3::from_fn(|k, _| sign(c, k) * half[k])).collect();
        let hull = surface(&Shape::Hull(Arc::new(ConvexHull::new(&corners).unwrap())));
        let ((a, n), (b, m)) = (solid.gap(&x), hull.gap(&x));
        prop_assert!((a - b).abs() < 1e-12, "{a} {b}");
        // If two sides are equally deep, either is right.
        prop_assert!(a < 1e-9 || (n - m).norm() < 1e-6, "{n} {m}");
    }
}
