//! Damaged files: whatever the bytes, a reader gives an error that names the file, or a mesh with valid indices
//! and coordinates. It never panics.

use std::fs;
use std::path::Path;

use nalgebra::Vector3;
use pliant_io::{
    Attribute, Attributes, Format, Group, ImportError, Imported, Location, Mesh, ReadOptions, read_mesh,
    read_mesh_bytes, write_mesh_with,
};
use pliant_mesh::{TetMesh, TriMesh};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::mutation;

const OBJ: &str = "# c\no a\nv 0 0 0\nv 1 0 0 1 0 0\nv 1 1 0\nv 0 1.5e-1 0\nvt 0 0\nvn 0 0 1\ng b\nf 1/1/1 2/1/1 -2//1\n\
                   f 1 3 \\\n4\nl 1 2\nf 1 2 3 4\n";
const PLY: &str = "ply\nformat ascii 1.0\ncomment c\nelement vertex 4\nproperty float x\nproperty double y\n\
                   property int z\nproperty list uchar int near\nelement face 2\nproperty list uchar int vertex_indices\n\
                   element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0 0\n1 0 0 1 5\n1 1 0 2 5 6\n\
                   0 1 0 0\n3 0 1 2\n4 0 1 2 3\n5 0 1 2 -1 3\n";
const BINARY_PLY: &[u8] = b"ply\nformat binary_big_endian 1.0\nelement vertex 4\nproperty short x\nproperty char y\n\
                   property uint z\nelement face 2\nproperty list uchar uchar vertex_index\nproperty uchar flag\n\
                   end_header\n\0\x01\x02\0\0\0\x03\0\x04\x05\0\0\0\x06\0\x07\x08\0\0\0\x09\0\0\0\0\0\0\0\
                   \x03\0\x01\x02\x07\x04\0\x01\x02\x03\x07";
const STL: &str = "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 1 1 0\n  \
                   endloop\n endfacet\nendsolid a\nsolid b\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   \
                   vertex 1 0 0\n   vertex 1 1 0\n  endloop\n endfacet\nendsolid\n";
const OFF: &str = "OFF # c\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 255 0 0\n4 0 1 2 3\n";
const NODE: &str = "# c\n5 3 1 1\n1 0 0 0 0.5 0\n2 1 0 0 0.5 0\n3 0 1 0 0.5 0\n4 0 0 1 0.5 1\n5 1 1 1 0 0\n";
const ELE: &str = "2 4 0\n1 1 2 3 4\n2 2 3 4 5 17\n# end\n";

const MEDIT: &str = "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n1 1 1 1\nRidges 1\n1\n\
                     Triangles\n1\n1 2 3 4\nTetrahedra 1\n1 2 3 4 0\nPyramids 1\n1 2 3 4 5 0\nEnd\n";
const ABAQUS: &str = "*Heading\nx\n** c\n*Part, name=a\n*Node\n1, 0, 0, 0\n2, 1., 0\n4, 0, 1\n8, 0, 0, 1\n9, 1, 1, 1\n\
                      *Element, type=C3D4, elset=b\n1, 1, 2, 4,\n8\n*Element, type=C3D5\n2, 1, 2, 4, 8, 9\n*Nset, nset=s\n1, 2\n\
                      *Nset, nset=t, generate\n1, 9, 1\n*Nset, nset=u\ns, t\n*End Part\n*Instance, name=i, part=a\n*End Instance\n\
                      *Nset, nset=v, instance=i\n4\n";
const GAIA: &str =
    "Vertex 0 0 0 0\nVertex 1 1 0 0\nVertex 2 0 1 0\nVertex 3 0 0 1\nTet 0 0 1 2 3\nFace 0 0 1 2\n";
const USDA: &str = "#usda 1.0\n(\n metersPerUnit = 1\n doc = \"\"\"a\nb\"\"\"\n)\ndef Xform \"A\" (\n kind = \"x\"\n)\n{\n def Mesh \"M\"\n {\n  \
                    point3f[] points.timeSamples = { 0: [(0,0,0),(1,0,0),(1,1,0),(0,1,0)], 1: [(0,0,0)] }\n  int[] faceVertexCounts = [4, 3]\n  \
                    int[] faceVertexIndices = [0,1,2,3,0,1,2]\n  \
                    int[] primvars:p = [3, 4] (interpolation = \"uniform\")\n  def GeomSubset \"s\"\n  {\n   int[] indices = [1]\n  }\n }\n double3 xformOp:rotateXYZ = (1, 2, 3)\n matrix4d xformOp:transform = ( (1,0,0,0), \
                    (0,1,0,0), (0,0,1,0), (1,2,3,1) )\n uniform token[] xformOpOrder = [\"xformOp:rotateXYZ\", \"!invert!xformOp:transform\"]\n}\n";
const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"children":[1,2]},
    {"mesh":0,"scale":[1,2,-1]},{"mesh":0,"rotation":[0,0,0,1]}],"meshes":[{"primitives":[{"mode":5,"indices":1,
    "attributes":{"POSITION":0}},{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":48}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,"indices":
    {"bufferView":1,"byteOffset":1,"componentType":5121},"values":{"bufferView":0,"byteOffset":24}}},
    {"bufferView":1,"componentType":5121,"count":4,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":36,
    "byteStride":12},{"buffer":0,"byteOffset":36,"byteLength":12}]}"#;

/// The glTF file with its buffer in one GLB.
fn glb() -> Vec<u8> {
    let mut buffer: Vec<u8> =
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5].iter().flat_map(|c| c.to_le_bytes()).collect();
    buffer.extend([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    let mut json = GLTF.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend(((28 + json.len() + buffer.len()) as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &buffer)] {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
    }
    out
}

/// A MuJoCo mesh of one triangle.
fn mujoco() -> Vec<u8> {
    let counts = [3_i32, 0, 0, 1].into_iter().flat_map(i32::to_le_bytes);
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].into_iter().flat_map(f32::to_le_bytes);
    counts.chain(corners).chain([0_i32, 1, 2].into_iter().flat_map(i32::to_le_bytes)).collect()
}

/// Files to damage: texts written by hand with everything that a format allows, and the output of the writers.
fn seeds() -> Vec<(Format, Vec<u8>)> {
    let mut seeds = vec![
        (Format::Obj, OBJ.into()),
        (Format::Ply, PLY.into()),
        (Format::Ply, BINARY_PLY.to_vec()),
        (Format::Stl, STL.into()),
        (Format::Off, OFF.into()),
        (Format::Medit, MEDIT.into()),
        (Format::Abaqus, ABAQUS.into()),
        (Format::Gaia, GAIA.into()),
        (Format::Usda, USDA.into()),
        (Format::Gltf, glb()),
        (Format::Mujoco, mujoco()),
    ];
    let corners =
        vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z(), Vector3::new(1.0, 1.0, 1.0)];
    let solid = Mesh::Tet(TetMesh::new(corners.clone(), vec![[0, 1, 2, 3], [1, 2, 3, 4]]).unwrap());
    let surface = Mesh::Tri(TriMesh::new(corners, vec![[0, 1, 2], [0, 2, 3], [2, 3, 4]]).unwrap());
    let folder = tempfile::tempdir().unwrap();
    for extension in ["ply", "stl", "vtk", "msh", "vtu"] {
        for mesh in [&solid, &surface] {
            let path = folder.path().join("a").with_extension(extension);
            write_mesh_with(&path, mesh, &attributes(mesh)).unwrap();
            seeds.push((Format::from_path(&path).unwrap(), fs::read(&path).unwrap()));
        }
    }
    seeds
}

/// Numbers and groups of all kinds.
fn attributes(mesh: &Mesh) -> Attributes {
    let (vertices, elements) = (mesh.positions().len(), mesh.element_count());
    let mut attributes = Attributes::default();
    for (location, count) in [(Location::Vertices, vertices), (Location::Elements, elements)] {
        let numbers: Vec<f64> = (0..3 * count).map(|i| i as f64 * 0.5).collect();
        attributes.push(Attribute::vectors("pull", location, 3, numbers)).unwrap();
        attributes.push(Attribute::scalars("tag", location, vec![3.0; count]).integers()).unwrap();
        attributes.push_group(Group::new("top", location, vec![0]));
    }
    attributes
}

/// Reads it alone and with attributes; the mesh is the same, if the attributes are good.
fn read_both(format: Format, bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let alone = read_mesh_bytes(format, bytes, name);
    let both = ReadOptions::with_attributes().read_bytes(format, bytes, name);
    match (&alone, &both) {
        (Ok(alone), Ok(both)) => {
            assert!(alone.mesh == both.mesh);
            both.attributes.fit(both.mesh.positions().len(), both.mesh.element_count()).unwrap();
        }
        (Err(_), Ok(_)) => panic!("a file is read with attributes only"),
        (_, Err(error)) => assert!(error.to_string().contains(name), "{error}"),
    }
    alone
}

fn judge(result: Result<Imported, ImportError>, name: &str) {
    match result {
        Err(error) => assert!(error.to_string().contains(name), "{error}"),
        // The mesh types check indices and coordinates; it remains to check that the report is about this mesh.
        Ok(imported) => {
            assert_eq!(imported.report.vertices, imported.mesh.positions().len());
            assert!(imported.mesh.element_count() > 0);
            assert!(imported.report.to_string().starts_with(name));
        }
    }
}

#[test]
fn seeds_are_good() {
    for (format, bytes) in seeds() {
        let read = ReadOptions::with_attributes().read_bytes(format, &bytes, "seed");
        read.unwrap_or_else(|error| panic!("{format}: {error}"));
    }
}

#[test]
fn every_beginning_of_a_file_is_refused_or_read() {
    for (format, bytes) in seeds() {
        for length in 0..bytes.len() {
            judge(read_both(format, &bytes[..length], "cut.file"), "cut.file");
        }
    }
}

thread_local!(static SEEDS: Vec<(Format, Vec<u8>)> = seeds());

proptest! {
    #![proptest_config(pliant_testkit::config(3000))]

    #[test]
    fn damaged_files_are_refused_or_read(seed in any::<Index>(), damages in mutation::damages()) {
        let (format, bytes) = SEEDS.with(|seeds| seed.get(seeds).clone());
        judge(read_both(format, &mutation::damaged(&bytes, &damages), "damaged.file"), "damaged.file");
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in [
            Format::Obj, Format::Ply, Format::Stl, Format::Off, Format::Medit, Format::Abaqus, Format::Gaia, Format::Mujoco,
            Format::Gltf, Format::Usda,
        ] {
            judge(read_both(format, &bytes, "any.file"), "any.file");
        }
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(150))]

    #[test]
    fn damaged_pairs_are_refused_or_read(of_node in any::<bool>(), damages in mutation::damages()) {
        let folder = tempfile::tempdir().unwrap();
        let hit = |text: &str| mutation::damaged(text.as_bytes(), &damages);
        let (node, ele) = if of_node { (hit(NODE), ELE.into()) } else { (NODE.into(), hit(ELE)) };
        let path = folder.path().join("pair.node");
        fs::write(&path, node).unwrap();
        fs::write(path.with_extension("ele"), ele).unwrap();
        judge(read_mesh(&path), folder.path().to_str().unwrap());
        judge(ReadOptions::with_attributes().read(&path), folder.path().to_str().unwrap());
    }
}

#[test]
fn paths_that_are_no_mesh_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &Path| read_mesh(path).unwrap_err().to_string();
    let inside = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        message(&path)
    };
    assert!(message(&folder.path().join("missing.obj")).contains("missing.obj"));
    assert!(message(folder.path()).contains("is a directory"));
    assert!(
        inside("notes.txt", "hello").contains("notes.txt: neither the content nor the name shows the format")
    );
    assert!(inside("a.obj", "").contains("a.obj: holds 0 vertices but no triangle and no tetrahedron"));
    assert!(inside("a.ply", OBJ).contains("expected \"ply\""));
    #[cfg(unix)]
    assert!(message(Path::new("/dev/null")).contains("is a device or a pipe"));
}

#[test]
fn the_content_tells_the_format_before_the_name() {
    let folder = tempfile::tempdir().unwrap();
    for (format, bytes) in seeds() {
        if format == Format::Obj {
            continue;
        }
        let path = folder.path().join("misnamed.obj");
        fs::write(&path, bytes).unwrap();
        let report = read_mesh(&path).unwrap().report;
        assert_eq!(report.format, format);
        assert!(report.notes.iter().any(|note| note.starts_with("the name says OBJ")), "{report}");
    }
    // A byte order mark is not part of the first word.
    let path = folder.path().join("marked.obj");
    fs::write(&path, ["\u{feff}", &OBJ[OBJ.find('v').unwrap()..]].concat()).unwrap();
    assert_eq!(read_mesh(&path).unwrap().report.vertices, 4);
}
