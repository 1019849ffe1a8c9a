//! [`Spread`]: the values that a key takes.

use serde::Deserialize;
use toml::Value;

/// The values that a key takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Spread {
    /// Each of these.
    List(Vec<Value>),
    /// Numbers of a range.
    Range {
        /// The least and the largest.
        ends: [f64; 2],
        /// Whether their logarithms are spread evenly, and not they themselves.
        log: bool,
        /// Whether they are whole.
        whole: bool,
        /// How many, at equal distances with both ends; `None`: as many as the sample has.
        steps: Option<u32>,
    },
}

#[derive(Deserialize)]
struct RangeTable {
    log: Option<[f64; 2]>,
    linear: Option<[f64; 2]>,
    steps: Option<u32>,
    #[serde(default)]
    whole: bool,
}

impl RangeTable {
    /// Its keys; others are refused.
    const KEYS: [&str; 4] = ["log", "linear", "steps", "whole"];
}

impl Spread {
    /// What a value of `[vary]` says; else a sentence.
    pub(crate) fn of(value: Value) -> Result<Self, String> {
        let table = match value {
            Value::Array(list) if list.is_empty() => {
                return Err("the list has no values; give one or more".to_owned());
            }
            Value::Array(list) => return Ok(Self::List(list)),
            Value::Table(table) => table,
            other => {
                return Err(format!(
                    "{other} is one value; write a list such as [{other}], or a range such as {{ linear = [1.0, 2.0] }}; a value that does not vary is for [set]"
                ));
            }
        };
        if let Some(unknown) = table.keys().find(|key| !RangeTable::KEYS.contains(&key.as_str())) {
            return Err(format!(
                "unknown field `{unknown}`, expected one of `{}`; a key of a scene is one name in quotes, such as \"solver.substeps\"",
                RangeTable::KEYS.join("`, `")
            ));
        }
        let RangeTable { log, linear, steps, whole } =
            table.try_into().map_err(|error: toml::de::Error| error.message().replace('\n', ", "))?;
        let (ends, log) = match (log, linear) {
            (Some(ends), None) => (ends, true),
            (None, Some(ends)) => (ends, false),
            _ => {
                return Err(
                    "a range is either `linear = [LEAST, LARGEST]` or `log = [LEAST, LARGEST]`".to_owned()
                );
            }
        };
        let [least, largest] = ends;
        if !(least.is_finite() && largest.is_finite() && least < largest) {
            return Err(format!("the range goes from {least} to {largest}; give the smaller number first"));
        }
        if log && least <= 0.0 {
            return Err(format!("the range begins at {least}; a logarithmic range begins above 0"));
        }
        if whole && least.ceil() > largest.floor() {
            return Err(format!("there is no whole number from {least} to {largest}"));
        }
        if steps.is_some_and(|steps| steps < 2) {
            return Err("a range with both ends has at least 2 steps".to_owned());
        }
        Ok(Self::Range { ends, log, whole, steps })
    }

    /// How many values there are apart from the sample; `None` for a range of the sample.
    pub(crate) fn count(&self) -> Option<u64> {
        match self {
            Self::List(list) => Some(list.len() as u64),
            Self::Range { steps, .. } => steps.map(u64::from),
        }
    }

    /// The value of a number, apart from the sample.
    pub(crate) fn value(&self, number: u64) -> Value {
        match self {
            Self::List(list) => list[number as usize].clone(),
            Self::Range { steps, .. } => {
                let last = f64::from(steps.unwrap_or(2) - 1);
                self.at(number as f64 / last)
            }
        }
    }

    /// The value at a share of a range.
    pub(crate) fn at(&self, share: f64) -> Value {
        let Self::Range { ends: [least, largest], log, whole, .. } = *self else { return self.value(0) };
        // The ends are exact.
        let number = match share {
            0.0 => least,
            1.0 => largest,
            share if log => libm::exp(libm::log(least) + share * (libm::log(largest) - libm::log(least))),
            share => least + share * (largest - least),
        };
        if whole {
            return Value::Integer(number.round().clamp(least.ceil(), largest.floor()) as i64);
        }
        Value::Float(number.clamp(least, largest))
    }

    /// Values that show whether the key takes such values at all.
    pub(crate) fn witnesses(&self) -> Vec<Value> {
        match self {
            Self::List(list) => list.clone(),
            Self::Range { .. } => vec![self.at(0.0), self.at(1.0)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(text: &str) -> Result<Spread, String> {
        let table: toml::Table = format!("x = {text}").parse().unwrap();
        Spread::of(table["x"].clone())
    }

    #[test]
    fn ranges_have_both_ends_and_even_steps() {
        let values = |text| {
            let spread = spread(text).unwrap();
            (0..spread.count().unwrap()).map(|n| spread.value(n)).collect::<Vec<_>>()
        };
        let floats = |list: &[f64]| list.iter().copied().map(Value::Float).collect::<Vec<_>>();
        assert_eq!(values("{ linear = [1.0, 2.0], steps = 3 }"), floats(&[1.0, 1.5, 2.0]));
        let log = values("{ log = [1e-6, 1e-2], steps = 5 }");
        assert_eq!((&log[0], &log[4]), (&Value::Float(1e-6), &Value::Float(1e-2)));
        let Value::Float(middle) = log[2] else { panic!("{log:?}") };
        assert!((middle / 1e-4 - 1.0).abs() < 1e-12);
        assert_eq!(
            values("{ linear = [1, 4], whole = true, steps = 2 }"),
            [Value::Integer(1), Value::Integer(4)]
        );
        assert_eq!(values("[\"a\", 2]").len(), 2);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for (text, part) in [
            ("[]", "no values"),
            ("3", "write a list such as [3]"),
            ("{ log = [0.0, 1.0] }", "above 0"),
            ("{ linear = [2.0, 1.0] }", "smaller number first"),
            ("{ linear = [1.0, 2.0], log = [1.0, 2.0] }", "either"),
            ("{ linear = [1.0, 2.0], steps = 1 }", "at least 2"),
            ("{ linear = [1.2, 1.8], whole = true }", "no whole number"),
            ("{ linear = [1.0, 2.0], samples = 3 }", "unknown field `samples`"),
            ("{ linear = [1.0, nan] }", "smaller number"),
        ] {
            let told = spread(text).unwrap_err();
            assert!(told.contains(part), "{text}: {told}");
        }
    }
}
