//! [`ShapeGroup`].

use nalgebra::{Matrix3, Rotation3, Vector3};
use pliant_constraints::{PointSlices, ShapeDamping, ShapeError, ShapeGroup, Update};
use pliant_testkit::{point, rigid_motion, scaled_compliance};
use proptest::prelude::*;

/// Rest positions, masses and a number in [−1, 1]³ for each vertex.
type Case = (Vec<Vector3<f64>>, Vec<f64>, Vec<Vector3<f64>>);

/// Three to twelve vertices of a body a metre wide.
fn case() -> impl Strategy<Value = Case> {
    (3..12_usize).prop_flat_map(|n| {
        let masses = prop::collection::vec(0.1..10.0_f64, n);
        (prop::collection::vec(point(1.0), n), masses, prop::collection::vec(point(1.0), n))
    })
}

fn group(rest: &[Vector3<f64>], masses: &[f64]) -> ShapeGroup {
    ShapeGroup::new((0..rest.len() as u32).collect(), rest, masses.to_vec()).unwrap()
}

fn inverse(masses: &[f64]) -> Vec<f64> {
    masses.iter().map(|m| 1.0 / m).collect()
}

fn zeros(n: usize) -> Vec<Vector3<f64>> {
    vec![Vector3::zeros(); n]
}

/// Projects once and moves the points; returns what they moved by.
fn project(
    group: &ShapeGroup,
    x: &mut [Vector3<f64>],
    w: &[f64],
    alpha_tilde: f64,
    update: Update<f64>,
    moved: &mut [Vector3<f64>],
) -> Vec<Vector3<f64>> {
    let mut dx = zeros(x.len());
    group.step(&PointSlices { x, w }, alpha_tilde, None, update, moved, &mut dx);
    for (&v, dx) in group.vertices().iter().zip(&dx) {
        x[v as usize] += dx;
    }
    dx
}

/// Σ m dx and Σ (x − centre) × m dx, and the sizes of their terms.
fn momentum(x: &[Vector3<f64>], dx: &[Vector3<f64>], masses: &[f64]) -> (Vector3<f64>, Vector3<f64>, f64) {
    let centre: Vector3<f64> = x.iter().sum::<Vector3<f64>>() / x.len() as f64;
    let (mut linear, mut angular, mut size) = (Vector3::zeros(), Vector3::zeros(), 0.0);
    for ((x, dx), m) in x.iter().zip(dx).zip(masses) {
        linear += dx * *m;
        angular += (x - centre).cross(dx) * *m;
        size += dx.norm() * m * (1.0 + (x - centre).norm());
    }
    (linear, angular, size)
}

proptest! {
    #![proptest_config(pliant_testkit::config(300))]

    #[test]
    fn a_moved_body_stays(case in case(), motion in rigid_motion(5.0), alpha_tilde in scaled_compliance()) {
        let (rest, masses, _) = case;
        let mut x: Vec<_> = rest.iter().map(|x| motion.apply(x)).collect();
        let w = inverse(&masses);
        let dx = project(&group(&rest, &masses), &mut x, &w, alpha_tilde, Update::xpbd(), &mut zeros(rest.len()));
        prop_assert!(dx.iter().all(|dx| dx.norm() < 1e-13), "{dx:?}");
    }

    #[test]
    fn a_rigid_group_takes_its_shape(case in case(), motion in rigid_motion(5.0)) {
        let (rest, masses, noise) = case;
        let mut x: Vec<_> = rest.iter().zip(&noise).map(|(x, n)| motion.apply(&(x + n * 0.5))).collect();
        let (w, n) = (inverse(&masses), rest.len());
        let group = group(&rest, &masses);
        project(&group, &mut x, &w, 0.0, Update::xpbd(), &mut zeros(n));
        for a in 0..n {
            for b in 0..a {
                prop_assert!(((x[a] - x[b]).norm() - (rest[a] - rest[b]).norm()).abs() < 1e-13);
            }
        }
        // Not mirrored either.
        let volume = |x: &[Vector3<f64>]| if n > 3 { (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) } else { 0.0 };
        prop_assert!((volume(&x) - volume(&rest)).abs() < 1e-12);
        // A second projection finds nothing to do.
        let again = project(&group, &mut x, &w, 0.0, Update::xpbd(), &mut zeros(n));
        prop_assert!(again.iter().all(|dx| dx.norm() < 1e-12));
    }

    #[test]
    fn momentum_is_kept(
        case in case(), motion in rigid_motion(5.0), alpha_tilde in scaled_compliance(), pushes in prop::collection::vec(point(0.5), 1..5), stiffness in 0.0..1.0_f64,
    ) {
        let (rest, masses, noise) = case;
        let (w, n) = (inverse(&masses), rest.len());
        let group = group(&rest, &masses);
        for update in [Update::xpbd(), Update::without_multiplier(), Update::pbd(stiffness)] {
            let mut x: Vec<_> = rest.iter().zip(&noise).map(|(x, n)| motion.apply(&(x + n))).collect();
            let mut moved = zeros(n);
            let alpha_tilde = if update.scale < 1.0 { 0.0 } else { alpha_tilde };
            for (k, push) in pushes.iter().enumerate() {
                // Other constraints move single vertices between the projections.
                x[k % n] += push;
                let before = x.clone();
                let dx = project(&group, &mut x, &w, alpha_tilde, update, &mut moved);
                let (linear, angular, size) = momentum(&before, &dx, &masses);
                prop_assert!(linear.norm() <= 1e-13 * (size + 1.0), "linear {linear:?} of {size}");
                prop_assert!(angular.norm() <= 1e-12 * (size + 1.0), "angular {angular:?} of {size} in projection {k}");
            }
        }
    }

    #[test]
    fn momentum_is_kept_with_damping(
        case in case(), motion in rigid_motion(1.0), alpha_tilde in 1e-3..1e3_f64, gamma in 0.0..50.0_f64, kick in point(0.5), earlier in point(0.5),
    ) {
        let (rest, masses, noise) = case;
        let (w, n) = (inverse(&masses), rest.len());
        let group = group(&rest, &masses);
        let old: Vec<_> = rest.iter().zip(&noise).map(|(x, n)| motion.apply(&(x + n * 0.3))).collect();
        let mut previous = zeros(n);
        group.deviations(&PointSlices { x: &old, w: &w }, &mut previous);
        let x: Vec<_> = old.iter().zip(&noise).map(|(x, n)| x + kick.component_mul(n)).collect();
        let mut moved: Vec<_> = noise.iter().map(|n| n.component_mul(&earlier)).collect();
        let mean = moved.iter().zip(&masses).map(|(u, m)| u * *m).sum::<Vector3<f64>>() / group.mass();
        moved.iter_mut().for_each(|u| *u -= mean);
        let mut dx = zeros(n);
        let damping = ShapeDamping { previous: &previous, gamma };
        group.step(&PointSlices { x: &x, w: &w }, alpha_tilde, Some(damping), Update::xpbd(), &mut moved, &mut dx);
        let (linear, angular, size) = momentum(&x, &dx, &masses);
        prop_assert!(linear.norm() <= 1e-12 * (size + 1.0), "linear {linear:?} of {size}");
        prop_assert!(angular.norm() <= 1e-12 * (size + 1.0), "angular {angular:?} of {size}");
    }

    #[test]
    fn rigid_motion_is_not_damped_and_change_of_shape_is(
        case in case(), there in rigid_motion(1.0), alpha_tilde in 1e-3..1e3_f64, gamma in 0.1..50.0_f64, stretch in 0.01..0.5_f64,
    ) {
        let (rest, masses, _) = case;
        let (w, n) = (inverse(&masses), rest.len());
        let group = group(&rest, &masses);
        let mut previous = zeros(n);
        group.deviations(&PointSlices { x: &rest, w: &w }, &mut previous);
        let damping = ShapeDamping { previous: &previous, gamma };
        let step = |x: &[Vector3<f64>], damping| {
            let mut dx = zeros(n);
            group.step(&PointSlices { x, w: &w }, alpha_tilde, damping, Update::xpbd(), &mut zeros(n), &mut dx);
            dx
        };
        let turned: Vec<_> = rest.iter().map(|x| there.apply(x)).collect();
        prop_assert!(step(&turned, Some(damping)).iter().all(|dx| dx.norm() < 1e-12));
        // Stretched since the start of the substep: the dashpot resists too, as implicit Euler has it.
        let stretched: Vec<_> = rest.iter().map(|x| x * (1.0 + stretch)).collect();
        let softness = alpha_tilde * group.mass();
        let (bare, damped) = (step(&stretched, None), step(&stretched, Some(damping)));
        for (bare, damped) in bare.iter().zip(&damped) {
            let whole = bare * (1.0 + softness);
            let expected = whole * ((1.0 + gamma) / (1.0 + gamma + softness));
            prop_assert!((damped - expected).norm() < 1e-12);
        }
    }

    #[test]
    fn the_answer_does_not_depend_on_the_iterations(case in case(), motion in rigid_motion(5.0), alpha_tilde in scaled_compliance(), iterations in 2..6) {
        let (rest, masses, noise) = case;
        let (w, n) = (inverse(&masses), rest.len());
        let group = group(&rest, &masses);
        let start: Vec<_> = rest.iter().zip(&noise).map(|(x, n)| motion.apply(&(x + n * 0.3))).collect();
        let (mut once, mut often, mut moved) = (start.clone(), start.clone(), zeros(n));
        project(&group, &mut once, &w, alpha_tilde, Update::xpbd(), &mut zeros(n));
        for _ in 0..iterations {
            project(&group, &mut often, &w, alpha_tilde, Update::xpbd(), &mut moved);
        }
        for (a, b) in once.iter().zip(&often) {
            prop_assert!((a - b).norm() < 1e-12, "{a:?} {b:?}");
        }
        let points = PointSlices { x: &often, w: &w };
        prop_assert!(group.residual(&points, alpha_tilde, &moved).0 < 1e-12 * (1.0 + alpha_tilde * group.mass()));
        // The share of the way is that of springs of stiffness 1/α with the group's mass.
        let share = 1.0 / (1.0 + alpha_tilde * group.mass());
        let pose = group.fit(&PointSlices { x: &start, w: &w });
        let centre = rest.iter().zip(&masses).map(|(x, m)| x * *m).sum::<Vector3<f64>>() / group.mass();
        for ((x, start), rest) in once.iter().zip(&start).zip(&rest) {
            let goal = pose.goal(&(rest - centre));
            prop_assert!((x - (start + (goal - start) * share)).norm() < 1e-12);
        }
    }

    #[test]
    fn the_force_is_the_gradient_of_the_energy(case in case(), motion in rigid_motion(2.0), alpha in 1e-3..1e1_f64, pick in any::<prop::sample::Index>()) {
        let (rest, masses, noise) = case;
        let (w, n) = (inverse(&masses), rest.len());
        let group = group(&rest, &masses);
        let x: Vec<_> = rest.iter().zip(&noise).map(|(x, n)| motion.apply(&(x + n * 0.1))).collect();
        // Where the fit has no second best nearby: three vertices may lie nearly in line.
        prop_assume!(n >= 4);
        let pose = group.fit(&PointSlices { x: &x, w: &w });
        let centre = rest.iter().zip(&masses).map(|(x, m)| x * *m).sum::<Vector3<f64>>() / group.mass();
        let j = pick.index(n);
        let force = (x[j] - pose.goal(&(rest[j] - centre))) * (masses[j] / group.mass() / alpha);
        for axis in 0..3 {
            let along = |t: f64| {
                let mut moved = x.clone();
                moved[j][axis] = t;
                group.energy(&PointSlices { x: &moved, w: &w }, alpha)
            };
            let slope = pliant_testkit::derivative(along, x[j][axis], 1e-2);
            prop_assert!((slope.value - force[axis]).abs() <= 1e-7 / alpha + 4.0 * slope.error, "{} {}", slope.value, force[axis]);
        }
    }

    #[test]
    fn the_shape_is_laid_on_fixed_vertices(case in case(), motion in rigid_motion(5.0), turn in point(1.0)) {
        let (rest, masses, noise) = case;
        let (mut w, n) = (inverse(&masses), rest.len());
        w[0] = 0.0;
        let group = group(&rest, &masses);
        let start: Vec<_> = rest.iter().zip(&noise).map(|(x, n)| motion.apply(&(x + n * 0.3))).collect();
        let mut x = start.clone();
        let dx = project(&group, &mut x, &w, 0.0, Update::xpbd(), &mut zeros(n));
        prop_assert_eq!(dx[0], Vector3::zeros());
        // About the one pin angular momentum is kept.
        let torque: Vector3<f64> = (1..n).map(|j| (start[j] - start[0]).cross(&dx[j]) * masses[j]).sum();
        prop_assert!(torque.norm() < 1e-4 * masses.iter().sum::<f64>());
        for a in 0..n {
            prop_assert!(((x[a] - x[0]).norm() - (rest[a] - rest[0]).norm()).abs() < 1e-5, "vertex {a}");
        }
        // With three pins that were moved as a whole the rest follows.
        if n > 3 {
            let area = (rest[1] - rest[0]).cross(&(rest[2] - rest[0])).norm();
            prop_assume!(area > 0.1);
            let there = Rotation3::new(turn);
            w[..3].fill(0.0);
            let mut x = rest.clone();
            for x in &mut x[..3] {
                *x = there * *x;
            }
            project(&group, &mut x, &w, 0.0, Update::xpbd(), &mut zeros(n));
            for (x, rest) in x.iter().zip(&rest) {
                prop_assert!((x - there * rest).norm() < 1e-3, "{x:?}");
            }
        }
    }

    #[test]
    fn collapsed_and_mirrored_groups_are_finite(
        case in case(), flat in 0..6_u8, motion in rigid_motion(2.0), alpha_tilde in scaled_compliance(), which in any::<bool>(),
    ) {
        let (rest, masses, noise) = case;
        let n = rest.len();
        let squash = |p: &Vector3<f64>| match flat {
            0 => Vector3::zeros(),
            1 => Vector3::new(p.x, 0.0, 0.0),
            2 => Vector3::new(p.x, p.y, 0.0),
            3 => Vector3::new(p.x, p.y, -p.z),
            4 => -p,
            _ => Vector3::new(p.x, 1e-9 * p.y, 1e-13 * p.z),
        };
        let shape = |p: &Vector3<f64>| motion.apply(&squash(p));
        // Either the body or its rest shape has collapsed.
        let (rest, x): (Vec<_>, Vec<_>) = if which {
            (rest.clone(), rest.iter().map(shape).collect())
        } else {
            (rest.iter().map(shape).collect(), noise)
        };
        let w = inverse(&masses);
        let group = group(&rest, &masses);
        let mut y = x.clone();
        let dx = project(&group, &mut y, &w, alpha_tilde, Update::xpbd(), &mut zeros(n));
        prop_assert!(dx.iter().all(|dx| dx.iter().all(|c| c.is_finite())), "{dx:?}");
        let (linear, angular, size) = momentum(&x, &dx, &masses);
        prop_assert!(linear.norm() <= 1e-12 * (1.0 + size) && angular.norm() <= 1e-10 * (1.0 + size), "{angular:?}");
        let pose = group.fit(&PointSlices { x: &x, w: &w });
        prop_assert!((pose.rotation.determinant() - 1.0).abs() < 1e-13);
        if alpha_tilde == 0.0 {
            for a in 0..n {
                prop_assert!(((y[a] - y[0]).norm() - (rest[a] - rest[0]).norm()).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn it_turns_with_the_body(case in case(), turn in rigid_motion(3.0), alpha_tilde in scaled_compliance()) {
        let (rest, masses, noise) = case;
        let (w, n) = (inverse(&masses), rest.len());
        let group = group(&rest, &masses);
        let mut x: Vec<_> = rest.iter().zip(&noise).map(|(x, n)| x + n * 0.1).collect();
        let mut turned: Vec<_> = x.iter().map(|x| turn.apply(x)).collect();
        let area = (rest[1] - rest[0]).cross(&(rest[2] - rest[0])).norm();
        prop_assume!(area > 0.3);
        let dx = project(&group, &mut x, &w, alpha_tilde, Update::xpbd(), &mut zeros(n));
        let there = project(&group, &mut turned, &w, alpha_tilde, Update::xpbd(), &mut zeros(n));
        for (a, b) in dx.iter().zip(&there) {
            prop_assert!((turn.rotation * a - b).norm() < 1e-11, "{a:?} {b:?}");
        }
    }

    #[test]
    fn it_is_one_step_of_implicit_euler(
        alpha in 1e-4..1e-1_f64, relaxation in 0.0..0.1_f64, h in 1e-3..2e-2_f64, masses in prop::array::uniform4(0.1..10.0_f64), breath in 0.01..0.3_f64, damped in any::<bool>(),
    ) {
        // A body that breathes about its centre is an oscillator: m ẍ = −(m/(Mα)) (x − x̄) for every vertex.
        let rest = [Vector3::x(), Vector3::y(), Vector3::z(), Vector3::new(-1.0, -1.0, -1.0)];
        let group = group(&rest, &masses);
        let w = inverse(&masses);
        let centre = rest.iter().zip(&masses).map(|(x, m)| x * *m).sum::<Vector3<f64>>() / group.mass();
        let mut x: Vec<_> = rest.iter().map(|x| centre + (x - centre) * (1.0 + breath)).collect();
        let (mut v, mut stretch, mut rate) = (zeros(4), breath, 0.0);
        let k = 1.0 / (alpha * group.mass());
        let c = if damped { relaxation * k } else { 0.0 };
        for _ in 0..100 {
            let before = x.clone();
            let mut previous = zeros(4);
            group.deviations(&PointSlices { x: &x, w: &w }, &mut previous);
            for (x, v) in x.iter_mut().zip(&v) {
                *x += v * h;
            }
            let mut dx = zeros(4);
            let damping = damped.then_some(ShapeDamping { previous: &previous, gamma: relaxation / h });
            group.step(&PointSlices { x: &x, w: &w }, alpha / (h * h), damping, Update::xpbd(), &mut zeros(4), &mut dx);
            for j in 0..4 {
                x[j] += dx[j];
                v[j] = (x[j] - before[j]) / h;
            }
            rate = (rate - h * k * stretch) / (1.0 + h * h * k + h * c);
            stretch += h * rate;
            let found = (x[0] - centre).dot(&(rest[0] - centre)) / (rest[0] - centre).norm_squared() - 1.0;
            prop_assert!((found - stretch).abs() < 1e-11, "{found} {stretch}");
        }
    }
}

#[test]
fn single_precision_positions_are_widened() {
    let rest = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    let group = group(&rest, &[1.0; 4]);
    let x: Vec<Vector3<f32>> = rest.iter().map(|x| x.map(|c| 1.5 * c as f32 + 0.1)).collect();
    let wide: Vec<Vector3<f64>> = x.iter().map(|x| x.map(f64::from)).collect();
    let (mut a, mut b) = (zeros(4), zeros(4));
    group.step(&PointSlices { x: &x, w: &[1.0_f32; 4] }, 0.5, None, Update::xpbd(), &mut zeros(4), &mut a);
    group.step(&PointSlices { x: &wide, w: &[1.0; 4] }, 0.5, None, Update::xpbd(), &mut zeros(4), &mut b);
    assert_eq!(a, b);
}

#[test]
fn what_is_no_group_is_refused() {
    let rest = [Vector3::zeros(), Vector3::x()];
    assert!(matches!(ShapeGroup::new(vec![], &[], vec![]), Err(ShapeError::Counts { .. })));
    assert!(matches!(ShapeGroup::new(vec![0], &rest, vec![1.0]), Err(ShapeError::Counts { .. })));
    assert_eq!(ShapeGroup::new(vec![3, 3], &rest, vec![1.0; 2]), Err(ShapeError::Repeated { vertex: 3 }));
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = ShapeGroup::new(vec![0, 1], &rest, vec![1.0, mass]).unwrap_err();
        assert!(error.to_string().contains("mass 1"), "{error}");
    }
    let far = [Vector3::zeros(), Vector3::repeat(f64::NAN)];
    assert_eq!(ShapeGroup::new(vec![0, 1], &far, vec![1.0; 2]), Err(ShapeError::Rest { at: 1 }));
    // One vertex is a group, with nothing to hold.
    let alone = ShapeGroup::new(vec![0], &rest[..1], vec![1.0]).unwrap();
    let mut dx = zeros(1);
    alone.step(
        &PointSlices { x: &[Vector3::y()], w: &[1.0] },
        0.0,
        None,
        Update::xpbd(),
        &mut zeros(1),
        &mut dx,
    );
    assert_eq!(dx, zeros(1));
    let points = PointSlices { x: &[Vector3::y()], w: &[1.0] };
    assert_eq!(alone.fit(&points).rotation, Matrix3::identity());
}
