//! [`PointCache`]: an animation of points read from a PC2 file.

use std::path::Path;

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::format::Cursor;
use crate::read::load;
use crate::source::Source;

/// The positions of some vertices over time, as Blender's Mesh Cache modifier and [`Pc2Writer`](crate::Pc2Writer) write
/// them: targets for vertices that are led along a given path.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_io::{Frame, FrameWriter, Pc2Options, Pc2Writer, PointCache};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("point.pc2");
/// let mut writer = Box::new(Pc2Writer::create(&path, 1, Pc2Options::default())?);
/// writer.write_frame(&Frame::new(0.0, &[Vector3::zeros()]))?;
/// writer.write_frame(&Frame::new(0.1, &[Vector3::x()]))?;
/// writer.finish()?;
///
/// let cache = PointCache::read(&path)?;
/// assert_eq!(cache.sample_count(), 2);
/// assert_eq!(cache.positions_at(1.25), [Vector3::x() * 0.25]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PointCache {
    start_frame: f64,
    sample_rate: f64,
    vertices: usize,
    samples: usize,
    points: Vec<[f32; 3]>,
}

impl PointCache {
    /// Reads a PC2 file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is no PC2 file of version 1, is shorter than its header announces, or holds a
    /// coordinate that is not finite.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let path = path.as_ref();
        let bytes = load(path)?;
        Self::parse(&Source { path: Some(path), name: &path.display().to_string(), bytes: &bytes })
    }

    /// Reads a PC2 file in memory; `name` is what errors call it.
    ///
    /// # Errors
    ///
    /// As [`PointCache::read`].
    pub fn read_bytes(bytes: &[u8], name: &str) -> Result<Self, ImportError> {
        Self::parse(&Source { path: None, name, bytes })
    }

    fn parse(source: &Source<'_>) -> Result<Self, ImportError> {
        let mut cursor = Cursor::within(*source, 0..source.bytes.len());
        let magic = cursor.take(12.min(source.bytes.len()), "the header")?;
        if magic != b"POINTCACHE2\0" {
            return Err(source.parse_error(Place::Byte(0), magic, "\"POINTCACHE2\" of a PC2 file"));
        }
        let mut integer = |what: &str| {
            let at = Place::Byte(cursor.pos());
            let value = i32::from_le_bytes(cursor.array(what)?);
            // Two of the words are floats; they pass through as bits.
            Ok((at, value))
        };
        let (at, version) = integer("the version")?;
        if version != 1 {
            return Err(source.parse_error(at, version.to_string().as_bytes(), "the version 1"));
        }
        let (points_at, points) = integer("the number of points")?;
        let (_, start_bits) = integer("the start frame")?;
        let (rate_at, rate_bits) = integer("the sample rate")?;
        let (samples_at, samples) = integer("the number of samples")?;
        let size = |at, value: i32| {
            usize::try_from(value)
                .map_err(|_| source.parse_error(at, value.to_string().as_bytes(), "a number of at least 0"))
        };
        let (vertices, samples) = (size(points_at, points)?, size(samples_at, samples)?);
        let [start_frame, sample_rate] =
            [start_bits, rate_bits].map(|bits| f64::from(f32::from_bits(bits as u32)));
        if !start_frame.is_finite() || !sample_rate.is_finite() || sample_rate <= 0.0 {
            let found = format!("start frame {start_frame}, sample rate {sample_rate}");
            return Err(source.parse_error(rate_at, found.as_bytes(), "finite numbers and a rate above 0"));
        }
        let data_at = cursor.pos();
        let total = vertices.saturating_mul(samples);
        let what = format!("{samples} samples of {vertices} points");
        let data = cursor.take(total.saturating_mul(12), &what)?;
        let (values, _) = data.as_chunks::<4>();
        let values: Vec<f32> = values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if let Some(i) = values.iter().position(|value| !value.is_finite()) {
            return Err(source.non_finite(Place::Byte(data_at + 4 * i), f64::from(values[i])));
        }
        let points = values.as_chunks::<3>().0.to_vec();
        Ok(Self { start_frame, sample_rate, vertices, samples, points })
    }

    /// Number of vertices in each sample.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// Number of samples.
    #[must_use]
    pub fn sample_count(&self) -> usize {
        self.samples
    }

    /// Animation frame of the first sample.
    #[must_use]
    pub fn start_frame(&self) -> f64 {
        self.start_frame
    }

    /// Animation frames from one sample to the next.
    #[must_use]
    pub fn sample_rate(&self) -> f64 {
        self.sample_rate
    }

    /// The points of a sample, in the units of the file.
    ///
    /// # Panics
    ///
    /// If there is no such sample.
    #[must_use]
    pub fn sample(&self, sample: usize) -> &[[f32; 3]] {
        assert!(sample < self.samples, "sample {sample} of a point cache of {}", self.samples);
        &self.points[sample * self.vertices..][..self.vertices]
    }

    /// The positions at an animation frame: between samples on straight lines, before the first and after the last
    /// those of that sample. Empty if there are no samples.
    #[must_use]
    pub fn positions_at(&self, frame: f64) -> Vec<Vector3<f64>> {
        let Some(last) = self.samples.checked_sub(1) else { return Vec::new() };
        let at = ((frame - self.start_frame) / self.sample_rate).clamp(0.0, last as f64);
        // NaN casts to 0.
        let before = at as usize;
        let after = (before + 1).min(last);
        let part = at - before as f64;
        let point = |p: &[f32; 3]| Vector3::from(p.map(f64::from));
        let pairs = self.sample(before).iter().zip(self.sample(after));
        // The whole sample is taken as it is, so that no rounding enters there.
        pairs.map(|(a, b)| if part == 0.0 { point(a) } else { point(a).lerp(&point(b), part) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(points: i32, start: f32, rate: f32, samples: i32, values: &[f32]) -> Vec<u8> {
        let mut bytes = b"POINTCACHE2\0\x01\0\0\0".to_vec();
        bytes.extend(points.to_le_bytes());
        bytes.extend(start.to_le_bytes());
        bytes.extend(rate.to_le_bytes());
        bytes.extend(samples.to_le_bytes());
        bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        bytes
    }

    const VALUES: [f32; 18] =
        [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 0.0, 0.0, 1.0, 3.0, 1.0, 4.0, 0.0, 0.0, 1.0, 1.0, 1.0];

    #[test]
    fn samples_are_interpolated_and_held() {
        let cache = PointCache::read_bytes(&file(2, 10.0, 2.0, 3, &VALUES), "a.pc2").unwrap();
        assert_eq!((cache.vertex_count(), cache.sample_count()), (2, 3));
        assert_eq!(cache.sample(1), [[2.0, 0.0, 0.0], [1.0, 3.0, 1.0]]);
        for (frame, x, y) in
            [(0.0, 0.0, 1.0), (10.0, 0.0, 1.0), (11.0, 1.0, 2.0), (12.0, 2.0, 3.0), (99.0, 4.0, 1.0)]
        {
            let positions = cache.positions_at(frame);
            assert_eq!([positions[0].x, positions[1].y], [x, y], "{frame}");
        }
        assert_eq!(cache.positions_at(f64::NAN).len(), 2);
    }

    #[test]
    fn bad_files_are_refused() {
        let good = file(2, 1.0, 1.0, 3, &VALUES);
        for length in 0..good.len() {
            assert!(PointCache::read_bytes(&good[..length], "a.pc2").is_err(), "{length}");
        }
        let mut nan = VALUES;
        nan[4] = f32::NAN;
        for (bytes, expected) in [
            (file(i32::MAX, 1.0, 1.0, i32::MAX, &VALUES), "the file ends here"),
            (file(-1, 1.0, 1.0, 3, &VALUES), "byte 16: found \"-1\""),
            (file(2, 1.0, 0.0, 3, &VALUES), "sample rate 0"),
            (file(2, f32::NAN, 1.0, 3, &VALUES), "start frame NaN"),
            (file(2, 1.0, 1.0, 3, &nan), "byte 48: a coordinate is NaN"),
            (b"POINTCACHE2\0\x02\0\0\0".to_vec(), "expected the version 1"),
            (b"solid".to_vec(), "found \"solid\", expected \"POINTCACHE2\""),
        ] {
            let error = PointCache::read_bytes(&bytes, "a.pc2").unwrap_err().to_string();
            assert!(error.starts_with("a.pc2") && error.contains(expected), "{error}");
        }
    }
}
