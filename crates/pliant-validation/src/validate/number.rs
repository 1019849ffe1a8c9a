//! Numbers as the book writes them.

use serde::{Deserialize, Deserializer};

/// At most four digits, with a power of ten where that is shorter.
pub(super) fn short(x: f64) -> String {
    digits(x, 4)
}

/// As many digits as a tolerance makes meaningful, and one more; at least four.
pub(super) fn with_digits_for(x: f64, tolerance: f64) -> String {
    let wanted = (x.abs() / tolerance).log10().ceil();
    digits(x, if (3.0..15.0).contains(&wanted) { wanted as usize + 1 } else { 4 })
}

/// A percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", digits(100.0 * share, 3))
}

/// A number with at most that many digits.
fn digits(x: f64, n: usize) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if !x.is_finite() {
        return if x.is_nan() { "NaN".to_owned() } else { "∞".to_owned() };
    }
    let scientific = format!("{x:.*e}", n.saturating_sub(1));
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let text = if (-4..7).contains(&exponent) {
        let decimals = (n as i32 - 1 - exponent).max(0) as usize;
        trimmed(&format!("{x:.decimals$}")).to_owned()
    } else {
        format!("{}e{exponent}", trimmed(mantissa))
    };
    text.replace('-', "−")
}

/// Without zeros behind the last digit of a fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Six digits: enough for a curve, and few enough that files do not change by rounding.
pub(super) fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// Reads null as NaN, because JSON cannot write NaN.
pub(super) fn nan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_keep_what_counts() {
        for (x, text) in [
            (0.0, "0"),
            (0.05, "0.05"),
            (1.0, "1"),
            (-12.34567, "−12.35"),
            (1234.0, "1234"),
            (123_456.0, "123456"),
            (1e-12, "1e−12"),
            (2.5e9, "2.5e9"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(short(x), text);
        }
        assert_eq!(with_digits_for(1.199_252_858_4, 5e-10), "1.1992528584");
        assert_eq!(with_digits_for(0.0195, 1e-3), "0.0195");
        assert_eq!(percent(0.1234), "12.3 %");
    }
}
