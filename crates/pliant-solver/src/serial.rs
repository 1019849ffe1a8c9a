//! How serde writes the parts of reports and certificates that are not plain lists of fields.

use std::fmt;
use std::marker::PhantomData;

use nalgebra::Vector3;
use pliant_kernel::Peak;
pub(crate) use pliant_kernel::number;
use serde::{Deserialize, Deserializer, Serialize};

/// Reads a vector; numbers that are not finite become NaN, as in [`number`].
pub(crate) fn vector<'de, D: Deserializer<'de>>(from: D) -> Result<Vector3<f64>, D::Error> {
    if from.is_human_readable() {
        let numbers: [Option<f64>; 3] = Deserialize::deserialize(from)?;
        Ok(numbers.map(|number| number.unwrap_or(f64::NAN)).into())
    } else {
        Vector3::deserialize(from)
    }
}

/// A peak as two fields beside others: `max` and `max_at`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Peak")]
pub(crate) struct Largest {
    #[serde(rename = "max", deserialize_with = "number")]
    value: f64,
    #[serde(rename = "max_at")]
    at: Option<usize>,
}

/// The same as `max_compression` and `max_compression_at`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Peak")]
pub(crate) struct LargestCompression {
    #[serde(rename = "max_compression", deserialize_with = "number")]
    value: f64,
    #[serde(rename = "max_compression_at")]
    at: Option<usize>,
}

/// A 64-bit hash in 16 hexadecimal digits: JSON readers treat numbers as `f64`.
pub(crate) mod hash {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(hash: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{hash:016x}"))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        u64::from_str_radix(&text, 16).map_err(|_| {
            D::Error::custom(format!(
                "`{text}` is not a hash: 16 hexadecimal digits are \
            expected"
            ))
        })
    }
}

/// An entry with a name, by which a list is written as a table.
pub(crate) trait Named {
    fn name(&self) -> &str;
    fn set_name(&mut self, name: String);
}

/// A list as a table by the names of its entries, in the same order.
pub(crate) mod by_name {
    use super::{Deserializer, Entries, Named, PhantomData, Serialize};
    use serde::{Deserialize, Serializer};

    pub(crate) fn serialize<X: Named + Serialize, S: Serializer>(
        list: &[X],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_map(list.iter().map(|entry| (entry.name(), entry)))
    }

    pub(crate) fn deserialize<'de, X: Named + Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<X>, D::Error> {
        from.deserialize_map(Entries(PhantomData))
    }
}

struct Entries<X>(PhantomData<X>);

impl<'de, X: Named + Deserialize<'de>> serde::de::Visitor<'de> for Entries<X> {
    type Value = Vec<X>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table by names")
    }

    fn visit_map<M: serde::de::MapAccess<'de>>(self, mut table: M) -> Result<Vec<X>, M::Error> {
        let mut list = Vec::new();
        while let Some((name, mut entry)) = table.next_entry::<String, X>()? {
            entry.set_name(name);
            list.push(entry);
        }
        Ok(list)
    }
}
