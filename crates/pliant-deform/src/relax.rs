//! [`Relax`]: the mesh's own edges, pulled and pushed towards their rest lengths.
//!
//! A skin carried by joints is stretched where they bend outwards and crushed where they fold. Relaxation
//! treats every edge of the mesh as a stick with its length in the rest mesh and satisfies the sticks one
//! after the other, a few times (Jakobsen, "Advanced character physics", 2001; used as a deformer in *Game
//! Physics Pearls*, 2010, ch. 13). An edge with the ends A and B and the rest length L₀ moves each end by
//! half of
//!
//! ```text
//! k (L₀ − |AB|)        k = push where L₀ > |AB|, pull elsewhere
//! ```
//!
//! away from the other. An isolated edge loses the share k of its error per iteration: with push 0.1 and pull
//! 0.5 crushed regions unfold a little and stretched ones give way, which looks like skin; a push of 0.6 and
//! more makes wrinkles. Five to ten iterations are usual.
//!
//! *Hazard.* Circulating listings have the sign of the step reversed: the right one moves the ends *towards*
//! each other when the stick is too long.

mod coloured;
mod constraints;
mod order;
mod preserve;
mod schedule;
mod sequential;
mod stick;

use nalgebra::Vector3;
use pliant_mesh::TriMesh;

pub use constraints::{EdgeConstraints, Extra};
pub use preserve::Preserve;

use crate::deformer::{Deformer, FrameTime, check_positions};
use crate::delta_mush::Detail;
use crate::error::{BindError, DeformError, check_count, check_share, check_weights};
use crate::stack::mix;
use crate::weld::Weld;
use coloured::Coloured;
use preserve::Preserved;

/// The order in which edges are satisfied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sweep {
    /// In clusters and lanes, in single precision: the fast one.
    #[default]
    Coloured,
    /// One after the other in the order of the list, in double precision: as published.
    Sequential,
    /// All from the same positions, every vertex moved by the mean of its edges' steps, in double precision:
    /// no order at all, and slower to converge.
    JacobiMean,
}

/// What the weights of the vertices mean, in [0, 1] each.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum VertexWeights {
    /// All vertices alike: each end takes half of a step.
    #[default]
    Equal,
    /// Inverse masses: the lighter end of an edge takes the larger part of the step; 0 is fixed.
    InverseMass(Vec<f64>),
    /// Relaxed with equal weights, then blended: (1 − w) input + w relaxed.
    Blend(Vec<f64>),
}

/// Detail of the rest mesh that is put back after relaxing, as [`DeltaMush`](crate::DeltaMush) does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restore {
    /// Share of the detail, in [0, 1].
    pub strength: f64,
    /// Iterations of smoothing that separate detail from shape.
    pub smoothing: u32,
}

/// How to relax.
#[derive(Debug, Clone, PartialEq)]
pub struct RelaxSettings {
    /// Sweeps over all edges.
    pub iterations: u32,
    /// Share of the error that a sweep takes from an edge that is too short, in [0, 1].
    pub push: f64,
    /// Share of the error that a sweep takes from an edge that is too long, in [0, 1].
    pub pull: f64,
    /// The order of the edges.
    pub sweep: Sweep,
    /// Weights of the vertices.
    pub weights: VertexWeights,
    /// Whether vertices on the border of the mesh stay.
    pub pin_borders: bool,
    /// Pairs that keep their distance, in addition to the edges.
    pub extra: Vec<Extra>,
    /// Area and volume.
    pub preserve: Preserve,
    /// Detail to put back.
    pub restore: Option<Restore>,
}

impl Default for RelaxSettings {
    /// Ten iterations, push 0.1, pull 0.5, equal weights, and only the edges of the mesh.
    fn default() -> Self {
        Self {
            iterations: 10,
            push: 0.1,
            pull: 0.5,
            sweep: Sweep::default(),
            weights: VertexWeights::default(),
            pin_borders: false,
            extra: Vec::new(),
            preserve: Preserve::default(),
            restore: None,
        }
    }
}

/// How far edges are from their rest lengths: ||AB| − L₀| over those with an end that can move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Residual {
    /// Root of the mean square, m.
    pub rms: f64,
    /// Largest, m.
    pub max: f64,
    /// The pair that has it, as vertices; none without edges.
    pub at: Option<[u32; 2]>,
}

/// The relaxation deformer.
///
/// ```
/// use pliant_deform::{Deformer, FrameTime, Relax, RelaxSettings};
/// use pliant_mesh::TriMesh;
///
/// let rest = TriMesh::grid([20, 20], [1.0, 1.0])?;
/// let mut relax = Relax::new(&rest, RelaxSettings { push: 1.0, pull: 1.0, ..RelaxSettings::default() })?;
///
/// let mut x = rest.positions().to_vec();
/// x[190].y += 0.2; // a spike
/// let before = relax.residual(&x);
/// relax.deform(&FrameTime::default(), &mut x)?;
/// assert!(relax.residual(&x).rms < 0.5 * before.rms);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Relax {
    settings: RelaxSettings,
    weld: Weld,
    edges: EdgeConstraints,
    /// Inverse masses of the points.
    masses: Vec<f64>,
    /// Shares of the points in the result.
    blend: Option<Vec<f64>>,
    plan: Option<Coloured>,
    valence: Vec<u32>,
    preserved: Option<Preserved>,
    detail: Option<Detail>,
    scratch: Vec<Vector3<f64>>,
    input: Vec<Vector3<f64>>,
}

impl Relax {
    /// Relaxes the edges of a mesh; vertices with the same position and weight are welded.
    ///
    /// # Errors
    ///
    /// If a strength or weight is not in [0, 1], there is not one weight per vertex, or a volume is to be
    /// preserved that no closed surface encloses.
    pub fn new(rest: &TriMesh, settings: RelaxSettings) -> Result<Self, BindError> {
        Self::welded(rest, &Weld::by_position(rest.positions()), settings)
    }

    /// Relaxes the edges of a mesh with a welding of your own: for a skin, by the influences on its vertices.
    /// Vertices with different weights are split.
    ///
    /// ```
    /// use pliant_deform::{Relax, RelaxSettings, Weld};
    /// # use nalgebra::Matrix4;
    /// # use pliant_mesh::{Influence, Skin, TriMesh, WeightSums};
    /// # let mesh = TriMesh::grid([2, 2], [1.0, 1.0])?;
    /// # let all = vec![vec![Influence { joint: 0, weight: 1.0 }]; 4];
    /// # let (skin, _) = Skin::new(1, vec![0], vec![Matrix4::identity()], all, WeightSums::default())?;
    /// let weld = Weld::new(mesh.positions(), |a, b| skin.compare(a, b));
    /// let relax = Relax::welded(&mesh, &weld, RelaxSettings::default())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), or if the weld is for another number of vertices.
    pub fn welded(rest: &TriMesh, weld: &Weld, settings: RelaxSettings) -> Result<Self, BindError> {
        check_count("vertices of the weld", weld.vertex_count(), rest.positions().len())?;
        check_settings(&settings, weld.vertex_count())?;
        let weld = match &settings.weights {
            VertexWeights::Equal => weld.clone(),
            VertexWeights::InverseMass(w) | VertexWeights::Blend(w) => weld.split_by(w),
        };
        let points = weld.mesh(rest);
        let edges = EdgeConstraints::of_mesh(&points, &settings.extra)?;
        let mut relax = Self::build(points.positions(), weld, edges, settings);
        if relax.settings.pin_borders {
            points.hinges().boundary.iter().flatten().for_each(|&v| relax.masses[v as usize] = 0.0);
        }
        relax.preserved = Preserved::new(&points, relax.settings.preserve)?;
        if let Some(restore) = relax.settings.restore {
            relax.detail = Some(Detail::new(&points, restore.smoothing));
        }
        relax.plan_sweep(points.positions());
        Ok(relax)
    }

    /// Relaxes a list of edges as it is, without a mesh and without welding. `rest` are rest positions, m, by
    /// which a coloured plan is arranged.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), or if the settings ask for something that needs triangles.
    pub fn of_edges(
        rest: &[Vector3<f64>],
        edges: EdgeConstraints,
        settings: RelaxSettings,
    ) -> Result<Self, BindError> {
        check_count("rest positions", rest.len(), edges.vertex_count())?;
        check_settings(&settings, rest.len())?;
        for (asked, what) in [
            (settings.pin_borders, "a border"),
            (!settings.extra.is_empty(), "finding extra pairs"),
            (settings.preserve != Preserve::default(), "preserving area or volume"),
            (settings.restore.is_some(), "restoring detail"),
        ] {
            if asked {
                return Err(BindError::NeedsTriangles { what });
            }
        }
        let mut relax = Self::build(rest, Weld::none(rest.len()), edges, settings);
        relax.plan_sweep(rest);
        Ok(relax)
    }

    fn build(points: &[Vector3<f64>], weld: Weld, edges: EdgeConstraints, settings: RelaxSettings) -> Self {
        let (masses, blend) = match &settings.weights {
            VertexWeights::Equal => (vec![1.0; points.len()], None),
            VertexWeights::InverseMass(w) => (weld.take(w), None),
            VertexWeights::Blend(w) => (vec![1.0; points.len()], Some(weld.take(w))),
        };
        Self {
            valence: sequential::valence(&edges),
            settings,
            weld,
            edges,
            masses,
            blend,
            plan: None,
            preserved: None,
            detail: None,
            scratch: Vec::new(),
            input: Vec::new(),
        }
    }

    fn plan_sweep(&mut self, rest: &[Vector3<f64>]) {
        if self.settings.sweep == Sweep::Coloured {
            self.plan = Some(Coloured::new(&self.edges, rest, &self.masses));
        }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &RelaxSettings {
        &self.settings
    }

    /// The edges that are relaxed, between the points behind the vertices.
    #[must_use]
    pub fn edges(&self) -> &EdgeConstraints {
        &self.edges
    }

    /// The points behind the vertices.
    #[must_use]
    pub fn weld(&self) -> &Weld {
        &self.weld
    }

    /// The edges, by their places in [`edges`](Self::edges), in the order of a sweep; none for the Jacobi
    /// mean, which has no order. In a coloured plan edges between fixed points are missing.
    #[must_use]
    pub fn order(&self) -> Option<Vec<u32>> {
        match self.settings.sweep {
            Sweep::Coloured => self.plan.as_ref().map(|plan| plan.order().to_vec()),
            Sweep::Sequential => Some((0..self.edges.pairs().len() as u32).collect()),
            Sweep::JacobiMean => None,
        }
    }

    /// How far the edges are from their rest lengths in some positions, m, one per vertex.
    ///
    /// # Panics
    ///
    /// If there are not as many positions as the rest mesh has.
    #[must_use]
    pub fn residual(&self, positions: &[Vector3<f64>]) -> Residual {
        assert_eq!(positions.len(), self.weld.vertex_count(), "one position per vertex of the rest mesh");
        let first = self.weld.first_vertices();
        let mut residual = Residual::default();
        let (mut sum, mut count) = (0.0, 0_usize);
        for (pair, rest) in self.edges.pairs().iter().zip(self.edges.rest_lengths()) {
            if pair.iter().all(|&p| self.masses[p as usize] == 0.0) {
                continue;
            }
            let pair = pair.map(|p| first[p as usize]);
            let [a, b] = pair.map(|v| positions[v as usize]);
            let error = ((a - b).norm() - rest).abs();
            sum += error * error;
            count += 1;
            if error > residual.max || residual.at.is_none() {
                (residual.max, residual.at) = (error, Some(pair));
            }
        }
        residual.rms = (sum / count.max(1) as f64).sqrt();
        residual
    }

    /// Relaxes the points.
    fn relax(&mut self, x: &mut [Vector3<f64>]) {
        let strength = [self.settings.push, self.settings.pull];
        if self.blend.is_some() {
            self.input.clear();
            self.input.extend_from_slice(x);
        }
        // A run of a plan has a cost at its start and its end, so sweeps with nothing between them form one run.
        let sweeps_together = if self.preserved.is_some() { 1 } else { self.settings.iterations };
        let mut left = self.settings.iterations;
        while left > 0 {
            let sweeps = sweeps_together.min(left);
            left -= sweeps;
            self.sweep(x, sweeps, strength);
            if let Some(preserved) = &mut self.preserved {
                preserved.apply(x, &self.masses);
            }
        }
        if let (Some(detail), Some(restore)) = (&mut self.detail, self.settings.restore) {
            self.scratch.clear();
            self.scratch.extend_from_slice(x);
            detail.restore(&mut self.scratch);
            for ((x, restored), &w) in x.iter_mut().zip(&self.scratch).zip(&self.masses) {
                *x = mix(x, restored, if w == 0.0 { 0.0 } else { restore.strength });
            }
        }
        if let Some(blend) = &self.blend {
            for ((x, input), &share) in x.iter_mut().zip(&self.input).zip(blend) {
                *x = mix(input, x, share);
            }
        }
    }

    fn sweep(&mut self, x: &mut [Vector3<f64>], sweeps: u32, strength: [f64; 2]) {
        if let Some(plan) = &mut self.plan {
            return plan.run(x, sweeps, strength);
        }
        for _ in 0..sweeps {
            if self.settings.sweep == Sweep::JacobiMean {
                let (valence, sum) = (&self.valence, &mut self.scratch);
                sequential::jacobi_mean(x, &self.edges, &self.masses, strength, valence, sum);
            } else {
                sequential::sweep(x, &self.edges, &self.masses, strength);
            }
        }
    }
}

impl Deformer for Relax {
    fn kind(&self) -> &'static str {
        "relax"
    }

    fn vertex_count(&self) -> Option<usize> {
        Some(self.weld.vertex_count())
    }

    fn deform(&mut self, _frame: &FrameTime, positions: &mut [Vector3<f64>]) -> Result<(), DeformError> {
        check_positions(positions, self.weld.vertex_count())?;
        if self.settings.iterations > 0 {
            // Taken out temporarily, so that the points can be passed to the other methods.
            let weld = std::mem::replace(&mut self.weld, Weld::none(0));
            weld.with_points(positions, |points| self.relax(points));
            self.weld = weld;
        }
        Ok(())
    }
}

fn check_settings(settings: &RelaxSettings, vertices: usize) -> Result<(), BindError> {
    check_share("push", settings.push)?;
    check_share("pull", settings.pull)?;
    if let Some(restore) = settings.restore {
        check_share("the share of detail to restore", restore.strength)?;
    }
    match &settings.weights {
        VertexWeights::Equal => Ok(()),
        VertexWeights::InverseMass(w) | VertexWeights::Blend(w) => {
            check_weights("weights of the relaxation", w, vertices)
        }
    }
}
