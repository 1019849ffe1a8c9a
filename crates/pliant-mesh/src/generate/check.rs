//! [`GenerateError`]: numbers from which no mesh can be made, and the checks of them.

use thiserror::Error;

/// The most elements of a generated mesh: a larger number is a typing error or out of reach.
pub(crate) const MOST_ELEMENTS: u64 = 1 << 27;

/// Numbers from which no mesh can be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GenerateError {
    /// A length that is not positive and finite.
    #[error("the {what} of a {shape} must be a positive length in metres, not {value}")]
    Length {
        /// The requested shape.
        shape: &'static str,
        /// The parameter.
        what: &'static str,
        /// Its value, metres.
        value: f64,
    },
    /// A number of parts that is too small.
    #[error("a {shape} needs at least {least} {what}, not {value}")]
    Count {
        /// The requested shape.
        shape: &'static str,
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: usize,
        /// The smallest value that makes a mesh.
        least: usize,
    },
    /// A torus whose tube is so thick that it meets itself in the middle.
    #[error("the tube of a torus (radius {minor} m) must be thinner than its ring (radius {major} m)")]
    ThickTorus {
        /// Radius of the ring, metres.
        major: f64,
        /// Radius of the tube, metres.
        minor: f64,
    },
    /// A sector that is not a part of a turn.
    #[error("the sector of a {shape} must be above 0 and at most 360°, not {degrees}°")]
    Sector {
        /// The requested shape.
        shape: &'static str,
        /// Its value, degrees.
        degrees: f64,
    },
    /// More elements than can be simulated.
    #[error("the {shape} would have more than {most} elements; ask for fewer parts")]
    TooManyElements {
        /// The requested shape.
        shape: &'static str,
        /// The most that are allowed.
        most: u64,
    },
}

/// Checks of the parameters of one shape.
#[derive(Clone, Copy)]
pub(super) struct Check {
    pub(super) shape: &'static str,
}

impl Check {
    pub(super) fn length(self, what: &'static str, value: f64) -> Result<(), GenerateError> {
        if value.is_finite() && value > 0.0 {
            Ok(())
        } else {
            Err(GenerateError::Length { shape: self.shape, what, value })
        }
    }

    pub(super) fn count(self, what: &'static str, value: usize, least: usize) -> Result<(), GenerateError> {
        if value >= least {
            Ok(())
        } else {
            Err(GenerateError::Count { shape: self.shape, what, value, least })
        }
    }

    /// Checks a sector, radians.
    pub(super) fn sector(self, sector: f64) -> Result<(), GenerateError> {
        if sector > 0.0 && sector <= std::f64::consts::TAU {
            Ok(())
        } else {
            Err(GenerateError::Sector { shape: self.shape, degrees: sector.to_degrees() })
        }
    }

    /// Checks the product of some factors, the number of elements.
    pub(super) fn elements(self, factors: &[usize]) -> Result<(), GenerateError> {
        check_elements(self.shape, factors)
    }
}

/// Refuses more than [`MOST_ELEMENTS`] elements; their number is the product of some factors.
pub(crate) fn check_elements(shape: &'static str, factors: &[usize]) -> Result<(), GenerateError> {
    let product = factors.iter().try_fold(1_u64, |product, &f| product.checked_mul(f as u64));
    if product.is_some_and(|p| p <= MOST_ELEMENTS) {
        Ok(())
    } else {
        Err(GenerateError::TooManyElements { shape, most: MOST_ELEMENTS })
    }
}
