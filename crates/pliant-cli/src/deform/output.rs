//! [`Outputs`]: the files of a deformed mesh.

use nalgebra::Vector3;
use pliant_io::{
    ExportError, Frame, FrameWriter, GlbAnimation, MddWriter, Mesh, MeshSequence, Pc2Options, Pc2Writer,
    VtuOptions, VtuSeries, write_mesh,
};
use pliant_scene::stack_model::StackFormat;
use pliant_scene::{BuiltStack, StackFile};

use crate::error::CliError;
use crate::run::Folder;

/// All files of a deformed mesh.
pub(super) struct Outputs {
    sinks: Vec<Sink>,
    /// Files to open, with a line on how.
    hints: Vec<(String, String)>,
    count: usize,
}

/// A writer, and the names of the files that each frame adds: `PREFIX_0000.EXTENSION`.
struct Sink {
    writer: Box<dyn FrameWriter>,
    frame_names: Option<(String, &'static str)>,
}

impl Outputs {
    /// Begins the files, and writes the mesh at rest, which point caches need.
    pub(super) fn create(
        file: &StackFile,
        built: &BuiltStack,
        folder: &mut Folder,
    ) -> Result<Self, CliError> {
        let name = file.name();
        let mesh = Mesh::Tri(built.mesh.clone());
        let rest = format!("{name}.rest.obj");
        let path = folder.announce(&rest)?;
        write_mesh(path, &mesh).map_err(|error| failed(error, folder))?;
        let mut outputs = Self { sinks: Vec::new(), hints: Vec::new(), count: 0 };
        for &format in &file.model.output.formats {
            outputs.add(format, file, built, &mesh, folder)?;
        }
        Ok(outputs)
    }

    fn add(
        &mut self,
        format: StackFormat,
        file: &StackFile,
        built: &BuiltStack,
        mesh: &Mesh,
        folder: &mut Folder,
    ) -> Result<(), CliError> {
        let (name, kind, vertices) = (file.name(), format.name(), built.mesh.positions().len());
        let single = format!("{kind}/{name}.{}", if format == StackFormat::Vtu { "pvd" } else { kind });
        let modifier = || {
            format!(
                "Blender: import {name}.rest.obj, give it the modifier Mesh Cache with this file, {} frames per second",
                built.frame_rate
            )
        };
        let frames = || Some((format!("{kind}/{name}/{name}"), kind));
        let inner = folder.path().join(kind).join(name);
        let boxed = |writer: Result<Box<dyn FrameWriter>, ExportError>, folder: &Folder| {
            writer.map_err(|error| failed(error, folder))
        };
        let (writer, frame_names, hint) = match format {
            StackFormat::Vtu => {
                let path = folder.announce(&single)?;
                let writer = VtuSeries::create(path, mesh, VtuOptions::default()).map(|w| Box::new(w) as _);
                (writer, frames(), (single, "ParaView: File > Open, Apply, then play".to_owned()))
            }
            StackFormat::Pc2 => {
                let path = folder.announce(&single)?;
                // The rate of samples counts in frames of the animation.
                #[allow(clippy::cast_precision_loss, reason = "at most a million")]
                let options =
                    Pc2Options { sample_rate: file.model.output.every as f32, ..Pc2Options::default() };
                let writer = Pc2Writer::create(path, vertices, options).map(|w| Box::new(w) as _);
                (writer, None, (single, modifier()))
            }
            StackFormat::Mdd => {
                let path = folder.announce(&single)?;
                (MddWriter::create(path, vertices).map(|w| Box::new(w) as _), None, (single, modifier()))
            }
            StackFormat::Obj => {
                let hint = (format!("{kind}/{name}"), "one OBJ file for each frame".to_owned());
                (MeshSequence::obj(inner, name, mesh).map(|w| Box::new(w) as _), frames(), hint)
            }
            StackFormat::Ply => {
                let hint = (format!("{kind}/{name}"), "one PLY file for each frame".to_owned());
                (MeshSequence::ply(inner, name, mesh).map(|w| Box::new(w) as _), frames(), hint)
            }
            StackFormat::Glb => {
                let path = folder.announce(&single)?;
                let hint =
                    "any glTF viewer: frames are morph targets, and there is no skin any more".to_owned();
                (GlbAnimation::create(path, mesh).map(|w| Box::new(w) as _), None, (single, hint))
            }
        };
        self.sinks.push(Sink { writer: boxed(writer, folder)?, frame_names });
        self.hints.push(hint);
        Ok(())
    }

    /// Writes a frame at a time, s.
    pub(super) fn write(
        &mut self,
        time: f64,
        positions: &[Vector3<f64>],
        folder: &mut Folder,
    ) -> Result<(), CliError> {
        for sink in &mut self.sinks {
            if let Some((prefix, extension)) = &sink.frame_names {
                folder.announce(&format!("{prefix}_{:04}.{extension}", self.count))?;
            }
            sink.writer.write_frame(&Frame::new(time, positions)).map_err(|error| failed(error, folder))?;
        }
        self.count += 1;
        Ok(())
    }

    /// Completes all files, and returns those to open, with a line on how.
    pub(super) fn finish(self, folder: &mut Folder) -> Result<Vec<(String, String)>, CliError> {
        for sink in self.sinks {
            sink.writer.finish().map_err(|error| failed(error, folder))?;
        }
        Ok(self.hints)
    }
}

fn failed(error: ExportError, folder: &Folder) -> CliError {
    CliError::Output { error, folder: folder.path().to_owned() }
}
