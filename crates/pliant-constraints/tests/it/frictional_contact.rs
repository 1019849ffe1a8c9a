//! [`FrictionalContact`].

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint as _, Bound, FrictionalContact, Kind, Update, project};
use pliant_testkit::{Suite, check_precision, points, positive_weights, stencil};
use proptest::prelude::*;

/// Weights of a vertex over a triangle, or of two edges, by two numbers in [0, 1].
fn weights(edges: bool, s: f64, t: f64) -> [f64; 4] {
    if edges { [1.0 - s, s, t - 1.0, -t] } else { [1.0, -(1.0 - s), -s * (1.0 - t), -s * t] }
}

fn between(x: &[Vector3<f64>; 4], weights: [f64; 4]) -> Vector3<f64> {
    x.iter().zip(weights).map(|(x, b)| x * b).sum()
}

/// The contact that keeps a vertex and a triangle where they are at rest.
fn at_rest(x: &[Vector3<f64>; 4]) -> FrictionalContact<f64> {
    let weights = weights(false, 0.6, 0.4);
    let between = between(x, weights);
    let (normal, distance) = (between.normalize(), between.norm());
    FrictionalContact { normal, weights, distance, friction: [0.4, 0.3], slip: Vector3::zeros() }
}

/// The same that has slid before.
fn that_has_slid(x: &[Vector3<f64>; 4]) -> FrictionalContact<f64> {
    let contact = at_rest(x);
    FrictionalContact { slip: across(&contact.normal, &Vector3::new(0.02, -0.03, 0.01)), ..contact }
}

/// The part of a vector across a unit vector.
fn across(normal: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    v - normal * normal.dot(v)
}

fn vector(v: [f64; 3]) -> Vector3<f64> {
    v.into()
}

#[test]
fn gradients_and_what_nobody_notices() {
    let suite = Suite::<4>::new();
    for rest in [at_rest, that_has_slid] {
        suite.gradients(rest);
        suite.scaled_rows(rest);
        suite.translation(rest);
        suite.finite(rest);
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(400))]

    #[test]
    fn a_projection_solves_within_the_cone(
        x in points::<4>(1.0), towards in points::<4>(1.0), w in positive_weights::<4>(),
        s in 0.0..1.0_f64, t in 0.0..1.0_f64, edges: bool, distance in 0.0..0.5_f64,
        mu in 0.0..1.5_f64, share in 0.0..1.0_f64, turns in 1..4_usize,
    ) {
        prop_assume!(towards[0].norm() > 0.01);
        let normal = towards[0].normalize();
        let (weights, slip) = (weights(edges, s, t), across(&normal, &(0.2 * towards[1])));
        let contact = FrictionalContact { normal, weights, distance, friction: [mu, mu * share], slip };
        let (mut lambda, mut now) = ([0.0; 3], x);
        let mut impulse = Vector3::zeros();
        for _ in 0..turns {
            let dx = project(&contact, &now, &w, 0.0, Update::xpbd(), &mut lambda);
            impulse += dx.iter().zip(&w).map(|(d, w)| d / *w).sum::<Vector3<f64>>();
            now = std::array::from_fn(|j| now[j] + dx[j]);
        }
        prop_assert!(impulse.norm() < 1e-12);
        let lambda = vector(lambda);
        let pressure = normal.dot(&lambda);
        let rubbing = (lambda - normal * pressure).norm();
        prop_assert!(pressure >= -1e-14 && rubbing <= mu * pressure + 1e-12, "{rubbing} of {pressure}");
        let left = vector(contact.values(&now));
        let gap = normal.dot(&left);
        let slip = left - normal * gap;
        let before = normal.dot(&vector(contact.values(&x)));
        if before >= 0.0 {
            prop_assert!(now == x && lambda.norm() == 0.0, "it pulls");
        } else {
            prop_assert!(gap.abs() < 1e-12, "{before} to {gap}");
            // It sticks, or slides with the friction of what slides.
            let slides = (rubbing - mu * share * pressure).abs() < 1e-9 * (1.0 + pressure);
            prop_assert!(slip.norm() < 1e-12 || slides, "slips by {slip}, rubs {rubbing} of {pressure}");
        }
        prop_assert!(contact.residuals(&left.into(), 0.0, &lambda.into()).iter().all(|r| r.abs() < 1e-12));
    }

    #[test]
    fn friction_acts_against_the_slip(
        pressure in 0.001..1.0_f64, slip in points::<1>(1.0), mu in 0.01..1.0_f64,
    ) {
        // A vertex over a triangle that does not move, pressed in by `pressure`.
        let contact = FrictionalContact {
            normal: Vector3::y(), weights: [1.0, -0.5, -0.25, -0.25], distance: 0.0, friction: [mu, mu],
            slip: Vector3::zeros(),
        };
        let slip = Vector3::new(slip[0].x, 0.0, slip[0].z);
        let corners = [Vector3::new(-1.0, 0.0, -1.0), Vector3::new(1.0, 0.0, 1.0), Vector3::new(1.0, 0.0, 1.0)];
        let x = [slip - Vector3::y() * pressure, corners[0], corners[1], corners[2]];
        let dx = project(&contact, &x, &[1.0, 0.0, 0.0, 0.0], 0.0, Update::xpbd(), &mut [0.0; 3]);
        let given = dx[0] - Vector3::y() * pressure;
        let most = mu * pressure;
        let expected = if slip.norm() <= most { -slip } else { -slip.normalize() * most };
        prop_assert!((given - expected).norm() < 1e-12, "{given} for {expected}");
    }

    #[test]
    fn there_is_no_moment_where_the_normal_runs_through_both_points(
        x in stencil::<4>(), w in positive_weights::<4>(), s in 0.0..1.0_f64, t in 0.0..1.0_f64, edges: bool,
    ) {
        let weights = weights(edges, s, t);
        let between = between(&x, weights);
        prop_assume!(between.norm() > 0.01);
        let (normal, distance) = (between.normalize(), 2.0 * between.norm());
        let contact = FrictionalContact { normal, weights, distance, friction: [0.5, 0.5], slip: Vector3::zeros() };
        let dx = project(&contact, &x, &w, 0.0, Update::xpbd(), &mut [0.0; 3]);
        let moment: Vector3<f64> = x.iter().zip(&dx).zip(&w).map(|((x, d), w)| x.cross(&(d / *w))).sum();
        prop_assert!(moment.norm() < 1e-11, "{moment}");
    }

    #[test]
    fn padding_has_the_energy_of_a_spring_that_pushes(x in points::<4>(1.0), depth in -0.5..0.5_f64, compliance in 1e-3..1.0_f64) {
        let contact = at_rest(&x);
        prop_assume!(contact.distance > 0.01);
        let pressed = FrictionalContact { distance: contact.distance + depth, ..contact };
        let expected = if depth > 0.0 { 0.5 * depth * depth / compliance } else { 0.0 };
        let energy = pliant_constraints::potential_energy(&pressed, &x, compliance);
        prop_assert!((energy - expected).abs() < 1e-9 * (1.0 + expected), "{energy} {expected}");
        pliant_testkit::check_potential(&FrictionalContact { distance: contact.distance + 0.1 + depth.abs(), ..contact }, &x, compliance, 1e-4)?;
    }

    #[test]
    fn what_is_left_to_undo_is_the_slip_within_bounds(
        rest in stencil::<4>(), moved in points::<1>(0.1), depth in -0.05..0.1_f64, most in 0.001..0.1_f64,
    ) {
        let contact = that_has_slid(&rest);
        let mut x = rest;
        // The vertex of a vertex and a triangle, whose weight is 1.
        x[0] += across(&contact.normal, &moved[0]) - contact.normal * depth;
        let left = contact.slip_left(&x, &contact.normal, most);
        let slid = contact.slip + across(&contact.normal, &moved[0]);
        let most_of_all = most + contact.friction[0] * depth.max(0.0);
        if -depth > most_of_all {
            prop_assert!(left == Vector3::zeros(), "it was lifted, and remembers {left}");
        } else {
            let expected = slid * (most_of_all / slid.norm()).min(1.0);
            prop_assert!((left - expected).norm() < 1e-12, "{left} of {slid}");
        }
        // Along another normal it is across that one.
        let other = Vector3::new(0.6, 0.0, 0.8);
        prop_assert!(other.dot(&contact.slip_left(&x, &other, most)).abs() < 1e-15);
    }

    #[test]
    fn nothing_is_left_where_a_contact_sticks(rest in stencil::<4>(), moved in points::<1>(0.01), w in positive_weights::<4>()) {
        let contact = FrictionalContact { friction: [10.0; 2], ..that_has_slid(&rest) };
        let mut x = rest;
        x[0] += across(&contact.normal, &moved[0]) - contact.normal * 0.1;
        let dx = project(&contact, &x, &w, 0.0, Update::xpbd(), &mut [0.0; 3]);
        let x = std::array::from_fn(|j| x[j] + dx[j]);
        prop_assert!(contact.slip_left(&x, &contact.normal, 0.1).norm() < 1e-12);
    }

    #[test]
    fn single_precision_agrees(x in stencil::<4>(), rest in stencil::<4>()) {
        check_precision(&that_has_slid(&rest), &x, 2e-4)?;
    }
}

#[test]
fn the_kind_says_that_its_multipliers_are_in_a_cone() {
    assert_eq!(<FrictionalContact<f64> as Kind<4, 3>>::BOUND, Bound::Cone);
    let contact = FrictionalContact {
        normal: Vector3::new(0.6, 0.0, 0.8),
        weights: [0.25, 0.75, -0.5, -0.5],
        distance: 0.003,
        friction: [0.4, 0.3],
        slip: Vector3::new(1e-5, 2e-5, 3e-5),
    };
    let mut rest = [0.0; 13];
    contact.write_rest(&mut rest);
    assert_eq!(<FrictionalContact<f64> as Kind<4, 3>>::from_rest(&rest), contact);
}
