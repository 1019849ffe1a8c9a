//! [`Summary`]: residuals, strains and energy of a group in one pass.

use nalgebra::Vector3;
use pliant_constraints::{
    BlockConstraint, Damping, Deformation, Kind, MAX_REST, damped_compliance, damped_values, over_compliance,
    potential_energy,
};

use crate::distribution::Distribution;
use crate::item::Item;
use crate::number::Number;
use crate::particles::{Particle, widen};

/// Sums and maxima over a group.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Largest |C + α̃λ| and the constraint that has it.
    pub residual: Peak,
    /// Sum of the squared residuals over all rows.
    pub residual_squares: f64,
    /// Number of rows summed.
    pub rows: usize,
    /// Elastic energy ½ C²/α of the compliant constraints, over that at rest where it is not zero there, J.
    pub energy: f64,
    /// Σ r²/(α̃(1 + γ)) over the rows that are compliant, kg·m², from which a bound on the error of a step follows.
    pub softness: f64,
    /// Number of rows that are not.
    pub rigid_rows: usize,
    /// Largest elongation (L − L₀)/L₀.
    pub stretch: Peak,
    /// Largest compression (L₀ − L)/L₀.
    pub compression: Peak,
    /// Sum of |L − L₀|/L₀.
    pub stretch_sum: f64,
    /// Number of stretches summed.
    pub stretches: usize,
    /// Largest |V − V₀|/|V₀|.
    pub volume: Peak,
    /// Number of elements whose volume was measured.
    pub volumes: usize,
    /// Number of elements with no volume or a negative one.
    pub inverted: usize,
    /// The first inverted element.
    pub first_inverted: Option<usize>,
    /// Changes of lengths, if any was measured.
    pub stretch_distribution: Option<Distribution>,
    /// Changes of volumes, if any was measured.
    pub volume_distribution: Option<Distribution>,
}

/// The state that is summarised.
#[derive(Debug, Clone, Copy)]
pub struct State<'a, T: Number> {
    /// Number of particles.
    pub count: usize,
    /// The particles, and behind them the dummies.
    pub now: &'a [Particle<T>],
    /// The particles at the start of the last substep.
    pub previous: &'a [Particle<T>],
    /// 1/h² of the last substep, s⁻²; zero before the first.
    pub inverse_h2: T,
    /// γ of the constraints, zero without damping.
    pub gamma: T,
    /// Energies of the constraints at rest, J; none where they are zero.
    pub rest_energies: &'a [f64],
}

/// A maximum and where it was found.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Peak {
    /// The largest value; zero if there was none.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub value: f64,
    /// Number of the constraint in the caller's list.
    pub at: Option<usize>,
}

impl Peak {
    /// Adds a value; NaN counts as larger than everything. Ties go to the smaller number.
    #[inline]
    pub fn take(&mut self, value: f64, at: usize) {
        let larger = value > self.value || (value.is_nan() && !self.value.is_nan());
        let tie = value == self.value && value > 0.0 && self.at.is_some_and(|a| at < a);
        if larger || tie {
            *self = Self { value, at: Some(at) };
        }
    }

    /// Merges the maximum of another list.
    #[inline]
    pub fn merge(&mut self, other: &Self) {
        if let Some(at) = other.at {
            self.take(other.value, at);
        }
    }
}

impl Summary {
    /// Adds the relative change of the volume of an element.
    #[inline]
    pub fn take_volume(&mut self, change: f64, at: usize) {
        self.volume.take(change.abs(), at);
        self.volumes += 1;
        self.volume_distribution.get_or_insert_default().take(change);
        if change <= -1.0 {
            self.take_inverted(at);
        }
    }

    /// Adds an element that is flat or inside out.
    pub(crate) fn take_inverted(&mut self, at: usize) {
        self.inverted += 1;
        self.first_inverted = Some(self.first_inverted.map_or(at, |first| first.min(at)));
    }

    /// Both together.
    #[must_use]
    pub fn merge(mut self, other: &Self) -> Self {
        self.residual.merge(&other.residual);
        self.residual_squares += other.residual_squares;
        self.rows += other.rows;
        self.energy += other.energy;
        self.softness += other.softness;
        self.rigid_rows += other.rigid_rows;
        self.stretch.merge(&other.stretch);
        self.compression.merge(&other.compression);
        self.stretch_sum += other.stretch_sum;
        self.stretches += other.stretches;
        self.volume.merge(&other.volume);
        self.volumes += other.volumes;
        self.inverted += other.inverted;
        self.first_inverted = match (self.first_inverted, other.first_inverted) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        add_distribution(&mut self.stretch_distribution, other.stretch_distribution.as_ref());
        add_distribution(&mut self.volume_distribution, other.volume_distribution.as_ref());
        self
    }
}

/// Adds a distribution to one that may not be there yet.
pub fn add_distribution(all: &mut Option<Distribution>, one: Option<&Distribution>) {
    if let Some(one) = one {
        all.get_or_insert_default().add(one);
    }
}

/// The energy of a constraint over that at rest, J, if the state has the latter.
pub(crate) fn energy_over_rest<T: Number, K: Kind<N, M>, const N: usize, const M: usize>(
    item: &Item<T, K, N, M>,
    state: &State<'_, T>,
) -> f64 {
    let x = item.stencil().map(|v| state.now[v as usize].x);
    state.rest_energies.get(item.source()).map_or(0.0, |&at_rest| energy_over(item, &x, at_rest))
}

/// The energy of a constraint over that at rest, J. In `f64`, because both are much larger than their difference.
fn energy_over<T: Number, K: Kind<N, M>, const N: usize, const M: usize>(
    item: &Item<T, K, N, M>,
    x: &[Vector3<T>; N],
    at_rest: f64,
) -> f64 {
    let mut rest = [T::zero(); MAX_REST];
    K::rest_of(item.rest(), &mut rest[..K::REST]);
    let exact = K::from_rest::<f64>(&rest.map(T::to_f64)[..K::REST]);
    potential_energy(&exact, &x.map(|x| widen(&x)), item.compliance().to_f64()) - at_rest
}

/// The values and the residuals of a constraint.
pub(crate) fn residuals_here<T: Number, K: Kind<N, M>, const N: usize, const M: usize>(
    item: &Item<T, K, N, M>,
    state: &State<'_, T>,
) -> ([T; M], [T; M]) {
    let x = item.stencil().map(|v| state.now[v as usize].x);
    let values = item.rest().values(&x);
    let alpha_tilde = item.compliance() * state.inverse_h2;
    let residuals = if state.gamma > T::zero() {
        let previous = item.stencil().map(|v| state.previous[v as usize].x);
        let damping = Damping { previous: &previous, gamma: state.gamma };
        item.rest().residuals(
            &damped_values(item.rest(), &x, alpha_tilde, damping),
            alpha_tilde,
            item.lambda(),
        )
    } else {
        item.rest().residuals(&values, alpha_tilde, item.lambda())
    };
    (values, residuals)
}

/// Adds a constraint to a summary.
pub(crate) fn summarise_here<T: Number, K: Kind<N, M>, const N: usize, const M: usize>(
    summary: &mut Summary,
    item: &Item<T, K, N, M>,
    state: &State<'_, T>,
) {
    let (values, residuals) = residuals_here(item, state);
    let alpha_tilde = item.compliance() * state.inverse_h2;
    let compliance = item.compliance().to_f64();
    let softness = damped_compliance(alpha_tilde.to_f64(), state.gamma.to_f64());
    if compliance <= 0.0 {
        summary.rigid_rows += M;
    } else {
        let squares = residuals.iter().map(|r| r.to_f64() * r.to_f64()).sum();
        summary.softness += over_compliance(squares, softness);
    }
    let violations = item.rest().violations(values);
    for (violation, residual) in violations.iter().zip(&residuals) {
        let r = residual.to_f64();
        summary.residual.take(r.abs(), item.source());
        summary.residual_squares += r * r;
        if state.rest_energies.is_empty() {
            let c = violation.to_f64();
            summary.energy += 0.5 * over_compliance(c * c, compliance);
        }
    }
    summary.rows += M;
    summary.energy += energy_over_rest(item, state);
    match K::deformation(item.rest(), &values) {
        Deformation::Nothing => {}
        Deformation::Stretch(s) => {
            let s = s.to_f64();
            summary.stretch.take(s, item.source());
            summary.compression.take(-s, item.source());
            summary.stretch_sum += s.abs();
            summary.stretches += 1;
            summary.stretch_distribution.get_or_insert_default().take(s);
        }
        Deformation::Volume(v) => {
            summary.take_volume(v.to_f64(), item.source());
        }
    }
}

/// The values of a constraint and their gradients, row after row.
pub(crate) fn evaluate_here<T: Number, K: Kind<N, M>, const N: usize, const M: usize>(
    item: &Item<T, K, N, M>,
    now: &[Particle<T>],
) -> ([T; M], [[Vector3<T>; N]; M]) {
    item.rest().values_and_gradients(&item.stencil().map(|v| now[v as usize].x))
}
