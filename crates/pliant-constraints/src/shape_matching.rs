//! [`ShapeGroup`]: a group of vertices drawn to its rest shape, wherever that fits best.
//!
//! ```text
//! A = Σ m (x − x_cm)(x̄ − x̄_cm)ᵀ        R = the rotation in A        goals g = R (x̄ − x̄_cm) + x_cm
//! C_i = x_i − g_i  (three rows per vertex)        α_i = α M/m_i        M = Σ m
//! Δx_i = −(C_i + α̃ M u_i) / (1 + α̃ M)        u_i ← u_i + Δx_i        α̃ = α/h²
//! ```
//!
//! Unit of C: m. Unit of the compliance α: m/N, of the group as a whole: its springs to the goals have
//! together the stiffness 1/α, each its share by mass. With that the rule of XPBD becomes the same share of
//! the way for every vertex, u_i = w_i λ_i is what the group has moved vertex i by in this substep, and
//! linear momentum is kept: Σ m g = Σ m x, because centres agree. Angular momentum is kept because Rᵀ A is
//! symmetric, so that Σ m (x − x_cm)×(g − x) = 0; of the remembered u the part that turns the group as a
//! whole, which arises when others move the vertices between two projections, is left out for the same
//! reason. Energy ½ Σ |C_i|²/α_i.
//!
//! α = 0 puts every vertex on its goal. A stiffness k of position based dynamics,
//! [`Update::pbd`](crate::Update::pbd), moves it the share k of the way.
//!
//! *Fixed vertices* (w = 0) do not move, and the shape is laid on them: they weigh a million times the group
//! in the fit.
//!
//! *Damping* is that of [`project_damped`](crate::project_damped), with the rate of C in the turning frame of
//! the group, so that rigid motion is not damped.
//!
//! Source: Müller, Heidelberger, Teschner & Gross, "Meshless deformations based on shape matching" (2005),
//! sections 3.3 and 3.4; the compliance is that of Macklin et al. 2016 for springs of zero length to the
//! goals. Their linear and quadratic modes are not here.
//!
//! *Hazard.* A group that has collapsed to a line or a point, or turned inside out, has several best
//! rotations; [`best_rotation`] chooses one, and the result is finite. A group turned inside out is turned
//! back through itself. Large groups hold their shape as a whole only: they do not bend locally; use several
//! that overlap.

use nalgebra::{Matrix3, Vector3};

use crate::points::Points;
use crate::project::Update;
use crate::rotation::{best_rotation, eigen};

/// The weight of all fixed vertices of a group together in the fit, in masses of the group.
const FIXED: f64 = 1e6;

/// Why a list of vertices does not make a group.
#[derive(Debug, Clone, PartialEq)]
pub enum ShapeError {
    /// The lists of vertices, rest positions and masses differ in length, or are empty.
    Counts {
        /// Number of vertices.
        vertices: usize,
        /// Number of rest positions.
        rest: usize,
        /// Number of masses.
        masses: usize,
    },
    /// A mass is not a positive number.
    Mass {
        /// Place in the list.
        at: usize,
        /// The mass, kg.
        value: f64,
    },
    /// A rest position is infinite or NaN.
    Rest {
        /// Place in the list.
        at: usize,
    },
    /// A vertex is in the list twice.
    Repeated {
        /// The vertex.
        vertex: u32,
    },
}

impl std::fmt::Display for ShapeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Counts { vertices, rest, masses } => write!(
                f,
                "a shape group needs as many rest positions and masses as vertices, at least one; there are {vertices} vertices, {rest} rest positions and {masses} masses"
            ),
            Self::Mass { at, value } => {
                write!(
                    f,
                    "mass {at} of a shape group is {value} kg; it must be positive and finite, that of a pinned vertex too"
                )
            }
            Self::Rest { at } => write!(f, "rest position {at} of a shape group is infinite or NaN"),
            Self::Repeated { vertex } => write!(f, "vertex {vertex} is in a shape group twice"),
        }
    }
}

impl std::error::Error for ShapeError {}

/// A group of vertices with its rest shape.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapeGroup {
    vertices: Vec<u32>,
    masses: Vec<f64>,
    /// Rest positions about their centre of mass, m.
    rest: Vec<Vector3<f64>>,
    mass: f64,
}

/// Where the rest shape fits best: a point p̄ of it, about its centre of mass, goes to R (p̄ − `rest_centre`) + `centre`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestFit {
    /// The rotation R.
    pub rotation: Matrix3<f64>,
    /// Weighted centre of the positions, m.
    pub centre: Vector3<f64>,
    /// Weighted centre of the rest shape about its centre of mass, m: zero unless vertices are fixed.
    pub rest_centre: Vector3<f64>,
}

impl BestFit {
    /// Where a point of the rest shape, given about its centre of mass, belongs, m.
    #[must_use]
    pub fn goal(&self, rest: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * (rest - self.rest_centre) + self.centre
    }
}

/// Damping of a [`ShapeGroup`].
#[derive(Debug, Clone, Copy)]
pub struct ShapeDamping<'a> {
    /// Deviations at the start of the substep, from [`ShapeGroup::deviations`], m.
    pub previous: &'a [Vector3<f64>],
    /// γ = τ/h, relaxation time over substep.
    pub gamma: f64,
}

impl ShapeGroup {
    /// The group of `vertices` with the rest positions `rest`, m, and `masses`, kg: those of the particles,
    /// and what they would be without the pin where one is fixed.
    ///
    /// # Errors
    ///
    /// If the lists differ in length or are empty, a vertex is there twice, a mass is not positive, or a rest
    /// position is not finite.
    pub fn new(vertices: Vec<u32>, rest: &[Vector3<f64>], masses: Vec<f64>) -> Result<Self, ShapeError> {
        if vertices.is_empty() || rest.len() != vertices.len() || masses.len() != vertices.len() {
            return Err(ShapeError::Counts {
                vertices: vertices.len(),
                rest: rest.len(),
                masses: masses.len(),
            });
        }
        if let Some(at) = masses.iter().position(|m| !(*m > 0.0 && *m < f64::INFINITY)) {
            return Err(ShapeError::Mass { at, value: masses[at] });
        }
        if let Some(at) = rest.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
            return Err(ShapeError::Rest { at });
        }
        let mut sorted = vertices.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ShapeError::Repeated { vertex: pair[0] });
        }
        let mass: f64 = masses.iter().sum();
        let offset = |x: &Vector3<f64>| x - rest[0];
        let centre = rest.iter().zip(&masses).map(|(x, m)| offset(x) * *m).sum::<Vector3<f64>>() / mass;
        let rest = rest.iter().map(|x| offset(x) - centre).collect();
        Ok(Self { vertices, masses, rest, mass })
    }

    /// The vertices, in the order of every list about the group.
    #[must_use]
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Mass of the group, kg.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Where the rest shape fits best. Sums run in the order of the vertices.
    #[must_use]
    pub fn fit(&self, points: &impl Points) -> BestFit {
        let fixed = self.vertices.iter().filter(|&&v| points.inverse_mass(v) == 0.0).count();
        let heavy = FIXED * self.mass / fixed.max(1) as f64;
        let weight =
            |i: usize| if points.inverse_mass(self.vertices[i]) == 0.0 { heavy } else { self.masses[i] };
        let first = points.position(self.vertices[0]);
        let (mut total, mut centre, mut rest_centre) = (0.0, Vector3::zeros(), Vector3::zeros());
        for (i, &v) in self.vertices.iter().enumerate() {
            let m = weight(i);
            total += m;
            centre += (points.position(v) - first) * m;
            rest_centre += self.rest[i] * m;
        }
        centre = first + centre / total;
        rest_centre /= total;
        let mut a = Matrix3::zeros();
        for (i, &v) in self.vertices.iter().enumerate() {
            let arm = (points.position(v) - centre) * weight(i);
            a += arm * (self.rest[i] - rest_centre).transpose();
        }
        BestFit { rotation: best_rotation(&a), centre, rest_centre }
    }

    /// The deviations Rᵀ (x − g) from the goals in the frame of the rest shape, m, in the order of the vertices.
    ///
    /// # Panics
    ///
    /// If `deviations` is not as long as the list of vertices.
    pub fn deviations(&self, points: &impl Points, deviations: &mut [Vector3<f64>]) {
        assert_eq!(deviations.len(), self.vertices.len(), "one deviation per vertex");
        let pose = self.fit(points);
        for (i, deviation) in deviations.iter_mut().enumerate() {
            let gap = points.position(self.vertices[i]) - pose.goal(&self.rest[i]);
            *deviation = pose.rotation.transpose() * gap;
        }
    }

    /// One projection: writes what every vertex moves by into `displacements`, m, and adds it to `moved`.
    ///
    /// `alpha_tilde` is α/h², 1/kg. `moved` replaces the multipliers, u = wλ, m: zero at the start of every
    /// substep, one vector per vertex.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_constraints::{PointSlices, ShapeGroup, Update};
    ///
    /// let rest: [Vector3<f64>; 3] = [Vector3::zeros(), Vector3::x(), Vector3::y()];
    /// let group = ShapeGroup::new(vec![0, 1, 2], &rest, vec![1.0; 3])?;
    /// // Moved, and one corner pulled out.
    /// let x = rest.map(|p| p * if p == Vector3::y() { 2.0 } else { 1.0 } + Vector3::z());
    /// let (mut moved, mut dx) = ([Vector3::zeros(); 3], [Vector3::zeros(); 3]);
    /// group.step(&PointSlices { x: &x, w: &[1.0; 3] }, 0.0, None, Update::xpbd(), &mut moved, &mut dx);
    /// let (a, b) = (x[1] + dx[1] - x[0] - dx[0], x[2] + dx[2] - x[0] - dx[0]);
    /// assert!((a.norm() - 1.0).abs() < 1e-15 && (b.norm() - 1.0).abs() < 1e-15);
    /// assert!(dx.iter().sum::<Vector3<f64>>().norm() < 1e-15);
    /// # Ok::<(), pliant_constraints::ShapeError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If a list is not as long as that of the vertices.
    pub fn step(
        &self,
        points: &impl Points,
        alpha_tilde: f64,
        damping: Option<ShapeDamping<'_>>,
        update: Update<f64>,
        moved: &mut [Vector3<f64>],
        displacements: &mut [Vector3<f64>],
    ) {
        let count = self.vertices.len();
        assert_eq!([moved.len(), displacements.len()], [count; 2], "one vector per vertex");
        let pose = self.fit(points);
        let softness = alpha_tilde * self.mass;
        let damping = damping.filter(|_| alpha_tilde > 0.0);
        let gamma = damping.map_or(0.0, |d| d.gamma);
        // The history terms: the pull of the displacement so far, and the positions of the vertices a substep ago.
        for i in 0..count {
            displacements[i] = moved[i] * (update.memory * softness);
            if let Some(damping) = damping {
                displacements[i] -= pose.rotation * damping.previous[i] * gamma;
            }
        }
        self.take_out_turning(points, &pose, displacements);
        for (i, &v) in self.vertices.iter().enumerate() {
            let x = points.position(v);
            let gap = x - pose.goal(&self.rest[i]);
            let free = if points.inverse_mass(v) == 0.0 { 0.0 } else { 1.0 };
            let by = (gap * (update.scale + gamma) + displacements[i]) * (-free / (1.0 + gamma + softness));
            displacements[i] = by;
            moved[i] += by;
        }
    }

    /// Takes the part out of a field of vectors over the vertices that is a rotation of the group as a whole.
    fn take_out_turning(&self, points: &impl Points, pose: &BestFit, field: &mut [Vector3<f64>]) {
        let (mut torque, mut inertia) = (Vector3::zeros(), [[0.0; 3]; 3]);
        for (i, &v) in self.vertices.iter().enumerate() {
            let r = points.position(v) - pose.centre;
            torque += r.cross(&field[i]) * self.masses[i];
            for (a, row) in inertia.iter_mut().enumerate() {
                for (b, entry) in row.iter_mut().enumerate() {
                    let square = if a == b { r.dot(&r) } else { 0.0 };
                    *entry += self.masses[i] * (square - r[a] * r[b]);
                }
            }
        }
        if torque == Vector3::zeros() {
            return;
        }
        let (moments, axes) = eigen(inertia);
        let largest = moments.iter().copied().fold(0.0, f64::max);
        let mut omega = Vector3::zeros();
        for (moment, axis) in moments.iter().zip(axes) {
            // A rod has no inertia about its own axis, and no torque about it either.
            if *moment > 1e-12 * largest {
                let axis = Vector3::from(axis);
                omega += axis * (axis.dot(&torque) / moment);
            }
        }
        for (i, &v) in self.vertices.iter().enumerate() {
            field[i] -= omega.cross(&(points.position(v) - pose.centre));
        }
    }

    /// The longest residual |C + α̃ M u| of a free vertex, m, and its place in the list of vertices; of a
    /// group without damping.
    ///
    /// # Panics
    ///
    /// If `moved` is not as long as the list of vertices.
    #[must_use]
    pub fn residual(&self, points: &impl Points, alpha_tilde: f64, moved: &[Vector3<f64>]) -> (f64, usize) {
        assert_eq!(moved.len(), self.vertices.len(), "one vector per vertex");
        let pose = self.fit(points);
        let mut worst = (0.0, 0);
        for (i, &v) in self.vertices.iter().enumerate() {
            if points.inverse_mass(v) > 0.0 {
                let gap = points.position(v) - pose.goal(&self.rest[i]);
                let left = (gap + moved[i] * (alpha_tilde * self.mass)).norm();
                if left > worst.0 || left.is_nan() {
                    worst = (left, i);
                }
            }
        }
        worst
    }

    /// The elastic energy ½ Σ |C_i|²/α_i, J, at the compliance `alpha`, m/N; zero for a rigid group.
    #[must_use]
    pub fn energy(&self, points: &impl Points, alpha: f64) -> f64 {
        if alpha <= 0.0 {
            return 0.0;
        }
        let pose = self.fit(points);
        let mut sum = 0.0;
        for (i, &v) in self.vertices.iter().enumerate() {
            sum += self.masses[i] * (points.position(v) - pose.goal(&self.rest[i])).norm_squared();
        }
        0.5 * sum / (alpha * self.mass)
    }
}
