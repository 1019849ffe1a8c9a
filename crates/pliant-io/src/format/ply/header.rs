//! The header of a PLY file.

use crate::error::{ImportError, Place};
use crate::source::Source;
use crate::text::{next_number, words};

/// How the data behind the header is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Encoding {
    /// A line for each element.
    Text,
    /// Binary, least significant byte first.
    Little,
    /// Binary, most significant byte first.
    Big,
}

/// A number type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn parse(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Length in a binary file.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A property of an element.
#[derive(Debug)]
pub(super) struct Property<'a> {
    pub(super) name: &'a [u8],
    /// The type of the length, if the property is a list.
    pub(super) list: Option<Scalar>,
    /// The type of the value, or of those in the list.
    pub(super) value: Scalar,
}

/// A kind of element, in the order of the data.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) name: &'a [u8],
    pub(super) count: usize,
    pub(super) properties: Vec<Property<'a>>,
    /// The line of its declaration.
    pub(super) line: usize,
}

/// What the header declares.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element<'a>>,
    /// Where the data begins.
    pub(super) end: usize,
    /// Number of lines of the header.
    pub(super) lines: usize,
}

/// Names are compared with all before them, which takes long in a header with very many elements.
const MOST_KINDS: usize = 1000;

/// Reads the header.
pub(super) fn read<'a>(source: &Source<'a>) -> Result<Header<'a>, ImportError> {
    let bytes = source.bytes;
    if !bytes.starts_with(b"ply") {
        return Err(source.parse_error(Place::Line(1), &bytes[..bytes.len().min(8)], "\"ply\""));
    }
    // Lines end as the first one does. A new guess for each would take a data byte 10 after a lone `\r` as part of the
    // line end.
    let newline: &[u8] = match &bytes[3..] {
        [b'\r', b'\n', ..] => b"\r\n",
        [b'\r', ..] => b"\r",
        _ => b"\n",
    };
    let mut encoding = None;
    let mut elements: Vec<Element<'a>> = Vec::new();
    let mut start = 0;
    let mut line = 0;
    loop {
        line += 1;
        let place = Place::Line(line);
        let rest = &bytes[start..];
        let length = rest.windows(newline.len()).position(|w| w == newline);
        let text = &rest[..length.unwrap_or(rest.len())];
        start += text.len() + newline.len();
        let mut words = words(text);
        match words.next() {
            Some(b"end_header") => break,
            Some(b"ply") if line == 1 => {}
            None | Some(b"comment" | b"obj_info") => {}
            Some(b"format") => encoding = Some(parse_format(source, place, &mut words)?),
            Some(b"element") => {
                let name = words.next().unwrap_or_default();
                if name.is_empty() || elements.iter().any(|element| element.name == name) {
                    return Err(source.parse_error(place, text.trim_ascii(), "the name of another element"));
                }
                if elements.len() == MOST_KINDS {
                    return Err(source
                        .unsupported(format!("more than {MOST_KINDS} kinds of elements"), "leave some out"));
                }
                let count = next_number(source, line, &mut words, "the number of elements")?;
                elements.push(Element { name, count, properties: Vec::new(), line });
            }
            Some(b"property") => {
                let property = parse_property(source, place, &mut words)?;
                let Some(element) = elements.last_mut() else {
                    return Err(source.parse_error(place, text.trim_ascii(), "an element first"));
                };
                element.properties.push(property);
            }
            Some(_) => {
                return Err(source.parse_error(place, text.trim_ascii(), "a declaration or \"end_header\""));
            }
        }
        if length.is_none() {
            return Err(source.truncated(place, "\"end_header\""));
        }
    }
    let encoding = encoding
        .ok_or_else(|| source.parse_error(Place::Line(line), b"end_header", "\"format\" before it"))?;
    Ok(Header { encoding, elements, end: start.min(bytes.len()), lines: line })
}

fn parse_format<'a>(
    source: &Source<'_>,
    place: Place,
    words: &mut impl Iterator<Item = &'a [u8]>,
) -> Result<Encoding, ImportError> {
    let name = words.next().unwrap_or_default();
    let encoding = match name {
        b"ascii" => Encoding::Text,
        b"binary_little_endian" => Encoding::Little,
        b"binary_big_endian" => Encoding::Big,
        _ => {
            return Err(source.parse_error(place, name, "ascii, binary_little_endian or binary_big_endian"));
        }
    };
    let version = words.next().unwrap_or_default();
    if version != b"1.0" {
        return Err(source.parse_error(place, version, "the version 1.0"));
    }
    Ok(encoding)
}

fn parse_property<'a>(
    source: &Source<'_>,
    place: Place,
    words: &mut impl Iterator<Item = &'a [u8]>,
) -> Result<Property<'a>, ImportError> {
    let mut kind = || {
        let word = words.next().unwrap_or_default();
        if word == b"list" {
            return Ok(None);
        }
        Scalar::parse(word).map(Some).ok_or_else(|| {
            source.parse_error(place, word, "a type: char, uchar, short, ushort, int, uint, float or double")
        })
    };
    let (list, value) = match kind()? {
        Some(value) => (None, Some(value)),
        None => (kind()?, kind()?),
    };
    let value = value.filter(|_| !matches!(list, Some(Scalar::F32 | Scalar::F64)));
    let name = words.next().unwrap_or_default();
    match value {
        Some(value) if !name.is_empty() => Ok(Property { name, list, value }),
        _ => Err(source.parse_error(
            place,
            name,
            "\"property TYPE NAME\" or \"property list INTEGER_TYPE TYPE NAME\"",
        )),
    }
}
