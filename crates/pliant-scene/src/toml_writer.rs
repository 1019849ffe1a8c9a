//! [`to_string`] and [`to_table`]: a value as TOML, by way of a tree.
//!
//! The writer of the parser's crate has several serializers, for tables, inline values, lists of tables and for
//! finding out which of them a value needs. Each compiles all tables of a scene again. Here the tables are compiled
//! for one, which makes a [`Tree`], and the others only ever see the tree.

use serde::Serialize;
use serde::de::value::Error;
use serde::ser::{self, SerializeMap as _, Serializer};

use toml::{Table, Value};

/// A value as TOML.
///
/// # Errors
///
/// If it has no form in TOML.
pub(crate) fn to_string(value: &impl Serialize) -> Result<String, toml::ser::Error> {
    let tree = value.serialize(Planter).map_err(<toml::ser::Error as ser::Error>::custom)?;
    toml::to_string(&tree)
}

/// A value as a table of TOML.
///
/// # Errors
///
/// If it is no table.
pub(crate) fn to_table(value: &impl Serialize) -> Result<Table, Error> {
    match value.serialize(Planter)?.grown() {
        Some(Value::Table(table)) => Ok(table),
        _ => Err(ser::Error::custom("the value is not a table")),
    }
}

/// A value in the place of a value: in one line, unless it is a table or a list.
///
/// # Errors
///
/// If it has no form in TOML.
pub(crate) fn inline(value: &Value) -> Result<String, toml::ser::Error> {
    let tree = value.serialize(Planter).map_err(<toml::ser::Error as ser::Error>::custom)?;
    let mut text = String::new();
    tree.serialize(toml::ser::ValueSerializer::new(&mut text))?;
    Ok(text)
}

/// What a value consists of, in the order in which it says so.
enum Tree {
    Nothing,
    Flag(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(String),
    Items(Vec<Tree>),
    Entries(Vec<(String, Tree)>),
    /// One of several forms, with its content.
    Variant(&'static str, Box<Tree>),
}

impl Tree {
    /// The value of TOML; none for nothing.
    fn grown(self) -> Option<Value> {
        Some(match self {
            Self::Nothing => return None,
            Self::Flag(flag) => Value::Boolean(flag),
            Self::Signed(number) => Value::Integer(number),
            // Larger ones have no form in such a table, and none is read.
            Self::Unsigned(number) => Value::Integer(i64::try_from(number).unwrap_or(i64::MAX)),
            Self::Float(number) => Value::Float(number),
            Self::Text(text) => Value::String(text),
            Self::Items(items) => Value::Array(items.into_iter().filter_map(Self::grown).collect()),
            Self::Entries(entries) => Value::Table(
                entries.into_iter().filter_map(|(key, value)| Some((key, value.grown()?))).collect(),
            ),
            Self::Variant(word, value) => {
                Value::Table(value.grown().map(|value| (word.to_owned(), value)).into_iter().collect())
            }
        })
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => serializer.serialize_none(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Signed(number) => serializer.serialize_i64(*number),
            Self::Unsigned(number) => serializer.serialize_u64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Items(items) => items.serialize(serializer),
            Self::Entries(entries) => {
                let mut table = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    table.serialize_entry(key, value)?;
                }
                table.end()
            }
            Self::Variant(word, value) => serializer.serialize_newtype_variant("", 0, word, &**value),
        }
    }
}

/// The serializer that makes a tree.
struct Planter;

/// A list that grows; of a form if it has one.
struct Items {
    items: Vec<Tree>,
    variant: Option<&'static str>,
}

/// A table that grows, and the key that has no value yet; of a form if it has one.
struct Entries {
    entries: Vec<(String, Tree)>,
    key: String,
    variant: Option<&'static str>,
}

fn of_variant(variant: Option<&'static str>, tree: Tree) -> Tree {
    match variant {
        Some(word) => Tree::Variant(word, Box::new(tree)),
        None => tree,
    }
}

impl Items {
    fn of(variant: Option<&'static str>, length: usize) -> Self {
        Self { items: Vec::with_capacity(length), variant }
    }

    fn whole(self) -> Tree {
        of_variant(self.variant, Tree::Items(self.items))
    }
}

impl Entries {
    fn of(variant: Option<&'static str>, length: usize) -> Self {
        Self { entries: Vec::with_capacity(length), key: String::new(), variant }
    }

    // Not part of what is compiled for every type of a field.
    #[inline(never)]
    fn push(&mut self, key: &str, value: Tree) {
        self.entries.push((key.to_owned(), value));
    }

    fn whole(self) -> Tree {
        of_variant(self.variant, Tree::Entries(self.entries))
    }
}

/// Numbers and texts, each by the variant of the tree that holds all of its kind.
macro_rules! leaves {
    ($($method:ident($Type:ty) = $Variant:ident;)+) => {
        $(
            fn $method(self, value: $Type) -> Result<Tree, Error> {
                Ok(Tree::$Variant(value.into()))
            }
        )+
    };
}

impl Serializer for Planter {
    type Ok = Tree;
    type Error = Error;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

    leaves! {
        serialize_bool(bool) = Flag;
        serialize_i8(i8) = Signed;
        serialize_i16(i16) = Signed;
        serialize_i32(i32) = Signed;
        serialize_i64(i64) = Signed;
        serialize_u8(u8) = Unsigned;
        serialize_u16(u16) = Unsigned;
        serialize_u32(u32) = Unsigned;
        serialize_u64(u64) = Unsigned;
        serialize_f32(f32) = Float;
        serialize_f64(f64) = Float;
        serialize_char(char) = Text;
        serialize_str(&str) = Text;
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Tree, Error> {
        bytes.serialize(self)
    }

    fn serialize_none(self) -> Result<Tree, Error> {
        Ok(Tree::Nothing)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Tree, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Tree, Error> {
        Ok(Tree::Nothing)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Tree, Error> {
        Ok(Tree::Nothing)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        word: &'static str,
    ) -> Result<Tree, Error> {
        self.serialize_str(word)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Tree, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        word: &'static str,
        value: &T,
    ) -> Result<Tree, Error> {
        Ok(of_variant(Some(word), value.serialize(self)?))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items, Error> {
        Ok(Items::of(None, length.unwrap_or(0)))
    }

    fn serialize_tuple(self, length: usize) -> Result<Items, Error> {
        Ok(Items::of(None, length))
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Items, Error> {
        Ok(Items::of(None, length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        word: &'static str,
        length: usize,
    ) -> Result<Items, Error> {
        Ok(Items::of(Some(word), length))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Entries, Error> {
        Ok(Entries::of(None, length.unwrap_or(0)))
    }

    fn serialize_struct(self, _name: &'static str, length: usize) -> Result<Entries, Error> {
        Ok(Entries::of(None, length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        word: &'static str,
        length: usize,
    ) -> Result<Entries, Error> {
        Ok(Entries::of(Some(word), length))
    }
}

/// The four kinds of lists that serde tells apart.
macro_rules! lists {
    ($($Trait:ident, $method:ident;)+) => {
        $(
            impl ser::$Trait for Items {
                type Ok = Tree;
                type Error = Error;

                fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                    self.items.push(value.serialize(Planter)?);
                    Ok(())
                }

                fn end(self) -> Result<Tree, Error> {
                    Ok(self.whole())
                }
            }
        )+
    };
}

lists! {
    SerializeSeq, serialize_element;
    SerializeTuple, serialize_element;
    SerializeTupleStruct, serialize_field;
    SerializeTupleVariant, serialize_field;
}

impl ser::SerializeMap for Entries {
    type Ok = Tree;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let Tree::Text(key) = key.serialize(Planter)? else {
            return Err(ser::Error::custom("a key is not a text"));
        };
        self.key = key;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let value = value.serialize(Planter)?;
        let key = std::mem::take(&mut self.key);
        self.entries.push((key, value));
        Ok(())
    }

    fn end(self) -> Result<Tree, Error> {
        Ok(self.whole())
    }
}

/// The two kinds of tables whose keys are known.
macro_rules! tables {
    ($($Trait:ident)+) => {
        $(
            impl ser::$Trait for Entries {
                type Ok = Tree;
                type Error = Error;

                fn serialize_field<T: Serialize + ?Sized>(
                    &mut self,
                    key: &'static str,
                    value: &T,
                ) -> Result<(), Error> {
                    let value = value.serialize(Planter)?;
                    self.push(key, value);
                    Ok(())
                }

                fn end(self) -> Result<Tree, Error> {
                    Ok(self.whole())
                }
            }
        )+
    };
}

tables! { SerializeStruct SerializeStructVariant }

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Serialize)]
    struct All {
        flag: bool,
        count: u32,
        whole: i64,
        share: f64,
        none: Option<u8>,
        some: Option<u8>,
        pair: (i8, String),
        list: Vec<f64>,
        forms: Vec<Form>,
        map: BTreeMap<String, i64>,
        table: Inner,
        form: Form,
        tables: Vec<Inner>,
    }

    #[derive(Serialize)]
    struct Inner {
        name: &'static str,
        inner: Vec<Vec<u8>>,
    }

    #[derive(Serialize)]
    enum Form {
        Plain,
        Number(f64),
        Pair(u8, u8),
        Fields { x: u8 },
    }

    #[test]
    fn texts_are_those_of_the_parsers_own_writer() {
        let inner = |name| Inner { name, inner: vec![vec![1, 2], vec![]] };
        let all = All {
            flag: true,
            count: 3,
            whole: -4,
            share: 0.1,
            none: None,
            some: Some(7),
            pair: (-1, "a\n\"b\"".to_owned()),
            list: vec![1.0, 1e-30, f64::INFINITY],
            forms: vec![Form::Plain, Form::Number(1.5), Form::Pair(1, 2), Form::Fields { x: 1 }],
            map: [("a b".to_owned(), 1), (String::new(), 2)].into(),
            table: inner("x"),
            form: Form::Fields { x: 2 },
            tables: vec![inner("y"), inner("z")],
        };
        assert_eq!(to_string(&all).unwrap(), toml::to_string(&all).unwrap());
    }

    #[test]
    fn every_example_is_written_as_by_the_parsers_own_writer() {
        for template in crate::templates() {
            let scene = template.scene().unwrap();
            assert_eq!(scene.to_toml(), toml::to_string(&scene.model).unwrap(), "{}", template.name);
        }
    }
}
