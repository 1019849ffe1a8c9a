//! [`Pressure`]: what fills a closed surface.

use pliant_constraints::{GlobalVolume, gas_compliance, pressure_factor};

use crate::describe::compliance::Compliance;
use crate::error::body::PressureError;

/// The standard atmosphere, Pa.
const ATMOSPHERE: f64 = 101_325.0;

/// What holds the volume inside the closed surface of a body.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Compliance, Pressure, Simulation};
///
/// // A ball of rubber skin, blown up to half as much again.
/// let skin = TriMesh::icosphere(0.1, 4)?;
/// let ball = Body::cloth(skin).stretch(Compliance::new(1e-4)).pressure(Pressure::factor(1.5));
/// let mut sim = Simulation::builder().gravity([0.0; 3]).body(ball).build()?;
/// let frame = sim.step(1.0 / 60.0)?;
/// assert!(frame.residual("pressure").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressure {
    fill: Fill,
    compliance: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fill {
    Factor(f64),
    Overpressure(f64),
    Gas { overpressure: f64, exponent: f64 },
}

impl Pressure {
    /// Holds `factor` times the rest volume as if filled with water: 1 keeps it, more inflates, less lets it
    /// shrink. Rigid, until a [compliance](Pressure::compliance) is given.
    #[must_use]
    pub fn factor(factor: f64) -> Self {
        Self { fill: Fill::Factor(factor), compliance: 0.0 }
    }

    /// An overpressure, Pa, at the rest volume, that falls by 1 Pa for every `compliance`, m³/Pa, of further volume.
    #[must_use]
    pub fn overpressure(overpressure: f64, compliance: impl Into<Compliance>) -> Self {
        Self { fill: Fill::Overpressure(overpressure), compliance: compliance.into().value() }
    }

    /// Gas that has the overpressure, Pa, over the standard atmosphere at the rest volume. `exponent` is 1
    /// for slow changes and 1.4 for quick changes of air; the law is its slope at the rest volume (see
    /// [`gas_compliance`]).
    #[must_use]
    pub fn gas(overpressure: f64, exponent: f64) -> Self {
        Self { fill: Fill::Gas { overpressure, exponent }, compliance: 0.0 }
    }

    /// Sets the compliance, m³/Pa; without effect on a [gas](Pressure::gas), which has its own.
    #[must_use]
    pub fn compliance(self, compliance: impl Into<Compliance>) -> Self {
        Self { compliance: compliance.into().value(), ..self }
    }

    /// The law for a rest volume, m³, and its compliance, m³/Pa; the error is what is wrong.
    pub(crate) fn law(&self, rest: f64) -> Result<(GlobalVolume, f64), PressureError> {
        if !(rest > 0.0 && rest.is_finite()) {
            return Err(PressureError::RestVolume(rest));
        }
        let (factor, compliance) = match self.fill {
            Fill::Factor(factor) => (factor, self.compliance),
            Fill::Overpressure(p) if self.compliance > 0.0 => {
                (pressure_factor(p, self.compliance, rest), self.compliance)
            }
            Fill::Overpressure(_) => {
                return Err(PressureError::NoCompliance);
            }
            Fill::Gas { overpressure, exponent } => {
                let absolute = ATMOSPHERE + overpressure;
                if !(absolute > 0.0 && exponent > 0.0) {
                    return Err(PressureError::Gas { absolute, exponent });
                }
                let compliance = gas_compliance(rest, absolute, exponent);
                (pressure_factor(overpressure, compliance, rest), compliance)
            }
        };
        if !(compliance >= 0.0 && compliance.is_finite()) {
            return Err(PressureError::Compliance(compliance));
        }
        if !(factor > 0.0 && factor.is_finite()) {
            return Err(PressureError::Factor(factor));
        }
        Ok((GlobalVolume { rest, factor }, compliance))
    }
}
