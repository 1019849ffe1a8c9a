//! [`Pc2Writer`]: the point cache of Blender's Mesh Cache modifier.

use std::path::{Path, PathBuf};

use super::atomic::AtomicFile;
use super::frame::{FrameCheck, count};
use super::{ExportError, Frame, FrameWriter};

/// When the samples of a point cache are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pc2Options {
    /// Animation frame of the first sample.
    pub start_frame: f32,
    /// Animation frames from one sample to the next.
    pub sample_rate: f32,
}

impl Default for Pc2Options {
    /// A sample for each animation frame, from frame 1 on: Blender's own first frame.
    fn default() -> Self {
        Self { start_frame: 1.0, sample_rate: 1.0 }
    }
}

/// Writes a PC2 file: every vertex of every frame as f32, in the order of the mesh.
///
/// In Blender, a mesh with the same vertices in the same order gets a *Mesh Cache* modifier that points to the file;
/// positions are written as they are, so set its axes to those of the simulation. Layout: `POINTCACHE2\0`, version 1,
/// number of points, start frame, sample rate, number of samples, then the samples, all little-endian (Blender,
/// `MOD_meshcache_pc2.cc`).
///
/// The header holds the number of samples, which is known at the end only: until [`FrameWriter::finish`] the file has
/// another name, and dropping the writer removes it, unless it was to be [resumed](Self::resume).
pub struct Pc2Writer {
    file: AtomicFile,
    check: FrameCheck,
    buffer: Vec<u8>,
}

/// Bytes before the samples.
const HEAD: u64 = 32;
/// Where the number of samples stands.
const SAMPLES_AT: u64 = 28;

impl Pc2Writer {
    /// A cache for a mesh of so many vertices. The folder is made if it is missing.
    ///
    /// # Errors
    ///
    /// If there are more than `i32::MAX` vertices, or the file cannot be made.
    pub fn create(path: impl AsRef<Path>, vertices: usize, options: Pc2Options) -> Result<Self, ExportError> {
        Self::begin(path.as_ref(), vertices, options, AtomicFile::create)
    }

    /// As [`create`](Self::create), but a writer that is dropped leaves what it has written, as `.NAME.kept.part`, and
    /// this continues what an interrupted one has left, behind the samples of these times, s.
    ///
    /// # Errors
    ///
    /// As `create`, or if there are not as many samples.
    pub fn resume(
        path: impl AsRef<Path>,
        vertices: usize,
        options: Pc2Options,
        times: &[f64],
    ) -> Result<Self, ExportError> {
        let path = path.as_ref();
        if times.is_empty() {
            return Self::begin(path, vertices, options, AtomicFile::keep);
        }
        count(path, "vertices", vertices)?;
        let length = HEAD + 12 * (vertices as u64) * times.len() as u64;
        let mut check = FrameCheck::new(path, vertices, 0);
        check.resume(times);
        Ok(Self { file: AtomicFile::reopen(path, length)?, check, buffer: Vec::new() })
    }

    fn begin(
        path: &Path,
        vertices: usize,
        options: Pc2Options,
        create: impl Fn(&Path) -> Result<AtomicFile, ExportError>,
    ) -> Result<Self, ExportError> {
        let points = count(path, "vertices", vertices)?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(ExportError::io(folder))?;
        }
        let mut file = create(path)?;
        file.write_with(|out| {
            out.write_all(b"POINTCACHE2\0")?;
            out.write_all(&1_i32.to_le_bytes())?;
            out.write_all(&points.to_le_bytes())?;
            out.write_all(&options.start_frame.to_le_bytes())?;
            out.write_all(&options.sample_rate.to_le_bytes())?;
            out.write_all(&0_i32.to_le_bytes())
        })?;
        Ok(Self { file, check: FrameCheck::new(path, vertices, 0), buffer: Vec::new() })
    }
}

impl FrameWriter for Pc2Writer {
    /// Writes the positions; the format has no fields or velocities.
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError> {
        self.check.check(&Frame::new(frame.time, frame.positions))?;
        count(self.file.path(), "samples", self.check.count() + 1)?;
        self.buffer.clear();
        self.buffer
            .extend(frame.positions.iter().flat_map(|p| p.iter()).flat_map(|&c| (c as f32).to_le_bytes()));
        self.file.write_with(|out| out.write_all(&self.buffer))?;
        self.check.written(frame);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ExportError> {
        self.file.flush()
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        let samples = count(self.file.path(), "samples", self.check.count())?;
        self.file.patch(SAMPLES_AT, &samples.to_le_bytes())?;
        Ok(vec![self.file.commit()?])
    }
}
