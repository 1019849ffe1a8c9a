//! What a page may ask for at most.

use crate::refusal::Refusal;

/// The longest text of a file that a page may send, bytes.
const LONGEST: usize = 1 << 20;
/// The most frames of one step.
const MOST_FRAMES: u32 = 1000;
/// The longest time that a frame takes when it is slowed down, s.
const SLOWEST: f64 = 3600.0;
/// The highest speed, as a multiple of that of the clock.
const FASTEST: f64 = 100.0;

/// The frames of a step.
pub(crate) fn frames(asked: u32) -> u32 {
    asked.min(MOST_FRAMES)
}

/// A speed.
pub(crate) fn speed(asked: f64) -> Result<f64, Refusal> {
    if (0.0..=FASTEST).contains(&asked) {
        Ok(asked)
    } else {
        Err(Refusal::new(format!("the speed is {asked}; expected 0 to {FASTEST}")))
    }
}

/// The time that a frame of `dt` should take at a speed, s; 0 for as little as possible.
pub(crate) fn pace(dt: f64, speed: f64) -> f64 {
    if speed > 0.0 { (dt / speed).min(SLOWEST) } else { 0.0 }
}

/// Refuses a text that is too long.
pub(crate) fn text(toml: &str) -> Result<(), Refusal> {
    if toml.len() > LONGEST {
        return Err(Refusal::new(format!("the text has {} bytes; {LONGEST} at most", toml.len())));
    }
    Ok(())
}
