//! Meshes: arrays in and out, files, generators.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray2};
use pliant_io::{Mesh, read_mesh, write_mesh};
use pliant_mesh::{Caps, Diagonals, GenerateError, MeshError, Split, Subdivision, TetMesh, TriMesh};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{elements, new_numbers, new_points, new_rows, points, vector};
use crate::data::to_python;
use crate::error;
use crate::pool::everywhere;

/// A surface of triangles, checked when it is made and never changed: vertices at `positions`, (n, 3), m, and
/// the numbers of three vertices for each of `triangles`, (m, 3), counter-clockwise seen from outside. Copies
/// share their arrays.
///
/// :raises pliant.MeshError: if a triangle names a vertex that is not there or twice, or a position is not
/// finite; it names the element. :raises ValueError, TypeError: if an array has another shape or type.
#[pyclass(frozen, name = "TriMesh", module = "pliant")]
#[derive(Clone)]
pub(crate) struct PyTriMesh(pub(crate) TriMesh);

/// A solid of tetrahedra, checked when it is made and never changed: vertices at `positions`, (n, 3), m, and
/// the numbers of four vertices for each of `tets`, (m, 4), of positive volume (b − a) × (c − a) · (d − a).
/// Copies share their arrays.
///
/// :raises pliant.MeshError: if a tetrahedron names a vertex that is not there or twice, or a position is not
/// finite; it names the element. :raises ValueError, TypeError: if an array has another shape or type.
#[pyclass(frozen, name = "TetMesh", module = "pliant")]
#[derive(Clone)]
pub(crate) struct PyTetMesh(pub(crate) TetMesh);

fn generated<M>(py: Python<'_>, mesh: Result<M, GenerateError>) -> PyResult<M> {
    mesh.map_err(|error| error::mesh(py, error))
}

fn checked<M>(py: Python<'_>, mesh: Result<M, MeshError>) -> PyResult<M> {
    mesh.map_err(|error| error::mesh(py, error))
}

/// One of some words.
pub(crate) fn choose<T: Copy>(what: &str, word: &str, known: &[(&str, T)]) -> PyResult<T> {
    known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("{name:?}")).collect();
        PyValueError::new_err(format!("{what} is {word:?}; give {}", names.join(" or ")))
    })
}

#[pymethods]
impl PyTriMesh {
    #[new]
    fn new(py: Python<'_>, positions: &Bound<'_, PyAny>, triangles: &Bound<'_, PyAny>) -> PyResult<Self> {
        checked(py, TriMesh::new(points(positions, "positions")?, elements(triangles, "triangles")?))
            .map(Self)
    }

    /// A flat sheet in the x-z plane around the origin: numbers of vertices and size, m, along x and z.
    ///
    /// :param diagonals: `"alternating"` resists shear evenly, `"parallel"` does not.
    #[staticmethod]
    #[pyo3(signature = (vertices, size, *, diagonals = "alternating"))]
    fn grid(py: Python<'_>, vertices: [usize; 2], size: [f64; 2], diagonals: &str) -> PyResult<Self> {
        let known = [("alternating", Diagonals::Alternating), ("parallel", Diagonals::Parallel)];
        generated(py, TriMesh::grid_with(vertices, size, choose("diagonals", diagonals, &known)?)).map(Self)
    }

    /// A flat round sheet in the x-z plane: radius, m, and rings of vertices.
    #[staticmethod]
    fn disc(py: Python<'_>, radius: f64, rings: usize) -> PyResult<Self> {
        generated(py, TriMesh::disc(radius, rings)).map(Self)
    }

    /// The surface of a ball with poles: radius, m, vertices around and strips from pole to pole.
    #[staticmethod]
    fn sphere(py: Python<'_>, radius: f64, segments: usize, rings: usize) -> PyResult<Self> {
        generated(py, TriMesh::uv_sphere(radius, segments, rings)).map(Self)
    }

    /// The surface of a ball of even triangles, 20 times the square of the frequency: radius, m.
    #[staticmethod]
    fn icosphere(py: Python<'_>, radius: f64, frequency: usize) -> PyResult<Self> {
        generated(py, TriMesh::icosphere(radius, frequency)).map(Self)
    }

    /// The surface of an upright cylinder: radius and height, m, vertices around and strips along the height.
    #[staticmethod]
    #[pyo3(signature = (radius, height, segments, rings, *, capped = false))]
    fn cylinder(
        py: Python<'_>,
        radius: f64,
        height: f64,
        segments: usize,
        rings: usize,
        capped: bool,
    ) -> PyResult<Self> {
        let caps = if capped { Caps::Capped } else { Caps::Open };
        generated(py, TriMesh::cylinder(radius, height, segments, rings, caps)).map(Self)
    }

    /// The sheet between two level circles: radii and height, m, parts around and strips along the height; or a sector
    /// of it, degrees, open at +z.
    #[staticmethod]
    #[pyo3(signature = (top, bottom, height, segments, rings, *, sector = 360.0))]
    fn cone(
        py: Python<'_>,
        top: f64,
        bottom: f64,
        height: f64,
        segments: usize,
        rings: usize,
        sector: f64,
    ) -> PyResult<Self> {
        let angle = std::f64::consts::TAU * (sector / 360.0);
        generated(py, TriMesh::cone([top, bottom], height, segments, rings, angle)).map(Self)
    }

    /// The surface of a ring that lies flat: radii of ring and tube, m, vertices around the ring and the tube.
    #[staticmethod]
    fn torus(py: Python<'_>, radius: f64, tube: f64, segments: usize, sides: usize) -> PyResult<Self> {
        generated(py, TriMesh::torus(radius, tube, segments, sides)).map(Self)
    }

    /// Positions, m, (n, 3), float64: a copy.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        new_points(py, self.0.positions())
    }

    /// Numbers of vertices, (m, 3), uint32: a copy.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        new_rows(py, self.0.triangles().iter().copied())
    }

    /// Edges, (e, 2), uint32, each once, in the order of the triangles.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        new_rows(py, self.0.edges().into_iter())
    }

    /// Area, m².
    #[getter]
    fn area(&self) -> f64 {
        self.0.area()
    }

    /// Volume within the surface, m³, if it is closed and its triangles face outwards.
    #[getter]
    fn enclosed_volume(&self) -> f64 {
        self.0.enclosed_volume()
    }

    /// The same elements with other positions, (n, 3), m.
    fn with_positions(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        checked(py, self.0.with_positions(points(positions, "positions")?)).map(Self)
    }

    /// The mesh moved by a vector, (3,), m.
    fn translated(&self, py: Python<'_>, by: &Bound<'_, PyAny>) -> PyResult<Self> {
        checked(py, self.0.translated(vector(by, "by")?)).map(Self)
    }

    /// Every triangle divided into four, some times over; rounded off by Loop's rule if it is to be smooth.
    #[pyo3(signature = (levels = 1, *, smooth = false))]
    fn subdivided(&self, py: Python<'_>, levels: usize, smooth: bool) -> PyResult<Self> {
        let scheme = if smooth { Subdivision::Loop } else { Subdivision::Midpoint };
        generated(py, self.0.subdivide(levels, scheme)).map(Self)
    }

    /// A check-up: measures and defects as a dictionary, with `findings`, of which each has a `defect`, a
    /// `count` and the elements that it is `at`.
    ///
    /// :param sliver: tetrahedra with a smaller angle between two faces are slivers, degrees.
    /// :param intersections: how many self-intersections are listed; they are all counted.
    #[pyo3(signature = (*, sliver = 5.0, intersections = 1000))]
    fn check<'py>(&self, py: Python<'py>, sliver: f64, intersections: usize) -> PyResult<Bound<'py, PyAny>> {
        let options = crate::doctor::check_options(sliver, intersections);
        let found = everywhere(py, || self.0.check_up(&options))?;
        to_python(py, &found)
    }

    /// A repaired mesh, and a report on what was done: `steps`, and of every vertex of this mesh what it `became`.
    ///
    /// Repairs are on or off by name: `weld` (a distance, m, or None), `drop_flat`, `drop_duplicates`,
    /// `unite` (a distance or None), `flip_inverted`, `match_diagonals`, `split_non_manifold`,
    /// `split_solids`, `keep_largest`, `orient`, `fill_holes` (the most edges of a hole, or None),
    /// `drop_unreferenced`.
    ///
    /// :raises TypeError: if there is no such repair.
    #[pyo3(signature = (**options))]
    fn repaired<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, pyo3::types::PyDict>>,
    ) -> PyResult<(Self, Bound<'py, PyAny>)> {
        let options = crate::doctor::repair_options(options)?;
        let (mesh, report) = everywhere(py, || self.0.repair(&options))?;
        Ok((Self(mesh), to_python(py, &report)?))
    }

    /// Writes a file in the format of its ending: `.obj`, `.ply`, `.stl`, `.off`, `.vtu`, `.msh` and others.
    /// It appears whole or not at all.
    ///
    /// :raises pliant.MeshError: if the ending is another, or the file cannot be written.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| write_mesh(path, &Mesh::Tri(self.0.clone()))).map_err(|error| error::mesh(py, error))
    }

    fn __len__(&self) -> usize {
        self.0.positions().len()
    }

    fn __repr__(&self) -> String {
        format!("TriMesh({} vertices, {} triangles)", self.0.positions().len(), self.0.triangles().len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    #[allow(clippy::type_complexity, reason = "what pickle asks for")]
    fn __getnewargs__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<u32>>)> {
        Ok((self.positions(py)?, self.triangles(py)?))
    }
}

#[pymethods]
impl PyTetMesh {
    #[new]
    fn new(py: Python<'_>, positions: &Bound<'_, PyAny>, tets: &Bound<'_, PyAny>) -> PyResult<Self> {
        checked(py, TetMesh::new(points(positions, "positions")?, elements(tets, "tets")?)).map(Self)
    }

    /// A block around the origin: numbers of cells and size, m, along x, y and z.
    ///
    /// :param split: `"kuhn"` makes six tetrahedra of a cell, all cells alike, `"five"` five, mirrored from
    /// cell to cell.
    #[staticmethod]
    #[pyo3(signature = (cells, size, *, split = "kuhn"))]
    fn block(py: Python<'_>, cells: [usize; 3], size: [f64; 3], split: &str) -> PyResult<Self> {
        let split = choose("split", split, &[("kuhn", Split::Kuhn), ("five", Split::Five)])?;
        let block = generated(py, TetMesh::block(cells, size, split))?;
        // Every other shape is centred on the origin; the generator starts blocks there.
        checked(py, block.translated([-0.5 * size[0], -0.5 * size[1], -0.5 * size[2]])).map(Self)
    }

    /// A ball: radius, m, and shells; 20 times the cube of their number is the number of tetrahedra.
    #[staticmethod]
    fn ball(py: Python<'_>, radius: f64, shells: usize) -> PyResult<Self> {
        generated(py, TetMesh::ball(radius, shells)).map(Self)
    }

    /// An upright rod: radius and height, m, rings of vertices and layers along the height.
    #[staticmethod]
    fn cylinder(py: Python<'_>, radius: f64, height: f64, rings: usize, layers: usize) -> PyResult<Self> {
        generated(py, TetMesh::cylinder(radius, height, rings, layers)).map(Self)
    }

    /// A ring that lies flat: radii of ring and tube, m, slices around the ring and rings of vertices within the tube.
    #[staticmethod]
    fn torus(py: Python<'_>, radius: f64, tube: f64, segments: usize, rings: usize) -> PyResult<Self> {
        generated(py, TetMesh::torus(radius, tube, segments, rings)).map(Self)
    }

    /// Positions, m, (n, 3), float64: a copy.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        new_points(py, self.0.positions())
    }

    /// Numbers of vertices, (m, 4), uint32: a copy.
    #[getter]
    fn tets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        new_rows(py, self.0.tets().iter().copied())
    }

    /// Edges, (e, 2), uint32, each once.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        new_rows(py, self.0.edges().into_iter())
    }

    /// Volume, m³.
    #[getter]
    fn volume(&self) -> f64 {
        self.0.volume()
    }

    /// The boundary as a mesh of its own, and for each of its vertices the number here, (k,).
    fn surface<'py>(&self, py: Python<'py>) -> (PyTriMesh, Bound<'py, PyArray1<u32>>) {
        let surface = self.0.surface();
        (PyTriMesh(surface.mesh), new_numbers(py, surface.vertex_of))
    }

    /// The triangles of the boundary in the numbers of this mesh, (b, 3), facing outwards.
    #[getter]
    fn boundary_triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        new_rows(py, self.0.boundary_triangles().into_iter())
    }

    /// The same elements with other positions, (n, 3), m.
    fn with_positions(&self, py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        checked(py, self.0.with_positions(points(positions, "positions")?)).map(Self)
    }

    /// The mesh moved by a vector, (3,), m.
    fn translated(&self, py: Python<'_>, by: &Bound<'_, PyAny>) -> PyResult<Self> {
        checked(py, self.0.translated(vector(by, "by")?)).map(Self)
    }

    /// A check-up: measures and defects as a dictionary, with `findings`, of which each has a `defect`, a
    /// `count` and the elements that it is `at`.
    ///
    /// :param sliver: tetrahedra with a smaller angle between two faces are slivers, degrees.
    /// :param intersections: how many self-intersections are listed; they are all counted.
    #[pyo3(signature = (*, sliver = 5.0, intersections = 1000))]
    fn check<'py>(&self, py: Python<'py>, sliver: f64, intersections: usize) -> PyResult<Bound<'py, PyAny>> {
        let options = crate::doctor::check_options(sliver, intersections);
        let found = everywhere(py, || self.0.check_up(&options))?;
        to_python(py, &found)
    }

    /// A repaired mesh, and a report on what was done: `steps`, and of every vertex of this mesh what it `became`.
    ///
    /// Repairs are on or off by name: `weld` (a distance, m, or None), `drop_flat`, `drop_duplicates`,
    /// `unite` (a distance or None), `flip_inverted`, `match_diagonals`, `split_non_manifold`,
    /// `split_solids`, `keep_largest`, `orient`, `fill_holes` (the most edges of a hole, or None),
    /// `drop_unreferenced`.
    ///
    /// :raises TypeError: if there is no such repair.
    #[pyo3(signature = (**options))]
    fn repaired<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, pyo3::types::PyDict>>,
    ) -> PyResult<(Self, Bound<'py, PyAny>)> {
        let options = crate::doctor::repair_options(options)?;
        let (mesh, report) = everywhere(py, || self.0.repair(&options))?;
        Ok((Self(mesh), to_python(py, &report)?))
    }

    /// Writes a file in the format of its ending: `.obj`, `.ply`, `.stl`, `.off`, `.vtu`, `.msh` and others.
    /// It appears whole or not at all.
    ///
    /// :raises pliant.MeshError: if the ending is another, or the file cannot be written.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| write_mesh(path, &Mesh::Tet(self.0.clone()))).map_err(|error| error::mesh(py, error))
    }

    fn __len__(&self) -> usize {
        self.0.positions().len()
    }

    fn __repr__(&self) -> String {
        format!("TetMesh({} vertices, {} tetrahedra)", self.0.positions().len(), self.0.tets().len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    #[allow(clippy::type_complexity, reason = "what pickle asks for")]
    fn __getnewargs__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<u32>>)> {
        Ok((self.positions(py)?, self.tets(py)?))
    }
}

/// The mesh as one of the two classes.
pub(crate) fn wrapped(py: Python<'_>, mesh: Mesh) -> PyResult<Py<PyAny>> {
    Ok(match mesh {
        Mesh::Tri(mesh) => Py::new(py, PyTriMesh(mesh))?.into_any(),
        Mesh::Tet(mesh) => Py::new(py, PyTetMesh(mesh))?.into_any(),
    })
}

/// The mesh in one of the two classes.
pub(crate) fn unwrapped(object: &Bound<'_, PyAny>) -> PyResult<Mesh> {
    if let Ok(mesh) = object.cast::<PyTriMesh>() {
        return Ok(Mesh::Tri(mesh.get().0.clone()));
    }
    Ok(Mesh::Tet(object.cast::<PyTetMesh>()?.get().0.clone()))
}

/// The mesh of a file, and what its reader has to say, in words.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, path: PathBuf) -> PyResult<(Py<PyAny>, String)> {
    let imported = everywhere(py, || read_mesh(path))?.map_err(|error| error::mesh(py, error))?;
    Ok((wrapped(py, imported.mesh)?, imported.report.to_string()))
}
