//! The bytes of a glTF file: the chunks of a GLB, and buffers from URIs.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::error::{ImportError, Place};
use crate::load::load;
use crate::source::Source;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The JSON of a file, and the binary chunk of a GLB.
pub(super) fn split<'a>(source: &Source<'a>) -> Result<(&'a [u8], Option<&'a [u8]>), ImportError> {
    let bytes = source.bytes;
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let word = |at: usize| {
        let word = bytes.get(at..at + 4).ok_or_else(|| {
            source.truncated(Place::Byte(bytes.len()), "the header of a GLB file or of a chunk of it")
        })?;
        Ok(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    let version = word(4)?;
    if version != 2 {
        return Err(source.unsupported(format!("a GLB file of version {version}"), "convert it to glTF 2.0"));
    }
    let total = word(8)? as usize;
    if total > bytes.len() {
        return Err(source.truncated(
            Place::Byte(bytes.len()),
            format!("{total} bytes, as the header announces, of which {} are there", bytes.len()),
        ));
    }
    let (mut json, mut binary) = (None, None);
    let mut at = 12;
    while at + 8 <= total {
        let (length, kind) = (word(at)? as usize, word(at + 4)?);
        let chunk = bytes.get(at + 8..).and_then(|rest| rest.get(..length)).ok_or_else(|| {
            source.truncated(
                Place::Byte(bytes.len()),
                format!("a chunk of {length} bytes from byte {} on", at + 8),
            )
        })?;
        match kind {
            0x4e4f_534a if json.is_none() => json = Some(chunk),
            0x004e_4942 if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at += 8 + length;
    }
    let json = json.ok_or_else(|| source.truncated(Place::Byte(bytes.len()), "a chunk of JSON"))?;
    Ok((json, binary))
}

/// The bytes that a URI stands for: base64 data in itself, or a file in the folder of this one or below it.
pub(super) fn fetch(source: &Source<'_>, uri: &str) -> Result<Vec<u8>, ImportError> {
    let shown: String = uri.chars().take(60).collect();
    if let Some(data) = uri.strip_prefix("data:") {
        let (head, data) = data.split_once(',').unwrap_or((data, ""));
        if !head.ends_with(";base64") {
            return Err(source.unsupported(format!("the buffer {shown:?}"), "embed it as base64"));
        }
        return BASE64.decode(data).map_err(|error| {
            source.unsupported(format!("the base64 of a buffer ({error})"), "export it again")
        });
    }
    let name = percent_decoded(uri);
    let outside = name.starts_with(['/', '\\'])
        || name.contains(':')
        || name.split(['/', '\\']).any(|part| part == "..");
    if outside || name.is_empty() {
        return Err(source.unsupported(
            format!("the buffer {shown:?}, which is not beside the file"),
            "put the buffer into the folder of the file, or save as GLB",
        ));
    }
    let Some(folder) = source.path.map(|path| path.parent().unwrap_or(std::path::Path::new(""))) else {
        return Err(source.unsupported(
            format!("the buffer {shown:?} of a file given as bytes"),
            "read it by its path, or save it as GLB",
        ));
    };
    let path = folder.join(name);
    load(&path).map_err(|error| match error {
        ImportError::Io { path, source: cause } => {
            ImportError::MissingSibling { file: source.name.to_owned(), what: "buffer", path, source: cause }
        }
        other => other,
    })
}

/// The text with `%20` and the like replaced by what they stand for.
fn percent_decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%')
            .then(|| uri.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok()))
            .flatten();
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_codes_are_replaced() {
        assert_eq!(percent_decoded("a%20b%2Fc%zz%"), "a b/c%zz%");
    }
}
