//! The input: a mesh at rest with a skeleton, or with the positions of every frame.

use std::path::Path;
use std::sync::Arc;

use nalgebra::Vector3;
use pliant_io::{Character, ImportError, PointCache, Sequence, read_character};
use pliant_mesh::{Clip, TriMesh, WeightSums, counted};

use super::chain;
use super::rig::Rig;
use super::surface::{surface, unread};
use crate::build::character::find_clip;
use crate::error::Fault;
use crate::field::FieldPath;
use crate::model::Bounded;
use crate::source::Source;
use crate::stack::model::{AnimationModel, CharacterModel, StackModel, Sums};

/// Frames per second by default.
const RATE: f64 = 30.0;
/// The most frames of a stack.
const MOST_FRAMES: usize = 1_000_000;
/// Distance of a sum of weights from 1 up to which it counts as rounding.
const ROUNDING: f64 = 0.02;

/// The input, read.
pub(super) struct Read {
    pub(super) mesh: TriMesh,
    pub(super) rig: Option<Rig>,
    pub(super) motion: Motion,
    pub(super) attributes: Vec<(String, Vec<f64>)>,
    pub(super) frame_rate: f64,
    pub(super) times: Arc<[f64]>,
    pub(super) notes: Vec<String>,
}

/// Where the positions below the first deformer come from.
pub(super) enum Motion {
    /// They are those of the mesh at rest, which is skinned.
    Posed,
    Cache {
        cache: PointCache,
        scale: f64,
    },
    Sequence {
        sequence: Sequence,
        scale: f64,
    },
}

pub(super) fn read(stack: &StackModel, source: &Source) -> Result<Read, Fault> {
    let at = FieldPath::root().key("input");
    let scale = stack.input.scale.map_or(1.0, Bounded::get);
    if let Some(model) = &stack.input.character {
        return character(&at.key("character"), model, scale, stack, source);
    }
    if let Some(model) = &stack.input.chain {
        let (mesh, rig) = chain::build(&at.key("chain"), model, source)?;
        return posed(mesh, rig, stack);
    }
    if let Some(model) = &stack.input.cache {
        let at = at.key("cache");
        let mesh = scaled(&at.key("rest"), surface(&at.key("rest"), &model.rest, source)?, scale)?;
        let cache = cache_of(&at.key("file"), &model.file, mesh.positions().len(), source)?;
        let samples = cache.sample_count();
        let times = cache.times().filter(|times| times.windows(2).all(|pair| pair[0] < pair[1]));
        let own_rate = times.and_then(|times| match times {
            [first, .., last] => Some((times.len() - 1) as f64 / (last - first)),
            _ => None,
        });
        let frames = frames_of(stack, samples, &model.file)?;
        let frame_rate = stack.frame_rate.map(Bounded::get).or(own_rate).unwrap_or(RATE);
        let times: Arc<[f64]> = match times.filter(|_| stack.frame_rate.is_none()) {
            Some(times) => times[..frames].into(),
            None => evenly(0.0, frame_rate, frames),
        };
        let motion = Motion::Cache { cache, scale };
        return Ok(Read {
            mesh,
            rig: None,
            motion,
            attributes: Vec::new(),
            frame_rate,
            times,
            notes: Vec::new(),
        });
    }
    let model = stack.input.sequence.as_ref().expect("the checks let exactly one input be given");
    let at = at.key("sequence");
    let sequence =
        Sequence::open(source.resolve(&model.files)).map_err(|error| unread(&at.key("files"), &error))?;
    let rest = match &model.rest {
        Some(rest) => surface(&at.key("rest"), rest, source)?,
        None => sequence.first().clone(),
    };
    let (found, expected) = (rest.positions().len(), sequence.first().positions().len());
    if !sequence.fits(&rest) {
        let problem = format!(
            "the mesh at rest ({found} vertices, {} triangles) is not that of {} ({expected} vertices, {} triangles)",
            rest.triangles().len(),
            sequence.file(0).display(),
            sequence.first().triangles().len()
        );
        return Err(Fault::new(at.key("rest"), problem, "the same vertices and triangles in the same order"));
    }
    let mesh = scaled(&at, rest, scale)?;
    let frames = frames_of(stack, sequence.len(), &model.files)?;
    let frame_rate = stack.frame_rate.map_or(RATE, Bounded::get);
    let times = evenly(0.0, frame_rate, frames);
    let motion = Motion::Sequence { sequence, scale };
    Ok(Read { mesh, rig: None, motion, attributes: Vec::new(), frame_rate, times, notes: Vec::new() })
}

fn character(
    at: &FieldPath,
    model: &CharacterModel,
    scale: f64,
    stack: &StackModel,
    source: &Source,
) -> Result<Read, Fault> {
    let sums = match model.sums {
        Sums::Refuse => WeightSums::Refuse(ROUNDING),
        Sums::Normalise => WeightSums::Normalise,
    };
    let file = at.key("file");
    let found = read_character(source.resolve(&model.file), sums).map_err(|error| match error {
        ImportError::Skin { source: pliant_mesh::SkinError::Sum { .. }, .. } => {
            Fault::new(file.clone(), error.to_string(), "weights that sum to 1, or `sums = \"normalise\"`")
        }
        error => unread(&file, &error),
    })?;
    // Checked here, because scaling the character cannot report an error.
    scaled(&file, found.mesh.clone(), scale)?;
    let found = if scale == 1.0 { found } else { found.scaled(scale) };
    let mut notes = found.report.notes.clone();
    let report = found.skin_report;
    if report.normalised > 0 {
        notes.push(format!(
            "normalised: the weights of {}, which did not sum to 1; the farthest, {:.4}, were those of vertex {}",
            counted(report.normalised, "vertex", "vertices"),
            report.worst_sum,
            report.worst_vertex.unwrap_or_default()
        ));
    }
    let clip = animation(&at.key("animation"), model.animation.as_ref(), &found)?;
    if found.clips.is_empty() {
        notes.push("it has no animation and keeps its rest pose".to_owned());
    }
    let Character { mesh, skeleton, skin, attributes, .. } = found;
    let mut read = posed(mesh, Rig { skeleton, skin, clip }, stack)?;
    (read.attributes, read.notes) = (attributes.into_iter().collect(), notes);
    Ok(read)
}

/// The animation that is asked for, or the first, or an empty one.
fn animation(at: &FieldPath, asked: Option<&AnimationModel>, found: &Character) -> Result<Clip, Fault> {
    if let Some(asked) = asked {
        return find_clip(at, asked, found);
    }
    let none =
        || Clip::new("", Vec::new(), &found.skeleton).expect("no channel can be wrong where there is none");
    Ok(found.clips.first().cloned().unwrap_or_else(none))
}

/// A mesh that a skeleton poses, for as long as its animation lasts.
fn posed(mesh: TriMesh, rig: Rig, stack: &StackModel) -> Result<Read, Fault> {
    let [first, last] = rig.clip.range().unwrap_or_default();
    let start = stack.start.map_or(first, Bounded::get);
    let frame_rate = stack.frame_rate.map_or(RATE, Bounded::get);
    let frames = match stack.frames {
        Some(frames) => frames.into(),
        None => {
            // One more than there are steps; the tolerance includes a last key that rounding has moved a
            // little later.
            let steps = ((last - start).max(0.0) * frame_rate + 1e-6).floor();
            if steps >= MOST_FRAMES as f64 {
                let problem = format!("the animation is {} s long, which makes {steps} frames", last - start);
                return Err(Fault::new(FieldPath::root().key("frames"), problem, "a number of `frames`"));
            }
            steps as usize + 1
        }
    };
    let times = evenly(start, frame_rate, frames);
    let motion = Motion::Posed;
    Ok(Read { mesh, rig: Some(rig), motion, attributes: Vec::new(), frame_rate, times, notes: Vec::new() })
}

fn evenly(start: f64, rate: f64, frames: usize) -> Arc<[f64]> {
    (0..frames).map(|frame| start + frame as f64 / rate).collect()
}

/// Number of frames of an input that has `samples`.
fn frames_of(stack: &StackModel, samples: usize, file: &Path) -> Result<usize, Fault> {
    let at = FieldPath::root().key("frames");
    match stack.frames {
        Some(frames) if usize::from(frames) > samples => {
            let problem = format!("{frames} frames are asked for, but {} has {samples}", file.display());
            Err(Fault::new(at, problem, format!("at most {samples}, or none to take all")))
        }
        Some(frames) => Ok(frames.into()),
        None if samples == 0 || samples > MOST_FRAMES => {
            let problem = format!("{} has {samples} frames", file.display());
            Err(Fault::new(at, problem, format!("1 to {MOST_FRAMES} frames")))
        }
        None => Ok(samples),
    }
}

/// A point cache of so many vertices.
pub(super) fn cache_of(
    at: &FieldPath,
    path: &Path,
    vertices: usize,
    source: &Source,
) -> Result<PointCache, Fault> {
    let cache = PointCache::read(source.resolve(path)).map_err(|error| unread(at, &error))?;
    if cache.vertex_count() != vertices {
        let problem = format!(
            "{} has {} points, but the mesh has {vertices} vertices",
            path.display(),
            cache.vertex_count()
        );
        return Err(Fault::new(
            at.clone(),
            problem,
            "a cache of this mesh, with the same vertices in the same order",
        ));
    }
    Ok(cache)
}

/// The positions of a sample, m.
pub(super) fn sample(cache: &PointCache, sample: usize, scale: f64) -> Vec<Vector3<f64>> {
    cache.sample(sample).iter().map(|p| Vector3::from(p.map(f64::from)) * scale).collect()
}

fn scaled(at: &FieldPath, mesh: TriMesh, scale: f64) -> Result<TriMesh, Fault> {
    if scale == 1.0 {
        return Ok(mesh);
    }
    mesh.map_positions(|p| p * scale).map_err(|error| {
        Fault::new(
            at.clone(),
            format!("the scaled mesh cannot be used: {error}"),
            "a scale within the range of numbers",
        )
    })
}
