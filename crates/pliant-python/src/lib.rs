//! The native half of the Python package `pliant`; users see the half in `python/pliant/`, which documents it all.
//!
//! | file | what |
//! |---|---|
//! | `pool.rs` | the thread pools of this process, also after a fork |
//! | `error.rs` | errors as Python's exceptions, with their numbers |
//! | `arrays.rs`, `data.rs` | NumPy arrays in and out; reports as dictionaries |
//! | `mesh.rs`, `doctor.rs` | meshes; what is wrong with them, repairs, tetrahedra |
//! | `scene.rs` | scenes from files, text and Python's descriptions, with overrides |
//! | `simulation.rs`, `state.rs`, `live.rs`, `frame.rs` | a simulation: steps, its state, what is changed while it runs, reports |
//! | `show.rs` | a simulation on a page of this machine |
//! | `batch.rs` | many simulations on a thread each |
//! | `run.rs`, `study.rs`, `program.rs` | runs to folders; studies; the program |
//! | `deform.rs`, `render.rs` | skin deformers and pictures |
#![forbid(unsafe_code)]
#![allow(clippy::needless_pass_by_value, reason = "what Python passes is made for each call")]

mod arrays;
mod batch;
mod data;
mod deform;
mod doctor;
mod error;
mod frame;
mod live;
mod mesh;
mod pool;
mod program;
mod render;
mod run;
mod scene;
mod show;
mod simulation;
mod state;
mod study;

use pyo3::prelude::*;

/// The native half of `pliant`.
#[pymodule]
fn _pliant(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<mesh::PyTriMesh>()?;
    module.add_class::<mesh::PyTetMesh>()?;
    module.add_class::<scene::PyScene>()?;
    module.add_class::<simulation::PySimulation>()?;
    module.add_class::<frame::PyFrame>()?;
    module.add_class::<live::PyGrab>()?;
    module.add_class::<live::PyPin>()?;
    module.add_class::<live::PyObstacle>()?;
    module.add_class::<show::PyStop>()?;
    module.add_class::<deform::PyDeformer>()?;
    module.add_function(wrap_pyfunction!(mesh::read, module)?)?;
    module.add_function(wrap_pyfunction!(doctor::tetrahedralize, module)?)?;
    module.add_function(wrap_pyfunction!(scene::materials, module)?)?;
    module.add_function(wrap_pyfunction!(scene::templates, module)?)?;
    module.add_function(wrap_pyfunction!(scene::template, module)?)?;
    module.add_function(wrap_pyfunction!(batch::advance, module)?)?;
    module.add_function(wrap_pyfunction!(run::run, module)?)?;
    module.add_function(wrap_pyfunction!(study::expand, module)?)?;
    module.add_function(wrap_pyfunction!(study::table, module)?)?;
    module.add_function(wrap_pyfunction!(deform::skin, module)?)?;
    module.add_function(wrap_pyfunction!(render::render, module)?)?;
    module.add_function(wrap_pyfunction!(program::main, module)?)?;
    Ok(())
}
