//! Tables in which exactly one of several keys must be given.

use crate::error::Fault;
use crate::field::FieldPath;

/// A table in which exactly one of several keys must be given.
pub(crate) trait Choice {
    /// The keys.
    const KEYS: &'static [&'static str];

    /// Whether each of the keys is given, in the same order.
    fn given(&self) -> Vec<bool>;

    /// The one key that is given.
    fn chosen(&self, at: &FieldPath, what: &str) -> Result<&'static str, Fault> {
        let mut given = Self::KEYS.iter().zip(self.given()).filter(|(_, given)| *given).map(|(&key, _)| key);
        let names = || Self::KEYS.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        match (given.next(), given.next()) {
            (Some(key), None) => Ok(key),
            (None, _) => {
                Err(Fault::new(at.clone(), format!("{what} is not given"), format!("one of {}", names())))
            }
            (Some(first), Some(second)) => Err(Fault::new(
                at.key(second),
                format!("{what} is given twice, by `{first}` and `{second}`"),
                format!("only one of {}", names()),
            )),
        }
    }
}

/// Declares in a schema that exactly one of the keys of a table must be given.
#[cfg(feature = "schemars")]
pub(crate) fn exactly_one_of<Table: Choice>(schema: &mut schemars::Schema) {
    let one = |key: &&str| serde_json::json!({ "required": [key] });
    schema.insert("oneOf".to_owned(), Table::KEYS.iter().map(one).collect::<Vec<_>>().into());
}

/// Implements [`Choice`] for a table by its fields; `"key" = field` where they differ in name.
macro_rules! choice {
    ($Table:ty: $($key:literal = $field:ident),+ $(,)?) => {
        impl crate::choice::Choice for $Table {
            const KEYS: &'static [&'static str] = &[$($key),+];

            fn given(&self) -> Vec<bool> {
                vec![$(self.$field.is_some()),+]
            }
        }
    };
}
pub(crate) use choice;
