//! The result of an importer: the mesh as the file has it, and a report.

use std::collections::BTreeMap;
use std::fmt;

use nalgebra::Vector3;
use pliant_mesh::{Aabb, TetMesh, TriMesh};

use crate::attributes::Attributes;
use crate::error::ImportError;
use crate::format::Format;

/// A mesh of either kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Mesh {
    /// A surface of triangles.
    Tri(TriMesh),
    /// A solid of tetrahedra.
    Tet(TetMesh),
}

impl Mesh {
    /// Vertex positions, in the units of the file.
    #[must_use]
    pub fn positions(&self) -> &[Vector3<f64>] {
        match self {
            Self::Tri(mesh) => mesh.positions(),
            Self::Tet(mesh) => mesh.positions(),
        }
    }

    /// The triangles of a surface, or those of the boundary of a solid with the vertices that they use.
    pub(crate) fn boundary_with_vertices(&self) -> (Vec<[u32; 3]>, Option<Vec<u32>>) {
        match self {
            Self::Tri(mesh) => (mesh.triangles().to_vec(), None),
            Self::Tet(mesh) => {
                let surface = mesh.surface();
                (surface.mesh.triangles().to_vec(), Some(surface.vertex_of))
            }
        }
    }

    /// Number of triangles or tetrahedra.
    #[must_use]
    pub fn element_count(&self) -> usize {
        match self {
            Self::Tri(mesh) => mesh.triangles().len(),
            Self::Tet(mesh) => mesh.tets().len(),
        }
    }
}

impl From<TriMesh> for Mesh {
    fn from(mesh: TriMesh) -> Self {
        Self::Tri(mesh)
    }
}

impl From<TetMesh> for Mesh {
    fn from(mesh: TetMesh) -> Self {
        Self::Tet(mesh)
    }
}

/// A mesh read from a file, with the report on it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Imported {
    /// The mesh, exactly as the file has it.
    pub mesh: Mesh,
    /// The report on the file.
    pub report: ImportReport,
    /// Numbers and groups of its vertices and elements, if [`ReadOptions`](crate::ReadOptions) asked for them.
    pub attributes: Attributes,
}

impl Imported {
    /// The triangles, if that is what the file holds.
    ///
    /// # Errors
    ///
    /// [`ImportError::WrongKind`] for a mesh of tetrahedra.
    pub fn into_tri(self) -> Result<(TriMesh, ImportReport), ImportError> {
        match self.mesh {
            Mesh::Tri(mesh) => Ok((mesh, self.report)),
            Mesh::Tet(_) => Err(ImportError::WrongKind {
                file: self.report.file,
                held: "tetrahedra",
                wanted: "a triangle mesh is",
                instead: "use it as a solid, or export its boundary surface as OBJ, PLY or STL",
            }),
        }
    }

    /// The tetrahedra, if that is what the file holds.
    ///
    /// # Errors
    ///
    /// [`ImportError::WrongKind`] for a mesh of triangles.
    pub fn into_tet(self) -> Result<(TetMesh, ImportReport), ImportError> {
        match self.mesh {
            Mesh::Tet(mesh) => Ok((mesh, self.report)),
            Mesh::Tri(_) => Err(ImportError::WrongKind {
                file: self.report.file,
                held: "only triangles",
                wanted: "a tetrahedral mesh is",
                instead: "fill the surface with tetrahedra first (Gmsh, TetGen, fTetWild)",
            }),
        }
    }
}

/// The report on a mesh file.
///
/// Nothing was repaired, reordered or scaled: coordinates are the file's, in the file's units. Vertices and
/// elements are counted from zero.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ImportReport {
    /// Name of the file.
    pub file: String,
    /// Format found.
    pub format: Format,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles read, polygons split. In a file with tetrahedra they are counted and left out of the mesh.
    pub triangles: usize,
    /// Number of tetrahedra.
    pub tets: usize,
    /// Box around all vertices, in the units of the file.
    pub bounds: Aabb,
    /// Tetrahedra without a positive volume: inside out or flat. [`TetMesh::tet_volume`] shows which.
    pub inverted_tets: Vec<usize>,
    /// Triangles of the mesh without an area.
    pub flat_triangles: Vec<usize>,
    /// Elements of the mesh with the vertices of an earlier element, in whatever order.
    pub duplicate_elements: Vec<usize>,
    /// Vertices that no element of the mesh refers to.
    pub unreferenced_vertices: Vec<usize>,
    /// Polygons of more than three corners that were split into triangles: around their first corner, where
    /// that does not fold them.
    pub polygons_fanned: usize,
    /// Those of them that are concave, so that the first corner does not see all others: they were split by
    /// clipping ears.
    pub polygons_clipped: usize,
    /// Cells that were left out, by kind, such as `"line"`.
    pub skipped: BTreeMap<String, usize>,
    /// Copies of vertices merged into one (formats that repeat every vertex).
    pub vertices_welded: usize,
    /// Other remarks, a sentence each.
    pub notes: Vec<String>,
}

impl ImportReport {
    /// Whether the mesh has no defect: no inverted or flat element, no duplicate, no vertex without an element.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.inverted_tets.is_empty()
            && self.flat_triangles.is_empty()
            && self.duplicate_elements.is_empty()
            && self.unreferenced_vertices.is_empty()
    }
}

impl fmt::Display for ImportReport {
    /// A line on the mesh, and one for each remark.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}, {} vertices, {} triangles, {} tetrahedra",
            self.file, self.format, self.vertices, self.triangles, self.tets
        )?;
        let lists = [
            ("inverted or flat tetrahedra", &self.inverted_tets),
            ("triangles without an area", &self.flat_triangles),
            ("elements that repeat an earlier one", &self.duplicate_elements),
            ("vertices that no element refers to", &self.unreferenced_vertices),
        ];
        for (what, list) in lists {
            if let Some(first) = list.first() {
                write!(f, "\n  {} {what} (first: {first})", list.len())?;
            }
        }
        if self.polygons_fanned > 0 {
            write!(f, "\n  {} polygons split into triangles", self.polygons_fanned)?;
        }
        if self.vertices_welded > 0 {
            write!(f, "\n  {} copies of vertices merged", self.vertices_welded)?;
        }
        for (kind, count) in &self.skipped {
            write!(f, "\n  {count} left out: {kind}")?;
        }
        for note in &self.notes {
            write!(f, "\n  {note}")?;
        }
        Ok(())
    }
}
