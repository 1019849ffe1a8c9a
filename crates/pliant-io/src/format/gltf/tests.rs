//! glTF files written by hand.

use base64::Engine;
use nalgebra::Vector3;

use crate::{Format, ImportError, Imported, read_mesh, read_mesh_bytes};

/// A unit square of two triangles as a buffer: four corners as f32, then indices as u16.
fn buffer(indices: &[u16]) -> Vec<u8> {
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let corners = corners.iter().flat_map(|c| c.to_le_bytes());
    corners.chain(indices.iter().flat_map(|i| i.to_le_bytes())).collect()
}

fn gltf(nodes: &str, primitive: &str, indices: &[u16]) -> String {
    let bytes = buffer(indices);
    let data = base64::prelude::BASE64_STANDARD.encode(&bytes);
    let roots = "0";
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[{roots}]}}],"nodes":[{nodes}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}{primitive}}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
{{"bufferView":1,"componentType":5123,"count":{},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":{}}}],
"buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{data}"}}]}}"#,
        indices.len(),
        2 * indices.len(),
        bytes.len()
    )
}

fn read(text: &str) -> Result<Imported, ImportError> {
    read_mesh_bytes(Format::Gltf, text.as_bytes(), "a.gltf")
}

fn error(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

const QUAD: [u16; 6] = [0, 1, 2, 0, 2, 3];

#[test]
fn transforms_are_applied_and_mirrors_turn_the_triangles() {
    let nodes = r#"{"children":[1,2],"scale":[2,2,2]},{"mesh":0,"translation":[0,0,1]},
        {"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1]}"#;
    let text = gltf(nodes, r#","indices":1"#, &QUAD);
    assert_eq!(Format::from_content(text.as_bytes()), Some(Format::Gltf));
    let (mesh, _) = read(&text).unwrap().into_tri().unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]]);
    assert_eq!(mesh.positions()[2], Vector3::new(2.0, 2.0, 2.0));
    assert_eq!(mesh.positions()[6], Vector3::new(8.0, 2.0, 0.0));
    let turned = r#"{"mesh":0,"rotation":[0,0,0.7071067811865476,0.7071067811865476]}"#;
    let (mesh, _) = read(&gltf(turned, r#","indices":1"#, &QUAD)).unwrap().into_tri().unwrap();
    assert!((mesh.positions()[1] - Vector3::y()).norm() < 1e-15);
}

#[test]
fn strips_and_fans_are_triangles_and_lines_are_none() {
    let node = r#"{"mesh":0}"#;
    let tri = |mode: u32, indices: &[u16]| {
        read(&gltf(node, &format!(r#","indices":1,"mode":{mode}"#), indices)).unwrap().into_tri().unwrap().0
    };
    assert_eq!(tri(5, &[0, 1, 3, 2]).triangles(), [[0, 1, 3], [3, 1, 2]]);
    assert_eq!(tri(6, &[0, 1, 2, 3]).triangles(), [[1, 2, 0], [2, 3, 0]]);
    let none = error(&gltf(node, r#","mode":1"#, &QUAD));
    assert!(none.contains("1 × primitive of lines"), "{none}");
}

#[test]
fn buffers_may_stand_beside_the_file_or_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = buffer(&QUAD);
    let text = gltf(r#"{"mesh":0}"#, r#","indices":1"#, &QUAD);
    let (start, end) = (text.find("data:").unwrap(), text.rfind('"').unwrap());
    let beside = format!("{}my%20buffer.bin{}", &text[..start], &text[end..]);
    let path = folder.path().join("a.gltf");
    std::fs::write(&path, &beside).unwrap();
    let missing = read_mesh(&path).unwrap_err().to_string();
    assert!(missing.contains("its buffer") && missing.contains("my buffer.bin"), "{missing}");
    std::fs::write(folder.path().join("my buffer.bin"), &bytes).unwrap();
    let wanted = read(&text).unwrap().mesh;
    assert_eq!(read_mesh(&path).unwrap().mesh, wanted);
    assert!(error(&beside.replace("my%20", "../")).contains("not beside the file"));

    let mut json = format!("{}{}", &text[..text.find(r#","uri"#).unwrap()], "}]}").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend(((12 + 8 + json.len() + 8 + bytes.len()) as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &bytes)] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    assert_eq!(read_mesh_bytes(Format::Gltf, &glb, "a.glb").unwrap().mesh, wanted);
    for length in 0..glb.len() {
        assert!(read_mesh_bytes(Format::Gltf, &glb[..length], "a.glb").is_err(), "{length}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let good = gltf(r#"{"mesh":0}"#, r#","indices":1"#, &QUAD);
    for (from, to, expected) in [
        (r#""nodes":[{"mesh":0}]"#, r#""nodes":[{"mesh":3}]"#, "nodes[0].mesh, which is 3,"),
        (r#""nodes":[{"mesh":0}]"#, r#""nodes":[{"children":[0]}]"#, "every node below one other only"),
        (r#""count":4"#, r#""count":5"#, "room for 5 elements of 12 bytes"),
        (r#""count":4"#, r#""count":18446744073709551615"#, "room for 18446744073709551615 elements"),
        (r#""byteLength":48"#, r#""byteLength":4800"#, "a buffer of 0 + 4800 bytes"),
        (r#""componentType":5123"#, r#""componentType":5126"#, "an unsigned type for indices"),
        (r#""version":"2.0""#, r#""version":"1.0""#, "a glTF file of version 1"),
        (r#""type":"VEC3""#, r#""type":"VEC2""#, "accessors[0].type, which is \"VEC2\""),
        (r#""asset":"#, r#""asset""#, "well-formed JSON"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good);
        let error = error(&text);
        assert!(error.starts_with("a.gltf") && error.contains(expected), "{error}");
    }
    let out = error(&gltf(r#"{"mesh":0}"#, r#","indices":1"#, &[0, 1, 4]));
    assert!(out.contains("refers to vertex 4, but the vertices are numbered 0 to 3"), "{out}");
}

#[test]
fn sparse_accessors_replace_single_elements() {
    let text = gltf(r#"{"mesh":0}"#, r#","indices":1"#, &QUAD);
    let sparse = r#""type":"VEC3","sparse":{"count":1,"indices":{"bufferView":1,"componentType":5121},
        "values":{"bufferView":0,"byteOffset":24}}}"#;
    let text = text.replacen(r#""type":"VEC3"}"#, sparse, 1);
    let (mesh, _) = read(&text).unwrap().into_tri().unwrap();
    assert_eq!(mesh.positions()[0], Vector3::new(1.0, 1.0, 0.0));
    // A signed byte at the very end of its view, and others that cannot count.
    let end = r#"{"bufferView":1,"byteOffset":11,"componentType":5121}"#;
    let text = text.replacen(r#"{"bufferView":1,"componentType":5121}"#, end, 1);
    assert!(read(&text).is_ok());
    for code in [5120, 5122, 5126] {
        let signed = error(&text.replacen("5121", &code.to_string(), 1));
        let expected = "accessors[0].sparse.indices.componentType, which is ";
        assert!(signed.contains(expected) && signed.contains("expected an unsigned type"), "{signed}");
    }
}

/// A grid of `n` × `n` squares as glTF with its buffer in a file of its own, which is many times larger than the JSON.
/// Each vertex has a number of its own, `_NUMBER`.
fn grid_beside(folder: &std::path::Path, n: u32) -> std::path::PathBuf {
    let across = n + 1;
    let corners = (0..across * across).flat_map(|v| [(v % across) as f32, (v / across) as f32, 0.0]);
    let mut bytes: Vec<u8> = corners.flat_map(f32::to_le_bytes).collect();
    let positions = bytes.len();
    let numbers = (0..across * across).flat_map(|v| (v as f32).to_le_bytes());
    bytes.extend(numbers);
    let data = bytes.len();
    for square in 0..n * n {
        let a = square / n * across + square % n;
        let (b, c, d) = (a + 1, a + across + 1, a + across);
        bytes.extend([a, b, c, a, c, d].iter().flat_map(|v| v.to_le_bytes()));
    }
    let (vertices, indices) = (across * across, 6 * n * n);
    let (count, total) = (data - positions, bytes.len());
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"_NUMBER":1}},"indices":2}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3"}},
{{"bufferView":1,"componentType":5126,"count":{vertices},"type":"SCALAR"}},
{{"bufferView":2,"componentType":5125,"count":{indices},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":{positions}}},{{"buffer":0,"byteOffset":{positions},"byteLength":{count}}},
{{"buffer":0,"byteOffset":{data},"byteLength":{}}}],
"buffers":[{{"byteLength":{total},"uri":"grid.bin"}}]}}"#,
        total - data
    );
    std::fs::write(folder.join("grid.bin"), &bytes).unwrap();
    let path = folder.join("grid.gltf");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_buffer_beside_the_file_counts_for_what_the_file_may_ask_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = grid_beside(folder.path(), 200);
    let json = std::fs::metadata(&path).unwrap().len();
    assert!(24 * 201 * 201 + 72 * 200 * 200 > 1000 * json, "the JSON alone would allow for it");
    let read = crate::ReadOptions::with_attributes().read(&path).unwrap();
    assert_eq!((read.report.vertices, read.report.triangles), (201 * 201, 80_000));
    let last = read.attributes.fields()[0].values().last().copied();
    assert_eq!(last, Some(f64::from(201 * 201 - 1)));

    // Nodes that repeat a mesh cost the file little: they are counted against both together.
    let path = grid_beside(folder.path(), 20);
    let repeated = |times: usize| {
        let text = std::fs::read_to_string(&path).unwrap();
        let nodes = vec![r#"{"mesh":0}"#; times].join(",");
        let numbers = (0..times).map(|node| node.to_string()).collect::<Vec<_>>().join(",");
        let text = text.replace(r#"[{"mesh":0}]"#, &format!("[{nodes}]"));
        let text = text.replace(r#"{"nodes":[0]}"#, &format!(r#"{{"nodes":[{numbers}]}}"#));
        let path = folder.path().join("repeated.gltf");
        std::fs::write(&path, text).unwrap();
        read_mesh(&path)
    };
    assert_eq!(repeated(10).unwrap().report.triangles, 8000);
    let refused = repeated(2000).unwrap_err().to_string();
    assert!(refused.contains("more than 1000 times the size of the file and its buffers"), "{refused}");
}
