//! glTF 2.0 as a binary file: single meshes, and [`GlbAnimation`] for short clips.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use serde_json::{Value, json};

use super::atomic::write_file;
use super::frame::FrameCheck;
use super::outside::Outside;
use super::{ExportError, Frame, FrameWriter};
use crate::Mesh;

/// Writes a surface, coordinates as f32.
pub(crate) fn write(
    out: &mut dyn Write,
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
) -> io::Result<()> {
    let base: Vec<[f32; 3]> = positions.iter().map(single).collect();
    let mut file = Glb::default();
    let (indices, position) = (file.indices(triangles), file.vectors(&base));
    let primitive = json!({ "attributes": { "POSITION": position }, "indices": indices });
    file.write(out, &json!({ "primitives": [primitive] }), &Value::Null)
}

fn single(p: &Vector3<f64>) -> [f32; 3] {
    [p.x as f32, p.y as f32, p.z as f32]
}

/// A binary buffer with its views and accessors.
#[derive(Default)]
struct Glb {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Glb {
    fn view(&mut self, start: usize, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.views.push(view);
        self.views.len() - 1
    }

    fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(triangles.as_flattened().iter().flat_map(|v| v.to_le_bytes()));
        let view = self.view(start, Some(34963));
        self.accessors.push(json!({
            "bufferView": view, "componentType": 5125, "count": 3 * triangles.len(), "type": "SCALAR"
        }));
        self.accessors.len() - 1
    }

    fn vectors(&mut self, vectors: &[[f32; 3]]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(vectors.as_flattened().iter().flat_map(|c| c.to_le_bytes()));
        let view = self.view(start, Some(34962));
        // The specification demands the range of positions.
        let mut range = [vectors.first().copied().unwrap_or_default(); 2];
        for v in vectors {
            for axis in 0..3 {
                range[0][axis] = range[0][axis].min(v[axis]);
                range[1][axis] = range[1][axis].max(v[axis]);
            }
        }
        self.accessors.push(json!({
            "bufferView": view, "componentType": 5126, "count": vectors.len(), "type": "VEC3",
            "min": range[0], "max": range[1]
        }));
        self.accessors.len() - 1
    }

    fn scalars(&mut self, scalars: impl Iterator<Item = f32>, with_range: bool) -> usize {
        let start = self.bytes.len();
        let mut range = [f32::INFINITY, f32::NEG_INFINITY];
        for c in scalars {
            range = [range[0].min(c), range[1].max(c)];
            self.bytes.extend(c.to_le_bytes());
        }
        let count = (self.bytes.len() - start) / 4;
        let view = self.view(start, None);
        let mut accessor =
            json!({ "bufferView": view, "componentType": 5126, "count": count, "type": "SCALAR" });
        if with_range {
            accessor["min"] = json!([range[0]]);
            accessor["max"] = json!([range[1]]);
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Writes header, JSON and buffer.
    fn write(&self, out: &mut dyn Write, mesh: &Value, animation: &Value) -> io::Result<()> {
        let mut root = json!({
            "asset": { "version": "2.0", "generator": "pliant" },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "mesh": 0 }],
            "meshes": [mesh],
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.bytes.len() }],
        });
        if !animation.is_null() {
            root["animations"] = json!([animation]);
        }
        let mut text = serde_json::to_vec(&root)?;
        text.resize(text.len().next_multiple_of(4), b' ');
        // All numbers written here have four bytes, so the buffer needs no padding.
        let total = 12 + 8 + text.len() + 8 + self.bytes.len();
        let word = |number: usize| {
            u32::try_from(number).map(u32::to_le_bytes).map_err(|_| {
                io::Error::other(format!("{number} bytes are more than the 4 GiB that a GLB file can hold"))
            })
        };
        out.write_all(b"glTF\x02\0\0\0")?;
        out.write_all(&word(total)?)?;
        out.write_all(&word(text.len())?)?;
        out.write_all(b"JSON")?;
        out.write_all(&text)?;
        out.write_all(&word(self.bytes.len())?)?;
        out.write_all(b"BIN\0")?;
        out.write_all(&self.bytes)
    }
}

/// Writes a short clip as one GLB file, for browsers, presentations and Blender: the first frame as the mesh, every
/// further one as a morph target, and an animation that goes from one to the next in a straight line.
///
/// Of a solid the boundary is written, with the vertices that it uses. Frames are kept in memory as f32 until
/// [`FrameWriter::finish`], which writes the file; dropping the writer leaves none. At most 600 frames and
/// 512 MiB, which [`GlbAnimation::bytes`] computes beforehand.
pub struct GlbAnimation {
    path: PathBuf,
    outside: Outside,
    frames: Vec<Vec<[f32; 3]>>,
    /// Of every frame, as long as all have them.
    normals: Vec<Vec<[f32; 3]>>,
    times: Vec<f32>,
    check: FrameCheck,
}

impl GlbAnimation {
    /// The most frames of a clip: the weights of the targets grow with the square of it.
    pub const MOST_FRAMES: usize = 600;

    /// The most bytes of a clip. Viewers hold all of it in memory, more than once.
    pub const MOST_BYTES: u64 = 512 << 20;

    /// A clip of the mesh. The folder is made if it is missing.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub fn create(path: impl AsRef<Path>, mesh: &Mesh) -> Result<Self, ExportError> {
        let path = path.as_ref().to_owned();
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(ExportError::io(folder))?;
        }
        Ok(Self {
            check: FrameCheck::new(&path, mesh.positions().len(), mesh.element_count()),
            path,
            outside: Outside::of(mesh),
            frames: Vec::new(),
            normals: Vec::new(),
            times: Vec::new(),
        })
    }

    /// Bytes of the numbers of a clip of so many frames of a surface, for a check before the first of them.
    #[must_use]
    pub fn bytes(vertices: usize, triangles: usize, frames: usize, with_normals: bool) -> u64 {
        let [vertices, triangles, frames] = [vertices, triangles, frames].map(|count| count as u64);
        let of_frames = vertices.saturating_mul(frames).saturating_mul(if with_normals { 24 } else { 12 });
        // A time and a row of weights for each frame.
        let of_times = frames.saturating_mul(frames).saturating_mul(4);
        of_frames.saturating_add(of_times).saturating_add(triangles.saturating_mul(12))
    }

    fn too_large(&self, what: &'static str, count: u64, limit: u64) -> ExportError {
        ExportError::TooLarge { path: self.path.clone(), what, count: count as usize, limit: limit as usize }
    }
}

/// A unit vector: glTF has no other normals, so a harmless one replaces a missing normal.
fn unit(normal: &Vector3<f64>) -> [f32; 3] {
    single(&normal.try_normalize(0.0).unwrap_or_else(Vector3::y))
}

impl FrameWriter for GlbAnimation {
    /// Keeps positions and normals; the format has no fields or velocities.
    fn write_frame(&mut self, frame: &Frame<'_>) -> Result<(), ExportError> {
        let of_format = Frame { normals: frame.normals, ..Frame::new(frame.time, frame.positions) };
        self.check.check(&of_format)?;
        let (count, positions) = (self.frames.len() + 1, self.outside.gather(frame.positions));
        if count > Self::MOST_FRAMES {
            return Err(self.too_large("frames", count as u64, Self::MOST_FRAMES as u64));
        }
        let with_normals = frame.normals.is_some() && self.normals.len() == self.frames.len();
        let bytes = Self::bytes(positions.len(), self.outside.triangles.len(), count, with_normals);
        if bytes > Self::MOST_BYTES {
            return Err(self.too_large("bytes", bytes, Self::MOST_BYTES));
        }
        self.frames.push(positions.iter().map(single).collect());
        match frame.normals {
            Some(normals) if with_normals => {
                self.normals.push(self.outside.gather(normals).iter().map(unit).collect());
            }
            _ => self.normals.clear(),
        }
        self.times.push(frame.time as f32);
        self.check.written(frame);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, ExportError> {
        if self.frames.is_empty() {
            return Ok(Vec::new());
        }
        let mut file = Glb::default();
        let indices = file.indices(&self.outside.triangles);
        let count = self.frames.len() - 1;
        let (mut attributes, mut targets) = (json!({}), vec![json!({}); count]);
        for (name, frames) in [("POSITION", &self.frames), ("NORMAL", &self.normals)] {
            let Some((base, others)) = frames.split_first() else { continue };
            attributes[name] = file.vectors(base).into();
            for (target, frame) in targets.iter_mut().zip(others) {
                let moves: Vec<[f32; 3]> =
                    frame.iter().zip(base).map(|(p, b)| [p[0] - b[0], p[1] - b[1], p[2] - b[2]]).collect();
                target[name] = file.vectors(&moves).into();
            }
        }
        let mut primitive = json!({ "attributes": attributes, "indices": indices });
        let (mut mesh, mut animation) = (json!({}), Value::Null);
        if count > 0 {
            primitive["targets"] = targets.into();
            mesh["weights"] = vec![0.0; count].into();
            let first = self.times[0];
            let input = file.scalars(self.times.iter().map(|time| time - first), true);
            // At frame k the weight of target k − 1 is one, and all others are zero.
            let weights =
                (0..=count).flat_map(|k| (1..=count).map(move |target| f32::from(u8::from(target == k))));
            let output = file.scalars(weights, false);
            animation = json!({
                "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
                "samplers": [{ "input": input, "output": output, "interpolation": "LINEAR" }],
            });
        }
        mesh["primitives"] = json!([primitive]);
        write_file(&self.path, |out| file.write(out, &mesh, &animation))?;
        Ok(vec![self.path])
    }
}
