//! USD as text: single meshes, and [`UsdaWriter`] for animations.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use nalgebra::Vector3;

use super::atomic::{AtomicFile, scratch};
use super::frame::FrameCheck;
use super::number::Short;
use super::{ExportError, Frame, FrameWriter};
use crate::Mesh;

/// Writes a surface as a stage with one mesh, every digit of it (USD reads them into f32).
pub(crate) fn write(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
) -> io::Result<()> {
    writeln!(
        out,
        "#usda 1.0\n(\n    defaultPrim = \"mesh\"\n    metersPerUnit = 1\n)\n\ndef Mesh \"mesh\"\n{{"
    )?;
    topology(out, triangles)?;
    write!(out, "    point3f[] points = ")?;
    points(out, positions)?;
    writeln!(out, "\n}}")
}

fn topology(out: &mut dyn Write, triangles: &[[u32; 3]]) -> io::Result<()> {
    writeln!(out, "    uniform token subdivisionScheme = \"none\"")?;
    write!(out, "    int[] faceVertexCounts = [")?;
    for t in 0..triangles.len() {
        out.write_all(if t == 0 { b"3" } else { b", 3" })?;
    }
    write!(out, "]\n    int[] faceVertexIndices = [")?;
    for (i, vertex) in triangles.as_flattened().iter().enumerate() {
        write!(out, "{}{vertex}", if i == 0 { "" } else { ", " })?;
    }
    writeln!(out, "]")
}

fn points(out: &mut dyn Write, points: &[Vector3<f64>]) -> io::Result<()> {
    out.write_all(b"[")?;
    for (i, p) in points.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        write!(out, "{comma}({}, {}, {})", Short(p.x), Short(p.y), Short(p.z))?;
    }
    out.write_all(b"]")
}

/// How an animation stands in a USD stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsdaOptions {
    /// Time codes in a second; the time of a frame in seconds, times this, is its time code.
    pub frames_per_second: u32,
    /// The axis that points up.
    pub up: UpAxis,
}

/// An axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpAxis {
    /// y, as in most packages for animation.
    Y,
    /// z, as in Blender.
    Z,
}

impl Default for UsdaOptions {
    /// 24 time codes in a second, y up: what USD itself assumes.
    fn default() -> Self {
        Self { frames_per_second: 24, up: UpAxis::Y }
    }
}

/// Writes a USD stage as text with one mesh whose points, extent and velocities have time samples.
///
/// Of a solid the boundary is written, with the vertices that it uses. The unit is the metre. Until
/// [`FrameWriter::finish`] there is no file, and dropping the writer leaves none.
pub struct UsdaWriter {
    path: PathBuf,
    options: UsdaOptions,
    triangles: Vec<[u32; 3]>,
    /// The vertices that are written, if not all.
    vertex_of: Option<Vec<u32>>,
    points: BufWriter<File>,
    velocities: BufWriter<File>,
    with_velocities: bool,
    extents: String,
    /// Time codes of the first and the last frame.
    range: Option<[f64; 2]>,
    check: FrameCheck,
}

impl UsdaWriter {
    /// A stage for the mesh. The folder is made if it is missing.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written to.
    pub fn create(path: impl AsRef<Path>, mesh: &Mesh, options: UsdaOptions) -> Result<Self, ExportError> {
        let path = path.as_ref().to_owned();
        let (triangles, vertex_of) = mesh.boundary_with_vertices();
        let (points, velocities) = (scratch(&path)?, scratch(&path)?);
        Ok(Self {
            check: FrameCheck::new(&path, mesh.positions().len(), mesh.element_count()),
            path,
            options,
            triangles,
            vertex_of,
            points: BufWriter::new(points),
            velocities: BufWriter::new(velocities),
            with_velocities: false,
            extents: String::new(),
            range: None,
        })
    }

    fn gather(&self, values: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        match &self.vertex_of {
            None => values.to_vec(),
            Some(vertex_of) => vertex_of.iter().map(|&v| values[v as usize]).collect(),
        }
    }
}

fn sample(out: &mut dyn Write, code: f64, values: &[Vector3<f64>]) -> io::Result<()> {
    write!(out, "        {}: ", Short(code))?;
    points(out, values)?;
    out.write_all(b",\n")
}

impl FrameWriter for UsdaWriter {
    /// Writes positions and velocities; other fields are left out.
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError> {
        self.check.check(frame)?;
        // Rounded to a millionth of a frame, so that 0.1 s at 30 frames is 3 and not 3.0000000000000004.
        let code = (frame.time * f64::from(self.options.frames_per_second) * 1e6).round() / 1e6;
        let positions = self.gather(frame.positions);
        sample(&mut self.points, code, &positions).map_err(ExportError::io(&self.path))?;
        if let Some(velocities) = frame.velocities {
            let velocities = self.gather(velocities);
            sample(&mut self.velocities, code, &velocities).map_err(ExportError::io(&self.path))?;
            self.with_velocities = true;
        }
        let corners = [
            positions.iter().copied().reduce(|a, b| a.inf(&b)).unwrap_or_default(),
            positions.iter().copied().reduce(|a, b| a.sup(&b)).unwrap_or_default(),
        ];
        let mut line = Vec::new();
        sample(&mut line, code, &corners).map_err(ExportError::io(&self.path))?;
        self.extents += &String::from_utf8_lossy(&line);
        self.range = Some([self.range.map_or(code, |[first, _]| first), code]);
        self.check.written(frame);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        let path = self.path;
        let whole = |file: BufWriter<File>| {
            file.into_inner().map_err(|error| ExportError::io(&path)(error.into_error()))
        };
        let (mut points, mut velocities) = (whole(self.points)?, whole(self.velocities)?);
        let mut file = AtomicFile::create(&path)?;
        let [start, end] = self.range.unwrap_or_default();
        let rate = self.options.frames_per_second;
        let up = match self.options.up {
            UpAxis::Y => "Y",
            UpAxis::Z => "Z",
        };
        file.write_with(|mut out| {
            write!(
                out,
                "#usda 1.0\n(\n    defaultPrim = \"mesh\"\n    endTimeCode = {}\n    framesPerSecond = {rate}\n    \
                 metersPerUnit = 1\n    startTimeCode = {}\n    timeCodesPerSecond = {rate}\n    upAxis = \"{up}\"\n)\n\n\
                 def Mesh \"mesh\"\n{{\n",
                Short(end),
                Short(start)
            )?;
            topology(out, &self.triangles)?;
            write!(out, "    float3[] extent.timeSamples = {{\n{}    }}\n    point3f[] points.timeSamples = {{\n", self.extents)?;
            points.rewind()?;
            io::copy(&mut points, &mut out)?;
            writeln!(out, "    }}")?;
            if self.with_velocities {
                writeln!(out, "    vector3f[] velocities.timeSamples = {{")?;
                velocities.rewind()?;
                io::copy(&mut velocities, &mut out)?;
                writeln!(out, "    }}")?;
            }
            writeln!(out, "}}")
        })?;
        Ok(vec![file.commit()?])
    }
}
