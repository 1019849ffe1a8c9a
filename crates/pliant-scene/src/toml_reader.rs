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

/// The error of a value while it is read: behind a pointer, because every table has a function that may return it.
#[derive(Debug)]
struct Misread(Box<ReadError>);

impl Misread {
    #[cold]
    fn new(problem: Problem) -> Self {
        Self(Box::new(ReadError { problem, span: None }))
    }

    /// The error with this place, unless it has one.
    #[cold]
    fn at(mut self, span: Range<usize>) -> Self {
        self.0.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Misread {}

impl de::Error for Misread {
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
    let root = parsed(text)?;
    M::deserialize(Reader(&root)).map_err(|error| *error.0)
}

/// The table that a text is.
fn parsed(text: &str) -> Result<Spanned<DeValue<'_>>, ReadError> {
    let document = DeTable::parse(text).map_err(|error| ReadError {
        problem: Problem::Syntax(error.message().trim().replace('\n', ", ")),
        span: error.span(),
    })?;
    Ok(Spanned::new(document.span(), DeValue::Table(document.into_inner())))
}

/// A value of a text. What reads a table is compiled for every table of a scene, so all that does not depend on the
/// table is in functions of its own, and a table is read as nothing but a table.
#[derive(Clone, Copy)]
struct Reader<'t>(&'t Spanned<DeValue<'t>>);

/// A value as visitors take it.
enum Plain<'t> {
    Text(&'t str),
    Signed(i64),
    Unsigned(u64),
    Long(i128),
    Float(f64),
    Flag(bool),
    Date,
    Items(Items<'t>),
    Entries(Entries<'t>),
}

impl<'t> Reader<'t> {
    fn plain(self) -> Result<Plain<'t>, Misread> {
        Ok(match self.0.get_ref() {
            DeValue::String(text) => Plain::Text(text),
            DeValue::Integer(number) => {
                let (digits, radix) = (number.as_str(), number.radix());
                if let Ok(number) = i64::from_str_radix(digits, radix) {
                    Plain::Signed(number)
                } else if let Ok(number) = u64::from_str_radix(digits, radix) {
                    Plain::Unsigned(number)
                } else if let Ok(number) = i128::from_str_radix(digits, radix) {
                    Plain::Long(number)
                } else {
                    return Err(self.misread(de::Error::custom("the number has too many digits")));
                }
            }
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                // Infinite by its digits, not by its name.
                Ok(parsed)
                    if parsed.is_infinite() && number.as_str().contains(|c: char| c.is_ascii_digit()) =>
                {
                    return Err(self.misread(de::Error::custom("the number is too large")));
                }
                Ok(number) => Plain::Float(number),
                Err(error) => return Err(self.misread(de::Error::custom(error))),
            },
            DeValue::Boolean(value) => Plain::Flag(*value),
            DeValue::Datetime(_) => Plain::Date,
            DeValue::Array(items) => Plain::Items(Items(items.iter())),
            DeValue::Table(table) => Plain::Entries(Entries { rest: table.iter(), value: None }),
        })
    }

    /// The error of a value of another type than is expected.
    #[cold]
    fn unfit(self, expected: &dyn de::Expected) -> Misread {
        let long;
        let found = match self.plain() {
            Ok(Plain::Text(text)) => Unexpected::Str(text),
            Ok(Plain::Signed(number)) => Unexpected::Signed(number),
            Ok(Plain::Unsigned(number)) => Unexpected::Unsigned(number),
            Ok(Plain::Long(number)) => {
                long = format!("integer `{number}` as i128");
                Unexpected::Other(&long)
            }
            Ok(Plain::Float(number)) => Unexpected::Float(number),
            Ok(Plain::Flag(flag)) => Unexpected::Bool(flag),
            Ok(Plain::Date) => Unexpected::Other("date or time"),
            Ok(Plain::Items(_)) => Unexpected::Seq,
            Ok(Plain::Entries(_)) => Unexpected::Map,
            Err(error) => return error,
        };
        self.misread(de::Error::invalid_type(found, expected))
    }

    /// An error of this value.
    #[cold]
    fn misread(self, error: Misread) -> Misread {
        error.at(self.0.span())
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let read = match self.plain()? {
            Plain::Text(text) => visitor.visit_borrowed_str(text),
            Plain::Signed(number) => visitor.visit_i64(number),
            Plain::Unsigned(number) => visitor.visit_u64(number),
            Plain::Long(number) => visitor.visit_i128(number),
            Plain::Float(number) => visitor.visit_f64(number),
            Plain::Flag(flag) => visitor.visit_bool(flag),
            Plain::Date => return Err(self.unfit(&visitor)),
            Plain::Items(items) => visitor.visit_seq(items),
            Plain::Entries(entries) => visitor.visit_map(entries),
        };
        read.map_err(|error| self.misread(error))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let read = match self.plain()? {
            Plain::Signed(number) => visitor.visit_i64(number),
            Plain::Unsigned(number) => visitor.visit_u64(number),
            Plain::Float(number) => visitor.visit_f64(number),
            _ => return Err(self.unfit(&visitor)),
        };
        read.map_err(|error| self.misread(error))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let DeValue::Boolean(flag) = self.0.get_ref() else { return Err(self.unfit(&visitor)) };
        visitor.visit_bool(*flag).map_err(|error| self.misread(error))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let DeValue::String(text) = self.0.get_ref() else { return Err(self.unfit(&visitor)) };
        visitor.visit_borrowed_str(text).map_err(|error| self.misread(error))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.deserialize_str(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let DeValue::Array(items) = self.0.get_ref() else { return Err(self.unfit(&visitor)) };
        visitor.visit_seq(Items(items.iter())).map_err(|error| self.misread(error))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Misread> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        let DeValue::Table(table) = self.0.get_ref() else { return Err(self.unfit(&visitor)) };
        let entries = Entries { rest: table.iter(), value: None };
        visitor.visit_map(entries).map_err(|error| self.misread(error))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.deserialize_map(visitor)
    }

    // A key that is there has a value.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        visitor.visit_newtype_struct(self).map_err(|error| self.misread(error))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        let read = match self.0.get_ref() {
            DeValue::String(word) => visitor.visit_enum(Variant { word, place: self.0.span(), value: None }),
            DeValue::Table(table) if table.len() == 1 => {
                let (word, value) = table.iter().next().expect("it has one entry");
                let place = word.span();
                visitor.visit_enum(Variant { word: word.get_ref(), place, value: Some(Self(value)) })
            }
            _ => Err(de::Error::custom("the value is neither a word in quotes nor a table with one key")),
        };
        read.map_err(|error| self.misread(error))
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.deserialize_any(visitor).map_err(whole)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        self.deserialize_any(visitor).map_err(whole)
    }

    serde::forward_to_deserialize_any! {
        u8 u16 i8 i16 i32 i64 i128 u128 f32 char
        bytes byte_buf unit
        ignored_any unit_struct tuple_struct identifier
    }
}

/// The error of what should be a number for counting, in words instead of as a type of Rust.
fn whole(mut error: Misread) -> Misread {
    if let Problem::Unfit { expected, .. } = &mut error.0.problem {
        "a whole number of at least 0".clone_into(expected);
    }
    error
}

/// The items of a list that are still to be read.
struct Items<'t>(std::slice::Iter<'t, Spanned<DeValue<'t>>>);

impl<'de> de::SeqAccess<'de> for Items<'de> {
    type Error = Misread;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misread> {
        let Some(item) = self.0.next() else { return Ok(None) };
        let reader = Reader(item);
        seed.deserialize(reader).map(Some).map_err(|error| reader.misread(error))
    }
}

/// The entries of a table that are still to be read, and the value of the key that was read last.
struct Entries<'t> {
    rest: toml::map::Iter<'t, Spanned<DeString<'t>>, Spanned<DeValue<'t>>>,
    value: Option<Reader<'t>>,
}

impl<'de> Entries<'de> {
    /// The next key.
    #[inline(never)]
    fn next(&mut self) -> Option<&'de Spanned<DeString<'de>>> {
        let (key, value) = self.rest.next()?;
        self.value = Some(Reader(value));
        Some(key)
    }
}

impl<'de> de::MapAccess<'de> for Entries<'de> {
    type Error = Misread;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misread> {
        let Some(key) = self.next() else { return Ok(None) };
        let name: StrDeserializer<'_, Misread> = (**key.get_ref()).into_deserializer();
        seed.deserialize(name).map(Some).map_err(|error| error.at(key.span()))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Misread> {
        let reader = self.value.take().expect("a key was read before");
        seed.deserialize(reader).map_err(|error| reader.misread(error))
    }
}

/// One of several forms: a word, or a table whose one key is the word.
struct Variant<'t> {
    word: &'t str,
    place: Range<usize>,
    /// The value of the key.
    value: Option<Reader<'t>>,
}

impl<'t> Variant<'t> {
    /// The value, where only a table has one; `form` is what it would be.
    fn value(&self, form: &str) -> Result<Reader<'t>, Misread> {
        self.value.ok_or_else(|| de::Error::invalid_type(Unexpected::UnitVariant, &form))
    }
}

impl<'de> de::EnumAccess<'de> for Variant<'de> {
    type Error = Misread;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Misread> {
        let word: StrDeserializer<'_, Misread> = self.word.into_deserializer();
        match seed.deserialize(word) {
            Ok(word) => Ok((word, self)),
            Err(error) => Err(error.at(self.place)),
        }
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'de> {
    type Error = Misread;

    fn unit_variant(self) -> Result<(), Misread> {
        match self.value.map(|reader| (reader, reader.0.get_ref())) {
            None => Ok(()),
            Some((_, DeValue::Table(table))) if table.is_empty() => Ok(()),
            Some((reader, _)) => Err(reader.misread(de::Error::custom("the value is not an empty table"))),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Misread> {
        seed.deserialize(self.value("newtype variant")?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Misread> {
        self.value("tuple variant")?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.value("struct variant")?.deserialize_map(visitor)
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
        // A table is read by its keys only, not from a list of their values.
        assert_eq!(refused("list = [{ fields = [7] }]").1, at("[7]"));
        assert!(matches!(from_str::<Table>("count = ").unwrap_err().problem, Problem::Syntax(_)));
    }
}
