//! [`GlobalVolume`]: the volume inside a closed surface, as one constraint over all of its vertices.
//!
//! ```text
//! V = Σ a×b·c/6 over the triangles (a, b, c)        C = V − k V₀
//! ∂C/∂a = Σ (b − a)×(c − a)/6 over the triangles at a
//! Δλ = −(C + α̃λ) / (Σ w |∂C/∂x|² + α̃)        Δx = w Δλ ∂C/∂x
//! ```
//!
//! Unit of C: m³. Unit of the compliance: m⁶/J = m³/Pa. The gradient is a third of the area vector of the
//! triangles at a vertex, the same as Σ b×c/6 where the surface is closed, and it does not lose digits far
//! from the origin.
//!
//! *Pressure.* The constraint acts as an overpressure p = λ/h² = (k V₀ − V)/α on the inside
//! ([`overpressure`]). A factor k above one inflates. For a wanted overpressure p at the rest volume take k =
//! 1 + pα/V₀ ([`pressure_factor`]); the softer the gas, the less p depends on the volume, and a compliance
//! far above V₀/p is constant pressure. Gas at the absolute pressure P has α = V/(κP), κ = 1 where it keeps
//! its temperature and 1.4 for quick changes of air ([`gas_compliance`]).
//!
//! *Sums.* Everything is summed in `f64`, in chunks of [`SUM_CHUNK`] triangles or vertices in order, and the
//! chunks in order: a solver may compute them in parallel and gets the same bits.
//!
//! Source: Müller, Heidelberger, Hennix & Ratcliff 2007, section 4.3 (cloth balloons), with the compliance of
//! Macklin et al. 2016, eqs. 17 and 18.
//!
//! *Hazard.* A surface with a hole has no volume: its C depends on the place of the origin and its gradients
//! do not cancel, so it would push itself through space. [`ClosedSurface::new`] reports where the hole is.
//! Where a surface has collapsed to a line the gradients vanish; as in [`TetVolume`](crate::TetVolume)
//! nothing is done then. A surface turned inside out has a negative volume, and a negative rest volume holds
//! it there.

use nalgebra::Vector3;

use crate::points::Points;
use crate::project::Update;

/// Triangles or vertices that are summed one after the other before sums are added to each other.
pub const SUM_CHUNK: usize = 1024;

/// An edge whose triangles do not cancel: it belongs to a hole, or its triangles are oriented against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenEdge {
    /// The two vertices of the edge, the smaller first.
    pub vertices: [u32; 2],
    /// How many more triangles run along the edge from the first to the second vertex than back.
    pub surplus: i32,
}

impl std::fmt::Display for OpenEdge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [a, b] = self.vertices;
        write!(
            f,
            "the surface is not closed: the triangles at the edge {a}–{b} do not cancel (surplus {}); fill the hole or orient the triangles alike",
            self.surplus
        )
    }
}

impl std::error::Error for OpenEdge {}

/// The triangles of a closed surface, and for each vertex those that meet there.
#[derive(Debug, Clone)]
pub struct ClosedSurface {
    triangles: Vec<[u32; 3]>,
    /// The vertices of the triangles, ascending, each once.
    vertices: Vec<u32>,
    /// First of the `links` of every vertex, and the end.
    starts: Vec<usize>,
    /// The two further corners of every triangle at a vertex, triangles ascending.
    links: Vec<[u32; 2]>,
}

impl ClosedSurface {
    /// A surface of triangles that are oriented alike, counter-clockwise seen from outside. It may have
    /// several parts; their volumes are added.
    ///
    /// # Errors
    ///
    /// The first edge, by its vertices, at which the directions of the triangles do not cancel.
    pub fn new(triangles: &[[u32; 3]]) -> Result<Self, OpenEdge> {
        let mut edges: Vec<([u32; 2], i32)> = triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| if a < b { ([a, b], 1) } else { ([b, a], -1) })
            .collect();
        edges.sort_unstable();
        for chunk in edges.chunk_by(|a, b| a.0 == b.0) {
            let surplus = chunk.iter().map(|e| e.1).sum();
            if surplus != 0 {
                return Err(OpenEdge { vertices: chunk[0].0, surplus });
            }
        }
        let mut corners: Vec<(u32, usize, [u32; 2])> = triangles
            .iter()
            .enumerate()
            .flat_map(|(t, &[a, b, c])| [(a, t, [b, c]), (b, t, [c, a]), (c, t, [a, b])])
            .collect();
        corners.sort_unstable();
        let mut vertices = Vec::new();
        let mut starts = Vec::new();
        let mut links = Vec::with_capacity(corners.len());
        for (v, _, others) in corners {
            if vertices.last() != Some(&v) {
                vertices.push(v);
                starts.push(links.len());
            }
            links.push(others);
        }
        starts.push(links.len());
        Ok(Self { triangles: triangles.to_vec(), vertices, starts, links })
    }

    /// The vertices of the surface, ascending: gradients are listed in this order.
    #[must_use]
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// The triangles.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Number of chunks of [`SUM_CHUNK`] triangles.
    #[must_use]
    pub fn triangle_chunks(&self) -> usize {
        self.triangles.len().div_ceil(SUM_CHUNK)
    }

    /// The contribution of a chunk of triangles to the volume, m³.
    ///
    /// # Panics
    ///
    /// If there is no such chunk.
    #[must_use]
    pub fn volume_of_chunk(&self, chunk: usize, points: &impl Points) -> f64 {
        // Any point will do for the origin of a closed surface; one nearby keeps the digits.
        let origin = points.position(self.triangles[0][0]);
        let end = self.triangles.len().min((chunk + 1) * SUM_CHUNK);
        let mut sum = 0.0;
        for triangle in &self.triangles[chunk * SUM_CHUNK..end] {
            let [a, b, c] = triangle.map(|v| points.position(v) - origin);
            sum += a.cross(&b).dot(&c);
        }
        sum / 6.0
    }

    /// The enclosed volume, m³, negative inside out.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_constraints::{ClosedSurface, PointSlices};
    ///
    /// let tetrahedron = ClosedSurface::new(&[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let x = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::<f64>::z()];
    /// assert_eq!(tetrahedron.volume(&PointSlices { x: &x, w: &[1.0; 4] }), 1.0 / 6.0);
    /// # Ok::<(), pliant_constraints::OpenEdge>(())
    /// ```
    #[must_use]
    pub fn volume(&self, points: &impl Points) -> f64 {
        (0..self.triangle_chunks()).map(|chunk| self.volume_of_chunk(chunk, points)).sum()
    }

    /// ∂V/∂x of the vertex `vertices()[k]`, m².
    ///
    /// # Panics
    ///
    /// If there is no such vertex.
    #[must_use]
    pub fn gradient(&self, k: usize, points: &impl Points) -> Vector3<f64> {
        let a = points.position(self.vertices[k]);
        let mut sum = Vector3::zeros();
        for &[b, c] in &self.links[self.starts[k]..self.starts[k + 1]] {
            sum += (points.position(b) - a).cross(&(points.position(c) - a));
        }
        sum / 6.0
    }

    /// Number of chunks of [`SUM_CHUNK`] vertices.
    #[must_use]
    pub fn vertex_chunks(&self) -> usize {
        self.vertices.len().div_ceil(SUM_CHUNK)
    }

    /// Writes the gradients of a chunk of vertices, m², in the order of [`vertices`](Self::vertices), and
    /// returns their sums. `previous` are the points at the start of the substep, where the constraint is
    /// damped.
    ///
    /// # Panics
    ///
    /// If there is no such chunk, or `gradients` is not as long as it.
    pub fn gradients_of_chunk<P: Points>(
        &self,
        chunk: usize,
        points: &P,
        previous: Option<&P>,
        gradients: &mut [Vector3<f64>],
    ) -> VolumeSums {
        let start = chunk * SUM_CHUNK;
        let vertices = &self.vertices[start..self.vertices.len().min(start + SUM_CHUNK)];
        assert_eq!(gradients.len(), vertices.len(), "one gradient per vertex");
        let mut sums = VolumeSums::default();
        for (k, (&v, gradient)) in vertices.iter().zip(gradients).enumerate() {
            let g = self.gradient(start + k, points);
            let w = points.inverse_mass(v);
            sums.inverse_mass += w * g.dot(&g);
            sums.weight += w;
            if let Some(previous) = previous {
                sums.change += g.dot(&(points.position(v) - previous.position(v)));
            }
            *gradient = g;
        }
        sums
    }

    /// The gradients of all vertices, m², in the order of [`vertices`](Self::vertices), and their sums.
    ///
    /// # Panics
    ///
    /// If `gradients` is not as long as the list of vertices.
    pub fn gradients<P: Points>(
        &self,
        points: &P,
        previous: Option<&P>,
        gradients: &mut [Vector3<f64>],
    ) -> VolumeSums {
        assert_eq!(gradients.len(), self.vertices.len(), "one gradient per vertex");
        let mut total = VolumeSums::default();
        for (chunk, gradients) in gradients.chunks_mut(SUM_CHUNK).enumerate() {
            total += self.gradients_of_chunk(chunk, points, previous, gradients);
        }
        total
    }
}

/// The sums over the vertices that a projection needs; the sums of chunks are added in the order of the chunks.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct VolumeSums {
    /// Σ w |∂C/∂x|², m⁴/kg.
    pub inverse_mass: f64,
    /// Σ w, 1/kg.
    pub weight: f64,
    /// Σ ∂C/∂x·(x − x_prev), m³, where damped.
    pub change: f64,
}

impl std::ops::AddAssign for VolumeSums {
    fn add_assign(&mut self, other: Self) {
        self.inverse_mass += other.inverse_mass;
        self.weight += other.weight;
        self.change += other.change;
    }
}

/// Damping of a constraint over many points; see [`project_damped`](crate::project_damped).
#[derive(Debug)]
pub struct GroupDamping<'a, P> {
    /// The points at the start of the substep.
    pub previous: &'a P,
    /// γ = τ/h, relaxation time over substep.
    pub gamma: f64,
}

// Derived, these would ask the same of `P`.
impl<P> Clone for GroupDamping<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for GroupDamping<'_, P> {}

/// The state of a [`GlobalVolume`] during a substep.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeState {
    /// The multiplier λ, Pa·s²; to be set to zero at the start of every substep.
    pub lambda: f64,
    /// The gradients of the last projection, m², in the order of [`ClosedSurface::vertices`].
    pub gradients: Vec<Vector3<f64>>,
}

impl VolumeState {
    /// The state of a constraint on `surface` at the start of a substep.
    #[must_use]
    pub fn new(surface: &ClosedSurface) -> Self {
        Self { lambda: 0.0, gradients: vec![Vector3::zeros(); surface.vertices.len()] }
    }
}

/// Keeps the volume inside a [`ClosedSurface`] at `factor` times `rest`.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{ClosedSurface, GlobalVolume, PointSlices, Update, VolumeState};
///
/// let surface = ClosedSurface::new(&[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let mut x = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::<f64>::z()];
/// let twice = GlobalVolume { rest: 1.0 / 6.0, factor: 2.0 };
/// let (mut state, w) = (VolumeState::new(&surface), [1.0; 4]);
/// for _ in 0..5 {
///     let delta = twice.step(&surface, &PointSlices { x: &x, w: &w }, 0.0, None, Update::xpbd(), &mut state);
///     for (&v, g) in surface.vertices().iter().zip(&state.gradients) {
///         x[v as usize] += g * (w[v as usize] * delta);
///     }
/// }
/// let volume = surface.volume(&PointSlices { x: &x, w: &[1.0; 4] });
/// assert!((volume - 1.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), pliant_constraints::OpenEdge>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlobalVolume {
    /// Rest volume V₀, m³.
    pub rest: f64,
    /// Pressure factor k: 1 keeps the rest volume, more inflates.
    pub factor: f64,
}

impl GlobalVolume {
    /// C = V − k V₀, m³, from the volume V.
    #[must_use]
    pub fn value(&self, volume: f64) -> f64 {
        volume - self.factor * self.rest
    }

    /// The elastic energy ½ C²/α, J, at the compliance `alpha`, m³/Pa; zero where it is rigid.
    #[must_use]
    pub fn energy(&self, volume: f64, alpha: f64) -> f64 {
        let c = self.value(volume);
        if alpha > 0.0 { 0.5 * c * c / alpha } else { 0.0 }
    }

    /// One projection: updates λ and the gradients in `state` and returns Δλ. The caller moves every vertex by w Δλ g.
    ///
    /// `alpha_tilde` is α/h², m³/(Pa·s²).
    ///
    /// This is [`ClosedSurface::volume`], [`ClosedSurface::gradients`] and
    /// [`multiplier_step`](Self::multiplier_step) one after the other; the first two can be done in parallel,
    /// chunk by chunk.
    ///
    /// # Panics
    ///
    /// If `state` is that of a surface with another number of vertices.
    pub fn step<P: Points>(
        &self,
        surface: &ClosedSurface,
        points: &P,
        alpha_tilde: f64,
        damping: Option<GroupDamping<'_, P>>,
        update: Update<f64>,
        state: &mut VolumeState,
    ) -> f64 {
        let volume = surface.volume(points);
        let sums = surface.gradients(points, damping.map(|d| d.previous), &mut state.gradients);
        let gamma = damping.map_or(0.0, |d| d.gamma);
        self.multiplier_step(volume, &sums, alpha_tilde, gamma, update, state)
    }

    /// Δλ from a volume, m³, and the sums over the vertices, added to λ in `state`; `gamma` is τ/h, zero
    /// without damping.
    pub fn multiplier_step(
        &self,
        volume: f64,
        sums: &VolumeSums,
        alpha_tilde: f64,
        gamma: f64,
        update: Update<f64>,
        state: &mut VolumeState,
    ) -> f64 {
        let gamma = if alpha_tilde > 0.0 { gamma } else { 0.0 };
        // The area below which the gradient of a vertex is noise: as for a tetrahedron, shared by the vertices.
        let area = libm::cbrt(self.rest * self.rest) / state.gradients.len().max(1) as f64;
        let floor = (1e-7 * area) * (1e-7 * area) * sums.weight;
        if sums.inverse_mass <= floor {
            return 0.0;
        }
        let error = update.scale * self.value(volume)
            + update.memory * alpha_tilde * state.lambda
            + gamma * sums.change;
        let delta = -error / ((1.0 + gamma) * sums.inverse_mass + alpha_tilde);
        state.lambda += delta;
        delta
    }

    /// C + α̃λ, or with damping C + α̃λ + γ Σ g·(x − x_prev), m³: the residual of the equation.
    #[must_use]
    pub fn residual<P: Points>(
        &self,
        surface: &ClosedSurface,
        points: &P,
        alpha_tilde: f64,
        damping: Option<GroupDamping<'_, P>>,
        lambda: f64,
    ) -> f64 {
        let mut left = self.value(surface.volume(points)) + alpha_tilde * lambda;
        if let Some(GroupDamping { previous, gamma }) = damping
            && alpha_tilde > 0.0
        {
            let mut gradients = vec![Vector3::zeros(); surface.vertices.len()];
            left += gamma * surface.gradients(points, Some(previous), &mut gradients).change;
        }
        left
    }
}

/// The overpressure inside, Pa, that a multiplier λ of a substep of `h` seconds stands for: λ/h².
#[must_use]
pub fn overpressure(lambda: f64, h: f64) -> f64 {
    lambda / (h * h)
}

/// The factor k = 1 + pα/V₀ that gives the overpressure `pressure`, Pa, at the rest volume `rest`, m³, with
/// the compliance `alpha`, m³/Pa.
///
/// ```
/// // A ball of ten litres at 50 kPa over the air around it, as stiff as the air in it.
/// let alpha = pliant_constraints::gas_compliance(0.01, 151_325.0, 1.0);
/// let k = pliant_constraints::pressure_factor(50_000.0, alpha, 0.01);
/// assert!((k - 1.33).abs() < 0.01);
/// ```
#[must_use]
pub fn pressure_factor(pressure: f64, alpha: f64, rest: f64) -> f64 {
    1.0 + pressure * alpha / rest
}

/// The compliance α = V/(κP), m³/Pa, of an ideal gas that fills `volume`, m³, at the absolute pressure `pressure`, Pa.
///
/// `exponent` κ is 1 for slow changes (constant temperature) and the adiabatic exponent, 1.4 for air, for
/// quick ones. It is the slope of P V^κ = const at that volume: right for small changes.
#[must_use]
pub fn gas_compliance(volume: f64, pressure: f64, exponent: f64) -> f64 {
    volume / (exponent * pressure)
}
