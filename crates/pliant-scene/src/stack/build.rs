//! Builds deformers from a stack file.

mod chain;
mod collide;
mod deformer;
mod input;
mod parts;
mod rig;
mod surface;
mod weights;

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_deform::{DeformError, FrameTime, Layer, LayerReport, Skinning, Stack, Statistics, Weld};
use pliant_io::{ImportError, Mesh};
use pliant_mesh::{TriMesh, counted};

use super::load::StackFile;
use super::model::{DeformerModel, SkinningModel};
use crate::clip::{self, Shown};
use crate::error::{Fault, SceneError};
use crate::field::FieldPath;
use input::{Motion, Read};
use parts::Parts;

/// A stack ready to run, with the mesh that goes through it.
pub struct BuiltStack {
    /// The mesh at rest, m.
    pub mesh: TriMesh,
    /// Number of frames.
    pub frames: u32,
    /// Frames per second.
    pub frame_rate: f64,
    /// Remarks on the input, one sentence each.
    pub notes: Vec<String>,
    /// Names of the deformers, from the first to the last.
    pub layers: Vec<String>,
    stack: Stack,
    motion: Motion,
    times: Arc<[f64]>,
    last: Option<f64>,
}

/// A frame before and after the deformers that follow the skinning.
#[derive(Debug, Clone, PartialEq)]
pub struct Posed {
    /// The vertices as the skeleton carries them, or as the input has them, m.
    pub skinned: Vec<Vector3<f64>>,
    /// The vertices behind all deformers, m.
    pub deformed: Vec<Vector3<f64>>,
}

/// An error of a frame.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The input of the frame cannot be read.
    #[error("frame {frame}: {source}")]
    Input {
        /// The frame, from 0.
        frame: u32,
        /// Why.
        source: ImportError,
    },
    /// The frame cannot be deformed.
    #[error("frame {frame}: {source}")]
    Deform {
        /// The frame, from 0.
        frame: u32,
        /// Why.
        source: DeformError,
    },
}

impl StackFile {
    /// Reads the files that the stack names and makes its deformers.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read or does not fit, or the first weights, region or number that is
    /// invalid for the mesh.
    pub fn build(&self) -> Result<BuiltStack, SceneError> {
        self.try_build().map_err(|fault| self.locate(fault))
    }

    fn try_build(&self) -> Result<BuiltStack, Fault> {
        let (model, root) = (&self.model, FieldPath::root());
        let Read { mesh, rig, motion, attributes, frame_rate, times, mut notes } =
            input::read(model, &self.source)?;
        let written = times.len().div_ceil(model.output.every.into());
        let shown =
            Shown { name: "the mesh", vertices: mesh.positions().len(), triangles: mesh.triangles().len() };
        clip::check(&root.key("output").key("formats"), &model.output.formats, written, false, [shown])?;
        // Vertices with the same place and the same skin weights move as one point.
        let weld = match &rig {
            Some(rig) => Weld::new(mesh.positions(), |a, b| rig.skin.compare(a, b)),
            None => Weld::by_position(mesh.positions()),
        };
        if !weld.is_trivial() {
            let (vertices, points) = (weld.vertex_count(), weld.point_count());
            notes.push(format!(
                "its {vertices} vertices are {}; copies of a point move as one",
                counted(points, "point", "points")
            ));
        }
        let parts = Parts {
            source: &self.source,
            mesh: &mesh,
            held: Mesh::Tri(mesh.clone()),
            weld,
            rig: rig.as_ref(),
            attributes: &attributes,
            times: times.clone(),
        };
        let mut stack = Stack::new(&mesh);
        let mut layers = Vec::new();
        let at = root.key("deformer");
        let usual;
        let (list, is_usual) = if model.deformers.is_empty() {
            usual = usual_order();
            (&usual, true)
        } else {
            (&model.deformers, false)
        };
        if let Some(rig) = parts.rig.filter(|_| list.iter().all(|deformer| deformer.skinning.is_none())) {
            let skinning = deformer::skinning(rig, &SkinningModel::default());
            push(&mut stack, &mut layers, Layer::new(skinning), "skinning", &at)?;
        }
        for (i, model) in list.iter().enumerate() {
            let at = if is_usual { at.clone() } else { at.index(i) };
            let (layer, name) = deformer::layer(&at, model, &parts)?;
            push(&mut stack, &mut layers, layer, &name, &at)?;
        }
        let frames = times.len() as u32;
        Ok(BuiltStack { frames, frame_rate, notes, layers, stack, motion, times, last: None, mesh })
    }
}

fn push(
    stack: &mut Stack,
    layers: &mut Vec<String>,
    layer: Layer,
    name: &str,
    at: &FieldPath,
) -> Result<(), Fault> {
    stack.push(layer).map_err(|error| Fault::new(at.clone(), error.to_string(), ""))?;
    layers.push(name.to_owned());
    Ok(())
}

/// The deformers after the skinning if a stack names none.
fn usual_order() -> Vec<DeformerModel> {
    vec![
        DeformerModel { relax: Some(Default::default()), ..DeformerModel::default() },
        DeformerModel { smooth: Some(Default::default()), ..DeformerModel::default() },
        DeformerModel { jiggle: Some(Default::default()), ..DeformerModel::default() },
    ]
}

impl BuiltStack {
    /// Time of a frame, s.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    #[must_use]
    pub fn time(&self, frame: u32) -> f64 {
        self.times[frame as usize]
    }

    /// Deforms a frame: the positions of the vertices, m, and what each deformer did to edges and volume.
    ///
    /// Ask for frames in order, because a jiggle remembers the frame before.
    ///
    /// # Errors
    ///
    /// If the input of that frame cannot be read, has another mesh than the first, or cannot be deformed.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    pub fn frame(&mut self, frame: u32) -> Result<(Vec<Vector3<f64>>, Vec<LayerReport>), FrameError> {
        let (now, input) = self.begin(frame)?;
        self.stack.run_measured(&now, &input).map_err(|source| FrameError::Deform { frame, source })
    }

    /// Deforms a frame as [`frame`](Self::frame) does, and keeps what the skinning made of it. `pull` may move these vertices
    /// before the other deformers take them, as a hand does that takes hold of the skin.
    ///
    /// ```
    /// use pliant_scene::StackTemplate;
    ///
    /// let mut built = StackTemplate::named("elbow").ok_or("no such template")?.stack()?.build()?;
    /// let posed = built.pose(30, |_| {})?;
    /// let [before, after] = [&posed.skinned, &posed.deformed].map(|x| built.measure(x).strain.rms);
    /// assert!(after < before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`frame`](Self::frame), or if `pull` leaves a number that is not finite.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    pub fn pose(&mut self, frame: u32, pull: impl FnOnce(&mut [Vector3<f64>])) -> Result<Posed, FrameError> {
        let (now, mut input) = self.begin(frame)?;
        let place = self.skinning_place();
        let (mut pull, mut skinned) = (Some(pull), Vec::new());
        let mut keep = |x: &mut [Vector3<f64>]| {
            if let Some(pull) = pull.take() {
                pull(x);
                skinned = x.to_vec();
            }
        };
        // A mesh without a skeleton comes skinned.
        if place.is_none() {
            keep(&mut input);
        }
        let between = |layer: usize, x: &mut [Vector3<f64>]| {
            if Some(layer) == place {
                keep(x);
            }
        };
        let run = self.stack.run_between(&now, &input, between);
        let deformed = run.map_err(|source| FrameError::Deform { frame, source })?;
        Ok(Posed { skinned, deformed })
    }

    /// Strain of the edges and volume in some positions, m, one per vertex.
    ///
    /// # Panics
    ///
    /// If there are not as many positions as vertices.
    #[must_use]
    pub fn measure(&self, positions: &[Vector3<f64>]) -> Statistics {
        self.stack.measure(positions)
    }

    /// Discards what deformers remember of frames: the next is taken to be at rest.
    pub fn reset(&mut self) {
        self.stack.reset();
        self.last = None;
    }

    fn begin(&mut self, frame: u32) -> Result<(FrameTime, Vec<Vector3<f64>>), FrameError> {
        let time = self.time(frame);
        let dt = self.last.replace(time).map_or(0.0, |last| (time - last).max(0.0));
        let input = match &self.motion {
            Motion::Posed => self.mesh.positions().to_vec(),
            Motion::Cache { cache, scale } => input::sample(cache, frame as usize, *scale),
            Motion::Sequence { sequence, scale } => {
                let read = sequence.frame(frame as usize);
                let read = read.map_err(|source| FrameError::Input { frame, source })?;
                read.into_iter().map(|p| p * *scale).collect()
            }
        };
        Ok((FrameTime { time, dt }, input))
    }

    /// The skinning, if the input has a skeleton.
    #[must_use]
    pub fn skinning(&mut self) -> Option<&Skinning> {
        let place = self.skinning_place()?;
        self.stack.get_mut(place).map(|skinning| &*skinning)
    }

    /// The layer that is the skinning, if one is.
    fn skinning_place(&mut self) -> Option<usize> {
        (0..self.stack.len()).find(|&i| self.stack.get_mut::<Skinning>(i).is_some())
    }
}

impl std::fmt::Debug for BuiltStack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuiltStack")
            .field("vertices", &self.mesh.positions().len())
            .field("frames", &self.frames)
            .field("layers", &self.layers)
            .finish_non_exhaustive()
    }
}
