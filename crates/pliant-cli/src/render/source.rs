//! [`Source`]: the files from which the frames of a body are read.

use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use pliant_io::{Attributes, Imported, Mesh, PointCache, ReadOptions, read_mesh};
use serde_json::Value;

use crate::error::CliError;

/// Formats with one file for each frame, and formats with one file of positions beside a mesh; the first that
/// a run has is read.
const SEQUENCES: [&str; 3] = ["vtu", "ply", "obj"];
const CACHES: [&str; 2] = ["mdd", "pc2"];

/// The source of the frames of a body.
pub(super) enum Source {
    /// A mesh file for each frame.
    Sequence(Vec<PathBuf>),
    /// Positions of all frames in one file, for the vertices of a mesh in another.
    Cache {
        /// The file of the positions.
        file: PathBuf,
        /// The mesh.
        mesh: PathBuf,
        /// The positions.
        cache: PointCache,
        /// Time between frames, s, if the cache has no times and the run does.
        between: Option<f64>,
    },
}

/// A frame of a body, with all data of its file.
pub(super) struct Read {
    pub(super) positions: Vec<Vector3<f64>>,
    /// Number of elements, if a file of its own has it.
    pub(super) elements: Option<usize>,
    pub(super) attributes: Attributes,
}

impl Source {
    /// Number of frames.
    pub(super) fn frames(&self) -> usize {
        match self {
            Self::Sequence(files) => files.len(),
            Self::Cache { cache, .. } => cache.sample_count(),
        }
    }

    /// The file that has a frame.
    pub(super) fn file(&self, frame: usize) -> &Path {
        match self {
            Self::Sequence(files) => &files[frame],
            Self::Cache { file, .. } => file,
        }
    }

    /// The mesh, with the positions that it has in the first frame.
    pub(super) fn first(&self) -> Result<(Mesh, Vec<Vector3<f64>>), CliError> {
        match self {
            Self::Sequence(files) => {
                let mesh = read_mesh(&files[0])?.mesh;
                let positions = mesh.positions().to_vec();
                Ok((mesh, positions))
            }
            Self::Cache { mesh: path, file, cache, .. } => {
                let mesh = read_mesh(path)?.mesh;
                let (vertices, points) = (mesh.positions().len(), cache.vertex_count());
                if vertices != points {
                    return Err(CliError::Refused(format!(
                        "{} has positions of {points} vertices, but the mesh beside it, {}, has {vertices}",
                        file.display(),
                        path.display()
                    )));
                }
                Ok((mesh, points_of(cache, 0)))
            }
        }
    }

    /// Reads a frame.
    pub(super) fn read(&self, frame: usize) -> Result<Read, CliError> {
        match self {
            Self::Sequence(files) => {
                let Imported { mesh, attributes, .. } = ReadOptions::with_attributes().read(&files[frame])?;
                let elements = Some(elements(&mesh));
                let positions = match mesh {
                    Mesh::Tri(mesh) => mesh.into_parts().0,
                    Mesh::Tet(mesh) => mesh.into_parts().0,
                };
                Ok(Read { positions, elements, attributes })
            }
            Self::Cache { cache, between, .. } => {
                let told = cache.times().map(|times| times[frame]);
                let time = told.or_else(|| between.map(|between| between * frame as f64));
                let mut attributes = Attributes::default();
                attributes.time = time;
                Ok(Read { positions: points_of(cache, frame), elements: None, attributes })
            }
        }
    }
}

fn points_of(cache: &PointCache, frame: usize) -> Vec<Vector3<f64>> {
    cache.sample(frame).iter().map(|&point| Vector3::from(point).map(f64::from)).collect()
}

/// Number of elements of a mesh.
pub(super) fn elements(mesh: &Mesh) -> usize {
    match mesh {
        Mesh::Tri(mesh) => mesh.triangles().len(),
        Mesh::Tet(mesh) => mesh.tets().len(),
    }
}

/// The bodies of a run and their frames, in the first format that has any.
pub(super) fn bodies_of_run(folder: &Path) -> Result<Vec<(String, Source)>, CliError> {
    let report = fs::read_to_string(folder.join("run.json")).ok();
    let report = report.and_then(|text| serde_json::from_str::<Value>(&text).ok()).unwrap_or_default();
    for format in SEQUENCES {
        let inner = folder.join(format);
        let mut bodies = Vec::new();
        for name in names(&report, &inner, None)? {
            let file = |frame: usize| inner.join(&name).join(format!("{name}_{frame:04}.{format}"));
            let files = (0..).map(file).take_while(|file| file.is_file()).collect();
            bodies.push((name, Source::Sequence(files)));
        }
        if bodies.iter().any(|(_, source)| source.frames() > 0) {
            return Ok(bodies);
        }
    }
    for format in CACHES {
        let inner = folder.join(format);
        let mut bodies = Vec::new();
        for name in names(&report, &inner, Some(format))? {
            let file = inner.join(format!("{name}.{format}"));
            // The mesh of a deformer stack is in the folder of the run.
            let meshes = [inner.join(format!("{name}.obj")), folder.join(format!("{name}.rest.obj"))];
            let Some(mesh) = meshes.iter().find(|mesh| mesh.is_file()) else { continue };
            if !file.is_file() {
                continue;
            }
            let cache = PointCache::read(&file)?;
            let rate =
                ["/settings/frame_rate", "/frame_rate"].iter().find_map(|at| report.pointer(at)?.as_f64());
            let between = rate.filter(|rate| *rate > 0.0).map(|rate| cache.sample_rate() / rate);
            bodies.push((name, Source::Cache { file, mesh: mesh.clone(), cache, between }));
        }
        if bodies.iter().any(|(_, source)| source.frames() > 0) {
            return Ok(bodies);
        }
    }
    Ok(Vec::new())
}

/// The formats that a folder does not have, to explain why nothing is drawn.
pub(super) fn looked_for(folder: &Path) -> String {
    let sequences = SEQUENCES.map(|format| format!("{format}/BODY/BODY_0000.{format}"));
    let caches = CACHES.map(|format| format!("{format}/BODY.{format} with {format}/BODY.obj"));
    let other = ["usda", "glb"].iter().find(|format| folder.join(format).is_dir());
    let other = other.map_or_else(String::new, |format| {
        format!(". Files in {format}/ can be written but not read back: add one of these formats")
    });
    format!("there is none of {}, {}{other}", sequences.join(", "), caches.join(", "))
}

/// The names of the bodies, in the order of the scene if the run has it; else those of the folders, or of the files
/// with an extension, in a folder.
fn names(report: &Value, inner: &Path, extension: Option<&str>) -> Result<Vec<String>, CliError> {
    if let Some(told) = report.get("bodies").and_then(Value::as_array) {
        let names = told.iter().filter_map(|body| body.get("name")?.as_str());
        // Names are letters, digits, `-` and `_`; another character could lead out of the folder.
        let plain = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        return Ok(names.filter(plain).map(str::to_owned).collect());
    }
    if !inner.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(inner).map_err(CliError::io(inner))?;
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let path = entry.path();
            let name = match extension {
                None => path.is_dir().then(|| path.file_name())?,
                Some(extension) => path.extension().filter(|found| *found == extension).and(path.file_stem()),
            };
            // Files that are being written have hidden names.
            name?.to_str().filter(|name| !name.starts_with('.')).map(str::to_owned)
        })
        .collect();
    names.sort_unstable();
    Ok(names)
}
