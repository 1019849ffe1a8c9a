//! [`FrameReport`]: how good the state at the end of a frame is.

use std::borrow::Cow;

use nalgebra::Vector3;
use pliant_kernel::{Distribution, Peak};

use crate::auto::Choice;
use crate::collide::tally::Tally;

/// Residuals, strains, energies and momenta at the end of a frame.
///
/// # What is known of the error
///
/// The exact solution of a substep satisfies M(x − x̃) = ∇Cᵀλ and C + α̃λ = 0. With their residuals, e of
/// every particle ([`motion`](Self::motion)) and r of every row ([`residuals`](Self::residuals)), the
/// distance Δx to that solution satisfies, exactly where constraints are linear and else to first order in
/// Δx, as far as their geometric stiffness −Σ λ ∂²C is not negative (edges in tension; an edge that pushes
/// from d to r within the substep makes it larger by r/d),
///
/// ```text
/// Σ m |Δx|²  ≤  Σ m |e|² + Σ r²/(α̃ (1 + γ))
/// ```
///
/// because (M + Jᵀα̃⁻¹J) Δx = −(M e + Jᵀα̃⁻¹r): take the product with Δx and use the Cauchy–Schwarz
/// inequality. [`step_error`](Self::step_error) is the square root of the right side over the total mass. It
/// needs every row to be compliant: for rigid ones, contacts among them, the right side has no bound, and
/// none is reported. It bounds the error of *one* substep, from the state in which the substep began; errors
/// of many substeps add up or decay, depending on the scene.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FrameReport {
    /// Number of steps taken.
    pub frame: u64,
    /// Time at the end of the frame, s.
    pub time: f64,
    /// Residual of every group of constraints in the order in which they are solved; contacts, if there are
    /// obstacles, are last. By name in a file.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::by_name"))]
    pub residuals: Vec<GroupResidual>,
    /// Residual of the equation of motion, after a step of a simulation that is
    /// [monitored](crate::Settings::certificate).
    pub motion: Option<MotionResidual>,
    /// Bound on the distance from the exact solution of the last substep, m, if there is one: root mean
    /// square over the mass. See [`FrameReport`].
    pub step_error: Option<f64>,
    /// Stretch of the edges, if any edge is constrained.
    pub stretch: Option<Stretch>,
    /// Changes of the lengths relative to rest, (L − L₀)/L₀, if any edge is constrained; a
    /// [sample](Distribution) if there are many.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub stretches: Option<Distribution>,
    /// Volume of the tetrahedra, if any is constrained.
    pub volume: Option<VolumeError>,
    /// Changes of the volumes relative to rest, (V − V₀)/V₀, if any is constrained; a [sample](Distribution)
    /// if there are many.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub volumes: Option<Distribution>,
    /// Tetrahedra whose kind is the cause of a problem.
    pub suspects: Suspects,
    /// How far open the seams are, in their order; none of a simulation without seams. By name in a file.
    #[cfg_attr(feature = "serde", serde(default, with = "crate::serial::by_name"))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub seams: Vec<SeamGap>,
    /// Contact between surfaces, if bodies [collide](crate::Collide).
    pub collisions: Option<Tally>,
    /// How particles met obstacles within the substeps of the frame, of a simulation that is monitored and has
    /// obstacles.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub impacts: Option<Impacts>,
    /// Energies of the particles that can move; in a file `kinetic_energy` and so on, at the same level as
    /// the other fields.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub energy: Energy,
    /// Linear momentum Σ m v of the particles that can move, kg·m/s.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::vector"))]
    pub linear_momentum: Vector3<f64>,
    /// Angular momentum Σ x × m v about the origin, kg·m²/s.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::vector"))]
    pub angular_momentum: Vector3<f64>,
    /// Work of the contacts since the start, J, friction and bouncing included, of a simulation that is monitored.
    pub contact_work: Option<f64>,
    /// Work of pins and targets that move since the start, [grabs](crate::Simulation::grab) included, J, of a
    /// simulation that is monitored and has such pins: their forces times their displacements.
    pub pin_work: Option<f64>,
    /// Work of the wind, of [seams](crate::Seam) that close, of inserted [passes](crate::Pass) and of
    /// [calls](crate::Simulation::set_force) since the start, J, of a simulation that is monitored and has
    /// any of these.
    pub wind_work: Option<f64>,
    /// Whether something works on the particles that the report does not measure: in a simulation that is not
    /// monitored a pin or target that moves, or wind; in one that is monitored a pin that moves part of a
    /// [matched shape](crate::Body::keep_shape), whose impulse on single particles is not known.
    pub driven: bool,
    /// Changes whenever a pin is added or released, particles are moved by a call, or bodies are added or
    /// removed: energies before and after belong to different particles.
    pub pin_version: u64,
    /// Substeps of the frame.
    pub substeps: u32,
    /// How the frame was solved, if [`Method::Auto`](crate::Method::Auto) chose it; `None` before the first frame.
    pub choice: Option<Choice>,
    /// Mass and momenta of every body.
    pub bodies: Vec<BodyMotion>,
    /// Largest speed of a particle, m/s, and the particle.
    pub fastest: Peak,
    /// Largest speed of a particle relative to the centre of mass of its body, m/s, and the particle.
    pub fastest_beside: Peak,
    /// Largest coordinate of a particle, m, and the particle: how far from the origin the scene reaches.
    pub farthest: Peak,
    /// Number of particles in contact with an obstacle.
    pub contacts: usize,
    /// Equal only if every bit of positions and velocities is equal; hexadecimal in a file.
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::hash"))]
    pub state_hash: u64,
}

/// Residual |C + α̃λ| of a group: the error of the equations that the solver solves.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct GroupResidual {
    /// Name of the group; in a file, the key of the residual.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub name: String,
    /// Unit of the numbers.
    pub unit: Cow<'static, str>,
    /// Number of constraints that act.
    pub constraints: usize,
    /// Mean distance of their points at the start, m, by which residuals are divided in the
    /// [accuracy](FrameReport::accuracy). `None` for contacts and other constraints that are found while the
    /// simulation runs, and for those with a stiffness between 0 and 1.
    pub length: Option<f64>,
    /// Whether none of them is compliant: then multipliers have no part in the residual, which is |C|.
    pub rigid: bool,
    /// Largest residual and its constraint (for contacts: the particle).
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serial::Largest"))]
    pub max: Peak,
    /// Root of the mean square over all rows.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub rms: f64,
}

/// How far open a seam is: how far its vertices are from the places that they are sewn to.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SeamGap {
    /// Name of the seam. A file has the gap under it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub name: String,
    /// Number of its pairs.
    pub pairs: usize,
    /// Largest gap, m, and the pair that has it, counted from 0.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serial::Largest"))]
    pub max: Peak,
    /// Mean gap, m.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub mean: f64,
}

/// Residual of the equation of motion, e = x − x̃ − w Σ∇Cᵀλ of every particle: the part of the last substep
/// that no force at its end explains.
///
/// In `f32` it does not fall below the rounding of positions, some 10⁻⁷ of their distance from the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionResidual {
    /// Largest |e|, m, and its particle.
    pub max: Peak,
    /// Root of the mean square over the particles that can move, m.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub rms: f64,
}

/// How particles met obstacles within the substeps of a frame. A state that was read from a snapshot does not
/// know it of the frame before.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Impacts {
    /// How often a particle went through an obstacle within a substep, from one side to the other.
    pub passed: usize,
    /// The first particle that did.
    pub first_passed: Option<usize>,
    /// Largest displacement of a particle in a substep relative to an obstacle that it touched or went
    /// through, m, and the particle.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serial::Largest"))]
    pub way: Peak,
}

/// A body as a whole: the part of it that can move.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BodyMotion {
    /// Its name.
    pub name: String,
    /// Mass, kg.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub mass: f64,
    /// Centre of mass, m.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::vector"))]
    pub centre: Vector3<f64>,
    /// Linear momentum, kg·m/s.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::vector"))]
    pub linear_momentum: Vector3<f64>,
    /// Angular momentum about the centre of mass, kg·m²/s.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::vector"))]
    pub angular_momentum: Vector3<f64>,
    /// Whether gravity is the only external force since the start: then its linear momentum changes by m g t
    /// and its angular momentum not at all.
    pub free: bool,
}

/// Change of the constrained lengths relative to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Stretch {
    /// Largest elongation (L − L₀)/L₀.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serial::Largest"))]
    pub max: Peak,
    /// Largest compression (L₀ − L)/L₀.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serial::LargestCompression"))]
    pub max_compression: Peak,
    /// Mean of |L − L₀|/L₀.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub mean: f64,
}

/// Change of the constrained volumes relative to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct VolumeError {
    /// Largest |V − V₀|/V₀.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serial::Largest"))]
    pub max: Peak,
    /// Number of elements that are flat or inside out.
    pub inverted: usize,
    /// The first of them.
    pub first_inverted: Option<usize>,
}

/// Tetrahedra of solids of a material whose kind is the cause of a problem. They are not searched if the
/// [guard](crate::Settings::recover) is off, nor in solids with rigid edges and volumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Suspects {
    /// Tetrahedra that are flat or inside out and slivers at rest: with a [radius
    /// ratio](pliant_mesh::radius_ratio) below 0.02. `None` if there are no slivers.
    pub slivers: Option<usize>,
    /// Those of Saint Venant–Kirchhoff material. `None` if there are none.
    pub stvk: Option<Softened>,
}

/// Tetrahedra of Saint Venant–Kirchhoff material in a state that it is not meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Softened {
    /// Tetrahedra that are compressed below 1/√3 of their length along some axis, where the material gets softer.
    pub pressed: usize,
    /// The first of those, by its number among the tetrahedra of that material.
    pub first: Option<usize>,
    /// Tetrahedra that are flat or inside out.
    pub inverted: usize,
}

/// Energies, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Energy {
    /// ½ m v².
    #[cfg_attr(
        feature = "serde",
        serde(rename = "kinetic_energy", deserialize_with = "crate::serial::number")
    )]
    pub kinetic: f64,
    /// −m g·x, zero at the origin.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "potential_energy", deserialize_with = "crate::serial::number")
    )]
    pub potential: f64,
    /// ½ C²/α of the compliant constraints; rigid ones store none.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "elastic_energy", deserialize_with = "crate::serial::number")
    )]
    pub elastic: f64,
}

impl Energy {
    /// The sum.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

impl FrameReport {
    /// The residual of a group, by its name: `"edges"`, `"bending"`, `"volumes"`, `"targets"`, `"contacts"`
    /// or that of a group of your own.
    #[must_use]
    pub fn residual(&self, group: &str) -> Option<&GroupResidual> {
        self.residuals.iter().find(|r| r.name == group)
    }
}

#[cfg(feature = "serde")]
impl crate::serial::Named for SeamGap {
    fn name(&self) -> &str {
        &self.name
    }

    fn set_name(&mut self, name: String) {
        self.name = name;
    }
}

#[cfg(feature = "serde")]
impl crate::serial::Named for GroupResidual {
    fn name(&self) -> &str {
        &self.name
    }

    fn set_name(&mut self, name: String) {
        self.name = name;
    }
}

impl std::fmt::Display for FrameReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "frame {} ({:.4} s)", self.frame, self.time)?;
        for r in &self.residuals {
            write!(f, ", {} {:.2e} {}", r.name, r.max.value, r.unit)?;
        }
        if let Some(s) = &self.stretch {
            write!(f, ", stretch {:.3} %", 100.0 * s.max.value)?;
        }
        if let Some(v) = &self.volume {
            write!(f, ", volume {:.3} %, {} inverted", 100.0 * v.max.value, v.inverted)?;
        }
        Ok(())
    }
}
