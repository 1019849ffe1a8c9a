//! [`MddWriter`]: the point cache of LightWave, which Blender's Mesh Cache modifier and most packages read.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use super::atomic::{AtomicFile, scratch};
use super::frame::{FrameCheck, count};
use super::{ExportError, Frame, FrameWriter};

/// Writes an MDD file: every vertex of every frame as f32, in the order of the mesh, with the times.
///
/// Layout, all big-endian: number of frames and of points as 32-bit integers, the time of each frame in
/// seconds as f32, then the positions (LightWave, *MDD file format*; Blender, `MOD_meshcache_mdd.cc`).
/// Positions are written as they are.
///
/// The times stand before the positions and are known only at the end: until [`FrameWriter::finish`] there is
/// no file, and dropping the writer leaves none.
pub struct MddWriter {
    path: PathBuf,
    points: BufWriter<File>,
    times: Vec<f32>,
    check: FrameCheck,
    vertices: i32,
}

impl MddWriter {
    /// A cache for a mesh of so many vertices. The folder is made if it is missing.
    ///
    /// # Errors
    ///
    /// If there are more than `i32::MAX` vertices, or the folder cannot be written to.
    pub fn create(path: impl AsRef<Path>, vertices: usize) -> Result<Self, ExportError> {
        let path = path.as_ref().to_owned();
        let points = scratch(&path)?;
        let number = count(&path, "vertices", vertices)?;
        let check = FrameCheck::new(&path, vertices, 0);
        Ok(Self { path, points: BufWriter::new(points), times: Vec::new(), check, vertices: number })
    }
}

impl FrameWriter for MddWriter {
    /// Writes the positions; the format has no fields or velocities.
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError> {
        self.check.check(&Frame::new(frame.time, frame.positions))?;
        count(&self.path, "frames", self.check.count() + 1)?;
        let mut numbers = frame.positions.iter().flat_map(|p| p.iter());
        let written = numbers.try_for_each(|&c| self.points.write_all(&(c as f32).to_be_bytes()));
        written.map_err(ExportError::io(&self.path))?;
        self.times.push(frame.time as f32);
        self.check.written(frame);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        let Self { path, points, times, vertices, .. } = *self;
        let frames = count(&path, "frames", times.len())?;
        let mut points = points.into_inner().map_err(|error| ExportError::io(&path)(error.into_error()))?;
        let mut file = AtomicFile::create(&path)?;
        file.write_with(|mut out| {
            out.write_all(&frames.to_be_bytes())?;
            out.write_all(&vertices.to_be_bytes())?;
            for time in &times {
                out.write_all(&time.to_be_bytes())?;
            }
            points.rewind()?;
            io::copy(&mut points, &mut out).map(|_| ())
        })?;
        Ok(vec![file.commit()?])
    }
}
