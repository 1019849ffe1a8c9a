//! Skin deformers on arrays.

use std::sync::{Mutex, PoisonError};

use nalgebra::{Matrix4, Vector3};
use numpy::{PyArray2, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pliant_deform::{
    Blending, Deformer, DeltaMush, DeltaMushSettings, FrameTime, LaplacianWeights, Relax, RelaxSettings,
    Smooth, SmoothSettings, skin_positions,
};
use pliant_mesh::{Influence, Skin, WeightSums};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{new_points, points};
use crate::error;
use crate::mesh::{PyTriMesh, choose};
use crate::pool::everywhere;

/// A deformer that is bound to a rest mesh, to be called with the positions of many frames.
#[pyclass(frozen, name = "Deformer", module = "pliant")]
pub(crate) struct PyDeformer {
    kind: &'static str,
    deformer: Mutex<Box<dyn Deformer>>,
}

fn neighbours(word: &str) -> PyResult<LaplacianWeights> {
    let known = [("uniform", LaplacianWeights::Uniform), ("cotangent", LaplacianWeights::Cotangent)];
    choose("neighbours", word, &known)
}

/// What is done to points that are not moved by time.
const STILL: FrameTime = FrameTime { time: 0.0, dt: 1.0 / 60.0 };

impl PyDeformer {
    fn bound<D: Deformer, E: std::fmt::Display>(py: Python<'_>, deformer: Result<D, E>) -> PyResult<Self> {
        let deformer = deformer.map_err(|error| error::plain(py, "DeformError", error))?;
        Ok(Self { kind: deformer.kind(), deformer: Mutex::new(Box::new(deformer)) })
    }
}

#[pymethods]
impl PyDeformer {
    /// Sweeps over the edges, which draw them to their lengths at rest: push and pull are the shares of the
    /// error that a sweep takes from edges that are too short and too long.
    #[staticmethod]
    #[pyo3(signature = (rest, *, iterations = 10, push = 0.1, pull = 0.5, pin_borders = false))]
    fn relax(
        py: Python<'_>,
        rest: &Bound<'_, PyTriMesh>,
        iterations: u32,
        push: f64,
        pull: f64,
        pin_borders: bool,
    ) -> PyResult<Self> {
        let settings = RelaxSettings { iterations, push, pull, pin_borders, ..RelaxSettings::default() };
        let rest = &rest.get().0;
        Self::bound(py, everywhere(py, || Relax::new(rest, settings))?)
    }

    /// Draws every vertex to the mean of its neighbours, some times over.
    ///
    /// :param strength: how far, 0 to 1.
    /// :param neighbours: `"uniform"` or `"cotangent"`.
    #[staticmethod]
    #[pyo3(signature = (rest, *, iterations = 4, strength = 1.0, neighbours = "uniform", pin_borders = false))]
    fn smooth(
        py: Python<'_>,
        rest: &Bound<'_, PyTriMesh>,
        iterations: u32,
        strength: f64,
        neighbours: &str,
        pin_borders: bool,
    ) -> PyResult<Self> {
        let neighbours = self::neighbours(neighbours)?;
        let settings =
            SmoothSettings { iterations, strength, neighbours, pin_borders, ..SmoothSettings::default() };
        let rest = &rest.get().0;
        Self::bound(py, everywhere(py, || Smooth::new(rest, settings))?)
    }

    /// Smooths, and puts the detail of the rest mesh back.
    ///
    /// :param smoothing: iterations.
    /// :param strength: of each, 0 to 1.
    /// :param detail: how much of the detail is put back.
    #[staticmethod]
    #[pyo3(signature = (rest, *, smoothing = 10, strength = 0.5, detail = 1.0, neighbours = "uniform"))]
    fn delta_mush(
        py: Python<'_>,
        rest: &Bound<'_, PyTriMesh>,
        smoothing: u32,
        strength: f64,
        detail: f64,
        neighbours: &str,
    ) -> PyResult<Self> {
        let neighbours = self::neighbours(neighbours)?;
        let settings = DeltaMushSettings { smoothing, strength, detail, neighbours };
        let rest = &rest.get().0;
        Self::bound(py, everywhere(py, || DeltaMush::new(rest, settings))?)
    }

    /// The positions that it makes of positions, (n, 3), m.
    ///
    /// :raises pliant.DeformError: if there are not as many as the rest mesh has.
    /// :raises ValueError: if the shape is another, or a number is not finite.
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut moved = points(positions, "positions")?;
        let mut deformer = self.deformer.try_lock().map_err(|_| {
            PyRuntimeError::new_err("the deformer is being used by another thread; bind one for each thread")
        })?;
        let deformer = &mut *deformer;
        everywhere(py, || deformer.deform(&STILL, &mut moved))?
            .map_err(|error| error::plain(py, "DeformError", error))?;
        new_points(py, &moved)
    }

    fn __repr__(&self) -> String {
        let vertices = self.deformer.lock().unwrap_or_else(PoisonError::into_inner).vertex_count();
        format!("<pliant.Deformer {} of {} vertices>", self.kind, vertices.unwrap_or(0))
    }
}

/// Positions carried by joints: of every vertex numbers of joints and weights, (n, k), and of every joint the
/// matrix from rest to pose, (joints, 4, 4).
#[pyfunction]
pub(crate) fn skin<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    joints: PyReadonlyArray2<'py, u32>,
    weights: PyReadonlyArray2<'py, f64>,
    matrices: PyReadonlyArray3<'py, f64>,
    dual_quaternions: bool,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mut moved: Vec<Vector3<f64>> = points(positions, "positions")?;
    let (joints, weights_of, all) = (joints.as_array(), weights.as_array(), matrices.as_array());
    if joints.dim() != weights_of.dim() || joints.nrows() != moved.len() {
        let (found, weights, count) = (joints.dim(), weights_of.dim(), moved.len());
        return Err(PyValueError::new_err(format!(
            "joints have the shape {found:?} and weights {weights:?}; give both {count} rows and as many columns"
        )));
    }
    if matrices.shape()[1..] != [4, 4] {
        let shape = matrices.shape();
        return Err(PyValueError::new_err(format!("matrices have the shape {shape:?}; give (joints, 4, 4)")));
    }
    let matrices: Vec<Matrix4<f64>> = all.outer_iter().map(|m| Matrix4::from_fn(|i, j| m[[i, j]])).collect();
    let influences: Vec<Vec<Influence>> = joints
        .outer_iter()
        .zip(weights_of.outer_iter())
        .map(|(joints, weights)| {
            joints.iter().zip(weights).map(|(&joint, &weight)| Influence { joint, weight }).collect()
        })
        .collect();
    let refuse = |error: &dyn std::fmt::Display| error::plain(py, "DeformError", error);
    let count = matrices.len();
    let nodes: Vec<u32> = (0..count as u32).collect();
    let (skin, _) =
        Skin::new(count, nodes, vec![Matrix4::identity(); count], influences, WeightSums::Normalise)
            .map_err(|error| refuse(&error))?;
    let blending = if dual_quaternions { Blending::DualQuaternion } else { Blending::Linear };
    everywhere(py, || skin_positions(&skin, &matrices, blending, &mut moved))?
        .map_err(|error| refuse(&error))?;
    new_points(py, &moved)
}
