//! What the targets do with their bytes. A target fails by a panic, a hang or by taking memory far beyond its input: whatever the bytes are, a reader answers with
//! a mesh or with an error.
#![forbid(unsafe_code)]

use pliant_io::{Format, Imported, Mesh, PointCache, read_mesh_bytes};
use pliant_mesh::{CheckOptions, RepairOptions};
use pliant_scene::{Scene, StackFile};

/// Larger meshes are read, but not looked into: what may take the square of their size would hide what hangs.
const MOST_ELEMENTS: usize = 200;

/// Reads bytes as a mesh of one format.
pub fn mesh(format: Format, bytes: &[u8]) {
    if let Ok(imported) = read_mesh_bytes(format, bytes, "input") {
        look_into(&imported);
    }
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
    let _ = pliant_io::read_character_bytes(bytes, "input", pliant_mesh::WeightSums::Normalise);
}

/// Reads bytes as a scene; what was read is written and read again. No mesh is opened.
pub fn scene(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Scene::parse(text, ".") {
        Ok(scene) => {
            let again = Scene::parse(&scene.to_toml(), ".").expect("a scene that was written is a scene");
            assert_eq!(scene.model, again.model);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Reads bytes as a stack of deformers. No mesh is opened.
pub fn stack(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(error) = StackFile::parse(text, ".") {
        assert!(!error.to_string().is_empty());
    }
}
