//! [`Deformer`]: moves the vertices of a mesh whose triangles stay as they are.

use std::any::Any;

use nalgebra::Vector3;

use crate::error::DeformError;

/// The moment for which a mesh is deformed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameTime {
    /// Time since the start of the animation, s.
    pub time: f64,
    /// Time since the previous frame, s; 0 for the first.
    pub dt: f64,
}

/// Moves the vertices of one mesh, frame by frame.
///
/// A deformer is made for a rest mesh, with whatever it precomputes from it, and is handed the positions that
/// the deformer below it left. It may keep a state from frame to frame, which [`reset`](Deformer::reset)
/// forgets. The same calls give the same bits, for any number of threads.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_deform::{DeformError, Deformer, FrameTime};
///
/// /// Carries everything along the x axis at a constant speed, m/s.
/// struct Drift(f64);
///
/// impl Deformer for Drift {
///     fn kind(&self) -> &'static str {
///         "drift"
///     }
///     fn vertex_count(&self) -> Option<usize> {
///         None
///     }
///     fn deform(&mut self, frame: &FrameTime, x: &mut [Vector3<f64>]) -> Result<(), DeformError> {
///         x.iter_mut().for_each(|x| x.x += self.0 * frame.time);
///         Ok(())
///     }
/// }
/// ```
pub trait Deformer: Any + Send {
    /// Its kind, in a word: `"relax"`, `"jiggle"`.
    fn kind(&self) -> &'static str;

    /// The number of vertices that it was made for; none where any number will do.
    fn vertex_count(&self) -> Option<usize>;

    /// Moves the vertices; `positions` in metres, one per vertex, are the input and become the output.
    ///
    /// # Errors
    ///
    /// When the frame cannot be deformed; the positions are then of no use.
    fn deform(&mut self, frame: &FrameTime, positions: &mut [Vector3<f64>]) -> Result<(), DeformError>;

    /// Discards all state of earlier frames.
    fn reset(&mut self) {}
}

/// Checks the number of positions that a deformer is handed.
pub(crate) fn check_positions(positions: &[Vector3<f64>], expected: usize) -> Result<(), DeformError> {
    if positions.len() == expected {
        Ok(())
    } else {
        Err(DeformError::Count { what: "the input", found: positions.len(), expected })
    }
}

/// Vertices that a thread takes at a time.
pub(crate) const GRAIN: usize = 2048;
