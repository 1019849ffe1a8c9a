//! NumPy arrays in and out.
//!
//! What comes in is checked and made contiguous by `pliant._arrays`, with messages that name the argument.
//! What goes out is filled, never lent: particles are numbered otherwise within the solver.

use nalgebra::Vector3;
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2,
    PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Rows of three numbers, finite.
pub(crate) fn vectors<'py>(object: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArray2<'py, f64>> {
    let module = object.py().import("pliant._arrays")?;
    module.call_method1("vectors", (object, what))?.extract()
}

/// The rows of a contiguous array.
pub(crate) fn rows<'a, T: Element + Copy, const N: usize>(
    array: &'a PyReadonlyArray2<'_, T>,
    what: &str,
) -> PyResult<&'a [[T; N]]> {
    let width = || PyValueError::new_err(format!("{what} must have {N} numbers in every row"));
    if array.shape()[1] != N {
        return Err(width());
    }
    let slice = array.as_slice().map_err(|_| PyValueError::new_err(format!("{what} must be contiguous")))?;
    Ok(slice.as_chunks().0)
}

/// Rows of three numbers as points.
pub(crate) fn points(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Vector3<f64>>> {
    let array = vectors(object, what)?;
    Ok(rows(&array, what)?.iter().map(|&row: &[f64; 3]| Vector3::from(row)).collect())
}

/// One vector.
pub(crate) fn vector(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vector3<f64>> {
    let module = object.py().import("pliant._arrays")?;
    let array: PyReadonlyArray1<'_, f64> = module.call_method1("vector", (object, what))?.extract()?;
    let slice = array.as_slice().map_err(|_| PyValueError::new_err(format!("{what} must be contiguous")))?;
    Ok(Vector3::from_column_slice(slice))
}

/// Rows of numbers of vertices.
pub(crate) fn elements<const N: usize>(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<[u32; N]>> {
    let module = object.py().import("pliant._arrays")?;
    let array: PyReadonlyArray2<'_, u32> = module.call_method1("elements", (object, N, what))?.extract()?;
    Ok(rows(&array, what)?.to_vec())
}

/// A new array of rows.
pub(crate) fn new_rows<'py, T: Element + Copy, const N: usize>(
    py: Python<'py>,
    rows: impl ExactSizeIterator<Item = [T; N]>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let array = PyArray2::<T>::zeros(py, [rows.len(), N], false);
    {
        let mut filled = array.readwrite();
        let slice = filled.as_slice_mut().map_err(|_| PyValueError::new_err("a new array is contiguous"))?;
        for (place, row) in slice.as_chunks_mut().0.iter_mut().zip(rows) {
            *place = row;
        }
    }
    Ok(array)
}

/// A new array of points.
pub(crate) fn new_points<'py>(
    py: Python<'py>,
    points: &[Vector3<f64>],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    new_rows(py, points.iter().map(|p| [p.x, p.y, p.z]))
}

/// A new array of numbers.
pub(crate) fn new_numbers<T: Element>(py: Python<'_>, numbers: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, numbers)
}

/// An array of the caller that is filled.
pub(crate) enum Out<'py> {
    Single(PyReadwriteArray2<'py, f32>),
    Double(PyReadwriteArray2<'py, f64>),
}

impl<'py> Out<'py> {
    /// Checks that it has `count` rows of three numbers one after the other, and may be written to.
    pub(crate) fn of(object: &Bound<'py, PyAny>, count: usize) -> PyResult<Self> {
        let Ok(array) = object.cast::<PyUntypedArray>() else {
            let found = object.get_type();
            return Err(PyTypeError::new_err(format!("out is a {found}, not a NumPy array")));
        };
        let (single, double) = (dtype::<f32>(object.py()), dtype::<f64>(object.py()));
        let found = array.dtype();
        let is_single = found.is(&single) || found.eq(&single)?;
        if !is_single && !found.eq(&double)? {
            return Err(PyTypeError::new_err(format!("out has the type {found}; give float32 or float64")));
        }
        if array.shape() != [count, 3] {
            let shape = array.shape();
            return Err(PyValueError::new_err(format!("out has the shape {shape:?}; give ({count}, 3)")));
        }
        if !array.is_c_contiguous() {
            return Err(PyValueError::new_err(
                "out is not contiguous: its rows must follow each other (C order); fill a new array and copy it",
            ));
        }
        let refuse =
            |error: numpy::BorrowError| PyValueError::new_err(format!("out cannot be written to: {error}"));
        Ok(if is_single {
            Self::Single(object.cast::<PyArray2<f32>>()?.try_readwrite().map_err(refuse)?)
        } else {
            Self::Double(object.cast::<PyArray2<f64>>()?.try_readwrite().map_err(refuse)?)
        })
    }
}
