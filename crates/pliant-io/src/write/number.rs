//! Numbers as text.

use std::fmt;

/// A number in the fewest digits that read back as the same bits, with an exponent where that is shorter.
pub(crate) struct Short(pub(crate) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases =
            [(0.1, "0.1"), (1.0, "1"), (-2.5e-7, "-2.5e-7"), (1e300, "1e300"), (0.0, "0"), (-0.0, "-0")];
        for (value, text) in cases {
            assert_eq!(Short(value).to_string(), text);
        }
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn numbers_read_back_as_the_same_bits(value in proptest::num::f64::ANY.prop_filter("finite", |v| v.is_finite())) {
            let back: f64 = Short(value).to_string().parse().unwrap();
            prop_assert_eq!(back.to_bits(), value.to_bits());
        }
    }
}
