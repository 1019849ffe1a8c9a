//! [`Outside`]: the surface of a mesh, for formats that hold nothing else.

use std::borrow::Cow;

use crate::Mesh;

/// The triangles of a surface, or the boundary of a solid with the vertices that it uses.
pub(super) struct Outside {
    /// Corners, counted among the vertices that are written.
    pub(super) triangles: Vec<[u32; 3]>,
    /// The vertices that are written, if not all.
    vertex_of: Option<Vec<u32>>,
}

impl Outside {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let (triangles, vertex_of) = mesh.boundary_with_vertices();
        Self { triangles, vertex_of }
    }

    /// Those values of all vertices that belong to vertices that are written.
    pub(super) fn gather<'a, T: Copy>(&self, values: &'a [T]) -> Cow<'a, [T]> {
        match &self.vertex_of {
            None => Cow::Borrowed(values),
            Some(vertex_of) => Cow::Owned(vertex_of.iter().map(|&v| values[v as usize]).collect()),
        }
    }
}
