//! Elastic moduli: [`Lame`], [`Orthotropic`] and what is derived from them.
//!
//! A linear elastic material is described by Young's modulus E in pascal (how hard it is to stretch) and
//! Poisson's ratio ν (how much it narrows when stretched). Energies are written with Lamé's moduli μ and λ,
//! in pascal too:
//!
//! ```text
//! μ = E/(2(1+ν))      solid: λ = Eν/((1+ν)(1−2ν))      sheet (plane stress): λ = Eν/(1−ν²)
//! ```
//!
//! A woven sheet has two Young's moduli, along the warp (1) and the weft (2), and a shear modulus G of its
//! own. Stress and strain ε = (E11, E22, E12) of a sheet are tied by the stiffness matrix K of
//! [`PlaneStiffness`]:
//!
//! ```text
//! isotropic:    K = [[λ+2μ, λ, 0], [λ, λ+2μ, 0], [0, 0, 4μ]]
//! orthotropic:  K = [[E1/Δ, ν21 E1/Δ, 0], [ν12 E2/Δ, E2/Δ, 0], [0, 0, 4G]]      Δ = 1 − ν12 ν21      ν21 E1 = ν12 E2
//! ```
//!
//! so that the energy density is ½ εᵀKε; the 4 stands there because E12 occurs twice in the strain tensor.
//!
//! *Hazard.* At ν = ½ a solid is incompressible and λ infinite, at ν = −1 (and ν = 1 in a sheet) the energy
//! has a direction without resistance. Those limits are errors, not large numbers.
//!
//! Source: Bower, *Applied Mechanics of Solids* (2009), section 3.2; Jones, *Mechanics of Composite
//! Materials* (1999), section 2.4.

use thiserror::Error;

/// Moduli that no material has.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ModuliError {
    /// A modulus that must be positive is not.
    #[error("{name} is {value}, but must be positive and finite")]
    NotPositive {
        /// Which quantity.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// Poisson's ratio outside its open interval.
    #[error("Poisson's ratio is {value}, but must lie between {low} and {high}, both excluded")]
    Poisson {
        /// What was given.
        value: f64,
        /// Lower limit, excluded.
        low: f64,
        /// Upper limit, excluded.
        high: f64,
    },
    /// Lamé's second modulus is so negative that the material would be unstable.
    #[error("with μ = {mu} Pa, λ must be finite and above {low} Pa, but is {lambda}")]
    Lambda {
        /// Shear modulus μ, Pa.
        mu: f64,
        /// What was given, Pa.
        lambda: f64,
        /// Lower limit, excluded, Pa.
        low: f64,
    },
}

/// `Ok` for a positive, finite number.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<f64, ModuliError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(ModuliError::NotPositive { name, value }) }
}

fn between(value: f64, low: f64, high: f64) -> Result<(), ModuliError> {
    if low < value && value < high { Ok(()) } else { Err(ModuliError::Poisson { value, low, high }) }
}

/// Lamé's moduli of an isotropic material.
///
/// ```
/// use pliant_constraints::Lame;
///
/// let rubber = Lame::solid(1e6, 0.25)?;
/// assert_eq!((rubber.mu, rubber.lambda), (4e5, 4e5));
/// assert!(Lame::solid(1e6, 0.5).is_err());
/// # Ok::<(), pliant_constraints::ModuliError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lame {
    /// Shear modulus μ, Pa.
    pub mu: f64,
    /// Second modulus λ, Pa.
    pub lambda: f64,
}

impl Lame {
    /// Moduli of a solid of Young's modulus `young`, Pa, and Poisson's ratio `poisson` in (−1, ½).
    ///
    /// # Errors
    ///
    /// If one of them is outside its range.
    pub fn solid(young: f64, poisson: f64) -> Result<Self, ModuliError> {
        positive("Young's modulus", young)?;
        between(poisson, -1.0, 0.5)?;
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        Self { mu: shear(young, poisson), lambda }.checked_solid()
    }

    /// Moduli of a thin sheet that is free to change its thickness (plane stress), from Young's modulus, Pa,
    /// and Poisson's ratio in (−1, 1).
    ///
    /// ```
    /// use pliant_constraints::Lame;
    ///
    /// let stitch = Lame::plane_stress(1e6, 0.49)?;
    /// assert!((stitch.mu - 335_570.4698).abs() < 1e-4);
    /// assert!((stitch.lambda - 644_821.6871).abs() < 1e-4);
    /// # Ok::<(), pliant_constraints::ModuliError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If one of them is outside its range.
    pub fn plane_stress(young: f64, poisson: f64) -> Result<Self, ModuliError> {
        positive("Young's modulus", young)?;
        between(poisson, -1.0, 1.0)?;
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - poisson));
        Self { mu: shear(young, poisson), lambda }.checked_sheet()
    }

    /// Moduli for [`NeoHookeanTet`](crate::NeoHookeanTet), whose small deformations are those of a solid (E,
    /// ν) when λ' = λ + μ is put instead of λ.
    ///
    /// # Errors
    ///
    /// If one of them is outside its range.
    pub fn neo_hookean(young: f64, poisson: f64) -> Result<Self, ModuliError> {
        let Self { mu, lambda } = Self::solid(young, poisson)?;
        Ok(Self { mu, lambda: mu + lambda })
    }

    /// The same moduli, if a solid can have them: μ > 0 and λ > −⅔ μ.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub fn checked_solid(self) -> Result<Self, ModuliError> {
        self.checked(-2.0 / 3.0)
    }

    /// The same moduli, if a sheet can have them: μ > 0 and λ > −μ.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub fn checked_sheet(self) -> Result<Self, ModuliError> {
        self.checked(-1.0)
    }

    /// The same moduli, if the neo-Hookean energy can have them: μ > 0 and λ > 0.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub fn checked_neo_hookean(self) -> Result<Self, ModuliError> {
        self.checked(0.0)
    }

    fn checked(self, low: f64) -> Result<Self, ModuliError> {
        let Self { mu, lambda } = self;
        positive("the shear modulus", mu)?;
        let low = low * mu;
        if lambda > low && lambda.is_finite() {
            Ok(self)
        } else {
            Err(ModuliError::Lambda { mu, lambda, low })
        }
    }
}

fn shear(young: f64, poisson: f64) -> f64 {
    young / (2.0 * (1.0 + poisson))
}

/// Moduli of a woven sheet, for two directions at right angles.
///
/// ```
/// use pliant_constraints::Orthotropic;
///
/// // Three times as stiff along the warp, and soft in shear, as cloth is.
/// let cloth = Orthotropic { warp: 3e6, weft: 1e6, poisson: 0.3, shear: 2e4 };
/// let k = cloth.stiffness()?;
/// assert!((k.k12 / k.k22 - 0.3).abs() < 1e-15 && k.k33 == 8e4);
/// # Ok::<(), pliant_constraints::ModuliError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orthotropic {
    /// Young's modulus E1 along the warp, Pa.
    pub warp: f64,
    /// Young's modulus E2 along the weft, Pa.
    pub weft: f64,
    /// Poisson's ratio ν12: how much the weft narrows when the warp is pulled. At most √(E1/E2) in size.
    pub poisson: f64,
    /// Shear modulus G, Pa.
    pub shear: f64,
}

impl Orthotropic {
    /// √(E1/E2), below which Poisson's ratio must stay in size.
    #[must_use]
    pub fn poisson_limit(&self) -> f64 {
        (self.warp / self.weft).sqrt()
    }

    /// The stiffness matrix.
    ///
    /// # Errors
    ///
    /// If a modulus is not positive, or Poisson's ratio not below √(E1/E2) in size: pulling in one direction
    /// would release energy.
    pub fn stiffness(&self) -> Result<PlaneStiffness, ModuliError> {
        let Self { warp, weft, poisson, shear } = *self;
        positive("Young's modulus along the warp", warp)?;
        positive("Young's modulus along the weft", weft)?;
        positive("the shear modulus", shear)?;
        let limit = self.poisson_limit();
        between(poisson, -limit, limit)?;
        let delta = 1.0 - poisson * poisson * (weft / warp);
        PlaneStiffness { k11: warp / delta, k12: poisson * weft / delta, k22: weft / delta, k33: 4.0 * shear }
            .checked()
    }
}

/// The stiffness matrix K = [[k11, k12, 0], [k12, k22, 0], [0, 0, k33]] of a sheet in its material directions, Pa.
///
/// The energy per volume of the strain ε = (E11, E22, E12) is ½ εᵀKε.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaneStiffness {
    /// Along the warp.
    pub k11: f64,
    /// Between warp and weft.
    pub k12: f64,
    /// Along the weft.
    pub k22: f64,
    /// Of E12: four times the shear modulus.
    pub k33: f64,
}

impl PlaneStiffness {
    /// The matrix of an isotropic sheet.
    ///
    /// # Errors
    ///
    /// If no sheet can have the moduli: μ ≤ 0 or λ ≤ −μ.
    pub fn isotropic(moduli: Lame) -> Result<Self, ModuliError> {
        let Lame { mu, lambda } = moduli.checked_sheet()?;
        let k11 = lambda + 2.0 * mu;
        Self { k11, k12: lambda, k22: k11, k33: 4.0 * mu }.checked()
    }

    /// The same matrix, if it is positive definite after rounding.
    pub(crate) fn checked(self) -> Result<Self, ModuliError> {
        positive("the stiffness along the warp", self.k11)?;
        positive("the stiffness along the weft", self.k22)?;
        positive("the shear stiffness", self.k33)?;
        positive(
            "the stiffness along the weft beside that of the warp",
            self.k22 - self.k12 * self.k12 / self.k11,
        )?;
        Ok(self)
    }

    /// Stress S = Kε, Pa, of the strain ε = (E11, E22, E12): what multiplies dε in the energy.
    #[must_use]
    pub fn stress(&self, strain: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = strain;
        [self.k11 * a + self.k12 * b, self.k12 * a + self.k22 * b, self.k33 * c]
    }
}

/// Flexural rigidity D = E t³/(12(1 − ν²)) of a plate, J: a plate bent to a cylinder of curvature c stores
/// ½Dc² per area.
///
/// `young` in Pa, `thickness` t in m. Cloth bends far more easily than a plate of its thickness would:
/// measure it instead.
///
/// # Errors
///
/// If E or t is not positive, or ν not in (−1, 1).
///
/// ```
/// let steel = pliant_constraints::flexural_rigidity(2e11, 0.3, 1e-3)?;
/// assert!((steel - 18.315).abs() < 1e-3);
/// # Ok::<(), pliant_constraints::ModuliError>(())
/// ```
pub fn flexural_rigidity(young: f64, poisson: f64, thickness: f64) -> Result<f64, ModuliError> {
    positive("Young's modulus", young)?;
    positive("the thickness", thickness)?;
    between(poisson, -1.0, 1.0)?;
    Ok(young * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson)))
}
