//! The checks find errors: constraints with one error each, found by the check that is meant for it.

use nalgebra::Vector3;
use pliant_constraints::{
    BlockConstraint, Bound, Constraint, Damping, Distance, Kind, PointTarget, Real, ScaledRows, TetVolume,
};
use pliant_testkit::{
    Suite, check_converges, check_damped, check_finite, check_gradient, check_linearised, check_momentum,
    check_precision, check_rigid_motion, check_rotation, check_scaled_rows, check_translation, rigid_motion,
    stencil,
};
use proptest::prelude::*;

/// The volume of a tetrahedron, with its gradients changed by a function.
struct Spoilt<F>(F);

impl<F: Fn(&mut [Vector3<f64>; 4], &[Vector3<f64>; 4])> Constraint<f64, 4> for Spoilt<F> {
    fn value(&self, x: &[Vector3<f64>; 4]) -> f64 {
        TetVolume { rest: 0.3 }.value(x)
    }
    fn value_and_gradient(&self, x: &[Vector3<f64>; 4]) -> (f64, [Vector3<f64>; 4]) {
        let (c, mut g) = TetVolume { rest: 0.3 }.value_and_gradient(x);
        (self.0)(&mut g, x);
        (c, g)
    }
}

/// The volume of a tetrahedron, with the rows of its projection changed by a function.
struct SpoiltRows<F>(F);

impl<F: Fn(&mut ScaledRows<f64, 4, 1>)> Constraint<f64, 4> for SpoiltRows<F> {
    fn value(&self, x: &[Vector3<f64>; 4]) -> f64 {
        TetVolume { rest: 0.3 }.value(x)
    }
    fn value_and_gradient(&self, x: &[Vector3<f64>; 4]) -> (f64, [Vector3<f64>; 4]) {
        TetVolume { rest: 0.3 }.value_and_gradient(x)
    }
    fn scaled_row(&self, x: &[Vector3<f64>; 4], w: &[f64; 4]) -> ScaledRows<f64, 4, 1> {
        let mut rows = TetVolume { rest: 0.3 }.scaled_row(x, w);
        (self.0)(&mut rows);
        rows
    }
}

/// The coordinate of a point along z: not invariant under translations.
struct Height;

impl Constraint<f64, 1> for Height {
    fn value(&self, x: &[Vector3<f64>; 1]) -> f64 {
        x[0].z
    }
    fn value_and_gradient(&self, x: &[Vector3<f64>; 1]) -> (f64, [Vector3<f64>; 1]) {
        (x[0].z, [Vector3::z()])
    }
}

/// The difference of two heights: invariant under translations, not under rotations.
struct Slope;

impl Constraint<f64, 2> for Slope {
    fn value(&self, x: &[Vector3<f64>; 2]) -> f64 {
        x[0].z - x[1].z
    }
    fn value_and_gradient(&self, x: &[Vector3<f64>; 2]) -> (f64, [Vector3<f64>; 2]) {
        (self.value(x), [Vector3::z(), -Vector3::z()])
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(64))]

    #[test]
    fn a_reversed_gradient(x in stencil::<4>()) {
        // The signs that the book prints for the first and third point.
        let printed = Spoilt(|g: &mut [Vector3<f64>; 4], _: &[Vector3<f64>; 4]| {
            g[0] = -g[0];
            g[2] = -g[2];
        });
        let error = check_gradient(&printed, &x, 1e-7).unwrap_err();
        prop_assert_eq!((error.row, error.point), (Some(0), Some(0)));
        prop_assert!(error.to_string().contains("finite differences"));
        prop_assert!(check_momentum(&printed, &x, &[1.0; 4], 0.0, [0.0], 1e-9).is_err());
        prop_assert!(check_translation(&printed, &x, 1e-9).is_err());
    }

    #[test]
    fn a_gradient_that_is_off_by_a_millionth(x in stencil::<4>(), point in 0..4_usize) {
        let off = Spoilt(|g: &mut [Vector3<f64>; 4], _: &[Vector3<f64>; 4]| g[point] *= 1.0 + 1e-6);
        prop_assert!(check_gradient(&off, &x, 1e-7).is_err());
        prop_assert!(check_translation(&off, &x, 1e-9).is_err());
        prop_assert!(check_momentum(&off, &x, &[1.0; 4], 0.0, [0.0], 1e-9).is_err());
    }

    #[test]
    fn a_torque(x in stencil::<4>()) {
        // Forces that cancel but have a torque: the gradients of two points exchanged.
        let turning = Spoilt(|g: &mut [Vector3<f64>; 4], _: &[Vector3<f64>; 4]| g.swap(1, 2));
        prop_assert!(check_translation(&turning, &x, 1e-12).is_ok());
        prop_assert!(check_rotation(&turning, &x, 1e-9).is_err());
        prop_assert!(check_momentum(&turning, &x, &[1.0; 4], 0.0, [0.0], 1e-9).is_err());
        prop_assert!(check_momentum(&turning, &x, &[0.0, 1.0, 1.0, 1.0], 0.0, [0.0], 1e-9).is_err());
    }

    #[test]
    fn constraints_tied_to_a_frame(x in stencil::<1>(), y in stencil::<2>(), motion in rigid_motion(5.0)) {
        prop_assert!(check_gradient(&Height, &x, 1e-9).is_ok());
        prop_assert!(check_translation(&Height, &x, 1e-9).is_err());
        prop_assert!(check_translation(&Slope, &y, 1e-9).is_ok());
        prop_assume!((y[0] - y[1]).xy().norm() > 1e-3 * (y[0] - y[1]).norm());
        prop_assert!(check_rotation(&Slope, &y, 1e-9).is_err());
        prop_assume!(motion.rotation.angle() > 0.1 && (motion.rotation * Vector3::z()).z < 0.99);
        let moved = check_rigid_motion(&Slope, &y, &motion, 1e-9);
        let unmoved = ((motion.rotation * (y[0] - y[1])).z - (y[0] - y[1]).z).abs() < 1e-6 * (y[0] - y[1]).norm();
        prop_assert!(moved.is_err() || unmoved);
    }
}

/// A floor that is an equation instead of an inequality.
struct StickyFloor;

impl Constraint<f64, 1> for StickyFloor {
    fn value(&self, x: &[Vector3<f64>; 1]) -> f64 {
        x[0].z
    }
    fn value_and_gradient(&self, x: &[Vector3<f64>; 1]) -> (f64, [Vector3<f64>; 1]) {
        (x[0].z, [Vector3::z()])
    }
}

/// A floor whose gradient is half of what it should be.
struct SlowFloor;

impl Constraint<f64, 1> for SlowFloor {
    const BOUND: Bound = Bound::AtLeastZero;
    fn value(&self, x: &[Vector3<f64>; 1]) -> f64 {
        x[0].z
    }
    fn value_and_gradient(&self, x: &[Vector3<f64>; 1]) -> (f64, [Vector3<f64>; 1]) {
        (x[0].z, [Vector3::z()])
    }
    fn inverse_mass(&self, w: &[f64; 1], _: &[Vector3<f64>; 1]) -> f64 {
        2.0 * w[0]
    }
}

#[test]
fn inequalities() {
    let (above, below) = ([Vector3::z()], [-Vector3::z()]);
    let violation = |x: &[Vector3<f64>; 1]| check_converges(&StickyFloor, x, &[1.0], 0, 1e-9);
    assert!(
        violation(&above).is_err() && violation(&below).is_err(),
        "an equation is violated on both sides"
    );
    assert!(check_converges(&SlowFloor, &above, &[1.0], 0, 1e-9).is_ok());
    assert!(check_converges(&SlowFloor, &below, &[1.0], 0, 1e-9).is_err());
    assert!(check_linearised(&SlowFloor, &above, &[1.0], 0.0, [0.0], 1e-9).is_ok());
    assert!(check_linearised(&SlowFloor, &below, &[1.0], 0.0, [0.0], 1e-9).is_err());
}

#[test]
fn damping_that_turns() {
    let x = [Vector3::zeros(), Vector3::x(), Vector3::new(0.3, 0.9, 0.0), Vector3::new(0.2, 0.1, 2.0)];
    let previous = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    let damping = Damping { previous: &previous, gamma: 3.0 };
    let right = TetVolume { rest: 0.3 };
    assert!(check_damped(&right, &x, &[1.0; 4], 0.5, damping, [0.0], 1e-12).is_ok());
    let turning = Spoilt(|g: &mut [Vector3<f64>; 4], _: &[Vector3<f64>; 4]| g.swap(1, 2));
    let error = check_damped(&turning, &x, &[1.0; 4], 0.5, damping, [0.0], 1e-12).unwrap_err();
    assert!(error.property.contains("angular"), "{error}");
    let pushing = Spoilt(|g: &mut [Vector3<f64>; 4], _: &[Vector3<f64>; 4]| g[3] *= 2.0);
    let error = check_damped(&pushing, &x, &[1.0; 4], 0.5, damping, [0.0], 1e-12).unwrap_err();
    assert!(error.property.contains("linear momentum"), "{error}");
}

/// A value with a kink, at which finite differences are inconclusive: that is an error, not a pass.
struct Kink;

impl Constraint<f64, 1> for Kink {
    fn value(&self, x: &[Vector3<f64>; 1]) -> f64 {
        x[0].x.abs().sqrt()
    }
    fn value_and_gradient(&self, x: &[Vector3<f64>; 1]) -> (f64, [Vector3<f64>; 1]) {
        (self.value(x), [Vector3::x() * 3.0])
    }
}

#[test]
fn a_point_without_a_derivative() {
    let error = check_gradient(&Kink, &[Vector3::new(1e-9, 0.0, 0.0)], 1e-7).unwrap_err();
    assert_eq!(error.point, Some(0));
}

/// A distance that divides by its length without a check, or leaves the gradient out.
struct Careless;

impl Constraint<f64, 2> for Careless {
    fn value(&self, x: &[Vector3<f64>; 2]) -> f64 {
        (x[0] - x[1]).norm()
    }
    fn value_and_gradient(&self, x: &[Vector3<f64>; 2]) -> (f64, [Vector3<f64>; 2]) {
        let n = (x[0] - x[1]) / (x[0] - x[1]).norm();
        (self.value(x), [n, -n])
    }
}

#[test]
fn a_division_by_zero() {
    let x = [Vector3::x(); 2];
    assert!(check_finite(&Careless, &x, &[1.0; 2], 0.0).is_err());
    assert!(check_finite(&Distance { rest: 1.0 }, &x, &[1.0; 2], 0.0).is_ok());
}

#[test]
fn a_constraint_that_one_projection_does_not_solve() {
    let x = [Vector3::zeros(), Vector3::x(), Vector3::y(), 2.0 * Vector3::z()];
    let volume = TetVolume { rest: 1.0 / 6.0 };
    assert!(check_linearised(&volume, &x, &[1.0; 4], 0.0, [0.0], 1e-14).is_ok());
    let error = check_converges(&volume, &x, &[1.0; 4], 1, 1e-12).unwrap_err();
    assert!(error.detail.contains("0.018061"), "the history of the values is shown: {error}");
    assert!(check_converges(&volume, &x, &[1.0; 4], 5, 1e-14).is_ok());
    // A row whose points are all fixed is not projected, so its equation is not solved.
    assert!(check_linearised(&volume, &x, &[0.0; 4], 0.0, [0.0], 1e-14).is_err());
}

/// A kind that loses digits: a distance computed from large squares.
#[derive(Clone, Copy)]
struct Cancelling<T>(T);

impl<T: Real> Constraint<T, 2> for Cancelling<T> {
    fn value(&self, x: &[Vector3<T>; 2]) -> T {
        let dot = |a: &Vector3<T>, b: &Vector3<T>| a.dot(b);
        (dot(&x[0], &x[0]) - dot(&x[0], &x[1]) - dot(&x[1], &x[0]) + dot(&x[1], &x[1])).sqrt() - self.0
    }
    fn value_and_gradient(&self, x: &[Vector3<T>; 2]) -> (T, [Vector3<T>; 2]) {
        let (_, g) = Distance { rest: self.0 }.value_and_gradient(x);
        (self.value(x), g)
    }
}

impl Kind<2, 1> for Cancelling<f64> {
    type At<T: Real> = Cancelling<T>;
    const UNIT: &'static str = "m";
    const REST: usize = 1;
    fn constraint(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn rest_of<T: Real>(constraint: &Self::At<T>, rest: &mut [T]) {
        rest[0] = constraint.0;
    }
    fn from_rest<T: Real>(rest: &[T]) -> Cancelling<T> {
        Cancelling(rest[0])
    }
}

#[test]
fn a_formula_that_loses_digits_in_single_precision() {
    let x = [Vector3::new(10.0, 20.0, 30.0), Vector3::new(10.3, 20.1, 30.2)];
    assert!(check_precision(&Distance { rest: 0.1 }, &x, 1e-7).is_ok());
    assert!(check_precision(&Cancelling(0.1), &x, 1e-7).is_err());
}

#[test]
fn scaled_rows_that_are_no_multiple() {
    let x = [Vector3::zeros(), Vector3::x(), Vector3::y() * 2.0, Vector3::z()];
    let check = |spoil: fn(&mut ScaledRows<f64, 4, 1>)| {
        check_scaled_rows(&SpoiltRows(spoil), &x, &[1.0, 0.5, 0.0, 2.0], 1e-12)
    };
    check(|_| ()).unwrap();
    let wrong = |spoil| check(spoil).unwrap_err().property;
    assert_eq!(wrong(|rows| rows.factor = 0.0), "scaled rows: a positive factor");
    assert_eq!(wrong(|rows| rows.values[0] += 1e-9), "scaled rows: the values");
    assert_eq!(wrong(|rows| rows.gradients[0][2] *= 1.0 + 1e-9), "scaled rows: the gradients");
    assert_eq!(wrong(|rows| rows.inverse_mass[0][0] *= 1.0 - 1e-9), "scaled rows: the matrix");
}

#[test]
fn rows_that_are_no_vector() {
    /// The difference of two points, of which the last axis counts more by this factor.
    struct Skewed(f64);
    impl BlockConstraint<f64, 2, 3> for Skewed {
        const IS_VECTOR: bool = true;
        fn values(&self, x: &[Vector3<f64>; 2]) -> [f64; 3] {
            let d = x[0] - x[1];
            [d.x, d.y, d.z * self.0]
        }
        fn values_and_gradients(&self, x: &[Vector3<f64>; 2]) -> ([f64; 3], [[Vector3<f64>; 2]; 3]) {
            let axes = [Vector3::x(), Vector3::y(), Vector3::z() * self.0];
            (self.values(x), axes.map(|axis| [axis, -axis]))
        }
    }
    let check =
        |factor| check_scaled_rows(&Skewed(factor), &[Vector3::zeros(), Vector3::x()], &[1.0; 2], 1e-12);
    check(1.0).unwrap();
    assert_eq!(check(1.0 + 1e-9).unwrap_err().property, "scaled rows: the axes of one vector");
}

#[test]
#[should_panic(expected = "gradient against finite differences")]
fn a_suite_panics_with_the_numbers() {
    Suite::<4>::new()
        .gradients(|_| Spoilt(|g: &mut [Vector3<f64>; 4], _: &[Vector3<f64>; 4]| g[3] *= 1.0 + 1e-5));
}

#[test]
#[should_panic(expected = "sum of the gradients")]
fn a_suite_notices_a_fixed_frame() {
    Suite::<1>::new().translation(|rest: &[Vector3<f64>; 1]| PointTarget { target: rest[0] });
}

#[test]
fn a_block_is_checked_row_by_row() {
    struct LastRowWrong;
    impl BlockConstraint<f64, 1, 3> for LastRowWrong {
        fn values(&self, x: &[Vector3<f64>; 1]) -> [f64; 3] {
            PointTarget { target: Vector3::zeros() }.values(x)
        }
        fn values_and_gradients(&self, x: &[Vector3<f64>; 1]) -> ([f64; 3], [[Vector3<f64>; 1]; 3]) {
            let (c, mut g) = PointTarget { target: Vector3::zeros() }.values_and_gradients(x);
            g[2][0].x = 1e-3;
            (c, g)
        }
    }
    let error = check_gradient(&LastRowWrong, &[Vector3::new(1.0, 2.0, 3.0)], 1e-7).unwrap_err();
    assert_eq!((error.row, error.point), (Some(2), Some(0)));
}
