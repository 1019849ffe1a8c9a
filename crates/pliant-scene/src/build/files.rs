//! [`Files`]: the mesh files of a scene, each read once per build.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use pliant_io::{Character, ImportError, MeshFile};
use pliant_mesh::WeightSums;

use super::import::{Import, find, import_error, of_file, options};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::{BodyModel, MeshModel, SceneModel};
use crate::source::Source;

/// The source of a scene with the files that its bodies have read so far.
pub(super) struct Files<'a> {
    source: &'a Source,
    /// The files of bodies that an animation moves: their characters are read together with their meshes.
    animated: BTreeSet<&'a Path>,
    /// By path, and by whether the attributes were read.
    meshes: RefCell<BTreeMap<(PathBuf, bool), Import>>,
    /// By path: the character, or why there is none.
    characters: RefCell<BTreeMap<PathBuf, Result<Rc<Character>, String>>>,
}

impl Deref for Files<'_> {
    type Target = Source;

    fn deref(&self) -> &Source {
        self.source
    }
}

/// The file of the mesh of a body.
pub(super) fn mesh_file(body: &BodyModel) -> Option<&Path> {
    match &body.mesh {
        MeshModel::Path(path) => Some(path),
        MeshModel::Table(table) => table.file.as_deref(),
    }
}

impl<'a> Files<'a> {
    /// Nothing has been read yet.
    pub(super) fn new(scene: &'a SceneModel, source: &'a Source) -> Self {
        let moves = |body: &&BodyModel| body.motion.as_ref().is_some_and(|motion| motion.animation.is_some());
        let animated = scene.bodies.iter().filter(moves).filter_map(mesh_file).collect();
        Self { source, animated, meshes: RefCell::default(), characters: RefCell::default() }
    }

    /// The mesh of a path in the scene; `attributes` says whether those of its file are wanted.
    pub(super) fn import(&self, at: &FieldPath, path: &Path, attributes: bool) -> Result<Import, Fault> {
        let known = [attributes, true].map(|attributes| (path.to_owned(), attributes));
        if let Some(mesh) = known.iter().find_map(|key| self.meshes.borrow().get(key).cloned()) {
            return Ok(mesh);
        }
        let read = if self.animated.contains(path) && !self.source.meshes.contains_key(path) {
            self.open(path).and_then(|file| file.mesh(options(attributes))).map(of_file)
        } else {
            find(path, attributes, self.source)
        };
        let mesh = read.map_err(|error| import_error(at, &error))?;
        self.meshes.borrow_mut().insert((path.to_owned(), attributes), mesh.clone());
        Ok(mesh)
    }

    /// The character in a file of the scene, or why there is none.
    pub(super) fn character(&self, path: &Path) -> Result<Rc<Character>, String> {
        if !self.characters.borrow().contains_key(path) {
            self.open(path).map_err(|error| error.to_string())?;
        }
        self.characters.borrow()[path].clone()
    }

    /// Loads a file, and reads the character in it.
    fn open(&self, path: &Path) -> Result<MeshFile, ImportError> {
        let file = MeshFile::open(self.source.resolve(path))?;
        let character = file.character(WeightSums::Normalise).map(Rc::new).map_err(|error| error.to_string());
        self.characters.borrow_mut().insert(path.to_owned(), character);
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Scene;

    #[test]
    fn a_file_is_read_once_for_its_mesh_and_its_character() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arm.obj");
        std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
        let text = "[[body]]\nmesh = \"arm.obj\"\nobstacle = true\nmotion = { animation = \"wave\" }\n\
                    [[body]]\nmesh = { grid = { vertices = [2, 2], size = [1, 1] } }\nedges = { compliance = 1e-6 }\n";
        let scene = Scene::parse(text, folder.path()).unwrap();
        let files = Files::new(&scene.model, &scene.source);
        let (at, name) = (FieldPath::root(), Path::new("arm.obj"));
        let read = files.import(&at, name, true).unwrap();
        std::fs::remove_file(&path).unwrap();
        for attributes in [true, false] {
            assert_eq!(files.import(&at, name, attributes).unwrap().mesh.positions(), read.mesh.positions());
        }
        let error = files.character(name).unwrap_err();
        assert!(!error.contains("No such file") && error.contains("arm.obj"), "{error}");
        assert!(files.import(&at, Path::new("leg.obj"), false).is_err());
    }
}
