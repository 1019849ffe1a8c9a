//! [`VtuSeries`]: an animation for ParaView.

use std::fs;
use std::path::{Path, PathBuf};

use quick_xml::escape::escape;

use super::atomic::write_file;
use super::frame::FrameCheck;
use super::number::Short;
use super::pvd::Index;
use super::vtu::{Grid, VtuOptions};
use super::{ExportError, Frame, FrameWriter};
use crate::Mesh;

/// A VTU file for each frame, and a PVD index with their times: open the index in ParaView.
///
/// For the index `out/cloth.pvd` the frames are `out/cloth/cloth_0000.vtu`, `out/cloth/cloth_0001.vtu`… They
/// hold positions, elements, velocities and all fields. The index grows by an entry after each frame, in one
/// step: whenever a run ends, it lists the frames that there are.
pub struct VtuSeries {
    index: Index,
    folder: PathBuf,
    stem: String,
    grid: Grid,
    check: FrameCheck,
}

impl VtuSeries {
    /// A series with its index at the path `index`; `.pvd` is added if it does not end so. Folders are made if they are
    /// missing.
    ///
    /// # Errors
    ///
    /// If the folder of the frames cannot be made.
    pub fn create(index: impl AsRef<Path>, mesh: &Mesh, options: VtuOptions) -> Result<Self, ExportError> {
        let mut index = index.as_ref().to_owned();
        if !index.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pvd")) {
            index.as_mut_os_string().push(".pvd");
        }
        let stem = index.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = index.with_file_name(&stem);
        fs::create_dir_all(&folder).map_err(ExportError::io(&folder))?;
        Ok(Self {
            check: FrameCheck::new(&index, mesh.positions().len(), mesh.element_count()),
            index: Index::new(index),
            folder,
            stem,
            grid: Grid::new(mesh, options),
        })
    }

    /// Goes on with an interrupted series, whose first frames have these times, s, and are there: the next one follows
    /// them. The index is written again.
    ///
    /// # Errors
    ///
    /// If the index cannot be written.
    pub fn resume(mut self, times: &[f64]) -> Result<Self, ExportError> {
        if !times.is_empty() {
            let entries: String = times.iter().enumerate().map(|(k, &time)| self.entry(k, time)).collect();
            self.index.replace(&entries)?;
            self.check.resume(times);
        }
        Ok(self)
    }

    fn file(&self, number: usize) -> String {
        format!("{}_{number:04}.vtu", self.stem)
    }

    fn entry(&self, number: usize, time: f64) -> String {
        format!(
            "<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}/{}\"/>\n",
            Short(time),
            escape(self.stem.as_str()),
            escape(self.file(number).as_str())
        )
    }
}

impl FrameWriter for VtuSeries {
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError> {
        self.check.check(frame)?;
        let number = self.check.count();
        write_file(&self.folder.join(self.file(number)), |out| self.grid.write(out, frame))?;
        self.check.written(frame);
        self.index.add(&self.entry(number, frame.time))
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        Ok(if self.check.count() > 0 { vec![self.index.path().to_owned()] } else { Vec::new() })
    }
}
