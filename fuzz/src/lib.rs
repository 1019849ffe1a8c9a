//! What the targets do with their bytes. A target fails by a panic, a hang or by taking memory far beyond its
//! input: whatever the bytes are, a reader answers with a mesh or with an error.
#![forbid(unsafe_code)]

use pliant_io::{Format, ImportError, Imported, Mesh, PointCache, ReadOptions, read_mesh, read_mesh_bytes};
use pliant_mesh::{CheckOptions, RepairOptions};
use pliant_scene::{Scene, StackFile};

/// Larger meshes are read, but not looked into: what may take the square of their size would hide what hangs.
const MOST_ELEMENTS: usize = 200;

/// No error is longer: what it quotes of a file is cut.
const LONGEST_ERROR: usize = 1500;

/// Those of scenes may list what a table can say.
const LONGEST_OF_SCENES: usize = 4000;

/// Reads bytes as a mesh of one format.
pub fn mesh(format: Format, bytes: &[u8]) {
    let full = ReadOptions::with_attributes().read_bytes(format, bytes, "input");
    judge(read_mesh_bytes(format, bytes, "input"), full);
}

/// Reads bytes as the two files of a TetGen mesh: the vertices up to the first `@`, the tetrahedra behind it.
pub fn tetgen(bytes: &[u8]) {
    let at = bytes.iter().position(|&byte| byte == b'@').unwrap_or(bytes.len());
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("input.node");
    std::fs::write(&path, &bytes[..at]).expect("room for temporary files");
    std::fs::write(path.with_extension("ele"), bytes.get(at + 1..).unwrap_or_default())
        .expect("room for temporary files");
    judge(read_mesh(&path), ReadOptions::with_attributes().read(&path));
}

/// Reading with attributes gives the same mesh or an error, and errors are sentences that a terminal can show.
fn judge(plain: Result<Imported, ImportError>, full: Result<Imported, ImportError>) {
    for error in [&plain, &full].into_iter().filter_map(|read| read.as_ref().err()) {
        look_at(error);
    }
    match (&plain, &full) {
        (Ok(plain), Ok(full)) => assert!(plain.mesh == full.mesh, "attributes change the mesh"),
        (Err(error), Ok(_)) => panic!("read with attributes only: {error}"),
        (_, Err(_)) => {}
    }
    if let Ok(imported) = plain {
        look_into(&imported);
    }
}

fn look_at(error: &ImportError) {
    look_at_text("input", &error.to_string(), LONGEST_ERROR);
}

/// The text of an error about a file of that name.
fn look_at_text(name: &str, text: &str, longest: usize) {
    assert!(text.contains(name), "an error names the file: {text}");
    assert!(text.len() <= longest, "an error of {} bytes: {text}", text.len());
    assert!(!text.contains(char::is_control), "an error with control characters: {text:?}");
}

/// Reads bytes as a mesh of the format that they look like.
pub fn mesh_by_content(bytes: &[u8]) {
    if let Some(format) = Format::from_content(bytes) {
        mesh(format, bytes);
    }
}

/// A mesh that was read is one that can be checked and repaired, and the repair of a repaired mesh is a mesh.
fn look_into(imported: &Imported) {
    assert!(imported.mesh.element_count() > 0, "a mesh without elements is an error");
    if imported.mesh.element_count() > MOST_ELEMENTS || imported.mesh.positions().len() > MOST_ELEMENTS {
        return;
    }
    let (check, repair) =
        (CheckOptions::default(), RepairOptions { fill_holes: Some(8), ..RepairOptions::default() });
    match &imported.mesh {
        Mesh::Tri(mesh) => {
            let found = mesh.check_up(&check);
            assert_eq!(found.is_fit(), mesh.errors().is_empty(), "{found}");
            let _ = mesh.repair(&repair).0.check_up(&check);
        }
        Mesh::Tet(mesh) => {
            let found = mesh.check_up(&check);
            assert_eq!(found.is_fit(), mesh.errors().is_empty(), "{found}");
            let _ = mesh.repair(&repair).0.check_up(&check);
        }
    }
}

/// Reads bytes as a point cache, PC2 and MDD.
pub fn point_cache(bytes: &[u8]) {
    for cache in [PointCache::read_bytes(bytes, "input"), PointCache::read_mdd_bytes(bytes, "input")]
        .into_iter()
        .flatten()
    {
        for sample in 0..cache.sample_count() {
            assert_eq!(cache.sample(sample).len(), cache.vertex_count());
        }
    }
}

/// Reads bytes as a skinned character.
pub fn character(bytes: &[u8]) {
    if let Err(error) = pliant_io::read_character_bytes(bytes, "input", pliant_mesh::WeightSums::Normalise) {
        look_at(&error);
    }
}

/// Reads bytes as a scene; what was read is written and read again. No mesh is opened.
pub fn scene(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Scene::parse(text, ".") {
        Ok(scene) => {
            let again = Scene::parse(&scene.to_toml(), ".").expect("a scene that was written is a scene");
            assert_eq!(scene.model, again.model);
        }
        Err(error) => look_at_text("scene", &error.to_string(), LONGEST_OF_SCENES),
    }
}

/// Reads bytes as a stack of deformers. No mesh is opened.
pub fn stack(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(error) = StackFile::parse(text, ".") {
        look_at_text("stack", &error.to_string(), LONGEST_OF_SCENES);
    }
}
