//! [`Sink`]: writes the animation of one mesh in one format, whatever moves it.

use pliant_io::{
    ExportError, Frame, FrameWriter, GlbAnimation, MddWriter, Mesh, MeshSequence, Pc2Options, Pc2Writer,
    UsdaOptions, UsdaWriter, VtuOptions, VtuSeries,
};
use pliant_scene::model::Format;

use crate::error::RunError;
use crate::folder::Folder;

/// The subject of an animation.
pub struct Subject<'a> {
    /// The folder of its files, within the folder of the run.
    pub inner: &'a str,
    /// The name of its files.
    pub name: &'a str,
    /// The mesh at the start; for point caches a surface.
    pub mesh: &'a Mesh,
    /// The file of that surface, with slashes, relative to the folder of the run.
    pub rest: &'a str,
    /// Frames per second of the animation.
    pub frame_rate: f64,
    /// Number of frames from one written frame to the next.
    pub every: u32,
    /// For an animation that can be interrupted and resumed, the times of the frames that exist already, s.
    pub resumed: Option<&'a [f64]>,
}

/// A writer, and the names of the files that each frame adds: `PREFIX_0000.EXTENSION`.
pub struct Sink {
    writer: Box<dyn FrameWriter>,
    frame_names: Option<(String, &'static str)>,
    /// Whether what it has written survives an interruption.
    lasts: bool,
}

/// Whether what was written in a format survives an interruption. The other formats are written at the end.
pub(crate) fn lasts(format: Format) -> bool {
    matches!(format, Format::Vtu | Format::Obj | Format::Ply | Format::Pc2)
}

impl Sink {
    /// Creates the files; also returns the one to open, with a line on how to open it.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn open(
        format: Format,
        subject: &Subject<'_>,
        folder: &mut Folder,
    ) -> Result<(Self, (String, String)), RunError> {
        let Subject { inner, name, mesh, rest, frame_rate, every, resumed } = *subject;
        let times = resumed.unwrap_or_default();
        let is_sequence = matches!(format, Format::Obj | Format::Ply);
        let opened = match format {
            _ if is_sequence => format!("{inner}/{name}"),
            Format::Vtu => format!("{inner}/{name}.pvd"),
            _ => format!("{inner}/{name}.{}", format.name()),
        };
        // The files of a sequence are announced one by one.
        let path =
            if is_sequence { folder.path().join(inner).join(name) } else { folder.announce(&opened)? };
        let vertices = mesh.positions().len();
        // Blender counts samples, whatever the file says of their rate.
        let timing = match every {
            1 => "Frame Start 1".to_owned(),
            _ => format!("Frame Start and Frame Scale 1/{every}"),
        };
        let modifier = format!(
            "Blender: import {rest}, add the modifier Mesh Cache with this file, {timing}, {frame_rate} \
            frames per second"
        );
        let (writer, how) = match format {
            Format::Vtu => (
                boxed(
                    VtuSeries::create(path, mesh, VtuOptions::default())
                        .and_then(|series| series.resume(times)),
                ),
                "ParaView: File > Open, Apply, then play".to_owned(),
            ),
            Format::Pc2 => {
                // The sample rate is in frames of the animation.
                #[allow(clippy::cast_precision_loss, reason = "at most a million")]
                let options = Pc2Options { sample_rate: every as f32, ..Pc2Options::default() };
                let writer = match resumed {
                    Some(times) => Pc2Writer::resume(path, vertices, options, times),
                    None => Pc2Writer::create(path, vertices, options),
                };
                (boxed(writer), modifier)
            }
            Format::Mdd => (boxed(MddWriter::create(path, vertices)), modifier),
            Format::Usda => {
                let options = UsdaOptions { frames_per_second: frame_rate, ..UsdaOptions::default() };
                (
                    boxed(UsdaWriter::create(path, mesh, options)),
                    "Houdini, Maya, Blender (File > Import > Universal Scene Description)".to_owned(),
                )
            }
            Format::Obj => (
                boxed(MeshSequence::obj(path, name, mesh).map(|all| all.resume(times))),
                "one OBJ file for each frame".to_owned(),
            ),
            Format::Ply => (
                boxed(MeshSequence::ply(path, name, mesh).map(|all| all.resume(times))),
                "one PLY file for each frame".to_owned(),
            ),
            Format::Glb => (
                boxed(GlbAnimation::create(path, mesh)),
                "any glTF viewer: each frame is a morph target, and there is no skin".to_owned(),
            ),
        };
        let writer = writer.map_err(|error| folder.failed(error))?;
        let frame_names =
            (is_sequence || format == Format::Vtu).then(|| (format!("{inner}/{name}/{name}"), format.name()));
        let lasts = resumed.is_some() && lasts(format);
        Ok((Self { writer, frame_names, lasts }, (opened, how)))
    }

    /// Writes a frame; the first has the number 0.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&mut self, number: usize, frame: &Frame<'_>, folder: &mut Folder) -> Result<(), RunError> {
        if let Some(file) = self.file(number) {
            folder.announce(&file)?;
        }
        self.writer.write_frame(frame).map_err(|error| folder.failed(error))
    }

    /// The file that a frame adds, if it adds one.
    fn file(&self, number: usize) -> Option<String> {
        let (prefix, extension) = self.frame_names.as_ref()?;
        Some(format!("{prefix}_{number:04}.{extension}"))
    }

    /// Whether what it has written survives an interruption, if it was opened to be resumed.
    pub(crate) fn lasts(&self) -> bool {
        self.lasts
    }

    /// Skips a frame that exists already.
    pub(crate) fn pass(&self, number: usize, folder: &mut Folder) -> Result<(), RunError> {
        let Some(file) = self.file(number) else { return Ok(()) };
        let path = folder.announce(&file)?;
        if path.is_file() {
            return Ok(());
        }
        Err(RunError::Refused(format!(
            "the run in {} cannot be resumed: {file} is missing; start over with Intent::Replace",
            folder.path().display()
        )))
    }

    /// Passes what was written to the operating system.
    pub(crate) fn flush(&mut self, folder: &Folder) -> Result<(), RunError> {
        self.writer.flush().map_err(|error| folder.failed(error))
    }

    /// Completes the files.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(self, folder: &Folder) -> Result<(), RunError> {
        self.writer.finish().map(drop).map_err(|error| folder.failed(error))
    }
}

fn boxed<W: FrameWriter + 'static>(
    writer: Result<W, ExportError>,
) -> Result<Box<dyn FrameWriter>, ExportError> {
    writer.map(|writer| Box::new(writer) as _)
}
