//! [`from_str`]: reads a value from TOML, with errors that say what is wrong by their kind instead of by a text.
//!
//! The parser's own reader turns every error of the model into a sentence. To add what to do about it, one
//! would have to take that sentence apart again, in the words of two other crates.

use std::fmt;
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, Unexpected, Visitor,
};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// What is wrong with a text.
#[derive(Debug)]
pub(crate) enum Problem {
    /// It is not TOML, in the words of the parser.
    Syntax(String),
    /// A key that a table does not have, and those that it has.
    Key { found: String, known: &'static [&'static str] },
    /// A word that may not stand there, and those that may.
    Word { found: String, known: &'static [&'static str] },
    /// A value of another type or form than is expected.
    Unfit { found: String, expected: String },
    /// Anything else, in a sentence.
    Other(String),
}

/// A problem and its place.
#[derive(Debug)]
pub(crate) struct ReadError {
    pub(crate) problem: Problem,
    /// The bytes of the text that it concerns.
    pub(crate) span: Option<Range<usize>>,
}

impl ReadError {
    fn new(problem: Problem) -> Self {
        Self { problem, span: None }
    }

    /// The error with this place, unless it has one.
    fn at(mut self, span: &Range<usize>) -> Self {
        self.span.get_or_insert_with(|| span.clone());
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Problem::Syntax(message) | Problem::Other(message) => f.write_str(message),
            Problem::Key { found, known } => write!(f, "unknown field `{found}`, expected {}", one_of(known)),
            Problem::Word { found, known } => {
                write!(f, "unknown variant `{found}`, expected {}", one_of(known))
            }
            Problem::Unfit { found, expected } => write!(f, "{found}, expected {expected}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// A list of what is possible.
pub(crate) fn one_of(known: &[&str]) -> String {
    match known {
        [] => "none".to_owned(),
        [one] => format!("`{one}`"),
        [one, other] => format!("`{one}` or `{other}`"),
        many => format!("one of `{}`", many.join("`, `")),
    }
}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Problem::Other(message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = format!("invalid type: {found}");
        Self::new(Problem::Unfit { found, expected: expected.to_string() })
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = format!("invalid value: {found}");
        Self::new(Problem::Unfit { found, expected: expected.to_string() })
    }

    fn invalid_length(length: usize, expected: &dyn de::Expected) -> Self {
        let found = format!("invalid length {length}");
        Self::new(Problem::Unfit { found, expected: expected.to_string() })
    }

    fn unknown_field(found: &str, known: &'static [&'static str]) -> Self {
        Self::new(Problem::Key { found: found.to_owned(), known })
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> Self {
        Self::new(Problem::Word { found: found.to_owned(), known })
    }
}

/// Reads a value from TOML.
///
/// # Errors
///
/// If the text is not TOML, or not such a value.
pub(crate) fn from_str<M: DeserializeOwned>(text: &str) -> Result<M, ReadError> {
    let document = DeTable::parse(text).map_err(|error| ReadError {
        problem: Problem::Syntax(error.message().trim().replace('\n', ", ")),
        span: error.span(),
    })?;
    let span = document.span();
    M::deserialize(Reader { value: DeValue::Table(document.into_inner()), span })
}

/// A value of a text.
struct Reader<'t> {
    value: DeValue<'t>,
    span: Range<usize>,
}

impl<'t> Reader<'t> {
    fn new(value: Spanned<DeValue<'t>>) -> Self {
        let span = value.span();
        Self { value: value.into_inner(), span }
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let Self { value, span } = self;
        let read = match value {
            DeValue::String(DeString::Owned(text)) => visitor.visit_string(text),
            DeValue::String(DeString::Borrowed(text)) => visitor.visit_borrowed_str(text),
            DeValue::Integer(number) => {
                let (digits, radix) = (number.as_str(), number.radix());
                if let Ok(number) = i64::from_str_radix(digits, radix) {
                    visitor.visit_i64(number)
                } else if let Ok(number) = u64::from_str_radix(digits, radix) {
                    visitor.visit_u64(number)
                } else if let Ok(number) = i128::from_str_radix(digits, radix) {
                    visitor.visit_i128(number)
                } else {
                    Err(de::Error::custom("the number has too many digits"))
                }
            }
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                // Infinite by its digits, not by its name.
                Ok(parsed)
                    if parsed.is_infinite() && number.as_str().contains(|c: char| c.is_ascii_digit()) =>
                {
                    Err(de::Error::custom("the number is too large"))
                }
                Ok(number) => visitor.visit_f64(number),
                Err(error) => Err(de::Error::custom(error)),
            },
            DeValue::Boolean(value) => visitor.visit_bool(value),
            DeValue::Datetime(_) => Err(de::Error::invalid_type(Unexpected::Other("date or time"), &visitor)),
            DeValue::Array(items) => visitor.visit_seq(Items(items.into_iter())),
            DeValue::Table(table) => visitor.visit_map(Entries { rest: table.into_iter(), value: None }),
        };
        read.map_err(|error| error.at(&span))
    }

    // A key that is there has a value.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let span = self.span.clone();
        visitor.visit_some(self).map_err(|error| error.at(&span))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let span = self.span.clone();
        visitor.visit_newtype_struct(self).map_err(|error| error.at(&span))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let Self { value, span } = self;
        let read = match value {
            DeValue::String(word) => {
                let word: StrDeserializer<'_, ReadError> = (*word).into_deserializer();
                visitor.visit_enum(word)
            }
            DeValue::Table(table) if table.len() == 1 => {
                visitor.visit_enum(Entries { rest: table.into_iter(), value: None })
            }
            _ => Err(de::Error::custom("the value is neither a word in quotes nor a table with one key")),
        };
        read.map_err(|error| error.at(&span))
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor).map_err(whole)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor).map_err(whole)
    }

    serde::forward_to_deserialize_any! {
        bool u8 u16 i8 i16 i32 i64 i128 u128 f32 f64 char str string seq
        bytes byte_buf map unit struct
        ignored_any unit_struct tuple_struct tuple identifier
    }
}

/// The error of what should be a number for counting, in words instead of as a type of Rust.
fn whole(mut error: ReadError) -> ReadError {
    if let Problem::Unfit { expected, .. } = &mut error.problem {
        "a whole number of at least 0".clone_into(expected);
    }
    error
}

/// The items of a list that are still to be read.
struct Items<I>(I);

impl<'de, I: Iterator<Item = Spanned<DeValue<'de>>>> de::SeqAccess<'de> for Items<I> {
    type Error = ReadError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, ReadError> {
        self.0.next().map(|item| seed.deserialize(Reader::new(item))).transpose()
    }
}

/// The entries of a table that are still to be read, and the value of the key that was read last.
struct Entries<'t, I> {
    rest: I,
    value: Option<Reader<'t>>,
}

impl<'de, I: Iterator<Item = (Spanned<DeString<'de>>, Spanned<DeValue<'de>>)>> Entries<'de, I> {
    fn next_key<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, ReadError> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(Reader::new(value));
        let name: StrDeserializer<'_, ReadError> = (**key.get_ref()).into_deserializer();
        seed.deserialize(name).map(Some).map_err(|error| error.at(&key.span()))
    }

    fn next_value(&mut self) -> Reader<'de> {
        self.value.take().expect("a key was read before")
    }
}

impl<'de, I: Iterator<Item = (Spanned<DeString<'de>>, Spanned<DeValue<'de>>)>> de::MapAccess<'de>
    for Entries<'de, I>
{
    type Error = ReadError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, ReadError> {
        self.next_key(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, ReadError> {
        let reader = self.next_value();
        let span = reader.span.clone();
        seed.deserialize(reader).map_err(|error| error.at(&span))
    }
}

impl<'de, I: Iterator<Item = (Spanned<DeString<'de>>, Spanned<DeValue<'de>>)>> de::EnumAccess<'de>
    for Entries<'de, I>
{
    type Error = ReadError;
    type Variant = Reader<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        mut self,
        seed: S,
    ) -> Result<(S::Value, Reader<'de>), ReadError> {
        let word = self.next_key(seed)?.ok_or_else(|| de::Error::custom("the table is empty"))?;
        Ok((word, self.next_value()))
    }
}

impl<'de> de::VariantAccess<'de> for Reader<'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match &self.value {
            DeValue::Table(table) if table.is_empty() => Ok(()),
            _ => {
                Err(ReadError::new(Problem::Other("the value is not an empty table".to_owned()))
                    .at(&self.span))
            }
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, ReadError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        count: u32,
        share: f64,
        name: Option<String>,
        #[serde(default)]
        on: bool,
        #[serde(default)]
        list: Vec<Choice>,
        #[serde(default)]
        map: BTreeMap<String, i64>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Choice {
        Plain,
        Number(f64),
        Fields { x: u8 },
    }

    #[test]
    fn values_of_every_kind_are_read() {
        let text = "count = 0x10\nshare = 1\nname = \"a\\tb\"\non = true\nlist = [\"plain\", { number = -2.5 }, { fields = { x = 7 } }]\n\
                    [map]\n\"a b\" = 1_000\n";
        let read: Table = from_str(text).unwrap();
        let list = vec![Choice::Plain, Choice::Number(-2.5), Choice::Fields { x: 7 }];
        let map = [("a b".to_owned(), 1000)].into();
        assert_eq!(read, Table { count: 16, share: 1.0, name: Some("a\tb".into()), on: true, list, map });
        let infinite: BTreeMap<String, f64> = from_str("a = -inf\nb = nan").unwrap();
        assert!(infinite["a"] == f64::NEG_INFINITY && infinite["b"].is_nan());
    }

    #[test]
    fn errors_have_their_kind_and_their_place() {
        let refused = |text: &str| {
            let error = from_str::<Table>(text).unwrap_err();
            (format!("{error}"), error.span.map(|span| text[span].to_owned()))
        };
        let at = |place: &str| Some(place.to_owned());
        let (said, place) = refused("count = 1\nshare = 1\ncuont = 2");
        assert_eq!(
            said,
            "unknown field `cuont`, expected one of `count`, `share`, `name`, `on`, `list`, `map`"
        );
        assert_eq!(place, at("cuont"));
        let whole = "expected a whole number of at least 0";
        assert_eq!(refused("count = -1"), (format!("invalid value: integer `-1`, {whole}"), at("-1")));
        assert_eq!(
            refused("count = 1.5"),
            (format!("invalid type: floating point `1.5`, {whole}"), at("1.5"))
        );
        // The whole text has no place of its own.
        assert_eq!(refused("count = 1"), ("missing field `share`".to_owned(), at("")));
        let (said, place) = refused("list = [\"plain\", \"plan\"]");
        assert_eq!(said, "unknown variant `plan`, expected one of `plain`, `number`, `fields`");
        assert_eq!(place, at("\"plan\""));
        assert_eq!(refused("share = 1979-05-27").1, at("1979-05-27"));
        assert_eq!(refused("share = 1e999"), ("the number is too large".to_owned(), at("1e999")));
        let digits = "9".repeat(40);
        assert_eq!(refused(&format!("share = {digits}")).1, at(&digits));
        assert_eq!(refused("list = [{ plain = 1 }]").1, at("1"));
        assert_eq!(refused("list = [3]").1, at("3"));
        assert!(matches!(from_str::<Table>("count = ").unwrap_err().problem, Problem::Syntax(_)));
    }
}
