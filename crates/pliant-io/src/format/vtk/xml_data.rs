//! [`Decoder`]: decodes the arrays of a VTK XML file from base64 and compression.
//!
//! Data begin with a header of unsigned numbers of 32 or 64 bits. Without compression that is the number of bytes which
//! follow; with it: the number of blocks, the size of a block before compression, the size of the last block if it is a
//! smaller one (else 0), and the size of each block after compression. In base64 header and blocks may be encoded each
//! for themselves or in one go.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

use crate::error::{ImportError, Place};
use crate::format::cursor::{Cursor, found_other};
use crate::source::Source;

use super::compression::Method;
use super::scalar::{Scalar, unsigned};
use super::xml_tree::{Array, Storage, Tree};

/// Base64 with padding or without, since a piece of a longer row has none.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// How many times larger than the file the decoded data may be. zlib reaches 1030 on zeros; meshes reach 20.
const MOST_EXPANSION: usize = 1000;

/// The values of an array.
pub(crate) enum Values<'a> {
    /// Numbers of one type.
    Bytes { bytes: Cow<'a, [u8]>, scalar: Scalar, big_endian: bool },
    /// Words of text from here on.
    Text(Cursor<'a>),
}

/// Decodes arrays, and counts the bytes of the output.
pub(crate) struct Decoder<'a> {
    source: Source<'a>,
    tree: &'a Tree,
    budget: usize,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(source: Source<'a>, tree: &'a Tree) -> Self {
        let budget = source.bytes.len().saturating_mul(MOST_EXPANSION);
        Self { source, tree, budget }
    }

    /// The line on which an array is declared.
    pub(crate) fn place(&self, array: &Array) -> Place {
        Cursor::within(self.source, 0..self.source.bytes.len()).place_of(array.at)
    }

    /// The values of an array.
    pub(crate) fn values(&mut self, array: &Array) -> Result<Values<'a>, ImportError> {
        let source = self.source;
        let stream = match array.storage {
            Storage::Ascii => return Ok(Values::Text(Cursor::within(source, array.text.clone()))),
            // Some programs write no header for an array without numbers.
            Storage::Inline if array.text.is_empty() => Stream::Raw(&[0; 8]),
            Storage::Inline => Stream::Base64 { rest: &source.bytes[array.text.clone()], ahead: Vec::new() },
            Storage::Appended(offset) => {
                let Some(appended) = self.tree.appended else {
                    return Err(self.wrong(array, "format appended", "an element AppendedData in the file"));
                };
                let data = &source.bytes[appended.start..];
                let rest =
                    usize::try_from(offset).ok().and_then(|offset| data.get(offset..)).ok_or_else(|| {
                        let most = format!("an offset into the {} bytes of appended data", data.len());
                        self.wrong(array, &format!("offset {offset}"), most)
                    })?;
                if appended.base64 { Stream::Base64 { rest, ahead: Vec::new() } } else { Stream::Raw(rest) }
            }
        };
        let bytes = match self.tree.compressor.as_str() {
            "" => self.plain(array, stream)?,
            other => {
                let method = Method::named(other).ok_or_else(|| {
                    let other: String = other.chars().take(40).collect();
                    source.unsupported(
                        format!("data in an unsupported compression ({other})"),
                        "save the file again with zlib, LZ4 or LZMA compression or without any",
                    )
                })?;
                Cow::Owned(self.compressed(array, stream, method)?)
            }
        };
        Ok(Values::Bytes { bytes, scalar: array.scalar, big_endian: self.tree.big_endian })
    }

    fn wrong(&self, array: &Array, found: &str, expected: impl Into<String>) -> ImportError {
        let found = format!("{found} (array {:?})", array.name);
        found_other(&self.source, self.place(array), found, expected)
    }

    /// The next `count` bytes of a stream.
    fn take(
        &mut self,
        array: &Array,
        stream: &mut Stream<'a>,
        count: usize,
    ) -> Result<Cow<'a, [u8]>, ImportError> {
        stream.take(count).map_err(|problem| match problem {
            Problem::Short(most) => {
                self.wrong(array, &format!("{most} bytes or fewer"), format!("{count} bytes of data there"))
            }
            Problem::NotBase64 => self.wrong(array, "data with other characters", "base64"),
        })
    }

    /// Takes `count` numbers of a header.
    fn header(
        &mut self,
        array: &Array,
        stream: &mut Stream<'a>,
        count: usize,
    ) -> Result<Vec<usize>, ImportError> {
        let width = if self.tree.wide_header { 8 } else { 4 };
        let bytes = self.take(array, stream, count.saturating_mul(width))?;
        let number = |bytes: &[u8]| unsigned(bytes, self.tree.big_endian);
        Ok(bytes
            .chunks_exact(width)
            .map(|bytes| usize::try_from(number(bytes)).unwrap_or(usize::MAX))
            .collect())
    }

    fn spend(&mut self, array: &Array, bytes: usize) -> Result<(), ImportError> {
        self.budget = self.budget.checked_sub(bytes).ok_or_else(|| {
            let expected = format!("arrays that hold at most {MOST_EXPANSION} times as much as the file");
            self.wrong(array, &format!("a header that announces {bytes} bytes"), expected)
        })?;
        Ok(())
    }

    fn plain(&mut self, array: &Array, mut stream: Stream<'a>) -> Result<Cow<'a, [u8]>, ImportError> {
        let [count] = self.header(array, &mut stream, 1)?[..] else { return Ok(Cow::Borrowed(&[])) };
        self.spend(array, count)?;
        self.take(array, &mut stream, count)
    }

    fn compressed(
        &mut self,
        array: &Array,
        mut stream: Stream<'a>,
        method: Method,
    ) -> Result<Vec<u8>, ImportError> {
        let blocks = self.header(array, &mut stream, 1)?[0];
        if blocks == 0 {
            return Ok(Vec::new());
        }
        let sizes = self.header(array, &mut stream, blocks.saturating_add(2))?;
        let (whole, last, packed) = (sizes[0], sizes[1], &sizes[2..]);
        let last = if last == 0 { whole } else { last };
        let total = whole.saturating_mul(blocks - 1).saturating_add(last);
        self.spend(array, total)?;
        let mut out = Vec::new();
        for (block, &size) in packed.iter().enumerate() {
            let expected = if block + 1 == blocks { last } else { whole };
            let data = self.take(array, &mut stream, size)?;
            method.unpack(&data, expected, &mut out).map_err(|problem| {
                let found = format!("block {block}: {problem}");
                self.wrong(array, &found, format!("{expected} bytes in {} compression", method.name()))
            })?;
        }
        Ok(out)
    }
}

/// Bytes that come one after the other.
enum Stream<'a> {
    Raw(&'a [u8]),
    /// Base64 text, and bytes that were decoded but not yet taken.
    Base64 {
        rest: &'a [u8],
        ahead: Vec<u8>,
    },
}

/// Why a stream has no more bytes.
#[derive(Debug, PartialEq, Eq)]
enum Problem {
    /// There are at most as many.
    Short(usize),
    NotBase64,
}

impl<'a> Stream<'a> {
    fn take(&mut self, count: usize) -> Result<Cow<'a, [u8]>, Problem> {
        match self {
            Self::Raw(rest) => {
                let (taken, after) = rest.split_at_checked(count).ok_or(Problem::Short(rest.len()))?;
                *rest = after;
                Ok(Cow::Borrowed(taken))
            }
            Self::Base64 { rest, ahead } => {
                let most = ahead.len() + rest.len() / 4 * 3 + 2;
                if count > most {
                    return Err(Problem::Short(most));
                }
                let mut out = std::mem::take(ahead);
                while out.len() < count {
                    let group = next_groups(rest, (count - out.len()).div_ceil(3));
                    if group.is_empty() {
                        return Err(Problem::Short(out.len()));
                    }
                    BASE64.decode_vec(&group, &mut out).map_err(|_| Problem::NotBase64)?;
                }
                *ahead = out.split_off(count);
                Ok(Cow::Owned(out))
            }
        }
    }
}

/// Takes up to `groups` groups of four base64 characters, but none behind a padding, with which a row of groups ends.
/// White space is dropped, and the text ends at a `<`.
fn next_groups(rest: &mut &[u8], groups: usize) -> Vec<u8> {
    let wanted = groups.saturating_mul(4);
    let mut characters = Vec::with_capacity(wanted.min(rest.len()));
    let mut used = 0;
    for &byte in *rest {
        let in_group = characters.len() % 4 != 0;
        match byte {
            b'<' => break,
            _ if byte.is_ascii_whitespace() => {}
            b'=' if in_group => characters.push(byte),
            _ if characters.len() == wanted || characters.last() == Some(&b'=') => break,
            _ => characters.push(byte),
        }
        used += 1;
    }
    *rest = &rest[used..];
    characters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(text: &[u8]) -> Stream<'_> {
        Stream::Base64 { rest: text, ahead: Vec::new() }
    }

    #[test]
    fn base64_may_be_one_row_or_several_with_white_space_between() {
        for text in
            ["YWJjZGVmZ2hpag==", "YQ==YmM=ZGVmZ2hpag==", " YW\nJj\r\n ZGVm Z2hpag= =\n", "YWJjZGVmZ2hpag<"]
        {
            let text = text.replace("\\n", "\n");
            for split in 0..=10 {
                let mut stream = stream(text.as_bytes());
                assert_eq!(&stream.take(split).unwrap()[..], &b"abcdefghij"[..split], "{text}");
                assert_eq!(&stream.take(10 - split).unwrap()[..], &b"abcdefghij"[split..], "{text}");
            }
        }
    }

    #[test]
    fn what_is_short_or_no_base64_is_an_error() {
        assert_eq!(stream(b"YWJj").take(4).unwrap_err(), Problem::Short(3));
        assert_eq!(stream(b"YWJj").take(usize::MAX).unwrap_err(), Problem::Short(5));
        assert_eq!(stream(b"YW*j").take(3).unwrap_err(), Problem::NotBase64);
        assert_eq!(stream(b"====").take(1).unwrap_err(), Problem::NotBase64);
        assert_eq!(Stream::Raw(b"ab").take(3).unwrap_err(), Problem::Short(2));
    }
}
