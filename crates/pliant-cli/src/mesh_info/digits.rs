//! Numbers for people.

/// Nine digits, without the noise of the last bits.
pub(super) fn short(x: f64) -> f64 {
    format!("{x:.8e}").parse().unwrap_or(x)
}
