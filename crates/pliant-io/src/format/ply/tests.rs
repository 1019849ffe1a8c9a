use nalgebra::Vector3;

use super::*;

fn parse(bytes: &[u8]) -> Result<RawMesh, ImportError> {
    read(&Source::of("a.ply", bytes))
}

fn error(bytes: &[u8]) -> String {
    parse(bytes).map(|_| ()).unwrap_err().to_string()
}

const TEXT: &str = "ply\nformat ascii 1.0  \ncomment made here\nobj_info x\nelement vertex 4\nproperty uchar red\n\
    property float x\nproperty list uchar int near\nproperty double z\nproperty float32 y\nelement face 2\n\
    property uchar flag\nproperty list uint8 int32 vertex_index\nend_header\n\
    9 0.1 0 3 2\n9 1 2 7 8 0 0\n\n9 1 1 5 0 1\n9 0 0 0 1\n1 4 0 1 2 3\n0 2 0 1\n";

/// The square 0123 with vertices of `i16` and a face list of the given types.
fn binary(big: bool, count: &str, index: &str) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\r\nformat binary_{order}_endian 1.0\r\nelement vertex 4\r\nproperty short x\r\nproperty short y\r\n\
         property int8 z\r\nelement edge 1\r\nproperty int a\r\nelement nothing 99999999999\r\nelement face 1\r\n\
         property list {count} {index} vertex_indices\r\nend_header\r\n"
    )
    .into_bytes();
    let mut put = |kind: &str, value: i16| {
        let mut le = match kind {
            "char" | "uchar" => vec![value as u8],
            "short" | "ushort" => value.to_le_bytes().to_vec(),
            "int" | "uint" => i32::from(value).to_le_bytes().to_vec(),
            "float" => f32::from(value).to_le_bytes().to_vec(),
            _ => f64::from(value).to_le_bytes().to_vec(),
        };
        if big {
            le.reverse();
        }
        bytes.extend(le);
    };
    for [x, y] in [[0, 0], [300, 0], [300, -300], [0, -300]] {
        put("short", x);
        put("short", y);
        put("char", -7);
    }
    put("int", 5);
    put(count, 4);
    for i in 0..4 {
        put(index, i);
    }
    bytes
}

#[test]
fn text_properties_may_stand_in_any_order() {
    let raw = parse(TEXT.as_bytes()).unwrap();
    assert_eq!(raw.positions[0], Vector3::new(0.1, 2.0, 3.0));
    assert_eq!(raw.positions[1], Vector3::new(1.0, 0.0, 0.0));
    assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(raw.skipped["face of fewer than three corners"], 1);
    for newline in ["\r\n", "\r"] {
        assert_eq!(parse(TEXT.replace('\n', newline).as_bytes()).unwrap().triangles, raw.triangles);
    }
}

#[test]
fn binary_numbers_are_of_any_type_and_order() {
    for big in [false, true] {
        for count in ["char", "uchar", "short", "ushort", "int", "uint"] {
            for index in ["char", "uchar", "short", "ushort", "int", "uint", "float", "double"] {
                let raw = parse(&binary(big, count, index)).unwrap();
                assert_eq!(raw.triangles, [[0, 1, 2], [0, 2, 3]], "{big} {count} {index}");
                assert_eq!(raw.positions[2], Vector3::new(300.0, -300.0, -7.0));
                assert_eq!(raw.skipped["edge"], 1);
            }
        }
    }
}

#[test]
fn a_data_byte_like_a_line_end_belongs_to_the_data() {
    let head = "ply\rformat binary_little_endian 1.0\relement vertex 3\rproperty uchar x\rproperty uchar y\r\
                property uchar z\relement face 1\rproperty list uchar uchar vertex_index\rend_header\r";
    let mut bytes = head.as_bytes().to_vec();
    bytes.extend([10, 13, 10, 1, 2, 3, 4, 5, 6, 3, 0, 1, 2]);
    assert_eq!(parse(&bytes).unwrap().positions[0], Vector3::new(10.0, 13.0, 10.0));
}

#[test]
fn strips_turn_about_and_begin_anew() {
    let strip = TEXT
        .replace("element face 2", "element tristrips 1")
        .replace("1 4 0 1 2 3\n0 2 0 1\n", "1 8 0 1 2 3 -1 3 2 0\n");
    let raw = parse(strip.as_bytes()).unwrap();
    assert_eq!(raw.triangles, [[0, 1, 2], [2, 1, 3], [3, 2, 0]]);
    assert_eq!(raw.notes, ["2 triangle strips were split into triangles"]);
    let joined = strip.replace("1 8 0 1 2 3 -1 3 2 0", "1 6 0 1 1 2 3 0");
    assert_eq!(parse(joined.as_bytes()).unwrap().notes.len(), 2);
}

#[test]
fn errors_in_text_name_the_line() {
    for (from, to, expected) in [
        ("ply", "plx", "line 1: found \"plx\\nform\", expected \"ply\""),
        ("ascii 1.0", "ascii 2.0", "line 2: found \"2.0\", expected the version 1.0"),
        ("float x", "floot x", "line 7: found \"floot\", expected a type"),
        ("float x", "float xx", "line 5: found \"element vertex\", expected a property named x"),
        ("element vertex 4", "element vertex -4", "line 5: found \"-4\", expected the number of elements"),
        (
            "element face",
            "element vertex",
            "line 11: found \"element vertex 2\", expected the name of another",
        ),
        ("end_header", "end", "line 14: found \"end\", expected a declaration or \"end_header\""),
        ("list uint8 int32", "list float int32", "line 13: found \"vertex_index\", expected \"property TYPE"),
        ("1 4 0 1 2 3", "1 4 0 1 2 4", "line 20: refers to vertex 4, but the vertices are numbered 0 to 3"),
        ("1 4 0 1 2 3", "1 4 0 1 2 2.5", "line 20: found \"2.5\", expected the number of a vertex"),
        ("1 4 0 1 2 3", "1 4 0 1 2", "line 20: found nothing, expected one more number of a list"),
        ("1 4 0 1 2 3", "1 3 0 1 2 3", "line 20: found \"3\", expected the end of the line"),
        ("9 1 1 5 0 1", "9 nan 1 5 0 1", "line 18: a coordinate is NaN"),
        ("\n0 2 0 1\n", "", "line 20: the file ends here, expected element 1 of 2 of kind face"),
    ] {
        let text = error(TEXT.replacen(from, to, 1).as_bytes());
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn counts_beyond_the_file_are_refused_before_anything_is_allocated() {
    let bytes = binary(false, "int", "int");
    let text = String::from_utf8_lossy(&bytes).replace("element vertex 4", "element vertex 4000000000");
    assert!(error(text.as_bytes()).contains("4000000000 elements of kind vertex"));
    let mut long_list = bytes.clone();
    let at = long_list.len() - 20;
    long_list[at..at + 4].copy_from_slice(&i32::MAX.to_le_bytes());
    assert!(error(&long_list).contains("found \"2147483647\", expected a list that fits into the file"));
    long_list[at..at + 4].copy_from_slice(&(-1_i32).to_le_bytes());
    assert!(error(&long_list).contains("found \"-1\""));
    for length in 0..bytes.len() {
        assert!(parse(&bytes[..length]).is_err(), "{length}");
    }
}

#[test]
fn a_header_of_nothing_but_elements_is_refused() {
    let elements: String = (0..2000).map(|i| format!("element e{i} 0\n")).collect();
    let text = format!("ply\nformat ascii 1.0\n{elements}end_header\n");
    assert!(error(text.as_bytes()).contains("more than 1000 kinds of elements"));
}
