//! [`VtuSeries`]: an animation for ParaView.

use std::fs;
use std::path::{Path, PathBuf};

use quick_xml::escape::escape;

use super::atomic::write_file;
use super::frame::FrameCheck;
use super::number::Short;
use super::vtu::{Grid, VtuOptions};
use super::{ExportError, Frame, FrameWriter};
use crate::Mesh;

/// A VTU file for each frame, and a PVD index with their times: open the index in ParaView.
///
/// For the index `out/cloth.pvd` the frames are `out/cloth/cloth_0000.vtu`, `out/cloth/cloth_0001.vtu`… They hold
/// positions, elements, velocities and all fields. The index is written again after each frame, in one step: whenever a run
/// ends, it lists the frames that exist.
pub struct VtuSeries {
    index: PathBuf,
    folder: PathBuf,
    stem: String,
    grid: Grid,
    check: FrameCheck,
    entries: String,
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
            index,
            folder,
            stem,
            grid: Grid::new(mesh, options),
            entries: String::new(),
        })
    }

    fn write_index(&self) -> Result<(), ExportError> {
        write_file(&self.index, |out| {
            write!(
                out,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n\
                 <Collection>\n{}</Collection>\n</VTKFile>\n",
                self.entries
            )
        })
    }
}

impl FrameWriter for VtuSeries {
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError> {
        self.check.check(frame)?;
        let name = format!("{}_{:04}.vtu", self.stem, self.check.count());
        write_file(&self.folder.join(&name), |out| self.grid.write(out, frame))?;
        self.check.written(frame);
        self.entries += &format!(
            "<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}/{}\"/>\n",
            Short(frame.time),
            escape(self.stem.as_str()),
            escape(name.as_str())
        );
        self.write_index()
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        Ok(if self.check.count() > 0 { vec![self.index] } else { Vec::new() })
    }
}
