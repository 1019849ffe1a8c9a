//! [`MeshSequence`]: a mesh file for each frame.

use std::fs;
use std::path::{Path, PathBuf};

use super::atomic::write_file;
use super::frame::FrameCheck;
use super::{ExportError, Frame, FrameWriter, Precision, obj, ply};
use crate::Mesh;

/// An animation as numbered surface files: `FOLDER/STEM_0000.obj`, `FOLDER/STEM_0001.obj`…
///
/// Of a solid the boundary is written, with the vertices that it uses. Only positions are written. Each file appears
/// whole, so that an interrupted run leaves good frames.
pub struct MeshSequence {
    folder: PathBuf,
    stem: String,
    kind: Kind,
    triangles: Vec<[u32; 3]>,
    /// The vertices that are written, if not all.
    vertex_of: Option<Vec<u32>>,
    check: FrameCheck,
    written: Vec<PathBuf>,
}

#[derive(Clone, Copy)]
enum Kind {
    Obj,
    Ply,
}

impl MeshSequence {
    /// A sequence of Wavefront OBJ files in `folder`, which is made if it is missing.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn obj(folder: impl AsRef<Path>, stem: &str, mesh: &Mesh) -> Result<Self, ExportError> {
        Self::create(folder.as_ref(), stem, mesh, Kind::Obj)
    }

    /// A sequence of binary PLY files (coordinates as f32) in `folder`, which is made if it is missing.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn ply(folder: impl AsRef<Path>, stem: &str, mesh: &Mesh) -> Result<Self, ExportError> {
        Self::create(folder.as_ref(), stem, mesh, Kind::Ply)
    }

    fn create(folder: &Path, stem: &str, mesh: &Mesh, kind: Kind) -> Result<Self, ExportError> {
        fs::create_dir_all(folder).map_err(ExportError::io(folder))?;
        let (triangles, vertex_of) = mesh.boundary_with_vertices();
        Ok(Self {
            folder: folder.to_owned(),
            stem: stem.to_owned(),
            kind,
            triangles,
            vertex_of,
            check: FrameCheck::new(&folder.join(stem), mesh.positions().len(), mesh.element_count()),
            written: Vec::new(),
        })
    }
}

impl FrameWriter for MeshSequence {
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError> {
        self.check.check(frame)?;
        let extension = match self.kind {
            Kind::Obj => "obj",
            Kind::Ply => "ply",
        };
        let path = self.folder.join(format!("{}_{:04}.{extension}", self.stem, self.check.count()));
        let picked: Vec<_>;
        let positions = match &self.vertex_of {
            None => frame.positions,
            Some(vertex_of) => {
                picked = vertex_of.iter().map(|&v| frame.positions[v as usize]).collect();
                &picked
            }
        };
        write_file(&path, |out| match self.kind {
            Kind::Obj => obj::write(out, positions, &self.triangles),
            Kind::Ply => ply::write(out, positions, &self.triangles, Precision::Single),
        })?;
        self.check.written(frame);
        self.written.push(path);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        Ok(self.written)
    }
}
