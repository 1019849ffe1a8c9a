//! [`Stack`]: deformers one after the other, each by as much as its envelope says.
//!
//! A layer maps x to y; the next layer gets x + e w (y − x), with the layer's
//! envelope e and the vertex's weight w. Where e w is
//! zero the input is passed on bit for bit, where it is one the output is.

use std::any::Any;

use nalgebra::Vector3;
use pliant_mesh::TriMesh;

use crate::deformer::{Deformer, FrameTime};
use crate::error::{BindError, DeformError, check_share, check_weights};
use crate::statistics::{EdgeStrain, Measured, Statistics};

/// A deformer in a stack, with its name, envelope and weights.
pub struct Layer {
    name: String,
    deformer: Box<dyn Deformer>,
    envelope: f64,
    weights: Option<Vec<f64>>,
}

impl Layer {
    /// A deformer with full effect, named after its kind.
    #[must_use]
    pub fn new(deformer: impl Deformer) -> Self {
        Self { name: deformer.kind().to_owned(), deformer: Box::new(deformer), envelope: 1.0, weights: None }
    }

    /// Gives the layer another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The master weight, in [0, 1]: the share of the deformer's displacement that is applied.
    #[must_use]
    pub fn envelope(mut self, envelope: f64) -> Self {
        self.envelope = envelope;
        self
    }

    /// An additional share for every vertex, in [0, 1].
    #[must_use]
    pub fn weights(mut self, weights: Vec<f64>) -> Self {
        self.weights = Some(weights);
        self
    }
}

/// The measures of the mesh before and after a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerReport {
    /// Name of the layer.
    pub name: String,
    /// Strain of the mesh's edges before the layer.
    pub before: EdgeStrain,
    /// Strain of the mesh's edges after it.
    pub after: EdgeStrain,
    /// Enclosed volume after the layer divided by that before it; none for an open mesh.
    pub volume_ratio: Option<f64>,
}

/// Deformers one after the other.
///
/// ```
/// use pliant_deform::{FrameTime, Layer, Relax, RelaxSettings, Smooth, SmoothSettings, Stack};
/// use pliant_mesh::{Caps, TriMesh};
///
/// let mesh = TriMesh::cylinder(0.1, 1.0, 24, 40, Caps::Open)?;
/// let mut stack = Stack::new(&mesh);
/// stack.push(Layer::new(Relax::new(&mesh, RelaxSettings::default())?))?;
/// stack.push(Layer::new(Smooth::new(&mesh, SmoothSettings::default())?).envelope(0.5))?;
///
/// // Pinched in the middle.
/// let pinched: Vec<_> = mesh.positions().iter().map(|p| p * (0.5 + p.y.abs())).collect();
/// let (deformed, report) = stack.run_measured(&FrameTime::default(), &pinched)?;
/// assert!(report[0].after.rms < report[0].before.rms);
/// assert_eq!(deformed.len(), mesh.positions().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stack {
    layers: Vec<Layer>,
    measured: Measured,
    vertices: usize,
}

impl Stack {
    /// An empty stack for a mesh, which returns its input.
    #[must_use]
    pub fn new(rest: &TriMesh) -> Self {
        Self { layers: Vec::new(), measured: Measured::new(rest), vertices: rest.positions().len() }
    }

    /// Puts a layer on top, and returns its place.
    ///
    /// # Errors
    ///
    /// If the deformer was made for another number of vertices, or the envelope or a weight is not in [0, 1].
    pub fn push(&mut self, layer: Layer) -> Result<usize, BindError> {
        if let Some(found) = layer.deformer.vertex_count() {
            crate::error::check_count("the mesh of a deformer", found, self.vertices)?;
        }
        check_share("the envelope", layer.envelope)?;
        if let Some(weights) = &layer.weights {
            check_weights("weights of a layer", weights, self.vertices)?;
        }
        self.layers.push(layer);
        Ok(self.layers.len() - 1)
    }

    /// Number of layers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layers.len()
    }

    /// Whether there are no layers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// The deformer of a layer, if it is of that type: to pose a skin, to move a collider.
    pub fn get_mut<D: Deformer>(&mut self, layer: usize) -> Option<&mut D> {
        let deformer: &mut dyn Any = &mut *self.layers.get_mut(layer)?.deformer;
        deformer.downcast_mut()
    }

    /// Discards the state that all deformers keep of earlier frames.
    pub fn reset(&mut self) {
        self.layers.iter_mut().for_each(|layer| layer.deformer.reset());
    }

    /// Deforms a frame: `input` are the positions below the first layer, m, one per vertex of the rest mesh.
    ///
    /// # Errors
    ///
    /// If the input has another number of vertices than the rest mesh, or a number in it, or in the output of
    /// a layer, is not finite; or the error of a deformer.
    pub fn run(
        &mut self,
        frame: &FrameTime,
        input: &[Vector3<f64>],
    ) -> Result<Vec<Vector3<f64>>, DeformError> {
        self.each_layer(frame, input, |_, _| {}, |_, _, _, _| {})
    }

    /// Like [`run`](Self::run), with a line for each layer about edge strain and volume, which costs a few
    /// sweeps over the mesh.
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    pub fn run_measured(
        &mut self,
        frame: &FrameTime,
        input: &[Vector3<f64>],
    ) -> Result<(Vec<Vector3<f64>>, Vec<LayerReport>), DeformError> {
        let mut reports = Vec::new();
        let mut last: Option<Statistics> = None;
        let output = self.each_layer(
            frame,
            input,
            |_, _| {},
            |measured, name, x, y| {
                let before = last.take().unwrap_or_else(|| measured.statistics(x));
                let after = measured.statistics(y);
                let volume_ratio = before.volume.zip(after.volume).map(|(a, b)| b / a);
                reports.push(LayerReport {
                    name: name.to_owned(),
                    before: before.strain,
                    after: after.strain,
                    volume_ratio,
                });
                last = Some(after);
            },
        )?;
        Ok((output, reports))
    }

    /// Like [`run`](Self::run), and calls `between` after every layer with its place and the positions, m, that it has left: to
    /// keep them, or to move vertices before the next layer takes them.
    ///
    /// ```
    /// # use pliant_deform::{FrameTime, Layer, Relax, RelaxSettings, Smooth, SmoothSettings, Stack};
    /// # use pliant_mesh::TriMesh;
    /// # let mesh = TriMesh::grid([9, 9], [1.0, 1.0])?;
    /// # let mut stack = Stack::new(&mesh);
    /// # stack.push(Layer::new(Smooth::new(&mesh, SmoothSettings::default())?))?;
    /// # stack.push(Layer::new(Relax::new(&mesh, RelaxSettings::default())?))?;
    /// let mut pulled = Vec::new();
    /// let pull = |layer: usize, x: &mut [nalgebra::Vector3<f64>]| {
    ///     if layer == 0 {
    ///         x[40].y += 0.2;
    ///         pulled = x.to_vec();
    ///     }
    /// };
    /// let relaxed = stack.run_between(&FrameTime::default(), mesh.positions(), pull)?;
    /// assert!(stack.measure(&relaxed).strain.rms < stack.measure(&pulled).strain.rms);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run), or if `between` leaves a number that is not finite.
    pub fn run_between(
        &mut self,
        frame: &FrameTime,
        input: &[Vector3<f64>],
        between: impl FnMut(usize, &mut [Vector3<f64>]),
    ) -> Result<Vec<Vector3<f64>>, DeformError> {
        self.each_layer(frame, input, between, |_, _, _, _| {})
    }

    /// Strain of the edges and volume in some positions, m, one per vertex of the rest mesh.
    ///
    /// # Panics
    ///
    /// If there are not as many positions as the rest mesh has.
    #[must_use]
    pub fn measure(&self, positions: &[Vector3<f64>]) -> Statistics {
        self.measured.statistics(positions)
    }

    fn each_layer(
        &mut self,
        frame: &FrameTime,
        input: &[Vector3<f64>],
        mut between: impl FnMut(usize, &mut [Vector3<f64>]),
        mut done: impl FnMut(&Measured, &str, &[Vector3<f64>], &[Vector3<f64>]),
    ) -> Result<Vec<Vector3<f64>>, DeformError> {
        check_frame(frame)?;
        crate::deformer::check_positions(input, self.vertices)?;
        check_finite("the input", input)?;
        let mut x = input.to_vec();
        let mut y = Vec::new();
        for (place, layer) in self.layers.iter_mut().enumerate() {
            y.clear();
            y.extend_from_slice(&x);
            layer.deformer.deform(frame, &mut y)?;
            blend(&x, &mut y, layer.envelope, layer.weights.as_deref());
            between(place, &mut y);
            check_finite_after(&layer.name, &y)?;
            done(&self.measured, &layer.name, &x, &y);
            std::mem::swap(&mut x, &mut y);
        }
        Ok(x)
    }
}

fn check_frame(frame: &FrameTime) -> Result<(), DeformError> {
    if !frame.time.is_finite() {
        return Err(DeformError::Time { what: "time", value: frame.time, range: "it must be finite" });
    }
    if !(frame.dt >= 0.0 && frame.dt.is_finite()) {
        let range = "it must be finite and not negative";
        return Err(DeformError::Time { what: "time step", value: frame.dt, range });
    }
    Ok(())
}

fn check_finite(what: &str, positions: &[Vector3<f64>]) -> Result<(), DeformError> {
    match positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        Some(vertex) => Err(DeformError::NonFinite { what: what.to_owned(), vertex }),
        None => Ok(()),
    }
}

fn check_finite_after(name: &str, positions: &[Vector3<f64>]) -> Result<(), DeformError> {
    check_finite("", positions).map_err(|error| match error {
        DeformError::NonFinite { vertex, .. } => {
            DeformError::NonFinite { what: format!("behind the layer \"{name}\""), vertex }
        }
        other => other,
    })
}

/// `after` ← before + share (after − before), exact where the share is 0 or 1.
pub(crate) fn blend(
    before: &[Vector3<f64>],
    after: &mut [Vector3<f64>],
    envelope: f64,
    weights: Option<&[f64]>,
) {
    if envelope == 1.0 && weights.is_none() {
        return;
    }
    for (v, (x, y)) in before.iter().zip(after).enumerate() {
        *y = mix(x, y, envelope * weights.map_or(1.0, |w| w[v]));
    }
}

/// (1 − share) x + share y, exact where the share is 0 or 1.
pub(crate) fn mix(x: &Vector3<f64>, y: &Vector3<f64>, share: f64) -> Vector3<f64> {
    if share == 0.0 {
        *x
    } else if share == 1.0 {
        *y
    } else {
        x * (1.0 - share) + y * share
    }
}
