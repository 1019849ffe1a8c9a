//! [`Shade`]: a field by which a page can be coloured: its name, and the colours of its numbers.

use pliant_run::RESIDUAL;
use serde::Serialize;

use crate::render::encounters::CONTACT;
use crate::render::film::STRAIN;

const VOLUME_ERROR: &str = "volume_error";

/// The share of the numbers over which the colours are spread if the rest is much larger: otherwise one
/// vertex in one frame could leave all others in the first colour.
const MOST: f64 = 0.995;

/// The data of a field in the page.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Shade {
    /// Its name in the files and for `--color-by`.
    field: String,
    /// Its name for readers.
    name: String,
    /// The meaning of the numbers.
    what: String,
    unit: String,
    /// The number of the first colour.
    low: f64,
    /// The number from which all have the last colour.
    high: f64,
    /// The largest number.
    largest: f64,
    /// The colours: `viridis`, or `warm` for values that stand out from zero.
    map: &'static str,
}

impl Shade {
    /// Finds the range of all numbers of a field; NaN is ignored.
    pub(super) fn of(field: &str, unit: &str, values: impl Iterator<Item = f32>) -> Self {
        let mut values: Vec<f32> = values.filter(|value| value.is_finite()).collect();
        let low = values.iter().copied().fold(0.0, f32::min);
        let largest = values.iter().copied().fold(low, f32::max);
        let mut high = largest;
        if !values.is_empty() {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a share of the length"
            )]
            let place = (MOST * (values.len() - 1) as f64) as usize;
            let common = *values.select_nth_unstable_by(place, f32::total_cmp).1;
            if common > low && common - low < 0.5 * (largest - low) {
                high = common;
            }
        }
        if high <= low {
            high = low + 1.0;
        }
        let is_contact = field == CONTACT;
        if is_contact {
            // The colours have the same meaning in all runs.
            high = 1.0;
        }
        let what = match field {
            CONTACT => "1: touches, 0: twice as far apart or more",
            STRAIN | VOLUME_ERROR => "root mean square at a vertex",
            _ if field.starts_with(RESIDUAL) => "the largest at a vertex",
            _ => "",
        };
        let [low, high, largest] = [low, high, largest].map(f64::from);
        let (name, unit) = (name_of(field), unit.to_owned());
        let map = if is_contact { "warm" } else { "viridis" };
        Self { field: field.to_owned(), name, what: what.to_owned(), unit, low, high, largest, map }
    }

    /// The place of a number among 256 colours; the first for NaN.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range")]
    pub(super) fn level(&self, value: f32) -> u8 {
        (255.0 * (f64::from(value) - self.low) / (self.high - self.low)).round().clamp(0.0, 255.0) as u8
    }
}

/// The name of a field for readers.
pub(super) fn name_of(field: &str) -> String {
    match field.strip_prefix(RESIDUAL) {
        Some(group) => format!("residual of {group}"),
        None if field == VOLUME_ERROR => "volume error".to_owned(),
        None => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_spread_over_what_is_common() {
        let even = Shade::of(STRAIN, "%", (0..=100_u8).map(f32::from).chain([f32::NAN]));
        assert_eq!((even.low, even.high, even.largest), (0.0, 100.0, 100.0));
        assert_eq!([0.0, 50.0, 100.0, f32::NAN].map(|value| even.level(value)), [0, 128, 255, 0]);
        let peak = Shade::of(STRAIN, "%", (0..1000_u16).map(|k| f32::from(k % 100)).chain([5000.0]));
        assert_eq!((peak.high, peak.largest), (99.0, 5000.0));
        assert_eq!(peak.level(5000.0), 255);
        // Fields that are zero except at a few places, zero everywhere or missing, and fields with both signs.
        let few = Shade::of("residual.edges", "m", [0.0; 999].into_iter().chain([2.0]));
        assert_eq!((few.high, few.name.as_str()), (2.0, "residual of edges"));
        assert_eq!(Shade::of("a", "", [0.0; 9].into_iter()).level(0.0), 0);
        assert_eq!(Shade::of("a", "", std::iter::empty()).largest, 0.0);
        let signed = Shade::of("a", "", [-3.0, 1.0].into_iter());
        assert_eq!((signed.low, signed.high, signed.level(-1.0)), (-3.0, 1.0, 128));
    }
}
