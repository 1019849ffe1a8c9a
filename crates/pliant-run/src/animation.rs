//! [`Sink`]: the animation of one mesh in one format, whatever moves it.

use pliant_io::{
    ExportError, Frame, FrameWriter, GlbAnimation, MddWriter, Mesh, MeshSequence, Pc2Options, Pc2Writer,
    UsdaOptions, UsdaWriter, VtuOptions, VtuSeries,
};
use pliant_scene::model::Format;

use crate::error::RunError;
use crate::folder::Folder;

/// What an animation is of.
pub struct Subject<'a> {
    /// The folder of its files in that of the run.
    pub inner: &'a str,
    /// The name of its files.
    pub name: &'a str,
    /// The mesh as it starts; for point caches a surface.
    pub mesh: &'a Mesh,
    /// The file of that surface, with slashes, relative to the folder of the run.
    pub rest: &'a str,
    /// Frames per second of the animation.
    pub frame_rate: f64,
    /// How many frames come to one that is written.
    pub every: u32,
    /// Of an animation that can be interrupted and taken up again, the times of the frames that are there already, s.
    pub resumed: Option<&'a [f64]>,
}

/// A writer, and the names of the files that each frame adds: `PREFIX_0000.EXTENSION`.
pub struct Sink {
    writer: Box<dyn FrameWriter>,
    frame_names: Option<(String, &'static str)>,
    /// Whether what it has written is there after an interruption.
    lasts: bool,
}

/// Whether what was written in a format is there after an interruption. The other formats are written at the end.
pub(crate) fn lasts(format: Format) -> bool {
    matches!(format, Format::Vtu | Format::Obj | Format::Ply | Format::Pc2)
}

impl Sink {
    /// Begins the files; returns the one to open as well, with a line on how.
    ///
    /// # Errors
    /// If a file cannot be begun.
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
            "Blender: import {rest}, give it the modifier Mesh Cache with this file, {timing}, {frame_rate} frames per second"
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
                // The rate of samples counts in frames of the animation.
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

    /// Writes a frame, the first of which is number 0.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&mut self, number: usize, frame: &Frame<'_>, folder: &mut Folder) -> Result<(), RunError> {
        if let Some(file) = self.file(number) {
            folder.announce(&file)?;
        }
        self.writer.write_frame(frame).map_err(|error| folder.failed(error))
    }

    /// The file that a frame adds, if it does.
    fn file(&self, number: usize) -> Option<String> {
        let (prefix, extension) = self.frame_names.as_ref()?;
        Some(format!("{prefix}_{number:04}.{extension}"))
    }

    /// Whether what it has written is there after an interruption, if it was opened to be resumed.
    pub(crate) fn lasts(&self) -> bool {
        self.lasts
    }

    /// Goes past a frame that is there already.
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

    /// Hands what was written to the operating system.
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
