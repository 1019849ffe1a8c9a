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
    FrictionalContact { normal: between.normalize(), weights, distance: between.norm(), friction: [0.4, 0.3] }
}

fn vector(v: [f64; 3]) -> Vector3<f64> {
    v.into()
}

#[test]
fn gradients_and_what_nobody_notices() {
    let suite = Suite::<4>::new();
    suite.gradients(at_rest);
    suite.scaled_rows(at_rest);
    suite.translation(at_rest);
    suite.finite(at_rest);
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
        let contact = FrictionalContact { normal, weights: weights(edges, s, t), distance, friction: [mu, mu * share] };
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
        let contact = FrictionalContact { normal, weights, distance, friction: [0.5, 0.5] };
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
    fn single_precision_agrees(x in stencil::<4>(), rest in stencil::<4>()) {
        check_precision(&at_rest(&rest), &x, 2e-4)?;
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
    };
    let mut rest = [0.0; 10];
    contact.write_rest(&mut rest);
    assert_eq!(<FrictionalContact<f64> as Kind<4, 3>>::from_rest(&rest), contact);
}
