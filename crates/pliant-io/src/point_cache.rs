//! [`PointCache`]: an animation of points read from a PC2 or MDD file.

use std::path::Path;

use nalgebra::Vector3;

use crate::error::{ImportError, Place};
use crate::format::Cursor;
use crate::load::load;
use crate::source::Source;

/// The positions of some vertices over time, as Blender's Mesh Cache modifier,
/// [`Pc2Writer`](crate::Pc2Writer) and [`MddWriter`](crate::MddWriter) write them: targets for vertices that
/// are led along a given path, or a mesh that another program has animated.
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
    /// Times of the samples, s, if the file has them.
    times: Option<Vec<f64>>,
}

/// How a PC2 file begins.
const MAGIC: &[u8] = b"POINTCACHE2\0";

impl PointCache {
    /// Reads a PC2 file, or an MDD file if its name ends in `.mdd`: the content of an MDD file does not identify it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a PC2 file of version 1, is shorter than its header announces, or
    /// holds a coordinate or a time that is not finite. An MDD file has exactly the length that its header
    /// announces, and its times ascend.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let path = path.as_ref();
        let bytes = load(path)?;
        let source =
            Source { path: Some(path), name: &path.display().to_string(), bytes: &bytes, attributes: false };
        let is_mdd = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mdd"));
        if is_mdd && !bytes.starts_with(MAGIC) { Self::parse_mdd(&source) } else { Self::parse(&source) }
    }

    /// Reads an MDD file in memory; `name` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`PointCache::read`].
    pub fn read_mdd_bytes(bytes: &[u8], name: &str) -> Result<Self, ImportError> {
        Self::parse_mdd(&Source { path: None, name, bytes, attributes: false })
    }

    /// Reads a PC2 file in memory; `name` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`PointCache::read`].
    pub fn read_bytes(bytes: &[u8], name: &str) -> Result<Self, ImportError> {
        Self::parse(&Source { path: None, name, bytes, attributes: false })
    }

    fn parse(source: &Source<'_>) -> Result<Self, ImportError> {
        let mut cursor = Cursor::within(*source, 0..source.bytes.len());
        let magic = cursor.take(12.min(source.bytes.len()), "the header")?;
        if magic != MAGIC {
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
        if vertices == 0 && samples > 0 {
            // Without points no bytes would confirm the number of samples, which may be billions.
            return Err(source.parse_error(points_at, b"0", "a number of points of at least 1"));
        }
        let [start_frame, sample_rate] =
            [start_bits, rate_bits].map(|bits| f64::from(f32::from_bits(bits as u32)));
        if !start_frame.is_finite() || !sample_rate.is_finite() || sample_rate <= 0.0 {
            let found = format!("start frame {start_frame}, sample rate {sample_rate}");
            return Err(source.parse_error(rate_at, found.as_bytes(), "finite numbers and a rate above 0"));
        }
        let points = points_of(source, &mut cursor, vertices, samples, f32::from_le_bytes)?;
        Ok(Self { start_frame, sample_rate, vertices, samples, points, times: None })
    }

    /// Layout: see [`MddWriter`](crate::MddWriter).
    fn parse_mdd(source: &Source<'_>) -> Result<Self, ImportError> {
        let mut cursor = Cursor::within(*source, 0..source.bytes.len());
        let mut count = |what: &str| {
            let at = Place::Byte(cursor.pos());
            let value = i32::from_be_bytes(cursor.array(what)?);
            usize::try_from(value)
                .map_err(|_| source.parse_error(at, value.to_string().as_bytes(), "a number of at least 0"))
        };
        let (samples, vertices) = (count("the number of frames")?, count("the number of points")?);
        // Nothing else distinguishes an MDD file from any other.
        let length = vertices.saturating_mul(12).saturating_add(4).saturating_mul(samples).saturating_add(8);
        if source.bytes.len() > length {
            let found = format!("{} bytes", source.bytes.len());
            let expected =
                format!("an MDD file of {samples} frames of {vertices} points, which has {length}");
            return Err(source.parse_error(Place::Byte(0), found.as_bytes(), expected));
        }
        let times_at = cursor.pos();
        let bytes = cursor.take(samples.saturating_mul(4), &format!("the times of {samples} frames"))?;
        let times: Vec<f64> =
            bytes.as_chunks::<4>().0.iter().map(|bytes| f64::from(f32::from_be_bytes(*bytes))).collect();
        for (i, time) in times.iter().enumerate() {
            if !time.is_finite() || (i > 0 && *time < times[i - 1]) {
                let at = Place::Byte(times_at + 4 * i);
                return Err(source.parse_error(
                    at,
                    time.to_string().as_bytes(),
                    "finite times in ascending order",
                ));
            }
        }
        let points = points_of(source, &mut cursor, vertices, samples, f32::from_be_bytes)?;
        Ok(Self { start_frame: 0.0, sample_rate: 1.0, vertices, samples, points, times: Some(times) })
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

    /// Times of the samples, s, ascending, if the file has them: MDD files do, and PC2 files count frames.
    #[must_use]
    pub fn times(&self) -> Option<&[f64]> {
        self.times.as_deref()
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
        // At a sample its positions are taken exactly, without rounding.
        pairs.map(|(a, b)| if part == 0.0 { point(a) } else { point(a).lerp(&point(b), part) }).collect()
    }
}

/// The points in the rest of a file.
fn points_of(
    source: &Source<'_>,
    cursor: &mut Cursor<'_>,
    vertices: usize,
    samples: usize,
    number: impl Fn([u8; 4]) -> f32,
) -> Result<Vec<[f32; 3]>, ImportError> {
    let start = cursor.pos();
    let total = vertices.saturating_mul(samples);
    let data = cursor.take(total.saturating_mul(12), &format!("{samples} samples of {vertices} points"))?;
    let values: Vec<f32> = data.as_chunks::<4>().0.iter().map(|bytes| number(*bytes)).collect();
    if let Some(i) = values.iter().position(|value| !value.is_finite()) {
        return Err(source.non_finite(Place::Byte(start + 4 * i), f64::from(values[i])));
    }
    Ok(values.as_chunks::<3>().0.to_vec())
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
            (
                file(0, 1.0, 1.0, i32::MAX, &[]),
                "byte 16: found \"0\", expected a number of points of at least 1",
            ),
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

    fn mdd(times: &[f32], points: i32, values: &[f32]) -> Vec<u8> {
        let mut bytes = (times.len() as i32).to_be_bytes().to_vec();
        bytes.extend(points.to_be_bytes());
        bytes.extend(times.iter().chain(values).flat_map(|v| v.to_be_bytes()));
        bytes
    }

    #[test]
    fn mdd_files_tell_their_times() {
        let good = mdd(&[0.0, 0.5, 1.5], 2, &VALUES);
        let cache = PointCache::read_mdd_bytes(&good, "a.mdd").unwrap();
        assert_eq!((cache.vertex_count(), cache.sample_count()), (2, 3));
        assert_eq!(cache.times(), Some(&[0.0, 0.5, 1.5][..]));
        assert_eq!(cache.sample(2), [[4.0, 0.0, 0.0], [1.0, 1.0, 1.0]]);
        for length in 0..good.len() {
            assert!(PointCache::read_mdd_bytes(&good[..length], "a.mdd").is_err(), "{length}");
        }
        let mut nan = VALUES;
        nan[0] = f32::INFINITY;
        for (bytes, expected) in [
            (
                [&good[..], &[0]].concat(),
                "found \"93 bytes\", expected an MDD file of 3 frames of 2 points, which has 92",
            ),
            (
                mdd(&[0.0, 1.0, 0.5], 2, &VALUES),
                "byte 16: found \"0.5\", expected finite times in ascending order",
            ),
            (mdd(&[0.0, f32::NAN, 0.5], 2, &VALUES), "byte 12: found \"NaN\""),
            (mdd(&[0.0, 0.5, 1.5], 2, &nan), "byte 20: a coordinate is inf"),
            (mdd(&[], -2, &[]), "byte 4: found \"-2\""),
            (mdd(&[], i32::MAX, &[])[..7].to_vec(), "the file ends here"),
        ] {
            let error = PointCache::read_mdd_bytes(&bytes, "a.mdd").unwrap_err().to_string();
            assert!(error.starts_with("a.mdd") && error.contains(expected), "{error}");
        }
    }
}
