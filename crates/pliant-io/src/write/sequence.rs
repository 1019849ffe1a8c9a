//! [`MeshSequence`]: a mesh file for each frame.

use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;

use super::atomic::write_file;
use super::columns::{Column, Numbers};
use super::frame::FrameCheck;
use super::outside::Outside;
use super::{ExportError, Field, FieldValues, Frame, FrameWriter, obj, ply};
use crate::Mesh;
use crate::location::Location;

/// An animation as numbered surface files: `FOLDER/STEM_0000.obj`, `FOLDER/STEM_0001.obj`…
///
/// Of a solid the boundary is written, with the vertices that it uses. OBJ files hold positions and normals,
/// PLY files velocities and fields of vertices too. Each file appears whole, so that an interrupted run
/// leaves valid frames.
pub struct MeshSequence {
    folder: PathBuf,
    stem: String,
    kind: Kind,
    outside: Outside,
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

    /// Resumes an interrupted sequence, whose first frames have these times, s, and are there.
    #[must_use]
    pub fn resume(mut self, times: &[f64]) -> Self {
        self.written = (0..times.len()).map(|number| self.file(number)).collect();
        self.check.resume(times);
        self
    }

    fn file(&self, number: usize) -> PathBuf {
        let extension = match self.kind {
            Kind::Obj => "obj",
            Kind::Ply => "ply",
        };
        self.folder.join(format!("{}_{number:04}.{extension}", self.stem))
    }

    /// What a frame says of the vertices beside their positions.
    fn columns<'a>(&self, frame: &Frame<'a>) -> Vec<Column<'a>> {
        let reals = |name, components, values: Vec<f64>| Column {
            name,
            components,
            numbers: Numbers::Real,
            values: values.into(),
        };
        let vectors = |name, values: &[Vector3<f64>]| {
            reals(name, 3, self.outside.gather(values).iter().flat_map(|v| [v.x, v.y, v.z]).collect())
        };
        let of_vertices = |field: &&Field<'a>| field.location == Location::Vertices;
        let fields = frame.fields.iter().filter(of_vertices).map(|field| match field.values {
            FieldValues::Scalars(values) => reals(field.name, 1, self.outside.gather(values).into_owned()),
            FieldValues::Vectors(values) => vectors(field.name, values),
        });
        let normals = frame.normals.map(|normals| vectors(ply::NORMALS, normals));
        let velocities = frame.velocities.map(|velocities| vectors("velocity", velocities));
        normals.into_iter().chain(velocities).chain(fields).collect()
    }

    fn create(folder: &Path, stem: &str, mesh: &Mesh, kind: Kind) -> Result<Self, ExportError> {
        fs::create_dir_all(folder).map_err(ExportError::io(folder))?;
        Ok(Self {
            folder: folder.to_owned(),
            stem: stem.to_owned(),
            kind,
            outside: Outside::of(mesh),
            check: FrameCheck::new(&folder.join(stem), mesh.positions().len(), mesh.element_count()),
            written: Vec::new(),
        })
    }
}

impl FrameWriter for MeshSequence {
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError> {
        self.check.check(frame)?;
        let path = self.file(self.check.count());
        let Outside { triangles, .. } = &self.outside;
        let positions = self.outside.gather(frame.positions);
        let normals = frame.normals.map(|normals| self.outside.gather(normals));
        write_file(&path, |out| match (self.kind, normals) {
            (Kind::Obj, None) => obj::write(out, &positions, triangles),
            (Kind::Obj, Some(normals)) => obj::write_with_normals(out, &positions, &normals, triangles),
            (Kind::Ply, _) => ply::write_frame(out, &positions, triangles, self.columns(frame)),
        })?;
        self.check.written(frame);
        self.written.push(path);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        Ok(self.written)
    }
}
