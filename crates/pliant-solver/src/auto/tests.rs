//! Choices for bodies whose residuals are known.

use super::*;

/// A choice for bodies that do not hang.
fn choice(coarse: bool, newton: bool) -> Auto {
    Auto::new(coarse, newton, Depth::default(), &Settings::default())
}

/// A body whose residual is `scale` n^−order with each method.
fn run(
    auto: &mut Auto,
    settings: &Settings,
    frames: usize,
    left: impl Fn(Method, u32) -> f64,
) -> Vec<Choice> {
    (0..frames)
        .map(|_| {
            let mut spent = Vec::new();
            let mut next = Some(auto.begin(settings));
            while let Some((method, substeps)) = next {
                spent.push(substeps);
                auto.tried(method, substeps, left(method, substeps), 0.0);
                next = auto.again(settings);
            }
            let best = auto.best().unwrap();
            auto.end(best, &spent, true, settings);
            auto.last.unwrap()
        })
        .collect()
}

fn power(scale: f64, order: i32, n: u32) -> f64 {
    scale / f64::from(n).powi(order)
}

#[test]
fn what_is_easy_is_swept_with_the_fewest_substeps() {
    let settings = Settings::default();
    let mut auto = choice(false, true);
    let choices = run(&mut auto, &settings, 50, |_, _| 0.1);
    assert!(choices.iter().all(|c| c.method == Method::Sweeps && c.substeps == 10 && c.tries == 1));
}

#[test]
fn the_cheapest_candidate_that_reaches_the_goal_is_found_and_kept() {
    let settings = Settings::default();
    let left = |method, n| match method {
        // 320 substeps would do.
        Method::Sweeps => power(1e5, 2, n),
        // As would 5.
        _ => power(25.0, 2, n),
    };
    let mut auto = choice(true, true);
    let choices = run(&mut auto, &settings, 60, left);
    assert!(choices[5..].iter().all(|c| c.method == Method::Coarse && c.reached), "{choices:?}");
    assert!(choices[10..].iter().all(|c| (5..=7).contains(&c.substeps)), "{choices:?}");
    let again: u32 = choices[5..].iter().map(|c| c.tries - 1).sum();
    assert!(again <= 3, "{again} frames were solved again");
}

#[test]
fn newton_is_taken_where_sweeps_need_hundreds_and_left_where_they_do_not() {
    let settings = Settings::default();
    let mut auto = choice(false, true);
    let stiff = |method, n| if method == Method::Newton { 0.01 } else { power(3000.0, 1, n) };
    let choices = run(&mut auto, &settings, 30, stiff);
    assert!(choices[3..].iter().all(|c| c.method == Method::Newton && c.reached), "{choices:?}");
    let soft = |_: Method, _| 0.1;
    let choices = run(&mut auto, &settings, 200, soft);
    assert_eq!(choices.last().map(|c| (c.method, c.substeps)), Some((Method::Sweeps, 10)));
}

#[test]
fn what_nothing_reaches_is_not_tried_again_in_every_frame() {
    let settings = Settings::default();
    let mut auto = choice(true, true);
    let choices = run(&mut auto, &settings, 100, |_, _| 5.0);
    let tries: u32 = choices.iter().map(|c| c.tries).sum();
    assert!(choices.iter().all(|c| !c.reached) && tries < 130, "{tries} tries of 100 frames");
    let spent: u32 = choices.iter().map(|c| c.spent).sum();
    assert!(spent < 1500, "and not at any price: {spent} substeps of 100 frames");
}

#[test]
fn substeps_that_create_energy_are_refused_and_approached_little_by_little() {
    let settings = Settings::default();
    let mut auto = choice(false, false);
    let mut last = 10;
    for frame in 0..60 {
        let mut spent = Vec::new();
        let mut next = Some(auto.begin(&settings));
        while let Some((method, substeps)) = next {
            spent.push(substeps);
            // More than one and a half times the substeps of the last frame are too many.
            let harm = if f64::from(substeps) > 1.5 * f64::from(last) { 10.0 } else { 0.1 };
            auto.tried(method, substeps, power(1e4, 2, substeps), harm);
            next = auto.again(&settings);
        }
        let best = auto.best().unwrap();
        assert!(best.harm < 1.0, "frame {frame}: {best:?}");
        auto.end(best, &spent, true, &settings);
        last = best.substeps;
    }
    assert!(auto.last.unwrap().reached, "{:?}", auto.last);
}

#[test]
fn what_was_learnt_survives_as_numbers() {
    let settings = Settings::default();
    let left = |method, n| if method == Method::Sweeps { power(1e4, 2, n) } else { power(100.0, 2, n) };
    let mut auto = choice(true, false);
    run(&mut auto, &settings, 12, left);
    let mut other = choice(true, false);
    assert!(other.take_up(&auto.to_numbers()));
    assert_eq!(run(&mut auto, &settings, 20, left), run(&mut other, &settings, 20, left));
    assert!(!choice(true, true).take_up(&auto.to_numbers()), "another scene's numbers are refused");
}
