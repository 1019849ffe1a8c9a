//! Damping within constraints.

use nalgebra::Vector3;
use pliant_constraints::{
    BlockConstraint, Bound, Constraint, Damping, Dihedral, Distance, PointTarget, TetVolume, Update,
    damped_values, project, project_damped,
};
use pliant_testkit::{check_damped, point, points, positive_weights, scaled_compliance, stencil};
use proptest::prelude::*;

/// One substep of implicit Euler of m ẍ = −k x − c ẋ, written out: position and velocity after it.
fn implicit_euler(x: f64, v: f64, h: f64, rates: [f64; 2]) -> (f64, f64) {
    let [k_by_m, c_by_m] = rates;
    let v = (v - h * k_by_m * x) / (1.0 + h * h * k_by_m + h * c_by_m);
    (x + h * v, v)
}

/// One substep of points on a damped constraint, as a solver does it: `state` holds positions and velocities.
fn swing<C: BlockConstraint<f64, N, M>, const N: usize, const M: usize>(
    constraint: &C,
    state: &mut ([Vector3<f64>; N], [Vector3<f64>; N]),
    w: &[f64; N],
    (h, alpha, relaxation): (f64, f64, f64),
    iterations: u32,
) {
    let (x, v) = state;
    let previous = *x;
    for j in 0..N {
        x[j] += v[j] * h;
    }
    let mut lambda = [0.0; M];
    for _ in 0..iterations {
        let damping = Damping { previous: &previous, gamma: relaxation / h };
        let dx = project_damped(constraint, x, w, alpha / (h * h), damping, Update::xpbd(), &mut lambda);
        for j in 0..N {
            x[j] += dx[j];
        }
    }
    for j in 0..N {
        v[j] = (x[j] - previous[j]) / h;
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(200))]

    #[test]
    fn a_block_is_an_implicit_damped_spring(
        w in positive_weights::<1>(), alpha_tilde in 1e-3..1e3_f64, gamma in 0.0..100.0_f64, start in point(1.0), velocity in point(1.0),
        iterations in prop_oneof![Just(1_u32), Just(5), Just(20)],
    ) {
        let h = 1.0 / 600.0;
        let (alpha, relaxation) = (alpha_tilde * h * h, gamma * h);
        let rates = [w[0] / alpha, relaxation * w[0] / alpha];
        let mut state = ([start], [velocity]);
        let mut expected: [(f64, f64); 3] = std::array::from_fn(|a| (start[a], velocity[a]));
        let pull = PointTarget { target: Vector3::zeros() };
        let size = start.norm() + velocity.norm() * h * 600.0;
        for substep in 0..600 {
            swing(&pull, &mut state, &w, (h, alpha, relaxation), iterations);
            for (a, (x, v)) in expected.iter_mut().enumerate() {
                (*x, *v) = implicit_euler(*x, *v, h, rates);
                prop_assert!((state.0[0][a] - *x).abs() <= 1e-11 * size, "substep {substep}: {} {x}", state.0[0][a]);
            }
        }
    }

    #[test]
    fn a_distance_is_an_implicit_damped_spring(
        w in prop::array::uniform2(0.2..5.0_f64), alpha_tilde in 1e-2..1e3_f64, gamma in 0.0..100.0_f64,
        stretch in -0.5..0.5_f64, rate in -0.5..0.5_f64, iterations in prop_oneof![Just(1_u32), Just(5), Just(20)],
    ) {
        // Along its own line a dumbbell is an oscillator of its reduced mass.
        let h = 1.0 / 600.0;
        let (alpha, relaxation) = (alpha_tilde * h * h, gamma * h);
        let edge = Distance { rest: 1.0 };
        let total = w[0] + w[1];
        let rates = [total / alpha, relaxation * total / alpha];
        let axis = Vector3::new(1.0, 0.0, 0.0);
        let mut state = ([Vector3::zeros(), axis * (1.0 + stretch)], [axis * (-rate * w[0] / total), axis * (rate * w[1] / total)]);
        let (mut x, mut v) = (stretch, rate);
        for substep in 0..600 {
            swing(&edge, &mut state, &w, (h, alpha, relaxation), iterations);
            (x, v) = implicit_euler(x, v, h, rates);
            prop_assume!(x > -0.9);
            prop_assert!((edge.value(&state.0) - x).abs() <= 1e-11, "substep {substep}: {} {x}", edge.value(&state.0));
        }
    }

    #[test]
    fn the_linearised_equation_and_momentum_of_a_distance(
        x in stencil::<2>(), previous in stencil::<2>(), w in positive_weights(), alpha_tilde in scaled_compliance(),
        gamma in 0.0..1e3_f64, lambda in -1.0..1.0_f64,
    ) {
        let damping = Damping { previous: &previous, gamma };
        check_damped(&Distance { rest: 0.7 }, &x, &w, alpha_tilde, damping, [lambda], 1e-10)?;
    }

    #[test]
    fn the_linearised_equation_and_momentum_of_a_volume(
        x in stencil::<4>(), moved in points::<4>(0.1), w in positive_weights(), alpha_tilde in scaled_compliance(), gamma in 0.0..1e3_f64,
    ) {
        let size = (x[0] - x[1]).norm();
        let previous = std::array::from_fn(|j| x[j] + moved[j] * size);
        let damping = Damping { previous: &previous, gamma };
        let volume = TetVolume { rest: 0.9 * TetVolume::at_rest(&x).rest };
        check_damped(&volume, &x, &w, alpha_tilde, damping, [0.0], 1e-10)?;
    }

    #[test]
    fn the_linearised_equation_and_momentum_of_a_hinge(
        x in stencil::<4>(), moved in points::<4>(0.1), w in positive_weights(), alpha_tilde in scaled_compliance(), gamma in 0.0..1e3_f64,
    ) {
        let size = (x[0] - x[1]).norm();
        let previous = std::array::from_fn(|j| x[j] + moved[j] * size);
        let damping = Damping { previous: &previous, gamma };
        check_damped(&Dihedral { rest: 0.3 }, &x, &w, alpha_tilde, damping, [0.0], 1e-9)?;
    }

    #[test]
    fn projections_converge_to_the_damped_equation(
        x in stencil::<4>(), moved in points::<4>(0.05), w in prop::array::uniform4(0.3..3.0_f64), share in 0.8..1.2_f64,
        softness in 1e-2..1e2_f64, gamma in 0.0..10.0_f64,
    ) {
        // A nonlinear constraint, iterated: the residual goes to zero.
        let size = (x[0] - x[1]).norm();
        let previous: [Vector3<f64>; 4] = std::array::from_fn(|j| x[j] + moved[j] * size);
        let volume = TetVolume { rest: share * TetVolume::at_rest(&x).rest };
        let alpha_tilde = softness * size.powi(4);
        let damping = Damping { previous: &previous, gamma };
        let (mut y, mut lambda) = (x, [0.0]);
        let mut left = f64::NAN;
        for _ in 0..60 {
            let dx = project_damped(&volume, &y, &w, alpha_tilde, damping, Update::xpbd(), &mut lambda);
            for (y, dx) in y.iter_mut().zip(dx) {
                *y += dx;
            }
            let values = damped_values(&volume, &y, alpha_tilde, damping);
            left = Bound::Equality.residual(&values, alpha_tilde, &lambda)[0];
        }
        prop_assert!(left.abs() <= 1e-12 * (1.0 + gamma) * volume.rest, "{left:e} of {}", volume.rest);
    }

    #[test]
    fn damping_resists_the_rate_and_nothing_else(
        x in stencil::<2>(), w in positive_weights(), alpha_tilde in 1e-3..1e3_f64, gamma in 0.1..100.0_f64, v in point(0.1), spin in point(0.1),
        rate in -0.1..0.1_f64,
    ) {
        let d = x[0] - x[1];
        let edge = Distance { rest: d.norm() };
        let apart = |rate: f64| {
            // Points that came here by a translation, a slow turn and a change of distance.
            let change = |j: usize| v * d.norm() + spin.cross(&(x[j] - x[1])) + d * (if j == 0 { rate } else { 0.0 });
            let previous = std::array::from_fn(|j| x[j] - change(j));
            let damping = Damping { previous: &previous, gamma };
            project_damped(&edge, &x, &w, alpha_tilde, damping, Update::xpbd(), &mut [0.0])
        };
        let still = apart(0.0);
        prop_assert!(still[0].norm() + still[1].norm() <= 1e-12 * (1.0 + gamma) * (x[0].norm() + x[1].norm()), "a rigid motion is not damped: {still:?}");
        // At the rest length only the dashpot acts, against the rate and by no more than undoes it.
        let dx = apart(rate);
        let undone = (dx[1] - dx[0]).dot(&d.normalize()) / (rate * d.norm());
        prop_assume!(rate.abs() > 1e-3);
        let total = w[0] + w[1];
        let expected = gamma * total / ((1.0 + gamma) * total + alpha_tilde);
        prop_assert!((undone - expected).abs() < 1e-9 && (0.0..=1.0).contains(&undone), "{undone} {expected}");
    }

    #[test]
    fn without_damping_or_compliance_it_is_the_plain_projection(
        x in stencil::<4>(), previous in stencil::<4>(), w in positive_weights(), alpha_tilde in scaled_compliance(), gamma in 0.0..1e3_f64,
        lambda in -1.0..1.0_f64,
    ) {
        let volume = TetVolume { rest: 1.1 * TetVolume::at_rest(&x).rest };
        let (mut plain, mut still, mut rigid) = ([lambda], [lambda], [lambda]);
        let update = Update::xpbd();
        let dx = project(&volume, &x, &w, alpha_tilde, update, &mut plain);
        let undamped = Damping { previous: &previous, gamma: 0.0 };
        prop_assert_eq!(dx, project_damped(&volume, &x, &w, alpha_tilde, undamped, update, &mut still));
        prop_assert_eq!(plain, still);
        plain = [lambda];
        let dx = project(&volume, &x, &w, 0.0, update, &mut plain);
        let damping = Damping { previous: &previous, gamma };
        prop_assert_eq!(dx, project_damped(&volume, &x, &w, 0.0, damping, update, &mut rigid));
        prop_assert_eq!(plain, rigid);
    }

    #[test]
    fn which_gradients_vanish_does_not_depend_on_damping(x in stencil::<4>(), w in positive_weights::<4>(), gamma in 0.0..1e3_f64, up in any::<bool>()) {
        let volume = TetVolume { rest: 1.0 };
        let (_, g) = volume.value_and_gradient(&x);
        let pivot: f64 = g.iter().zip(&w).map(|(g, w)| w * g.norm_squared()).sum();
        let floor = pivot / w.iter().sum::<f64>() * if up { 1.0 + 1e-9 } else { 1.0 - 1e-9 };
        let damping = Damping { previous: &x, gamma };
        let mut lambda = [0.25];
        project_damped(&volume, &x, &w, 1.0, damping, Update::xpbd().with_gradient_floor(floor), &mut lambda);
        prop_assert_eq!(lambda == [0.25], up);
    }

    #[test]
    fn energy_is_lost_at_the_rate_of_the_damping_ratio(
        omega in 5.0..20.0_f64, ratio in 0.02..0.3_f64, w in 0.1..10.0_f64,
    ) {
        // An underdamped oscillator's amplitude falls as exp(−ζωt), ζ = τω/2; the integrator's own loss is
        // first order in h.
        let decay = |h: f64| {
            let (alpha, relaxation) = (w / (omega * omega), 2.0 * ratio / omega);
            let mut state = ([Vector3::x()], [Vector3::zeros()]);
            let steps = (1.0 / h).round() as usize;
            let pull = PointTarget { target: Vector3::zeros() };
            for _ in 0..steps {
                swing(&pull, &mut state, &[w], (h, alpha, relaxation), 1);
            }
            // The conserved envelope of the damped oscillator: x² + ((v + ζωx)/ω_d)².
            let (x, v) = (state.0[0].x, state.1[0].x);
            let damped = omega * (1.0 - ratio * ratio).sqrt();
            (x * x + ((v + ratio * omega * x) / damped).powi(2)).sqrt().ln()
        };
        let start = (1.0 + ratio * ratio / (1.0 - ratio * ratio)).sqrt().ln();
        let expected = start - ratio * omega;
        let (coarse, fine) = (decay(1e-3) - expected, decay(5e-4) - expected);
        let extrapolated = 2.0 * fine - coarse;
        prop_assert!(extrapolated.abs() < 0.02 * (1.0 + ratio * omega), "{coarse} {fine} against {expected}");
    }
}
