//! Scenes: from files, from text, and from what Python describes; overrides of single keys.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pliant_io::Mesh;
use pliant_scene::{Precise, Scene, SceneError, Template, set_key};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use toml::Table;

use crate::data::to_python;
use crate::error::{self, Stage};
use crate::mesh::{unwrapped, wrapped};
use crate::pool::Pool;
use crate::simulation::{Any, PySimulation};

/// A scene, checked but not built.
#[pyclass(frozen, name = "Scene", module = "pliant._pliant")]
pub(crate) struct PyScene {
    pub(crate) scene: Scene,
}

/// What stands for the name of a scene that Python described, which has no text to point into.
const DESCRIBED: &str = "scene";

#[pymethods]
impl PyScene {
    /// The scene of a file.
    #[staticmethod]
    #[pyo3(signature = (path, overrides))]
    fn load(py: Python<'_>, path: PathBuf, overrides: Vec<(String, String)>) -> PyResult<Self> {
        let mut scene = Scene::load(&path).map_err(|error| error::scene(py, &error, Stage::Read, None))?;
        if !overrides.is_empty() {
            let name = scene.model.name.take();
            let base = path.parent().unwrap_or_else(|| Path::new(""));
            scene = overridden(py, &path.display().to_string(), scene.text(), base, &overrides)?;
            scene.model.name = scene.model.name.or(name);
        }
        Ok(Self { scene })
    }

    /// The scene of a text. Errors name line and column only if it is `written` by somebody.
    #[staticmethod]
    #[pyo3(signature = (text, base, name, meshes, overrides, written))]
    fn parse(
        py: Python<'_>,
        text: &str,
        base: PathBuf,
        name: &str,
        meshes: &Bound<'_, PyDict>,
        overrides: Vec<(String, String)>,
        written: bool,
    ) -> PyResult<Self> {
        let given = given(meshes)?;
        let scene = if !overrides.is_empty() {
            overridden(py, name, text, &base, &overrides)?
        } else if written {
            Scene::parse_named(name, text, &base)
                .map_err(|error| error::scene(py, &error, Stage::Read, None))?
        } else {
            described(py, DESCRIBED, text, &base)?
        };
        Ok(Self { scene: scene.with_meshes(given) })
    }

    #[getter]
    fn name(&self) -> &str {
        self.scene.name()
    }

    #[getter]
    fn frames(&self) -> u32 {
        self.scene.model.frames.get()
    }

    #[getter]
    fn time_step(&self) -> f64 {
        self.scene.time_step()
    }

    #[getter]
    fn base(&self) -> PathBuf {
        self.scene.base_dir().to_owned()
    }

    #[getter]
    fn require(&self) -> Vec<String> {
        self.scene.model.require.clone()
    }

    /// The text that it was read from, or that a file of it would have.
    #[getter]
    fn text(&self) -> String {
        match self.scene.text() {
            "" => self.scene.to_toml(),
            text => text.to_owned(),
        }
    }

    /// The text that a file of it would have.
    #[getter]
    fn toml(&self) -> String {
        self.scene.to_toml()
    }

    #[getter]
    fn meshes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let meshes = PyDict::new(py);
        for (path, mesh) in self.scene.given_meshes() {
            meshes.set_item(path.display().to_string(), wrapped(py, mesh.clone())?)?;
        }
        Ok(meshes)
    }

    /// Builds the simulation.
    #[pyo3(signature = (threads))]
    fn build(&self, py: Python<'_>, threads: Option<usize>) -> PyResult<PySimulation> {
        let pool = Pool::of(py, threads)?;
        let built = pool.run(py, || self.scene.build_precise()).map_err(|error| self.unbuilt(py, &error))?;
        let (any, bodies) = match built {
            Precise::Single(built) => (Any::Single(built.simulation), built.bodies),
            Precise::Double(built) => (Any::Double(built.simulation), built.bodies),
        };
        PySimulation::new(any, bodies, self.scene.clone(), threads)
    }

    /// What can be known of its run beforehand: a list of dictionaries.
    fn remarks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pool = Pool::of(py, None)?;
        let remarks = pool.run(py, || {
            Ok(match self.scene.build_precise()? {
                Precise::Single(built) => self.scene.foresee(&built),
                Precise::Double(built) => self.scene.foresee(&built),
            })
        });
        to_python(py, &remarks.map_err(|error| self.unbuilt(py, &error))?)
    }
}

impl PyScene {
    pub(crate) fn unbuilt(&self, py: Python<'_>, error: &SceneError) -> PyErr {
        error::scene(py, error, Stage::Build, Some(&self.scene))
    }
}

/// Meshes by the paths that stand for them.
pub(crate) fn given(meshes: &Bound<'_, PyDict>) -> PyResult<Vec<(PathBuf, Mesh)>> {
    meshes.iter().map(|(path, mesh)| Ok((path.extract()?, unwrapped(&mesh)?))).collect()
}

/// The scene of a text that nobody has seen: errors name keys, and no places in it.
fn described(py: Python<'_>, name: &str, text: &str, base: &Path) -> PyResult<Scene> {
    let read = Scene::parse_named(name, text, base).and_then(|scene| Scene::from_model(scene.model, base));
    read.map_err(|mut error| {
        let mut key = None;
        if let SceneError::Invalid(invalid) = &mut error
            && let Some(place) = invalid.place.take()
            && invalid.field.is_none()
        {
            key = key_of_line(text, place.line);
        }
        error::scene_at(py, &error, Stage::Read, None, key)
    })
}

/// The key of a line of TOML, written as scenes name fields: `body[1].edges`.
fn key_of_line(text: &str, line: usize) -> Option<String> {
    // Of every list of tables that is open how many there have been.
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut table = "";
    for header in text.lines().take(line).filter(|line| line.starts_with('[')) {
        table = header.trim_matches(['[', ']']);
        if header.starts_with("[[") {
            counts.retain(|name, _| !name.strip_prefix(table).is_some_and(|rest| rest.starts_with('.')));
            *counts.entry(table).or_default() += 1;
        }
    }
    let mut key = String::new();
    for (end, _) in table.match_indices('.').chain([(table.len(), "")]) {
        let (name, from) = (&table[..end], table[..end].rfind('.').map_or(0, |dot| dot + 1));
        key += &name[from..];
        key += &counts.get(name).map_or_else(String::new, |count| format!("[{}]", count - 1));
        key += if end == 0 { "" } else { "." };
    }
    let (own, _) = text.lines().nth(line.checked_sub(1)?)?.split_once('=')?;
    Some(key + own.trim())
}

/// The text with other values for some keys. What is wrong then may stand anywhere, so that errors name keys
/// and no lines.
fn overridden(
    py: Python<'_>,
    name: &str,
    text: &str,
    base: &Path,
    overrides: &[(String, String)],
) -> PyResult<Scene> {
    let refuse = |key: &str, problem: String| {
        error::plain(py, "SceneError", format!("{name}: override {key:?}: {problem}"))
    };
    let mut table: Table = text.parse().map_err(|error| refuse("", format!("{error}")))?;
    for (key, literal) in overrides {
        let document: Table =
            format!("value = {literal}").parse().map_err(|error| refuse(key, format!("{error}")))?;
        let value = document.into_iter().next().map(|(_, value)| value);
        let value = value.ok_or_else(|| refuse(key, "there is no value".to_owned()))?;
        set_key(&mut table, key, value).map_err(|problem| refuse(key, problem))?;
    }
    described(py, name, &table.to_string(), base)
}

/// The materials that scenes know by name: name, what it is, source.
#[pyfunction]
pub(crate) fn materials() -> Vec<(&'static str, &'static str, &'static str)> {
    pliant_scene::materials()
        .iter()
        .map(|material| (material.name, material.about, material.source))
        .collect()
}

/// The examples: name and what it shows.
#[pyfunction]
pub(crate) fn templates() -> Vec<(&'static str, &'static str)> {
    pliant_scene::templates().iter().map(|template| (template.name, template.about)).collect()
}

/// The text of an example.
#[pyfunction]
pub(crate) fn template(py: Python<'_>, name: &str) -> PyResult<String> {
    Template::named(name).map(Template::text).ok_or_else(|| {
        let known: Vec<&str> = pliant_scene::templates().iter().map(|template| template.name).collect();
        error::plain(
            py,
            "SceneError",
            format!("there is no example {name:?}; there are {}", known.join(", ")),
        )
    })
}
