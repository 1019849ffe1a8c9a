//! Jiggle: the published numbers, stillness, frame rates, bounds.

use nalgebra::Vector3;
use pliant_deform::{BindError, DeformError, Deformer, FrameTime, Jiggle, JiggleSettings, Response, Spring};
use proptest::prelude::*;

fn jiggle(response: Response) -> Jiggle {
    Jiggle::new(1, JiggleSettings { response, max_stretch: None }).unwrap()
}

fn step(jiggle: &mut Jiggle, dt: f64, target: Vector3<f64>) -> Vector3<f64> {
    let mut x = [target];
    jiggle.deform(&FrameTime { time: 0.0, dt }, &mut x).unwrap();
    x[0]
}

#[test]
fn the_published_form_has_the_published_response() {
    let mut published = jiggle(Response::published());
    step(&mut published, 0.0, Vector3::zeros());
    for expected in [0.625, 1.234_375, 1.453_516, 1.301_553, 1.021_905, 0.840_425] {
        let x = step(&mut published, 1.0 / 24.0, Vector3::x());
        assert!((x.x - expected).abs() < 5e-7, "{} {expected}", x.x);
    }
}

/// The published recurrence obeys x₍n+2₎ = 2√D cos(ω_d h) x₍n+1₎ − D x₍n₎ about its target; so does the
/// default spring at its rate.
#[test]
fn the_default_spring_swings_and_decays_as_published() {
    for spring in [Spring::default(), Spring::like_published(0.6, 25.0, 1.0 / 24.0).unwrap()] {
        let mut exact = jiggle(Response::Spring(spring));
        step(&mut exact, 0.0, Vector3::zeros());
        // The jump takes a moment only, and the target stays from then on.
        step(&mut exact, 1e-9, Vector3::x());
        let away: Vec<f64> = (0..12).map(|_| step(&mut exact, 1.0 / 24.0, Vector3::x()).x - 1.0).collect();
        for w in away.windows(3) {
            assert!((w[2] - (0.975 * w[1] - 0.6 * w[0])).abs() < 3e-4, "{w:?}");
        }
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(64))]

    #[test]
    fn a_still_input_is_still_to_the_last_bit(
        x in pliant_testkit::point(5.0), steps in prop::collection::vec(0.0..10.0_f64, 1..20), damping in 0.0..3.0_f64, published in any::<bool>(),
    ) {
        let response = if published { Response::published() } else { Response::Spring(Spring { damping, ..Spring::default() }) };
        let mut jiggle = jiggle(response);
        for dt in steps {
            prop_assert_eq!(step(&mut jiggle, dt, x), x);
        }
    }

    #[test]
    fn no_vertex_is_farther_than_the_limit(
        path in prop::collection::vec((pliant_testkit::point(3.0), 0.0..0.5_f64), 1..30), limit in 0.0..0.5_f64,
    ) {
        let settings = JiggleSettings { max_stretch: Some(limit), ..JiggleSettings::default() };
        let mut jiggle = Jiggle::new(1, settings).unwrap();
        for (target, dt) in path {
            let x = step(&mut jiggle, dt, target);
            prop_assert!((x - target).norm() <= limit * (1.0 + 1e-12) + 1e-14);
        }
    }

    #[test]
    fn it_stays_bounded_for_every_time_step(
        path in prop::collection::vec((pliant_testkit::point(1.0), -9.0..9.0_f64), 1..40), frequency in 0.1..500.0_f64, damping in 0.0..4.0_f64,
    ) {
        let mut jiggle = jiggle(Response::Spring(Spring { frequency, damping }));
        // An undamped swing may add up with every jump, but not grow by itself.
        let bound = 20.0 * (1.0 + path.len() as f64) * (1.0 + damping);
        for (target, exponent) in path {
            let x = step(&mut jiggle, 10.0_f64.powf(exponent), target);
            prop_assert!(x.norm() < bound, "{x}");
        }
    }

    /// Straight lines between samples are followed exactly, so finer sampling changes nothing at all.
    #[test]
    fn a_path_of_straight_lines_is_the_same_at_every_rate(
        corners in prop::collection::vec(pliant_testkit::point(1.0), 2..8), parts in 2_u32..9,
    ) {
        let (mut coarse, mut fine) = (jiggle(Response::default()), jiggle(Response::default()));
        step(&mut coarse, 0.0, corners[0]);
        step(&mut fine, 0.0, corners[0]);
        let dt = 1.0 / 24.0;
        for pair in corners.windows(2) {
            let a = step(&mut coarse, dt, pair[1]);
            let mut b = a;
            for i in 1..=parts {
                let s = f64::from(i) / f64::from(parts);
                b = step(&mut fine, dt / f64::from(parts), pair[0] * (1.0 - s) + pair[1] * s);
            }
            prop_assert!((a - b).norm() < 1e-11, "{a} {b}");
        }
    }
}

#[test]
fn the_same_motion_at_three_frame_rates_is_the_same_jiggle() {
    // A walk: one swing per second, with a nod at twice that.
    let walk = |t: f64| {
        let a = std::f64::consts::TAU * t;
        Vector3::new(a.sin(), 0.2 * (2.0 * a).cos(), 1.4 * t)
    };
    // At the twelfths of a second.
    let places = |rate: u32| -> Vec<Vector3<f64>> {
        let mut jiggle = jiggle(Response::default());
        let dt = 1.0 / f64::from(rate);
        let mut places = Vec::new();
        for frame in 0..=4 * rate {
            let target = walk(f64::from(frame) * dt);
            let x = step(&mut jiggle, if frame == 0 { 0.0 } else { dt }, target);
            if frame.is_multiple_of(rate / 12) {
                places.push(x);
            }
        }
        places
    };
    let (a, b, c) = (places(24), places(60), places(240));
    assert_eq!((a.len(), b.len(), c.len()), (49, 49, 49));
    // The swing is a metre to either side. What is left is the difference between a curve and its chords,
    // (2πh)²/8, not the spring's.
    for (rate, x, bound) in [(24, &a, 0.01), (60, &b, 0.0015)] {
        let off = x.iter().zip(&c).map(|(x, c)| (x - c).norm()).fold(0.0, f64::max);
        assert!(off < bound, "{rate}: {off} m");
    }
}

#[test]
fn every_vertex_can_have_a_spring_of_its_own() {
    let springs = vec![Spring { frequency: 5.0, damping: 1.0 }, Spring { frequency: 50.0, damping: 0.1 }];
    let settings =
        JiggleSettings { response: Response::Springs(springs.clone()), ..JiggleSettings::default() };
    let mut both = Jiggle::new(2, settings).unwrap();
    let mut alone: Vec<_> = springs.into_iter().map(|s| jiggle(Response::Spring(s))).collect();
    for frame in 0..10 {
        let target = Vector3::x() * f64::from(frame * frame);
        let mut x = [target; 2];
        both.deform(&FrameTime { time: 0.0, dt: 0.03 }, &mut x).unwrap();
        assert_eq!(x[0], step(&mut alone[0], 0.03, target));
        assert_eq!(x[1], step(&mut alone[1], 0.03, target));
    }
}

#[test]
fn a_reset_forgets() {
    let mut used = jiggle(Response::default());
    for frame in 0..10 {
        step(&mut used, 0.1, Vector3::y() * f64::from(frame));
    }
    assert!(used.velocities().unwrap()[0].norm() > 0.1);
    used.reset();
    assert_eq!(step(&mut used, 0.1, Vector3::z()), Vector3::z());
    assert_eq!(used.velocities().unwrap()[0], Vector3::zeros());
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let new = |response| Jiggle::new(1, JiggleSettings { response, max_stretch: None });
    let spring = |frequency, damping| Response::Spring(Spring { frequency, damping });
    for bad in [spring(0.0, 0.1), spring(f64::NAN, 0.1), spring(1.0, -0.1), spring(f64::INFINITY, 0.1)] {
        assert!(matches!(new(bad), Err(BindError::Number { .. })));
    }
    let two = Response::Springs(vec![Spring::default(); 2]);
    assert!(matches!(new(two), Err(BindError::Count { found: 2, .. })));
    let bad = Response::Springs(vec![Spring { frequency: -1.0, damping: 0.0 }]);
    assert!(matches!(new(bad), Err(BindError::VertexNumber { vertex: 0, .. })));
    let limit = JiggleSettings { max_stretch: Some(-1.0), ..JiggleSettings::default() };
    assert!(Jiggle::new(1, limit).is_err());
    let mut good = jiggle(Response::default());
    for dt in [-0.1, f64::NAN, f64::INFINITY] {
        let error = good.deform(&FrameTime { time: 0.0, dt }, &mut [Vector3::zeros()]).unwrap_err();
        assert!(matches!(error, DeformError::Time { .. }));
    }
}
