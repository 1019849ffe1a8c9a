//! Jiggle: the published response, and independence of the frame rate.

use nalgebra::Vector3;
use pliant_deform::{Deformer, FrameTime, Jiggle, JiggleSettings, Response};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::Figure;
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "jiggle",
    title: "Jiggle",
    what: "
A target that steps from 0 to 1 at 24 frames per second: the published form answers with 0.625, 1.234375, 1.453516, 1.301553, 1.021905, 0.840425. The default is a damped spring that is
solved exactly for a target that moves linearly over the step; so the same walk sampled at 24, 60 and 240 frames per second must give the same jiggle within 1 % of the walk's swing of a metre. (What differs is the walk itself: between samples the target moves along a chord.)
",
    measure,
};

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let dt = 1.0 / 24.0;
    let mut published = Follower::new(Response::published())?;
    published.step(0.0, Vector3::zeros())?;
    for (frame, expected) in
        [0.625, 1.234_375, 1.453_516, 1.301_553, 1.021_905, 0.840_425].into_iter().enumerate()
    {
        let x = published.step(dt, Vector3::x())?;
        let name = format!("published form, frame {}", frame + 1);
        findings.check(Check::near(name, expected, x.x, 5.01e-7).from("publication"));
    }

    let [coarse, film, fine] = [24, 60, 240].map(walk);
    let fine = fine?;
    for (rate, places) in [(24, coarse?), (60, film?)] {
        let apart = places.iter().zip(&fine).map(|(a, b)| (a.1 - b.1).norm()).fold(0.0, f64::max);
        let name = format!("walk at {rate} and at 240 frames per second, largest difference (m)");
        findings.check(Check::at_most(name, 0.01, apart).from("independence of the frame rate"));
    }

    let mut figure = Figure::linear("step", "Answer to a step of the target", "time (s)", "position (m)");
    for (name, response, rate) in [
        ("published form, 24 frames/s", Response::published(), 24),
        ("published form, 60 frames/s", Response::published(), 60),
        ("default, 24 frames/s", Response::default(), 24),
        ("default, 60 frames/s", Response::default(), 60),
    ] {
        let mut follower = Follower::new(response)?;
        follower.step(0.0, Vector3::zeros())?;
        let mut points = vec![(0.0, 0.0)];
        for frame in 1..=rate {
            let dt = 1.0 / f64::from(rate);
            points.push((f64::from(frame) * dt, follower.step(dt, Vector3::x())?.x));
        }
        figure.curve(name, points);
    }
    findings.figures.push(figure);
    Ok(findings)
}

struct Follower(Jiggle);

impl Follower {
    fn new(response: Response) -> Result<Self, Problem> {
        Ok(Self(Jiggle::new(1, JiggleSettings { response, max_stretch: None })?))
    }

    fn step(&mut self, dt: f64, target: Vector3<f64>) -> Result<Vector3<f64>, Problem> {
        let mut x = [target];
        self.0.deform(&FrameTime { time: 0.0, dt }, &mut x)?;
        Ok(x[0])
    }
}

/// Times and displacements from the target at the twelfths of a second of a walk: one swing per second, with
/// a nod at twice that.
fn walk(rate: u32) -> Result<Vec<(f64, Vector3<f64>)>, Problem> {
    let mut follower = Follower::new(Response::default())?;
    let dt = 1.0 / f64::from(rate);
    let mut places = Vec::new();
    for frame in 0..=4 * rate {
        let time = f64::from(frame) * dt;
        let a = std::f64::consts::TAU * time;
        let target = Vector3::new(a.sin(), 0.2 * (2.0 * a).cos(), 1.4 * time);
        let x = follower.step(if frame == 0 { 0.0 } else { dt }, target)?;
        if frame.is_multiple_of(rate / 12) {
            places.push((time, x - target));
        }
    }
    Ok(places)
}
