//! [`Frame`] and [`FrameWriter`]: the interface of all animation writers.

use std::path::{Path, PathBuf};

use nalgebra::Vector3;

use super::error::ExportError;
use crate::location::Location;

/// The values of a [`Field`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FieldValues<'a> {
    /// A number each.
    Scalars(&'a [f64]),
    /// A vector each.
    Vectors(&'a [Vector3<f64>]),
}

/// A quantity on the mesh, written by formats that support it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field<'a> {
    /// Name that viewers show.
    pub name: &'a str,
    /// What the values belong to.
    pub location: Location,
    /// One value for each vertex or element.
    pub values: FieldValues<'a>,
}

/// The state of a mesh at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// Time, seconds.
    pub time: f64,
    /// Position of every vertex of the mesh, metres.
    pub positions: &'a [Vector3<f64>],
    /// Velocity of every vertex, metres per second.
    pub velocities: Option<&'a [Vector3<f64>]>,
    /// Unit normal of every vertex; zero where there is none, as within a solid.
    pub normals: Option<&'a [Vector3<f64>]>,
    /// Other quantities.
    pub fields: &'a [Field<'a>],
}

impl<'a> Frame<'a> {
    /// Positions in metres at a time in seconds.
    #[must_use]
    pub fn new(time: f64, positions: &'a [Vector3<f64>]) -> Self {
        Self { time, positions, velocities: None, normals: None, fields: &[] }
    }

    /// With the velocity of every vertex, metres per second.
    #[must_use]
    pub fn with_velocities(self, velocities: &'a [Vector3<f64>]) -> Self {
        Self { velocities: Some(velocities), ..self }
    }

    /// With the unit normal of every vertex, zero where there is none.
    #[must_use]
    pub fn with_normals(self, normals: &'a [Vector3<f64>]) -> Self {
        Self { normals: Some(normals), ..self }
    }

    /// With other quantities.
    #[must_use]
    pub fn with_fields(self, fields: &'a [Field<'a>]) -> Self {
        Self { fields, ..self }
    }
}

/// Takes the frames of an animation one after the other and writes them.
///
/// ```no_run
/// use nalgebra::Vector3;
/// use pliant_io::{Frame, FrameWriter, Mesh, MeshSequence, Pc2Options, Pc2Writer, VtuOptions, VtuSeries};
///
/// fn record(mesh: &Mesh, mut step: impl FnMut() -> Vec<Vector3<f64>>) -> Result<(), pliant_io::ExportError> {
///     let mut writers: Vec<Box<dyn FrameWriter>> = vec![
///         Box::new(VtuSeries::create("out/cloth.pvd", mesh, VtuOptions::default())?),
///         Box::new(Pc2Writer::create("out/cloth.pc2", mesh.positions().len(), Pc2Options::default())?),
///         Box::new(MeshSequence::obj("out/cloth_obj", "cloth", mesh)?),
///     ];
///     for frame in 0..60 {
///         let positions = step();
///         for writer in &mut writers {
///             writer.write_frame(&Frame::new(f64::from(frame) / 30.0, &positions))?;
///         }
///     }
///     for writer in writers {
///         println!("open {:?}", writer.finish()?);
///     }
///     Ok(())
/// }
/// ```
pub trait FrameWriter: Send {
    /// Writes the next frame.
    ///
    /// # Errors
    ///
    /// If the frame does not fit the mesh, is not finite or not later than the last, or if the file cannot be written.
    /// Frames written before stay valid.
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError>;

    /// Hands what was written to the operating system, so that it is there if the program is killed.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    fn flush(&mut self) -> Result<(), ExportError> {
        Ok(())
    }

    /// Completes the animation and returns the files to open. Dropped instead, a writer leaves the frames written so
    /// far if its format can show them, else nothing.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError>;
}

/// The checks that every format makes: lengths, finite numbers, time going forward.
#[derive(Debug)]
pub(crate) struct FrameCheck {
    path: PathBuf,
    vertices: usize,
    elements: usize,
    count: usize,
    last_time: Option<f64>,
}

impl FrameCheck {
    /// Frames of a mesh of so many vertices and elements; `path` is for the errors.
    pub(crate) fn new(path: &Path, vertices: usize, elements: usize) -> Self {
        Self { path: path.to_owned(), vertices, elements, count: 0, last_time: None }
    }

    /// Number of frames that passed and were written.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Counts frames as written whose times, s, are given.
    pub(crate) fn resume(&mut self, times: &[f64]) {
        self.count = times.len();
        self.last_time = times.last().copied();
    }

    /// Counts a frame as written.
    pub(crate) fn written(&mut self, frame: &Frame<'_>) {
        self.count += 1;
        self.last_time = Some(frame.time);
    }

    /// Checks a frame before any part of it is written.
    pub(crate) fn check(&self, frame: &Frame<'_>) -> Result<(), ExportError> {
        let previous = self.last_time.unwrap_or(f64::NEG_INFINITY);
        if !frame.time.is_finite() || frame.time <= previous {
            return Err(ExportError::Time {
                path: self.path.clone(),
                frame: self.count,
                time: frame.time,
                previous,
            });
        }
        self.vectors("positions", frame.positions, Location::Vertices)?;
        if let Some(velocities) = frame.velocities {
            self.vectors("velocities", velocities, Location::Vertices)?;
        }
        if let Some(normals) = frame.normals {
            self.vectors("normals", normals, Location::Vertices)?;
        }
        for field in frame.fields {
            let what = format!("values of \"{}\"", field.name);
            match field.values {
                FieldValues::Vectors(values) => self.vectors(&what, values, field.location)?,
                FieldValues::Scalars(values) => {
                    self.values(&what, values, field.location, |v| v.is_finite())?;
                }
            }
        }
        Ok(())
    }

    fn vectors(&self, what: &str, values: &[Vector3<f64>], location: Location) -> Result<(), ExportError> {
        // Every format may store f32; a position beyond its range is as useless as an infinite one.
        self.values(what, values, location, |v| v.iter().all(|&c| (c as f32).is_finite()))
    }

    fn values<T>(
        &self,
        what: &str,
        values: &[T],
        location: Location,
        is_finite: impl Fn(&T) -> bool,
    ) -> Result<(), ExportError> {
        let (expected, one) = match location {
            Location::Vertices => (self.vertices, "vertex"),
            Location::Elements => (self.elements, "element"),
        };
        let (path, frame) = (self.path.clone(), self.count);
        if values.len() != expected {
            let what = format!("{what} (one for each {one})");
            return Err(ExportError::Length { path, frame, what, found: values.len(), expected });
        }
        match values.iter().position(|v| !is_finite(v)) {
            Some(index) => {
                Err(ExportError::NonFinite { path, frame, what: format!("in the {what}, {one}"), index })
            }
            None => Ok(()),
        }
    }
}

/// A count as the point caches store it, a signed number of 32 bits.
pub(crate) fn count(path: &Path, what: &'static str, count: usize) -> Result<i32, ExportError> {
    i32::try_from(count).map_err(|_| ExportError::TooLarge {
        path: path.to_owned(),
        what,
        count,
        limit: i32::MAX as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_do_not_fit_are_refused() {
        let mut check = FrameCheck::new(Path::new("a.pvd"), 2, 1);
        let good = [Vector3::zeros(), Vector3::x()];
        check.check(&Frame::new(0.0, &good)).unwrap();
        check.written(&Frame::new(0.0, &good));

        let message = |frame: &Frame<'_>| check.check(frame).unwrap_err().to_string();
        assert_eq!(
            message(&Frame::new(0.0, &good)),
            "cannot write frame 1 of a.pvd: its time 0 s does not follow 0 s"
        );
        assert_eq!(
            message(&Frame::new(1.0, &good[..1])),
            "cannot write frame 1 of a.pvd: 1 positions (one for each vertex), but the mesh has 2"
        );
        let far = [Vector3::zeros(), Vector3::new(0.0, 1e39, 0.0)];
        assert_eq!(
            message(&Frame::new(1.0, &far)),
            "cannot write frame 1 of a.pvd: in the positions, vertex 1 is not finite"
        );
        let fields = [Field {
            name: "stretch",
            location: Location::Elements,
            values: FieldValues::Scalars(&[f64::NAN]),
        }];
        assert_eq!(
            message(&Frame::new(1.0, &good).with_fields(&fields)),
            "cannot write frame 1 of a.pvd: in the values of \"stretch\", element 0 is not finite"
        );
        assert!(check.check(&Frame::new(1.0, &good).with_velocities(&good[..1])).is_err());
    }
}
