//! The same motion at three frame rates, by the exact spring and as published.
//!
//! `cargo run --release -p pliant-deform --example jiggle`
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use nalgebra::Vector3;
use pliant_deform::{BindError, DeformError, Deformer, FrameTime, Jiggle, JiggleSettings, Response};

/// Where a point that is jerked aside by a metre within an eighth of a second is, at the eighths of a second.
fn jerk(response: Response, rate: u32) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    let mut jiggle = Jiggle::new(1, JiggleSettings { response, max_stretch: None })?;
    let mut places = Vec::new();
    for frame in 0..=rate {
        let time = f64::from(frame) / f64::from(rate);
        let mut x = [Vector3::x() * (8.0 * time).min(1.0)];
        let dt = if frame == 0 { 0.0 } else { 1.0 / f64::from(rate) };
        jiggle.deform(&FrameTime { time, dt }, &mut x)?;
        if frame.is_multiple_of(rate / 8) {
            places.push(x[0].x);
        }
    }
    Ok(places)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, response) in [("exact spring", Response::default()), ("as published", Response::published())] {
        for rate in [24, 72, 240] {
            let places: Vec<String> =
                jerk(response.clone(), rate)?.iter().map(|x| format!("{x:.4}")).collect();
            println!("{name} at {rate:>3} frames a second: {}", places.join(" "));
        }
    }
    let refused: Result<Jiggle, BindError> =
        Jiggle::new(1, JiggleSettings { max_stretch: Some(-1.0), ..JiggleSettings::default() });
    if let Err(error) = refused {
        println!("and what makes no sense is refused: {error}");
    }
    let mut still = Jiggle::new(1, JiggleSettings::default())?;
    let error: Result<(), DeformError> =
        still.deform(&FrameTime { time: 0.0, dt: -1.0 }, &mut [Vector3::zeros()]);
    if let Err(error) = error {
        println!("as is this: {error}");
    }
    Ok(())
}
