//! [`refuse`]: refuses texts in UTF-16, which some editors and shells write, by name; and byte order marks.
//!
//! No format read here may be in UTF-16. Otherwise its bytes would pass for a text of unknown statements, or
//! for no format at all, and the error would name the wrong cause.

use crate::error::ImportError;
use crate::source::Source;

/// How much of a file is checked.
const SAMPLE: usize = 4096;
/// Without a byte order mark, as few characters as this prove nothing.
const FEWEST: usize = 8;

/// Refuses a text in UTF-16, unless the format of the file is `known` from its content.
pub(crate) fn refuse(source: &Source<'_>, known: bool) -> Result<(), ImportError> {
    match byte_order(source.bytes) {
        Some(order) if !known => Err(source.unsupported(
            format!("a text in UTF-16 ({order})"),
            "save it as UTF-8, which is an encoding to choose in the \"Save as\" of editors",
        )),
        _ => Ok(()),
    }
}

/// The byte order of a text in UTF-16, if the bytes are one: with a mark of it, or without one if nearly all characters
/// are ASCII, so that every other byte is zero. No text in UTF-8 has such bytes.
fn byte_order(bytes: &[u8]) -> Option<&'static str> {
    let (marked, little, text) = match bytes {
        [0xff, 0xfe, text @ ..] => (true, true, text),
        [0xfe, 0xff, text @ ..] => (true, false, text),
        [_, 0, ..] => (false, true, bytes),
        [0, ..] => (false, false, bytes),
        _ => return None,
    };
    let units = text[..text.len().min(SAMPLE)].as_chunks::<2>().0;
    let units =
        units.iter().map(|&pair| if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) });
    let (mut ascii, mut all) = (0, 0);
    for character in char::decode_utf16(units.clone()) {
        match character {
            Ok(character) if character.is_control() && !character.is_whitespace() => return None,
            Ok(character) => ascii += usize::from(character.is_ascii()),
            // The sample may end within a character.
            Err(_) if all + 1 >= units.len() => {}
            Err(_) => return None,
        }
        all += 1;
    }
    let evident = marked || (all >= FEWEST && 10 * ascii >= 9 * all);
    evident.then_some(if little { "little-endian" } else { "big-endian" })
}

/// The content behind a byte order mark, which some editors put before a text.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read_mesh_bytes};

    fn encoded(text: &str, little: bool) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect()
    }

    #[test]
    fn texts_in_utf_16_are_named() {
        let texts = [
            (Format::Obj, "# Würfel\r\nv 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n"),
            (Format::Ply, "ply\nformat ascii 1.0\nelement vertex 0\nend_header\n"),
            (Format::Stl, "solid a\nfacet normal 0 0 1\nendsolid\n"),
            (Format::Off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
            (Format::TetGen, "4 3 0 0\n1 0 0 0\n"),
            (Format::Msh, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"),
            (Format::VtkLegacy, "# vtk DataFile Version 3.0\na\nASCII\n"),
            (Format::Vtu, "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<VTKFile/>\n"),
            (Format::Medit, "MeshVersionFormatted 2\nDimension 3\n"),
            (Format::Abaqus, "*HEADING\n*NODE\n1, 0, 0, 0\n"),
            (Format::Gaia, "Vertex 1 0 0 0\n"),
            (Format::Gltf, "{\"asset\":{\"version\":\"2.0\"}}"),
            (Format::Usda, "#usda 1.0\ndef Mesh \"a\" {}\n"),
        ];
        for (format, text) in texts {
            for (little, order) in [(true, "little-endian"), (false, "big-endian")] {
                for mark in ["\u{feff}", ""] {
                    let bytes = encoded(&format!("{mark}{text}"), little);
                    let error = read_mesh_bytes(format, &bytes, "a").unwrap_err().to_string();
                    let expected = format!("a: a text in UTF-16 ({order}) cannot be read; save it as UTF-8");
                    assert!(error.starts_with(&expected), "{error}");
                    // Also where the file has been cut.
                    assert!(byte_order(&bytes[..bytes.len() - 3]).is_some());
                }
            }
        }
    }

    #[test]
    fn a_mark_allows_for_other_scripts_and_for_short_texts() {
        for text in ["# 立方体のモデル 😀\nv 0 0 0", "v"] {
            assert!(byte_order(&encoded(&format!("\u{feff}{text}"), true)).is_some());
            assert!(byte_order(&encoded(text, true)).is_none(), "{text}");
        }
    }

    #[test]
    fn nothing_else_is_taken_for_utf_16() {
        // Numbers of 16 and of 32 bits, and a count that begins like a mark.
        let shorts: Vec<u8> = (0..2000_u16).flat_map(u16::to_le_bytes).collect();
        let words: Vec<u8> = (32..500_u32).flat_map(u32::to_le_bytes).collect();
        let mut marked = 0x0001_feff_u32.to_le_bytes().to_vec();
        marked.extend(&words);
        let text = "v 0 0 0\nv 1 0 0\n# ü\n";
        for bytes in
            [&shorts[..], &words, &marked, text.as_bytes(), b"\xef\xbb\xbfv 0 0 0", b"", b"\0", b"v\0"]
        {
            assert_eq!(byte_order(bytes), None);
        }
    }

    #[test]
    fn files_of_unknown_name_and_siblings_are_looked_at_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, encoded("\u{feff}v 0 0 0\n", true)).unwrap();
        let error = crate::read_mesh(&path).unwrap_err().to_string();
        assert!(error.contains("a text in UTF-16"), "{error}");
        std::fs::write(folder.path().join("a.node"), "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n")
            .unwrap();
        std::fs::write(folder.path().join("a.ele"), encoded("1 4 0\n0 0 1 2 3\n", false)).unwrap();
        let character = crate::read_character_bytes(
            &encoded("{\"asset\":{\"version\":\"2.0\"}}", true),
            "a",
            pliant_mesh::WeightSums::Normalise,
        );
        assert!(character.unwrap_err().to_string().contains("a text in UTF-16"));
        let error = crate::read_mesh(folder.path().join("a.node")).unwrap_err().to_string();
        assert!(error.contains("a.ele: a text in UTF-16"), "{error}");
    }
}
