//! [`FrameReport`]: how good the state at the end of a frame is.

use nalgebra::Vector3;

pub use crate::summary::Peak;

/// Residuals, strains, energies and momenta at the end of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameReport {
    /// Number of steps taken.
    pub frame: u64,
    /// Time at the end of the frame, s.
    pub time: f64,
    /// Residual of every group of constraints in the order in which they are solved; contacts, where there are obstacles, last.
    pub residuals: Vec<GroupResidual>,
    /// Stretch of the edges, if any edge is constrained.
    pub stretch: Option<Stretch>,
    /// Volume of the tetrahedra, if any is constrained.
    pub volume: Option<VolumeError>,
    /// Energies of the particles that can move.
    pub energy: Energy,
    /// Linear momentum Σ m v of the particles that can move, kg·m/s.
    pub linear_momentum: Vector3<f64>,
    /// Angular momentum Σ x × m v about the origin, kg·m²/s.
    pub angular_momentum: Vector3<f64>,
    /// Number of particles in contact with an obstacle.
    pub contacts: usize,
    /// Equal only where every bit of positions and velocities is.
    pub state_hash: u64,
}

/// Residual |C + α̃λ| of a group: what is left of the equations that the solver solves.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupResidual {
    /// Name of the group.
    pub name: String,
    /// Unit of the numbers.
    pub unit: &'static str,
    /// Number of constraints that act.
    pub constraints: usize,
    /// Largest residual and the constraint that has it (for contacts: the particle).
    pub max: Peak,
    /// Root of the mean square over all rows.
    pub rms: f64,
}

/// Change of the constrained lengths relative to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Largest elongation (L − L₀)/L₀.
    pub max: Peak,
    /// Largest compression (L₀ − L)/L₀.
    pub max_compression: Peak,
    /// Mean of |L − L₀|/L₀.
    pub mean: f64,
}

/// Change of the constrained volumes relative to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeError {
    /// Largest |V − V₀|/V₀.
    pub max: Peak,
    /// Number of elements that are flat or inside out.
    pub inverted: usize,
    /// The first of them.
    pub first_inverted: Option<usize>,
}

/// Energies, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// ½ m v².
    pub kinetic: f64,
    /// −m g·x, zero at the origin.
    pub potential: f64,
    /// ½ C²/α of the compliant constraints; rigid ones store none.
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
    /// The residual of a group, by its name: `"edges"`, `"bending"`, `"volumes"`, `"targets"`, `"contacts"` or that of a group of one's own.
    #[must_use]
    pub fn residual(&self, group: &str) -> Option<&GroupResidual> {
        self.residuals.iter().find(|r| r.name == group)
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
