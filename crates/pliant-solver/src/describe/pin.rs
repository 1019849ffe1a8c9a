//! [`Pin`]: vertices that are held or moved.

use std::sync::Arc;

use nalgebra::Vector3;

use crate::describe::compliance::Compliance;
use crate::describe::motion::Motion;
use crate::describe::shrink::Shrink;
use crate::error::pin::PinProblem;

/// Vertices of a body that follow a [`Motion`], exactly or, with a compliance, as if by a spring.
///
/// Pins move *before* the solve of a substep, so that the body does not lag behind them.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_solver::{Motion, Pin};
///
/// let corner = Pin::vertices([0, 10]);
/// let top = Pin::select(|x| x.y > 0.99)
///     .motion(Motion::linear(Vector3::new(0.0, 0.1, 0.0)))
///     .release_at(2.0);
/// ```
#[derive(Clone)]
pub struct Pin {
    pub(crate) selection: Selection,
    pub(crate) motion: Motion,
    pub(crate) cue: Option<String>,
    pub(crate) shrink: Option<Arc<Shrink>>,
    pub(crate) release: Option<f64>,
    pub(crate) compliance: Option<f64>,
    pub(crate) damping: f64,
}

#[derive(Clone)]
pub(crate) enum Selection {
    Vertices(Vec<u32>),
    #[allow(clippy::type_complexity, reason = "a shared predicate on positions")]
    Where(Arc<dyn Fn(&Vector3<f64>) -> bool + Send + Sync>),
}

impl std::fmt::Debug for Pin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut s = f.debug_struct("Pin");
        match &self.selection {
            Selection::Vertices(v) => s.field("vertices", &v.len()),
            Selection::Where(_) => s.field("vertices", &"by position"),
        };
        s.field("motion", &self.motion)
            .field("cue", &self.cue)
            .field("shrinks", &self.shrink.is_some())
            .field("release", &self.release)
            .field("compliance", &self.compliance)
            .field("damping", &self.damping)
            .finish()
    }
}

impl Pin {
    fn new(selection: Selection) -> Self {
        Self {
            selection,
            motion: Motion::Fixed,
            cue: None,
            shrink: None,
            release: None,
            compliance: None,
            damping: 0.0,
        }
    }

    /// Pins vertices by their numbers in the body's mesh. Repeated numbers count once.
    #[must_use]
    pub fn vertices(vertices: impl IntoIterator<Item = u32>) -> Self {
        Self::new(Selection::Vertices(vertices.into_iter().collect()))
    }

    /// Pins every vertex whose initial position, m, satisfies a condition.
    #[must_use]
    pub fn select(condition: impl Fn(&Vector3<f64>) -> bool + Send + Sync + 'static) -> Self {
        Self::new(Selection::Where(Arc::new(condition)))
    }

    /// Moves the pinned vertices. Sampled points count the vertices in increasing order of their numbers.
    #[must_use]
    pub fn motion(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// Has the motion begin when a [cue](crate::Simulation::cue) is given, and not with the simulation: its
    /// time 0 is then. Until then the vertices are where it has them at its start.
    #[must_use]
    pub fn begin_with(self, cue: impl Into<String>) -> Self {
        Self { cue: Some(cue.into()), ..self }
    }

    /// Has a body start thinner than it is, and grow; the pin must hold all of its vertices. Its start
    /// positions should be those of the thin body.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Pin, Shrink, Simulation};
    ///
    /// let ball = TriMesh::icosphere(0.2, 2)?;
    /// let (rest, triangles) = (ball.positions().to_vec(), ball.triangles().to_vec());
    /// let shrink = Shrink { by: 0.05, until: 0.5, triangles, rest: rest.clone() };
    /// let thin = shrink.places_at(0.0, rest);
    /// let body = Body::cloth(ball).start(thin).pin_with(Pin::select(|_| true).shrink(shrink));
    /// let mut sim: Simulation = Simulation::builder().body(body).build()?;
    /// assert!(sim.position(0).norm() < 0.16);
    /// (0..6).try_for_each(|_| sim.advance(0.1))?;
    /// assert!((sim.position(0).norm() - 0.2).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shrink(self, shrink: Shrink) -> Self {
        Self { shrink: Some(Arc::new(shrink)), ..self }
    }

    /// Releases the vertices at a time, s.
    #[must_use]
    pub fn release_at(self, time: f64) -> Self {
        Self { release: Some(time), ..self }
    }

    /// Holds each vertex by a spring of zero length with this compliance, m/N, instead of exactly.
    #[must_use]
    pub fn compliance(self, compliance: impl Into<Compliance>) -> Self {
        Self { compliance: Some(compliance.into().value()), ..self }
    }

    /// Damps the springs of a pin with a [compliance](Pin::compliance) by the relaxation time τ, s: beside a
    /// spring of stiffness k acts a dashpot of kτ, N·s/m. It is fixed in space, so a vertex whose target
    /// moves at v lags by τv. Has no effect on a pin that holds exactly. See
    /// [`Constraints::with_damping`](crate::Constraints::with_damping).
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Pin, Simulation};
    ///
    /// // On springs of 1 kN/m at three of its corners a sheet comes to rest, and does not bounce for ever.
    /// let soft = Pin::vertices([0, 4, 20]).compliance(1e-3).damping(0.02);
    /// let sheet = Body::cloth(TriMesh::grid([5, 5], [0.4, 0.4])?).pin_with(soft);
    /// Simulation::builder().body(sheet).build()?.step(1.0 / 60.0)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn damping(self, relaxation: f64) -> Self {
        Self { damping: relaxation, ..self }
    }

    /// The error of the pin, if there is one, when it selects `vertices` of a body at `positions`, m.
    pub(crate) fn problem(&self, vertices: &[u32], positions: &[Vector3<f64>]) -> Option<PinProblem> {
        let n = positions.len();
        let is_share = |value: f64| value >= 0.0 && value.is_finite();
        if vertices.is_empty() {
            return Some(PinProblem::SelectsNothing { vertices: n, extent: extent(positions) });
        }
        if let Some(&vertex) = vertices.iter().find(|&&v| v as usize >= n) {
            return Some(PinProblem::OutOfRange { vertex: vertex as usize, vertices: n });
        }
        if let Some(problem) = self.motion.problem(Some(vertices.len())) {
            return Some(problem.into());
        }
        if let Some(problem) = self.shrink.as_ref().and_then(|shrink| shrink.problem(vertices.len())) {
            return Some(problem);
        }
        if let Some(release) = self.release.filter(|time| !time.is_finite()) {
            return Some(PinProblem::Release(release));
        }
        let compliance = self.compliance?;
        if !is_share(compliance) {
            return Some(PinProblem::Compliance(compliance));
        }
        (!is_share(self.damping)).then_some(PinProblem::Relaxation(self.damping))
    }

    /// The selected vertices in increasing order, each once.
    pub(crate) fn resolve(&self, positions: &[Vector3<f64>]) -> Vec<u32> {
        match &self.selection {
            Selection::Vertices(list) => {
                let mut list = list.clone();
                list.sort_unstable();
                list.dedup();
                list
            }
            Selection::Where(condition) => {
                (0_u32..).zip(positions).filter(|(_, x)| condition(x)).map(|(i, _)| i).collect()
            }
        }
    }
}

/// The least and the greatest coordinates of positions, m.
fn extent(positions: &[Vector3<f64>]) -> Option<[Vector3<f64>; 2]> {
    let join = |[low, high]: [Vector3<f64>; 2], x: &Vector3<f64>| [low.inf(x), high.sup(x)];
    let first = *positions.first()?;
    Some(positions.iter().fold([first; 2], join))
}
