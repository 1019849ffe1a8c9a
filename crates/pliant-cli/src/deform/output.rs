//! [`Outputs`]: the files of a deformed mesh.

use nalgebra::Vector3;
use pliant_io::{Frame, Mesh, write_mesh};
use pliant_run::{Folder, Sink, Subject};
use pliant_scene::{BuiltStack, StackFile};

use crate::error::CliError;

/// All files of a deformed mesh.
pub(super) struct Outputs {
    sinks: Vec<Sink>,
    /// Files to open, each with a line on how to open it.
    hints: Vec<(String, String)>,
    count: usize,
}

impl Outputs {
    /// Creates the files, and writes the mesh at rest, which point caches need.
    pub(super) fn create(
        file: &StackFile,
        built: &BuiltStack,
        folder: &mut Folder,
    ) -> Result<Self, CliError> {
        let (name, output) = (file.name(), &file.model.output);
        let mesh = Mesh::Tri(built.mesh.clone());
        let rest = format!("{name}.rest.obj");
        let path = folder.announce(&rest)?;
        write_mesh(path, &mesh).map_err(|error| folder.failed(error))?;
        let mut outputs = Self { sinks: Vec::new(), hints: Vec::new(), count: 0 };
        for &format in &output.formats {
            let subject = Subject {
                inner: format.name(),
                name,
                mesh: &mesh,
                rest: &rest,
                frame_rate: built.frame_rate,
                every: output.every.get(),
                resumed: None,
            };
            let (sink, hint) = Sink::open(format, &subject, folder)?;
            outputs.sinks.push(sink);
            outputs.hints.push(hint);
        }
        Ok(outputs)
    }

    /// Writes a frame at a time, s.
    pub(super) fn write(
        &mut self,
        time: f64,
        positions: &[Vector3<f64>],
        folder: &mut Folder,
    ) -> Result<(), CliError> {
        for sink in &mut self.sinks {
            sink.write(self.count, &Frame::new(time, positions), folder)?;
        }
        self.count += 1;
        Ok(())
    }

    /// Completes all files, and returns those to open, each with a line on how to open it.
    pub(super) fn finish(self, folder: &mut Folder) -> Result<Vec<(String, String)>, CliError> {
        for sink in self.sinks {
            sink.finish(folder)?;
        }
        Ok(self.hints)
    }
}
