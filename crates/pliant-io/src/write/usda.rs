//! USD as text: single meshes, and [`UsdaWriter`] for animations.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use nalgebra::Vector3;

use super::atomic::{AtomicFile, scratch};
use super::frame::FrameCheck;
use super::number::Short;
use super::outside::Outside;
use super::{ExportError, FieldValues, Frame, FrameWriter};
use crate::Mesh;
use crate::location::Location;

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

/// The settings of an animation in a USD stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UsdaOptions {
    /// Time codes in a second, a positive number; the time of a frame in seconds, times this, is its time code.
    pub frames_per_second: f64,
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
        Self { frames_per_second: 24.0, up: UpAxis::Y }
    }
}

/// Writes a USD stage as text with one mesh whose points, extent, velocities and normals have time samples,
/// and so have fields of vertices, as primvars.
///
/// Of a solid the boundary is written, with the vertices that it uses. The unit is the metre. Characters in
/// the name of a field that USD does not allow become `_`. Until [`FrameWriter::finish`] there is no file,
/// and dropping the writer leaves none.
pub struct UsdaWriter {
    path: PathBuf,
    options: UsdaOptions,
    outside: Outside,
    /// The points first, then the other attributes of the frames.
    attributes: Vec<Samples>,
    extents: String,
    /// Time codes of the first and the last frame.
    range: Option<[f64; 2]>,
    check: FrameCheck,
}

/// The samples of an attribute, waiting for the end.
struct Samples {
    /// Type and name: `point3f[] points`.
    declaration: String,
    /// Whether the interpolation has to be given as one value for each vertex.
    told: bool,
    out: BufWriter<File>,
}

impl UsdaWriter {
    /// A stage for the mesh. The folder is made if it is missing.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written to.
    pub fn create(path: impl AsRef<Path>, mesh: &Mesh, options: UsdaOptions) -> Result<Self, ExportError> {
        let path = path.as_ref().to_owned();
        let points = BufWriter::new(scratch(&path)?);
        let points = Samples { declaration: "point3f[] points".to_owned(), told: false, out: points };
        Ok(Self {
            check: FrameCheck::new(&path, mesh.positions().len(), mesh.element_count()),
            path,
            options,
            outside: Outside::of(mesh),
            attributes: vec![points],
            extents: String::new(),
            range: None,
        })
    }

    /// Adds a sample to an attribute, which begins with the first.
    fn add(
        &mut self,
        declaration: String,
        told: bool,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        let found = self.attributes.iter().position(|samples| samples.declaration == declaration);
        let k = match found {
            Some(k) => k,
            None => {
                let out = BufWriter::new(scratch(&self.path)?);
                self.attributes.push(Samples { declaration, told, out });
                self.attributes.len() - 1
            }
        };
        write(&mut self.attributes[k].out).map_err(ExportError::io(&self.path))
    }
}

/// A name as USD has them: letters, digits and `_`, no digit first.
fn identifier(name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let digit = name.starts_with(|c: char| c.is_ascii_digit());
    let start = if digit || name.is_empty() { "_" } else { "" };
    start.chars().chain(name.chars().map(fit)).collect()
}

fn sample(out: &mut dyn Write, code: f64, values: &[Vector3<f64>]) -> io::Result<()> {
    write!(out, "        {}: ", Short(code))?;
    points(out, values)?;
    out.write_all(b",\n")
}

fn scalar_sample(out: &mut dyn Write, code: f64, values: &[f64]) -> io::Result<()> {
    write!(out, "        {}: [", Short(code))?;
    for (i, &value) in values.iter().enumerate() {
        write!(out, "{}{}", if i == 0 { "" } else { ", " }, Short(value))?;
    }
    out.write_all(b"],\n")
}

impl FrameWriter for UsdaWriter {
    /// Writes positions, velocities, normals and fields of vertices; fields of elements are left out.
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError> {
        self.check.check(frame)?;
        // Rounded to a millionth of a frame, so that 0.1 s at 30 frames is 3 and not 3.0000000000000004.
        let code = (frame.time * self.options.frames_per_second * 1e6).round() / 1e6;
        let positions = self.outside.gather(frame.positions).into_owned();
        sample(&mut self.attributes[0].out, code, &positions).map_err(ExportError::io(&self.path))?;
        let usual =
            [("vector3f[] velocities", false, frame.velocities), ("normal3f[] normals", true, frame.normals)];
        for (declaration, told, values) in usual {
            if let Some(values) = values {
                let values = self.outside.gather(values).into_owned();
                self.add(declaration.to_owned(), told, |out| sample(out, code, &values))?;
            }
        }
        for field in frame.fields.iter().filter(|field| field.location == Location::Vertices) {
            let name = identifier(field.name);
            match field.values {
                FieldValues::Vectors(values) => {
                    let values = self.outside.gather(values).into_owned();
                    let declaration = format!("vector3f[] primvars:{name}");
                    self.add(declaration, true, |out| sample(out, code, &values))?;
                }
                FieldValues::Scalars(values) => {
                    let values = self.outside.gather(values).into_owned();
                    let declaration = format!("float[] primvars:{name}");
                    self.add(declaration, true, |out| scalar_sample(out, code, &values))?;
                }
            }
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
        let Self { path, options, outside, attributes, extents, range, .. } = *self;
        let mut file = AtomicFile::create(&path)?;
        let [start, end] = range.unwrap_or_default();
        let rate = Short(options.frames_per_second);
        let up = match options.up {
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
            topology(out, &outside.triangles)?;
            writeln!(out, "    float3[] extent.timeSamples = {{\n{extents}    }}")?;
            for Samples { declaration, told, out: samples } in attributes {
                if told {
                    writeln!(out, "    {declaration} (\n        interpolation = \"vertex\"\n    )")?;
                }
                writeln!(out, "    {declaration}.timeSamples = {{")?;
                let mut samples = samples.into_inner().map_err(io::IntoInnerError::into_error)?;
                samples.rewind()?;
                io::copy(&mut samples, &mut out)?;
                writeln!(out, "    }}")?;
            }
            writeln!(out, "}}")
        })?;
        Ok(vec![file.commit()?])
    }
}
