//! Errors as the exceptions of `pliant.errors`, with the numbers that they carry.

use std::fmt::Display;

use pliant_run::RunError;
use pliant_scene::{Scene, SceneError};
use pliant_solver::{Element, LiveError, StepError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule};

fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    MODULE
        .get_or_try_init(py, || PyModule::import(py, "pliant.errors").map(Bound::unbind))
        .map(|m| m.bind(py))
}

/// The exception of that name, with a message and attributes.
fn raise(
    py: Python<'_>,
    name: &str,
    message: &str,
    fill: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>,
) -> PyErr {
    let make = || {
        let attributes = PyDict::new(py);
        fill(&attributes)?;
        module(py)?.getattr(name)?.call((message,), Some(&attributes))
    };
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// An exception that has a message only.
pub(crate) fn plain(py: Python<'_>, name: &str, message: impl Display) -> PyErr {
    raise(py, name, &message.to_string(), |_| Ok(()))
}

/// What is wrong with a mesh or its file.
pub(crate) fn mesh(py: Python<'_>, error: impl Display) -> PyErr {
    plain(py, "MeshError", error)
}

/// What a call asks of a simulation and cannot have.
pub(crate) fn live(py: Python<'_>, error: &LiveError) -> PyErr {
    plain(py, "LiveError", error)
}

/// Whether a scene is read or built.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Stage {
    Read,
    Build,
}

/// What is wrong with a scene; `scene` is the one that was built.
pub(crate) fn scene(py: Python<'_>, error: &SceneError, stage: Stage, scene: Option<&Scene>) -> PyErr {
    scene_at(py, error, stage, scene, None)
}

/// The same at a key that the error does not name itself.
pub(crate) fn scene_at(
    py: Python<'_>,
    error: &SceneError,
    stage: Stage,
    scene: Option<&Scene>,
    key: Option<String>,
) -> PyErr {
    let name = if stage == Stage::Read { "SceneError" } else { "BuildError" };
    let message = match &key {
        Some(key) => format!("{error} (at {key})"),
        None => error.to_string(),
    };
    raise(py, name, &message, |attributes| {
        let SceneError::Invalid(invalid) = error else { return Ok(()) };
        attributes.set_item("file", &invalid.file)?;
        attributes.set_item("problem", &invalid.problem)?;
        attributes.set_item("expected", &invalid.expected)?;
        attributes.set_item("key", invalid.field.as_ref().map(ToString::to_string).or(key))?;
        attributes.set_item("line", invalid.place.as_ref().map(|place| place.line))?;
        attributes.set_item("column", invalid.place.as_ref().map(|place| place.column))?;
        if stage == Stage::Build {
            let number = invalid.field.as_ref().and_then(pliant_scene::FieldPath::body);
            let body = number.zip(scene).and_then(|(number, scene)| {
                let body = scene.model.bodies.get(number)?;
                Some(body.name.clone().unwrap_or_else(|| format!("body-{}", number + 1)))
            });
            attributes.set_item("body", body)?;
            attributes.set_item(
                "element",
                invalid.element.map(|element| match element {
                    Element::Triangle(number) => ("triangle", number),
                    Element::Tetrahedron(number) => ("tetrahedron", number),
                    Element::Hinge(number) => ("hinge", number),
                    Element::Edge(number, _) => ("edge", number),
                    _ => ("element", 0),
                }),
            )?;
        }
        Ok(())
    })
}

/// Why a step came to nothing.
pub(crate) fn step(py: Python<'_>, error: &StepError, world: Option<usize>) -> PyErr {
    let message = match world {
        Some(world) => format!("world {world}: {error}"),
        None => error.to_string(),
    };
    raise(py, "StepError", &message, |attributes| {
        attributes.set_item("world", world)?;
        if let StepError::NonFinite { frame, substep, body, vertex, .. } = error {
            attributes.set_item("frame", frame)?;
            attributes.set_item("substep", substep)?;
            attributes.set_item("body", body)?;
            attributes.set_item("vertex", vertex)?;
        }
        if let StepError::Pinched { frame, .. } = error {
            attributes.set_item("frame", frame)?;
        }
        Ok(())
    })
}

/// Why a run came to nothing.
pub(crate) fn run(py: Python<'_>, error: &RunError) -> PyErr {
    match error {
        RunError::Step { error, .. } => step(py, error, None),
        _ => plain(py, "RunError", error),
    }
}
